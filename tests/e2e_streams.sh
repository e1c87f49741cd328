#!/bin/sh
# What a file holds besides its pictures reaches the output: every packet, time and tag.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_clip in.mp4 1
make_clip in.mkv 1

same_others() { # in, out
    expect_same_of "$2" "$1" packets_of a
    expect_same_of "$2" "$1" packets_of s
    expect_same_of "$2" "$1" entries '' chapter=start_time,end_time,tag:title
    expect_same_of "$2" "$1" entries '' format=tag:title,tag:artist
}

same_times() { # in, out
    expect_same_of "$2" "$1" times_of
    expect_eq "number of frames" "$(frames_of "$2")" "$(frames_of "$1")"
}

for pair in "in.mp4 out.mp4" "in.mkv out.mkv"; do
    set -- $pair
    begin "$1 to $2: packets, chapters, tags, times"
    ok runnel render "$1" "$2" -f convolution=preset=sharpen
    same_others "$1" "$2"
    same_times "$1" "$2"
    expect_eq "video codec" "$(about "$2" stream=codec_name)" h264
done

begin "in.mp4 to mkv: audio packets and times"
ok runnel render in.mp4 cross.mkv
# Matroska knows no negative times: all streams are moved by the encoder delay of the sound.
for f in in.mp4 cross.mkv; do
    clip sound.framemd5 $f -map 0:a -c copy -f framemd5
    awk -F, '!/^#/ {print $5, $6}' sound.framemd5 >$f.a
    times_of $f | awk 'NR == 1 {first = $1} {printf "%.2f\n", $1 - first}' >$f.t
done
expect_same cross.mkv.a in.mp4.a
expect_same cross.mkv.t in.mp4.t
expect_file in.mp4.a

begin "colour tags, sample aspect ratio, rotation"
clip tagged.mp4 lavfi:testsrc2=s=64x48:r=25:d=0.4 -pix_fmt yuv420p -c:v libx264 \
    -vf setsar=4/3,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709
turned_clip rotated.mp4 90 tagged.mp4
tags=color_space,color_primaries,color_transfer,color_range,sample_aspect_ratio,width,height
for f in tagged rotated; do
    ok runnel render $f.mp4 $f-out.mp4 -f erosion --rotate none
    expect_same_of $f-out.mp4 $f.mp4 about stream=$tags,rotation
done
expect_eq "rotation" "$(about rotated-out.mp4 stream=rotation)" 90
ok runnel render rotated.mp4 upright.mp4
expect_eq "upright" "$(about upright.mp4 stream=width,height,sample_aspect_ratio)" 48,64,3:4

begin "full-range pictures stay full range"
clip full.mp4 lavfi:testsrc2=s=64x48:r=25:d=0.4 -c:v libx264 -pix_fmt yuvj420p
ok runnel render full.mp4 full-out.mp4
expect_eq "range" "$(about full-out.mp4 stream=color_range)" pc

begin "fields stay fields, in their order"
fields_of() { entries "$1" v frame=interlaced_frame,top_field_first; }
for order in tff bff; do
    clip $order.mkv lavfi:testsrc2=s=64x48:r=25:d=0.2 -vf setfield=$order -c:v libx264 -flags +ildct+ilme \
        -pix_fmt yuv420p
    expect_eq "fields of $order.mkv" "$(fields_of $order.mkv | sort -u)" "1,$([ $order = tff ] && echo 1 || echo 0)"
    for codec in libx264 mpeg2video; do
        ok runnel render $order.mkv $order-$codec.mkv -f erosion --codec $codec
        expect_same_of $order-$codec.mkv $order.mkv fields_of
    done
done

begin "a variable frame rate is kept"
clip vfr.mkv lavfi:testsrc2=s=64x48:r=50:d=1 \
    -vf "select='not(mod(n,3))+lt(n,7)',setpts='PTS+0.003*mod(N,4)/TB'" -vsync vfr -c:v libx264 -pix_fmt yuv420p -bf 2
clip vfr.mp4 vfr.mkv -c copy
for e in mkv mp4; do
    ok runnel render vfr.$e vfr-out.$e -f convolution=preset=box3
    same_times vfr.$e vfr-out.$e
done

begin "attachments and two audio streams"
printf 'not really a font' >font.ttf
clip many.mkv lavfi:testsrc2=s=64x48:r=25:d=0.5 lavfi:sine=440:d=0.5 lavfi:sine=880:d=0.5 -map 0 -map 1 \
    -map 2 -c:v libx264 -pix_fmt yuv420p -c:a:0 flac -c:a:1 libmp3lame -metadata:s:a:0 language=deu \
    -metadata:s:a:1 language=fra -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font
ok runnel render many.mkv many-out.mkv -f erosion
expect_eq "the font" "$(entries many-out.mkv t stream=extradata_hash)" "MD5:$(md5sum <font.ttf | cut -d' ' -f1)"
expect_same_of many-out.mkv many.mkv entries '' stream=codec_name,tag:language
for a in a:0 a:1; do expect_same_of many-out.mkv many.mkv packets_of $a; done

begin "--from, --to, --frames"
for case in "--from 10f:15" "--from 10f --to 20f:10" "--frames 7:7" "--from 0.4 --to 0.8:10" "--to 5f:5"; do
    ok runnel render in.mp4 md5: ${case%:*} -q
    expect_eq "frames with ${case%:*}" "$(grep -c ' 0 ' out)" "${case##*:}"
done
run runnel render in.mp4 md5: -q
awk '$1 >= 10 && $1 < 20 {print $2, $3}' out >want
run runnel render in.mp4 md5: --from 10f --to 20f -q
expect_printed want awk '{print $2, $3}' out

begin "a cut keeps the sound with the picture"
ok runnel render in.mp4 cut.mp4 --from 0.4 --to 0.8
d=$(entries cut.mp4 a stream=duration)
awk -v d="$d" 'BEGIN { exit !(d > 0.3 && d < 0.55) }' || complain "the sound lasts $d s, not 0.4"
expect_eq frames "$(frames_of cut.mp4)" 10

begin "the pictures of an empty chain are those of the input"
ok runnel render in.mp4 lossless.mkv --codec ffv1
expect_same_of lossless.mkv in.mp4 sums_of -map 0:v

begin "subtitles that are on screen where the range begins or ends are cut there"
sub_cue() { printf '%s\n%s --> %s\n%s\n\n' "$@" >>cues.srt; }
sub_cue 1 00:00:00,200 00:00:01,300 'until within'
sub_cue 2 00:00:01,400 00:00:01,600 'within'
sub_cue 3 00:00:01,720 00:00:03,500 'until behind'
sub_cue 4 00:00:02,200 00:00:02,700 'behind'
clip cues.mkv lavfi:testsrc2=s=32x32:r=25:d=4 lavfi:sine=d=4 cues.srt -map 0 -map 1 -map 2 -c:v libx264 \
    -preset ultrafast -pix_fmt yuv420p -c:a pcm_s16le -c:s srt
clip cues.mp4 cues.mkv -map 0 -c copy -c:a aac -c:s mov_text
clip cues_ass.mkv cues.mkv -map 0 -c copy -c:s ass
cues_of() { # when the texts of a file begin and end; MP4 has empty ones between
    entries "$1" s packet=pts_time,duration_time,size |
        awk -F, '$3 > 2 {printf "%s%.2f-%.2f", n++ ? " " : "", $1, $1 + $2}'
}
for in in cues.mkv cues.mp4 cues_ass.mkv; do
    late=2.50
    [ $in = cues.mp4 ] && late=1.20 # where the next one begins, as it has one at a time
    for range in '--from 1 --to 2' '--from 25f --to 50f' '--from 1 --frames 25' '--from 1 --to 3 --frames 25'; do
        for out in cut.mkv cut.mp4; do
            ok runnel render -y -q -d none $in $out $range
            expect_eq "texts of $in $range in $out" "$(cues_of $out)" '0.00-0.30 0.40-0.60 0.72-1.00'
        done
    done
    run runnel render -y -q -d none $in cut.mkv --from 1
    expect_eq "texts of $in to its end" "$(cues_of cut.mkv | cut -d' ' -f3)" "0.72-$late"
    run runnel render -y -q -d none $in cut.mkv --to 9
    expect_eq "texts of $in that all fit" "$(cues_of cut.mkv | cut -d' ' -f1)" 0.20-1.30
done
clip rare.mkv cues.mkv -map 0 -c:v ffv1 -c:s copy -c:a copy -vf "select='lt(n,40)+not(mod(n,7))'" -vsync vfr
run runnel render -y -q -d none rare.mkv cut.mkv --from 1 --frames 17 # to 1.56 s, then those of 1.68 and 1.96 s
expect_eq "texts where frames are counted that are not even" "$(cues_of cut.mkv)" '0.00-0.30 0.40-0.60 0.72-1.00'
clip keys.mkv cues.mkv -map 0 -c:v ffv1 -g 1 -c:s copy -c:a copy
clip keys.mov cues.mp4 -map 0 -c:v ffv1 -g 1 -c:a copy -c:s copy
clip keys.webm cues.mkv -map 0:v -map 0:s -c:v libvpx -g 1 -c:s webvtt
for in in keys.mkv keys.mov keys.webm; do # the first one stands in front of the keyframe that is gone to
    for range in '--from 1 --to 2' '--from 1 --to 2 -f noise' '--from 0.6 --to 1.6'; do
        ok runnel render -y -q -d none $in cut.mkv $range
        case $range in
        *0.6*) want='0.00-0.70 0.80-1.00' ;;
        *) want='0.00-0.30 0.40-0.60 0.72-1.00' ;;
        esac
        expect_eq "texts of $in $range" "$(cues_of cut.mkv)" "$want"
    done
done
run runnel render -y -q -d none keys.mkv cut.mkv --from 1 --drop s
expect_eq "texts that are dropped" "$(cues_of cut.mkv)" ''
