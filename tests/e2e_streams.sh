#!/bin/sh
# What a file holds besides its pictures reaches the output: every packet, time and tag.
. "$(dirname "$0")/lib.sh"
export RUNNEL_DEVICE=none # what is tested here knows no device

make_clip in.mp4 1
make_clip in.mkv 1

same_others() { # in, out
    for kind in a s; do
        packets_of "$1" $kind >want.$kind
        packets_of "$2" $kind >got.$kind
        expect_same got.$kind want.$kind
        [ -s want.$kind ] || complain "the fixture has no stream of kind $kind"
    done
    ffprobe -v error -show_chapters -of json "$1" |
        jq -c '.chapters[] | [.start_time, .end_time, .tags.title]' >want.c
    ffprobe -v error -show_chapters -of json "$2" |
        jq -c '.chapters[] | [.start_time, .end_time, .tags.title]' >got.c
    expect_same got.c want.c
    for tag in title artist; do
        q="format_tags=$tag"
        expect_eq "tag $tag" "$(ffprobe -v error -show_entries $q -of csv=p=0 "$2")" \
            "$(ffprobe -v error -show_entries $q -of csv=p=0 "$1")"
    done
}

same_times() { # in, out
    times_of "$1" >want.t
    times_of "$2" >got.t
    expect_same got.t want.t
    expect_eq "number of frames" "$(frames_of "$2")" "$(frames_of "$1")"
}

stream_entries() { # file, entries
    ffprobe -v error -select_streams v:0 -show_entries "stream=$2" -of default=nw=1 "$1" | sort
}

for pair in "in.mp4 out.mp4" "in.mkv out.mkv"; do
    set -- $pair
    begin "$1 to $2: packets, chapters, tags, times"
    run runnel render "$1" "$2" -f convolution=preset=sharpen
    expect_rc 0
    same_others "$1" "$2"
    same_times "$1" "$2"
    expect_eq "video codec" "$(stream_entries "$2" codec_name)" "codec_name=h264"
    end
done

begin "in.mp4 to mkv: audio packets and times"
run runnel render in.mp4 cross.mkv
expect_rc 0
# Matroska knows no negative times: all streams are moved by the encoder delay of the sound.
for f in in.mp4 cross.mkv; do
    ffmpeg -v error -i $f -map 0:a -c copy -f framemd5 - | awk -F, '!/^#/ {print $5, $6}' >$f.a
    times_of $f | awk 'NR == 1 {first = $1} {printf "%.2f\n", $1 - first}' >$f.t
done
expect_same cross.mkv.a in.mp4.a
expect_same cross.mkv.t in.mp4.t
expect_file in.mp4.a
end

begin "colour tags, sample aspect ratio, rotation"
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -pix_fmt yuv420p -c:v libx264 \
    -vf setsar=4/3,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709 tagged.mp4
ffmpeg -v error -y -display_rotation 90 -i tagged.mp4 -c copy rotated.mp4 2>/dev/null ||
    ffmpeg -v error -y -i tagged.mp4 -c copy -metadata:s:v:0 rotate=90 rotated.mp4 # before FFmpeg 6
tags=color_space,color_primaries,color_transfer,color_range,sample_aspect_ratio,width,height
for f in tagged rotated; do
    run runnel render $f.mp4 $f-out.mp4 -f erosion --rotate none
    expect_rc 0
    stream_entries $f.mp4 $tags:stream_side_data=rotation >want
    stream_entries $f-out.mp4 $tags:stream_side_data=rotation >got
    expect_same got want
done
ffprobe -v error -show_streams rotated-out.mp4 | grep -q '^rotation=90' ||
    complain "the rotation is lost"
run runnel render rotated.mp4 upright.mp4
expect_rc 0
expect_eq "upright" "$(stream_entries upright.mp4 width,height,sample_aspect_ratio | xargs)" \
    "height=64 sample_aspect_ratio=3:4 width=48"
end

begin "full-range pictures stay full range"
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -c:v libx264 -pix_fmt yuvj420p full.mp4
run runnel render full.mp4 full-out.mp4
expect_rc 0
expect_eq "range" "$(stream_entries full-out.mp4 color_range)" "color_range=pc"
end

begin "fields stay fields, in their order"
fields_of() {
    ffprobe -v error -select_streams v -show_entries frame=interlaced_frame,top_field_first \
        -of csv=p=0 "$1" | cut -d, -f1,2 | grep .
}
for order in tff bff; do
    ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.2 -vf setfield=$order -c:v libx264 \
        -flags +ildct+ilme -pix_fmt yuv420p $order.mkv
    fields_of $order.mkv >want
    expect_eq "fields of $order.mkv" "$(sort -u want)" "1,$([ $order = tff ] && echo 1 || echo 0)"
    for codec in libx264 mpeg2video; do
        run runnel render $order.mkv $order-$codec.mkv -f erosion --codec $codec
        expect_rc 0
        fields_of $order-$codec.mkv >got
        expect_same got want
    done
done
end

begin "a variable frame rate is kept"
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=50:d=1 \
    -vf "select='not(mod(n,3))+lt(n,7)',setpts='PTS+0.003*mod(N,4)/TB'" -vsync vfr -c:v libx264 \
    -pix_fmt yuv420p -bf 2 vfr.mkv
ffmpeg -v error -y -i vfr.mkv -c copy vfr.mp4
for e in mkv mp4; do
    run runnel render vfr.$e vfr-out.$e -f convolution=preset=box3
    expect_rc 0
    same_times vfr.$e vfr-out.$e
done
end

begin "attachments and two audio streams"
printf 'not really a font' >font.ttf
ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.5 -f lavfi -i sine=440:d=0.5 \
    -f lavfi -i sine=880:d=0.5 -map 0 -map 1 -map 2 -c:v libx264 -pix_fmt yuv420p -c:a:0 flac \
    -c:a:1 libmp3lame -metadata:s:a:0 language=deu -metadata:s:a:1 language=fra \
    -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font many.mkv
run runnel render many.mkv many-out.mkv -f erosion
expect_rc 0
ffmpeg -v error -y -dump_attachment:t:0 got.ttf -i many-out.mkv -f null - 2>/dev/null
expect_same got.ttf font.ttf
expect_eq "streams" \
    "$(ffprobe -v error -show_entries stream=codec_name:stream_tags=language -of csv=p=0 many-out.mkv | tr '\n' ' ')" \
    "$(ffprobe -v error -show_entries stream=codec_name:stream_tags=language -of csv=p=0 many.mkv | tr '\n' ' ')"
for a in a:0 a:1; do
    packets_of many.mkv $a >want
    packets_of many-out.mkv $a >got
    expect_same got want
done
end

begin "--from, --to, --frames"
for case in "--from 10f:15" "--from 10f --to 20f:10" "--frames 7:7" "--from 0.4 --to 0.8:10" "--to 5f:5"; do
    run runnel render in.mp4 md5: ${case%:*} -q
    expect_rc 0
    expect_eq "frames with ${case%:*}" "$(grep -c ' 0 ' out)" "${case##*:}"
done
run runnel render in.mp4 md5: -q
awk '$1 >= 10 && $1 < 20 {print $2, $3}' out >want
run runnel render in.mp4 md5: --from 10f --to 20f -q
awk '{print $2, $3}' out >got
expect_same got want
end

begin "a cut keeps the sound with the picture"
run runnel render in.mp4 cut.mp4 --from 0.4 --to 0.8
expect_rc 0
d=$(ffprobe -v error -select_streams a -show_entries stream=duration -of csv=p=0 cut.mp4)
awk -v d="$d" 'BEGIN { exit !(d > 0.3 && d < 0.55) }' || complain "the sound lasts $d s, not 0.4"
expect_eq frames "$(frames_of cut.mp4)" 10
end

begin "the pictures of an empty chain are those of the input"
ffmpeg -v error -y -i in.mp4 -map 0:v -f framemd5 - | awk -F, '!/^#/ {print $6}' | tr -d ' ' >want
run runnel render in.mp4 lossless.mkv --codec ffv1
expect_rc 0
ffmpeg -v error -y -i lossless.mkv -map 0:v -f framemd5 - | awk -F, '!/^#/ {print $6}' | tr -d ' ' >got
expect_same got want
end

finish
