#!/bin/sh
# Which streams reach the output, and in which coding: what containers hold, --map and --drop, pipes.
. "$(dirname "$0")/lib.sh"

# Streams as TYPE:CODEC:LANGUAGE, in order.
streams_of() { # file
    ffprobe -v error -show_streams -of json "$1" |
        jq -r '[.streams[] | .codec_type[:1] + ":" + (.codec_name // "none") +
            (if .tags.language and .tags.language != "und" then ":" + .tags.language else "" end)] |
            join(" ")'
}

packets_md5() { # file, stream: what its packets hold
    ffprobe -v error -select_streams "$2" -show_packets -show_data_hash md5 \
        -show_entries packet=data_hash -of csv=p=0 "$1"
}

ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p pictures.mkv
ffmpeg -v error -y -f lavfi -i sine=440:r=44100:d=0.4 -c:a pcm_s16le tone.wav

begin "Matroska holds what its muxer takes, not only what libavformat lists"
for codec in pcm_mulaw pcm_alaw adpcm_ms adpcm_ima_wav wmav2; do
    case $codec in
    wmav2) in=in.asf ;; # NUT loses the size of its blocks
    *) in=in.nut ;;
    esac
    ffmpeg -v error -y -i pictures.mkv -i tone.wav -map 0:v -map 1:a -c:v copy -c:a $codec $in
    run runnel render $in out.mkv -y -q
    expect_rc 0
    expect_eq "streams with $codec" "$(streams_of out.mkv)" "v:h264 a:$codec"
    packets_md5 $in a >want
    packets_md5 out.mkv a >got
    expect_same got want
    [ -s want ] || complain "no packets of $codec"
done
end

begin "and the pictures, as the output or beside it"
for codec in huffyuv utvideo png; do
    case $codec in
    png) format=rgb24 ;;
    *) format=yuv422p ;;
    esac
    run runnel render pictures.mkv out.mkv -y -q --codec $codec
    expect_rc 0
    expect_eq "pictures as $codec" "$(streams_of out.mkv)" v:$codec
    expect_eq "frames as $codec" "$(frames_of out.mkv)" 10
    ffmpeg -v error -y -i pictures.mkv -map 0:v -map 0:v -c:v:0 copy -c:v:1 $codec -pix_fmt:v:1 $format \
        -disposition:v:1 0 -disposition:v:0 default -f nut in.nut
    run runnel render in.nut out.mkv -y -q
    expect_rc 0
    expect_eq "$codec beside" "$(streams_of out.mkv)" "v:h264 v:$codec"
done
end

begin "what a muxer writes but no player could name is not written"
ffmpeg -v error -y -i pictures.mkv -i tone.wav -map 0 -map 1 -c:v copy -c:a flac flac.mkv
for e in ts mpg; do
    run runnel render flac.mkv out.$e -y -q
    expect_rc 4
    expect_message 'cannot hold stream 1 of the input (audio, flac)'
    run runnel render pictures.mkv out.$e -y -q --codec ffv1
    expect_rc 2
    expect_message 'cannot hold ffv1 video'
    expect_no_file out.$e
done
end

finish
