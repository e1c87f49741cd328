#!/bin/sh
# What a container can hold is in the output: transparency, light, fields, the time of every picture.
. "$(dirname "$0")/lib.sh"

make() { # file, arguments of ffmpeg
    file=$1
    shift
    # shellcheck disable=SC2086
    ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=25:d=0.4 "$@" "$file" || echo "# cannot make $file"
}
entries() { # file, entries of the first video stream
    ffprobe -v error -select_streams v:0 -show_entries "$2" -of csv=p=0 "$1" | head -n 1
}
first_times() { # file: of each stream
    ffprobe -v error -show_entries packet=stream_index,pts_time -of csv=p=0 "$1" | sort -t, -k1,1n -u
}
video=testsrc2=s=96x64:r=25:d=0.4
sound="-f lavfi -i sine=440:r=48000:d=0.4"

for codec in vp9 vp8; do
    [ $codec = vp9 ] && library=libvpx-vp9 || library=libvpx
    ffmpeg -v error -y -f lavfi -i "color=red@0.5:s=96x64:r=25:d=0.4,format=rgba,geq=r=X:g=Y:b=128:a=2*X" \
        -c:v $library -auto-alt-ref 0 -pix_fmt yuva420p $codec.webm
    begin ".m2ts is one, from .ts too"
# shellcheck disable=SC2086
make plain.ts $sound -c:v libx264 -pix_fmt yuv420p -c:a mp2
run runnel render plain.ts blu.m2ts -d none
expect_rc 0
expect_eq "bytes beyond packets of 192" "$(($(cat blu.m2ts | wc -c) % 192))" 0
expect_eq "sync byte" "$(head -c 5 blu.m2ts | tail -c 1)" G
end

begin "the last picture of a GIF is shown as long as it was"
make delays.gif -vf "setpts='if(eq(N,9),N+12,N)/25/TB'" -vsync vfr -final_delay 7
run runnel render delays.gif again.gif -d none
expect_rc 0
for f in delays again; do
    ffprobe -v error -show_entries packet=pts_time,duration_time -of csv=p=0 $f.gif >$f.t
done
expect_same again.t delays.t
make one.mp4 -frames:v 1 -c:v libx264 -pix_fmt yuv420p
run runnel render one.mp4 one.gif -d none
expect_eq "time of a single one" "$(entries one.gif packet=duration_time)" 0.040000
end

begin "a GIF faster than players show it is warned of"
run runnel render lavfi:testsrc2=s=16x16:r=120:d=0.1 fast.gif -d none
expect_rc 0
expect_message 'warning.*fast.gif.*50 frames/s at most'
run runnel render lavfi:testsrc2=s=16x16:r=50:d=0.1 good.gif -d none
expect_rc 0
expect_eq "warnings at 50" "$(grep -c warning err)" 0
end

begin "a cover that QuickTime has no place for is mentioned"
ffmpeg -v error -y -f lavfi -i $video -f lavfi -i color=blue:s=16x16 -map 0 -map 1 -c:v:0 libx264 -pix_fmt:v:0 yuv420p \
    -c:v:1 png -frames:v:1 1 -disposition:v:1 attached_pic cover.mp4
run runnel render cover.mp4 cover.mov -d none
expect_rc 0
expect_message "attached picture, png) is not copied: mov has no place"
run runnel render cover.mp4 cover.avi -d none -q
expect_rc 4
expect_message 'attached picture.*\.mkv holds it'
end

begin "an encoder that counts pictures does not move them against the sound; .mpg holds fields"
# shellcheck disable=SC2086
make fields.mpg $sound -vf setfield=bff -flags +ildct+ilme -c:v mpeg2video -top 0 -c:a mp2
run runnel render fields.mpg fields-2.mpg -d none
expect_rc 0
first_times fields.mpg >want
first_times fields-2.mpg >got
expect_same got want
for entry in stream=codec_name frame=interlaced_frame,top_field_first; do
    expect_eq "$entry" "$(entries fields-2.mpg $entry)" "$(entries fields.mpg $entry)"
done
end

begin "in AVI sound that begins with a lead-in moves no picture and is not late"
for codec in aac libmp3lame; do
    # shellcheck disable=SC2086
    make lead-$codec.mp4 $sound -c:v libx264 -pix_fmt yuv420p -c:a $codec
    run runnel render lead-$codec.mp4 lead-$codec.avi -d none
    expect_rc 0
    times_of lead-$codec.avi >got
    times_of lead-$codec.mp4 >want
    expect_same got want
    # The samples before 0 are those of the lead-in: the rest is as long as that of the input.
    for f in lead-$codec.mp4 lead-$codec.avi; do
        ffprobe -v error -select_streams a -show_entries packet=pts_time,duration_time -of csv=p=0 $f |
            awk -F, 'NF > 1 && $1 + $2 / 2 >= 0' | wc -l >$f.n
    done
    expect_same lead-$codec.avi.n lead-$codec.mp4.n
    expect_eq "first packet" "$(ffprobe -v error -select_streams a -show_entries packet=pts_time -of csv=p=0 lead-$codec.avi |
        head -n 1 | cut -c1-5)" 0.000
done
end

begin "full range where the file cannot say so: the picture is the same, in limited range"
make full.mp4 -vf scale=out_range=pc -c:v libx264 -qp 0 -color_range pc -pix_fmt yuv420p
ffmpeg -v error -i full.mp4 -vf extractplanes=y -f rawvideo - | od -An -v -tu1 -w1 | sort -nu >full.levels
for out in avi:pixels nut:pixels mpg:range; do
    run runnel render full.mp4 full.${out%:*} -d none
    expect_rc 0
    expect_message 'limited-range'
    expect_eq "range" "$(entries full.${out%:*} stream=color_range | grep -c pc)" 0
    [ ${out#*:} = range ] && continue
    # 256 steps are still told apart, between other ends.
    ffmpeg -v error -i full.${out%:*} -vf extractplanes=y -pix_fmt gray10le -f rawvideo - | od -An -v -tu2 -w2 | sort -nu >got
    off=$(paste full.levels got | awk 'NF != 2 || ($2 - 64 - $1 * 876 / 255) ^ 2 > 1' | wc -l)
    expect_eq "levels that are wrong" "$off" 0
done
run runnel render full.mp4 full.mov -d none
expect_eq "range in MOV" "$(entries full.mov stream=color_range)" pc
run runnel render lavfi:color=white:s=16x16:d=0.04,format=yuv420p white.mjpeg -d none
expect_eq "white in full range" "$(ffmpeg -v error -i white.mjpeg -vf extractplanes=y -f rawvideo - | od -An -v -tu1 -w1 | sort -u)" " 255"
end

plays() { # file: how often it is played; 0 = for ever
    case $1 in
    *.gif) at=$(grep -abo NETSCAPE2.0 "$1" | head -n 1 | cut -d: -f1)
        [ -n "$at" ] || { echo 1; return; }
        n=$(tail -c +$((at + 14)) "$1" | head -c 2 | od -An -tu2)
        [ $n = 0 ] && echo 0 || echo $((n + 1)) ;;
    *) at=$(grep -abo acTL "$1" | head -n 1 | cut -d: -f1)
        tail -c +$((at + 12)) "$1" | head -c 1 | od -An -tu1 | tr -d ' ' ;;
    esac
}
finish
