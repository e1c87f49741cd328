#!/bin/sh
# --deinterlace, --rotate, --crop and --scale: FFmpeg's own pixels, the right number of them at the right times,
# and pictures that stand upright wherever the output has no place for a display matrix.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

exact=flags=bicubic+accurate_rnd+bitexact
clip fields.mkv lavfi:testsrc2=s=96x64:r=50:d=0.6 -vf tinterlace=interleave_top,setfield=tff,setsar=4/3 \
    -pix_fmt yuv420p -flags +ildct+ilme -c:v mpeg2video -g 5 -qscale 2
clip stored.mp4 lavfi:testsrc2=s=96x64:r=25:d=0.12 -pix_fmt yuv420p -c:v libx264
for side in 90 180; do turned_clip turned$side.mp4 $side stored.mp4; done
# The display matrix of a mirrored picture, which ffmpeg 5.1 cannot write: in the track header.
python3 - <<'END'
data = open("turned180.mp4", "rb").read()
at = data.index(b"tkhd") + 4 + 40
mirrored = b"".join(v.to_bytes(4, "big", signed=True) for v in (-65536, 0, 0, 0, 65536, 0, 96 << 16, 0, 1 << 30))
open("mirrored.mp4", "wb").write(data[:at] + mirrored + data[at + 36:])
END

pixels() { sums_of -noautorotate -i "$1"; } # file: a checksum of every picture as it is stored
wanted() { sums_of "$1" -vf "$2" -vsync passthrough; } # file, filters: what ffmpeg makes of it

begin "pixels and counts are those of FFmpeg's filters"
while IFS='|' read -r in options filters; do
    ok runnel render $in out.mkv --codec ffv1 -d none -y $options
    # Chroma that lay at the left lies at the bottom once turned, which Matroska has no word for.
    grep '^runnel.*warning' err | grep -qv 'place of the chroma' && complain "$options: $(cat err)"
    pixels out.mkv >got
    wanted $in "$filters" >want
    [ -s want ] && cmp -s got want || complain "$in $options: $(wc -l <got) pictures, not the $(wc -l <want) of $filters"
done <<END
fields.mkv|--deinterlace frame|bwdif=mode=send_frame:deint=interlaced
fields.mkv|--scale 80x48|scale=80:48:interl=-1:$exact
fields.mkv|--scale -2x40 --crop 48x33+8+16 --rotate 90 --deinterlace field|bwdif=mode=send_field:deint=interlaced,transpose=clock,crop=48:33:8:16:exact=1,scale=-2:40:$exact
stored.mp4|--deinterlace field:all --rotate vflip|bwdif=mode=send_field:deint=all,vflip
turned90.mp4|--crop 32x40|crop=32:40
END

begin "one picture of each field: twice the rate, without fields"
ok runnel render fields.mkv double.mkv --codec ffv1 -d none --deinterlace field --progress lines
wanted fields.mkv bwdif=mode=send_field:deint=interlaced >want
expect_printed want pixels double.mkv
seq 0 29 | awk '{printf "%.6f\n", $1 / 50}' >want
expect_printed want times_of double.mkv
expect_eq "fields, rate" "$(about double.mkv stream=field_order,avg_frame_rate)" progressive,50/1
expect_eq "the number expected" "$(tail -n 1 lines | jq .frames_expected)" 30
run runnel stats fields.mkv -d none -q --deinterlace field
expect_eq "rows of stats" "$(grep -c '^29,0.58' out)" 3
for f in avi y4m; do # that count pictures
    ok runnel render fields.mkv counted.$f -d none --deinterlace field
    expect_eq "pictures in $f" "$(frames_of counted.$f)" 30
done

begin "fields are the same wherever reading begins; 7f is the picture that the chain sees"
into whole runnel render fields.mkv md5: -d none -q --deinterlace field
run runnel render fields.mkv md5: -d none -q --deinterlace field --from 0.41 --frames 6
awk '$1 >= 21 && $1 < 27' whole | cut -d' ' -f2- >want
expect_printed want cut -d' ' -f2- out
run runnel render fields.mkv md5: -d none -q --deinterlace field --from 7f --to 12f
awk '$1 >= 7 && $1 < 12' whole | cut -d' ' -f2- >want
expect_printed want cut -d' ' -f2- out

begin "a display matrix turns the pixels, in every container; --rotate none leaves it a tag"
for in in turned90 turned180 mirrored; do
    wanted $in.mp4 null >upright
    [ $in = mirrored ] && wanted stored.mp4 hflip >upright # by its matrix alone; ffmpeg 5.1 does not see it
    for out in mkv nut; do
        says "'$in.mp4': pictures are \(turned\|mirrored\).*display matrix.*--rotate none" \
            runnel render $in.mp4 $in.$out --codec ffv1 -d none
        expect_printed upright pixels $in.$out
        expect_eq "rotation in $out" "$(about $in.$out stream=rotation,tag:rotate)" ""
    done
    says "pictures are \(turned\|mirrored\)" runnel render $in.mp4 $in-1.mp4 --codec libx264 --codec-opts qp=0 -d none
    expect_eq "matrix in MP4" "$(about $in-1.mp4 stream=displaymatrix)" ""
    expect_printed upright pixels $in-1.mp4
    ok runnel render $in.mp4 $in-2.mp4 --codec libx264 --codec-opts qp=0 -d none --rotate none
    expect_same_of $in-2.mp4 $in.mp4 about stream=displaymatrix
    expect_same_of $in-2.mp4 stored.mp4 pixels
done
run runnel render turned90.mp4 kept.mov -d none --rotate none
expect_same_of kept.mov turned90.mp4 about stream=rotation
into kept.y4m runnel render turned90.mp4 - -d none
run runnel render turned90.mp4 p%d.png -d none
for f in kept.y4m p1.png; do
    expect_eq "size of $f" "$(about $f stream=width,height)" 64,96
done
run runnel render turned90.mp4 as-stored.mkv -d none --rotate none
expect_eq "size as stored" "$(about as-stored.mkv stream=width,height)" 96,64
run runnel render turned90.mp4 again.mp4 -d none
expect_eq "turned" "$(about again.mp4 stream=width,height,rotation)" 64,96

begin "filters see the same picture whatever is made of it"
chain="emboss,convolution=matrix='0 1 0 0 0 0 0 0 0'"
run runnel render turned90.mp4 md5: -f "$chain" -d none -q
cut -d' ' -f3 out >want
for out in 'mp4 --codec libx264 --codec-opts qp=0' 'mov --codec libx264 --codec-opts qp=0' 'mkv --codec ffv1'; do
    run runnel render turned90.mp4 tuned.$out -f "$chain" -d none -y
    run runnel render tuned.${out%% *} md5: -d none -q
    expect_printed want cut -d' ' -f3 out
done

begin "a matrix that asks for no quarter of a circle stays a tag, or is said to be lost"
python3 - <<'PY'
import struct
data = bytearray(open("turned90.mp4", "rb").read())
at = max(data.find(struct.pack(">5i", 0, one, 0, -one, 0)) for one in (65536, -65536))
c = 46341 # cos 45 degrees
data[at:at + 20] = struct.pack(">5i", c, c, 0, -c, c)
open("slanted.mp4", "wb").write(data)
PY
ok runnel render slanted.mp4 slanted-out.mp4 -d none --strict
expect_same_of slanted-out.mp4 slanted.mp4 about stream=rotation
fails 6 "lost: .*rotation" runnel render slanted.mp4 slanted.ts -d none --strict

begin "photos stand upright by their Exif data"
clip plain.jpg stored.mp4 -frames:v 1 -update 1
python3 - <<'END'
data = open("plain.jpg", "rb").read()
exif = b"Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\x06\0\0\0\0\0\0"
open("photo.jpg", "wb").write(data[:2] + b"\xff\xe1" + (len(exif) + 2).to_bytes(2, "big") + exif + data[2:])
END
into got runnel render photo.jpg md5: -d none -q
prints got runnel render plain.jpg md5: -d none -q --rotate 90
for n in 1 2; do
    cp photo.jpg turn_$n.jpg
    cp plain.jpg turn_$((3 - n)).jpg
    fails 6 'to be turned in different ways' runnel render turn_%d.jpg null: -d none --strict
done

begin "the shape of samples follows"
while IFS='|' read -r options size; do
    ok runnel render fields.mkv shape.mkv --codec ffv1 -d none -y --deinterlace frame $options
    expect_eq "size and shape with $options" "$(about shape.mkv stream=width,height,sample_aspect_ratio)" "$size"
done <<END
--scale 48x64|48,64,8:3
--scale 48x-1|48,32,4:3
--rotate 270|64,96,3:4
END

begin "pictures that change their size are scaled to one"
clip a.ts lavfi:testsrc2=s=96x64:r=25:d=0.2 -pix_fmt yuv420p -c:v mpeg2video
clip b.ts lavfi:testsrc2=s=64x48:r=25:d=0.2 -pix_fmt yuv420p -c:v mpeg2video
cat a.ts b.ts >ab.ts
ok runnel render ab.ts ab.mkv -d none --deinterlace frame:all --scale 32x24
# FFmpeg itself loses the picture in front of the change.
expect_eq "pictures" "$(frames_of ab.mkv)" $(($(frames_of a.ts) + $(frames_of b.ts)))

begin "pictures that become too small in mid-stream are a fault of the input"
clip c.ts lavfi:testsrc2=s=16x16:r=25:d=0.2 -vf scale=2:2 -pix_fmt yuv420p -c:v mpeg2video
cat a.ts c.ts >ac.ts
for options in "--crop 32x32" "--deinterlace frame"; do
    rm -f ac*.mkv
    fails 3 '' runnel render ac.ts ac.mkv -d none -q $options
    expect_eq "pictures with $options" "$(frames_of ac.partial.mkv)" "$(frames_of a.ts)"
done

begin "interlaced pictures: what fields do not survive is a loss"
fails 6 'lost: .*interlaced and its pictures are turned.*--deinterlace' \
    runnel render fields.mkv lost.mkv -d none --rotate 90 --strict
ok runnel render fields.mkv flipped.mkv --codec ffv1 -d none --rotate 180 --strict
expect_eq "the other field first" "$(about flipped.mkv frame=interlaced_frame,top_field_first)" 1,0

begin "interlaced pictures behind progressive ones: each as it is flagged"
for kind in progressive interlaced; do
    [ $kind = interlaced ] && weave="-vf tinterlace=interleave_top,setfield=tff -flags +ildct+ilme" || weave="-vf framerate=25"
    clip $kind.m2v lavfi:testsrc2=s=96x64:r=50:d=0.12 $weave -pix_fmt yuv420p -c:v mpeg2video
done
cat progressive.m2v interlaced.m2v >kinds.m2v
while IFS='|' read -r options flags loss; do
    ok runnel render kinds.m2v kinds.mkv --codec ffv1 -d none -y --metrics m.json -f blur $options
    expect_eq "flags with $options" "$(entries kinds.mkv v:0 frame=interlaced_frame,top_field_first | tr '\n' ' ')" \
        "0,0 0,0 0,0 $flags"
    expect_eq "loss with $options" "$(jq -r '.losses[] | select(.kind == "fields") | .text' m.json |
        grep -c 'interlaced and its pictures are .*--deinterlace')" "$loss"
done <<END
--rotate 90|0,0 0,0 0,0 |1
--rotate 90 --scale 40x50|0,0 0,0 0,0 |1
--rotate 180|1,0 1,0 1,0 |0
--crop 48x32+8+2|0,0 0,0 0,0 |1
--crop 48x32+8+4|1,1 1,1 1,1 |0
END

begin "a cropped picture is not stereoscopic any more, and a line says so"
clip stereo.mkv stored.mp4 -c copy -metadata:s:v stereo_mode=left_right
says 'lost: .*stereoscopic' runnel render stereo.mkv cut.mkv -d none --crop 32x32
expect_eq "stereo mode" "$(about cut.mkv stream=tag:stereo_mode,side_data_type)" ""
ok runnel render stereo.mkv scaled.mkv -d none --scale 48x32 --strict
expect_eq "stereo mode" "$(about scaled.mkv stream=tag:stereo_mode)" left_right

begin "refused, with what would do"
refused() { # status, words, arguments
    status=$1 words=$2
    shift 2
    refuses "$status" "$words" runnel render "$@" -d none
}
refused 2 'multiples of 2 and 2, which their colours need: try +4+8' stored.mp4 null: --crop 32x32+5+9
refused 2 'multiples of 2 and 4.*fields.*try +4+8' fields.mkv null: --crop 32x32+4+10
refused 2 'the pictures of .* are 64x96 once they are turned' turned90.mp4 null: --crop 80x32
refused 2 'reaches beyond' stored.mp4 null: --crop 80x32+32+0
refused 2 "crop takes a size and a place such as .*, not '80'" stored.mp4 null: --crop 80
refused 2 'scale takes a size' stored.mp4 null: --scale -1x-1
refused 2 'rotate takes' stored.mp4 null: --rotate 45
refused 2 'deinterlace takes' stored.mp4 null: --deinterlace on
refused 2 'for video' plain.jpg null: --deinterlace frame

begin "--deinterlace says if no frame is flagged as interlaced, and nothing where one is"
for mode in frame field; do
    says "no frame is flagged as interlaced, so --deinterlace $mode did nothing; $mode:all takes" \
        runnel render stored.mp4 null: -d none -q --log-level warning --deinterlace $mode
    run runnel render stored.mp4 null: -d none -q --log-level warning --deinterlace $mode:all
    expect_eq "stderr" "$(cat err)" ""
    run runnel render fields.mkv null: -d none -q --log-level warning --deinterlace $mode
    expect_eq "stderr" "$(cat err)" ""
done
