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
    begin "transparency of $codec: in FFV1, in WebM, and said where it goes"
    run runnel render $codec.webm $codec.mkv --codec ffv1 -d none
    expect_rc 0
    expect_eq "format" "$(entries $codec.mkv stream=pix_fmt)" yuva420p
    ffmpeg -v error -c:v $library -i $codec.webm -pix_fmt yuva420p -f framemd5 - | grep -v '^#' >want
    ffmpeg -v error -i $codec.mkv -pix_fmt yuva420p -f framemd5 - | grep -v '^#' >got
    cut -d, -f6 want >want.md5
    cut -d, -f6 got >got.md5
    expect_same got.md5 want.md5
    run runnel render $codec.webm $codec-2.webm -d none
    expect_rc 0
    ffmpeg -v error -y -c:v libvpx-vp9 -i $codec-2.webm -c:v rawvideo raw.nut
    expect_eq "format in WebM" "$(entries raw.nut stream=pix_fmt)" yuva420p
    run runnel render $codec.webm $codec.mp4 -d none
    expect_rc 0
    expect_message 'takes no yuva420p'
    expect_eq "tag of H.264" "$(entries $codec.mp4 stream_tags=alpha_mode)" ""
    end
done

begin "Theora numbers every picture, whatever the source's ticks are"
make ticks.mp4 -c:v libx264 -pix_fmt yuv420p
run runnel render ticks.mp4 ticks.ogv -d none
expect_rc 0
expect_eq "pictures" "$(frames_of ticks.ogv)" 10
end

begin "light that only the first picture's messages tell is in the header"
make hdr.mkv -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params \
    "log-level=none:hdr10=1:repeat-headers=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
for out in hdr.mp4 hdr-2.mkv hdr.webm; do
    run runnel render hdr.mkv $out -d none
    expect_rc 0
    ffprobe -v error -select_streams v:0 -show_entries stream_side_data=max_luminance,max_content \
        -of default=nw=1 $out | sed 's,=10000000/10000,=1000/1,' | sort >got
    printf 'max_content=1000\nmax_luminance=1000/1\n' >want
    expect_same got want
done
end

begin "FLAC, TrueHD and stereo pictures in MP4"
for codec in flac truehd; do
    # shellcheck disable=SC2086
    make $codec.mkv $sound -c:v libx264 -pix_fmt yuv420p -strict -2 -c:a $codec -metadata:s:v stereo_mode=left_right
    run runnel render $codec.mkv $codec.mp4 -d none
    expect_rc 0
    expect_eq "sound" "$(ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 $codec.mp4)" $codec
    ffprobe -v error -show_streams $codec.mp4 | grep -q 'Stereo 3D' || complain "which eye is which is lost"
done
end

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
    expect_eq "first packet" "$(ffprobe -v error -select_streams a -show_entries packet=pts_time -of csv=p=0 lead-$codec.avi |
        head -n 1 | cut -c1-5)" 0.000
done
# The samples before 0 are those of the lead-in: the rest is as long as that of the input.
for f in lead-aac.mp4 lead-aac.avi; do
    ffprobe -v error -select_streams a -show_entries packet=pts_time,duration_time -of csv=p=0 $f |
        awk -F, 'NF > 1 && $1 + $2 / 2 >= 0' | wc -l >$f.n
done
expect_same lead-aac.avi.n lead-aac.mp4.n
expect_message "avi cannot hold the times of mp3; stream 1 of the input becomes pcm_s16le" # it is no whole packet
end

begin "sound that would be copied out of its time is a loss that is told"
run runnel render lead-libmp3lame.mp4 copied.avi -d none --audio copy
expect_rc 0
expect_message "lost: .*copied.avi.: the sound of stream 1 (mp3) is heard up to 1.0 ms too early"
run runnel render lead-libmp3lame.mp4 copied.avi -d none --audio copy --strict -y
expect_rc 6
end

finish
