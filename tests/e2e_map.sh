#!/bin/sh
# Which streams reach the output, and in which coding: what containers hold, --map and --drop, pipes. WHOLE=1
# has more codecs of the same kinds.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

# Streams as TYPE:CODEC:LANGUAGE, in order.
streams_of() { # file
    entries "$1" '' stream=codec_type,codec_name,tag:language | awk -F, '
        {printf "%s%s:%s", (NR > 1 ? " " : ""), substr($1, 1, 1), ($2 == "unknown" ? "none" : $2)}
        NF > 2 && $3 != "und" {printf ":%s", $3}'
}

packets_md5() { entries "$1" "$2" packet=data_hash; } # file, stream: what its packets hold

clip pictures.mkv lavfi:testsrc2=s=64x48:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p
clip tone.wav lavfi:sine=440:r=44100:d=0.4 -c:a pcm_s16le

begin "Matroska holds what its muxer takes, not only what libavformat lists"
for codec in pcm_mulaw adpcm_ms wmav2 ${WHOLE:+pcm_alaw adpcm_ima_wav}; do
    case $codec in
    adpcm_ima_wav | wmav2) in=in.asf ;; # NUT loses the size of their blocks, or the channels
    *) in=in.nut ;;
    esac
    clip $in pictures.mkv tone.wav -map 0:v -map 1:a -c:v copy -c:a $codec
    ok runnel render $in out.mkv -y -q
    expect_eq "streams with $codec" "$(streams_of out.mkv)" "v:h264 a:$codec"
    expect_same_of out.mkv $in packets_md5 a
done

begin "and the pictures, as the output or beside it"
for codec in huffyuv png ${WHOLE:+utvideo}; do
    case $codec in
    png) format=rgb24 ;;
    *) format=yuv422p ;;
    esac
    ok runnel render pictures.mkv out.mkv -y -q --codec $codec
    expect_eq "pictures as $codec" "$(streams_of out.mkv)" v:$codec
    expect_eq "frames as $codec" "$(frames_of out.mkv)" 10
    clip in.nut pictures.mkv -map 0:v -map 0:v -c:v:0 copy -c:v:1 $codec -pix_fmt:v:1 $format \
        -disposition:v:1 0 -disposition:v:0 default -f nut
    ok runnel render in.nut out.mkv -y -q
    expect_eq "$codec beside" "$(streams_of out.mkv)" "v:h264 v:$codec"
done

begin "subtitles, fonts and second pictures without a place are left out, and that is said; sound becomes another"
printf '1\n00:00:00,100 --> 00:00:00,300\nWords\n' >few.srt
printf 'no font' >font.ttf
clip full.mkv pictures.mkv tone.wav few.srt -map 0 -map 0 -map 1 -map 2 -c:v copy -c:a aac -c:s srt \
    -attach font.ttf -metadata:s:t mimetype=application/x-truetype-font
for case in "avi:(video|subtitle|attachment):3" "mp4:(attachment):1" "ts:(subtitle|attachment):2"; do
    out=fit.${case%%:*} kinds=${case#*:}
    ok runnel render full.mkv $out -y -d none
    expect_eq "$out left out" "$(grep -cE "lost: '$out': stream . .*${kinds%:*}, .*is left out: .* cannot hold it" err)" "${kinds#*:}"
    fails 6 '' runnel render full.mkv $out -y -d none --strict
done
ok runnel render full.mkv fit.mxf -y -d none --map 0 --map a # whose muxer would fail
expect_eq sound "$(entries fit.mxf a stream=codec_name)" pcm_s16le

begin "what a muxer writes but no player could name is not written"
clip flac.mkv pictures.mkv tone.wav -map 0 -map 1 -c:v copy -c:a flac
for e in ts mpg; do
    fails 4 'cannot hold stream 1 of the input (audio, flac)' runnel render flac.mkv out.$e -y -q --audio copy
    fails 2 'cannot hold ffv1 video' runnel render pictures.mkv out.$e -y -q --codec ffv1
    expect_no_file out.$e
done

printf '1\n00:00:00,100 --> 00:00:00,300\nWords\n' >words.srt
clip many.mkv pictures.mkv tone.wav words.srt -map 0 -map 1 -map 1 -map 2 -map 2 -c:v copy -c:a:0 flac \
    -c:a:1 libmp3lame -c:s srt -metadata:s:a:0 language=deu -metadata:s:a:1 language=eng -metadata:s:s:0 language=deu \
    -metadata:s:s:1 language=eng
all="v:h264 a:flac:deu a:mp3:eng s:subrip:deu s:subrip:eng"

begin "--map and --drop by type, index and language"
render_with() { # streams that are expected, options
    want=$1
    shift
    ok runnel render many.mkv out.mkv -y -q "$@"
    expect_eq "streams with $*" "$(streams_of out.mkv)" "$want"
}
render_with "$all"
render_with "v:h264 a:mp3:eng" --map a:1
render_with "v:h264 a:mp3:eng s:subrip:deu" --map a:eng --map s:0
render_with "v:h264 a:mp3:eng s:subrip:eng" --map eng
render_with "v:h264 s:subrip:deu" --map s:m:language:deu --map v
render_with "v:h264 a:flac:deu" --map 1 --map 'd?' --map 'a:fra?'
render_with "v:h264" --map v
render_with "v:h264 a:flac:deu s:subrip:deu" --drop eng
render_with "v:h264 a:flac:deu" --map a --drop a:eng

begin "what matches nothing, or is no specifier, is refused with what there is"
for case in "--map a:fra" "--map d" "--map 7" "--drop s:2" "--drop deu --map a:9"; do
    refuses 2 "matches no stream of 'many.mkv', which holds 0 video h264, 1 audio flac (deu), 2 audio mp3 (eng)" \
        runnel render many.mkv no.mkv $case
done
for spec in q 'a:x:y' '?' a: "$(printf %0100d 7)"; do
    refuses 2 '' runnel render many.mkv no.mkv --map "$spec"
done
fails 2 "leaves no video" runnel render many.mkv no.mkv --drop v
fails 2 '' runnel render many.mkv no.mkv --map ''
printf 'P5 4 4 255 0123456789abcdef' >image.pgm
fails 2 "no streams to map or drop" runnel render image.pgm no.png --drop a

begin "another video than the default is filtered, and a longer sound that is left out is no loss"
clip two.mkv lavfi:testsrc2=s=64x48:r=25:d=0.4 lavfi:testsrc2=s=32x24:r=25:d=0.2 lavfi:sine=d=4 -map 0 -map 1 \
    -map 2 -c:v ffv1 -c:a flac -disposition:v:0 default
ok runnel stats two.mkv --map v:1 --metrics m.json -y -q
expect_eq "size" "$(jq -c '[.width, .height, .frames_in]' m.json)" '[32,24,5]'
ok runnel render two.mkv md5: --drop a -q
expect_eq "frames" "$(grep -c ' 0 ' out)" 10
ok runnel render two.mkv out.mkv --map v:0 --map a --from 0.2 -q -y
expect_eq "a cut" "$(streams_of out.mkv)" "v:h264 a:flac"

begin "navigation packets of a DVD stay behind, and a line says so"
clip dvd.vob lavfi:testsrc2=s=352x288:r=25:d=0.4 lavfi:sine=d=0.4:r=48000 -c:v mpeg2video -c:a ac3 -f dvd
case $(streams_of dvd.vob) in
*dvd_nav_packet*) ;;
*) complain "the fixture has no navigation packets" ;;
esac
for e in mkv mpg; do
    says "warning: 'out.$e': stream 0 of the input (data, dvd_nav_packet) is not copied" runnel render dvd.vob out.$e -y
    expect_eq "streams in $e" "$(streams_of out.$e | tr ' ' '\n' | grep '^a')" a:ac3
done

begin "--probesize and --analyzeduration find streams that begin late; those not found are no silent loss"
clip late.vob lavfi:testsrc2=s=64x48:r=25:d=9 lavfi:sine=d=2:r=48000 -filter:a asetpts=PTS+7/TB \
    -c:v mpeg2video -c:a mp2 -f vob
ok runnel render late.vob out.mkv -y -q --analyzeduration 10
expect_eq "streams" "$(streams_of out.mkv)" "v:h264 a:mp2"
fails 2 "stream 1 (audio, mp2) begins too late .* or --drop 1" runnel render late.vob out.mkv -y -q --probesize 40k
ok runnel render late.vob out.mkv -y -q --probesize 40k --drop 1
expect_eq "streams" "$(streams_of out.mkv)" "v:h264"
for case in "--probesize 5x" "--probesize 0" "--probesize 9999999G" "--analyzeduration 0" "--analyzeduration 5f"; do
    refuses 2 '' runnel render late.vob no.mkv $case
done

begin "--hwdec: hardware that is not there is refused, what it cannot decode the CPU does"
fails 2 "no such hardware, but .*cuda" runnel render late.vob no.mkv --hwdec bogus
fails 5 "hwdec vaapi:/none: " runnel render late.vob no.mkv --hwdec vaapi:/none
says "opencl does not decode mpeg2video yuv420p, the CPU does" runnel render late.vob out.mkv -y --drop 1 --hwdec opencl
says "hwdec has nothing to do" runnel render "$root/media/scan.tif" md5: --hwdec opencl

into many.md5 runnel render many.mkv md5: -q
begin "any container that can be read from a pipe is read from stdin"
clip fast.mp4 many.mkv -map 0:v -map 0:a:1 -c copy -movflags +faststart
for e in ts flv; do clip pipe.$e fast.mp4 -c copy; done
cp many.mkv pipe.mkv
cp fast.mp4 pipe.mp4
for e in mkv ts flv mp4; do
    prints many.md5 sh -c "cat pipe.$e | \"\$started\" render - md5: -q"
    ok sh -c "cat pipe.$e | \"\$started\" render - out.mkv -y -q"
    streams_of pipe.$e | tr ' ' '\n' | sort >want
    streams_of out.mkv | tr ' ' '\n' | sort >got
    expect_same got want
done

begin "what a pipe cannot give, or breaks off, is told"
clip behind.mp4 lavfi:testsrc2=s=320x240:r=25:d=1 -c:v libx264 -crf 1 -pix_fmt yuv420p
refuses 3 "index of this MP4 (moov) stands behind its pictures" sh -c 'cat behind.mp4 | "$started" render - no.mkv'
clip long.mkv behind.mp4 -c copy
clip longer.mkv -stream_loop 2 -i long.mkv -c copy
fails 6 "the file ends early" sh -c 'head -c 200000 longer.mkv | "$started" render - md5: -q'
fails 3 '' sh -c 'head -c 200 longer.mkv | "$started" render - md5: -q'
fails 6 "stream 1 (audio) begins too late" sh -c 'cat late.vob | "$started" render - out.mkv -y -q --probesize 40k'
expect_no_file no.mkv

begin "--container, where the output has no extension: stdout, a file, a named pipe, a descriptor of one"
ok runnel render fast.mp4 whole.mkv -y -q
into stdout.mkv runnel render fast.mp4 - --container matroska -q
ok runnel render fast.mp4 plain --container mkv -q -y
expect_same plain whole.mkv
mkfifo named named.ts
timeout $patience cat named >fifo.mkv &
ok runnel render fast.mp4 named --container matroska -q
wait $!
ok sh -c '"$started" render fast.mp4 /dev/fd/3 --container matroska -q 3>&1 >/dev/null | cat >descriptor.mkv'
for f in stdout fifo descriptor; do
    expect_eq "streams of $f" "$(streams_of $f.mkv)" "$(streams_of whole.mkv)"
    expect_same_of $f.mkv whole.mkv packets_md5 v
    expect_same_of $f.mkv whole.mkv packets_md5 a
done
timeout $patience cat named.ts >fifo.ts &
ok runnel render fast.mp4 named.ts -q
wait $!
expect_eq "streams of named.ts" "$(streams_of fifo.ts)" "v:h264 a:mp3:eng"
for f in named named.ts; do # its reader leaves
    timeout $patience head -c 100000 $f >fifo.part &
    fails 4 "Broken pipe" runnel render lavfi:testsrc2=duration=9 $f --container matroska -q
    wait $!
done
ok runnel render fast.mp4 - --container mp4 --codec-opts movflags=frag_keyframe+empty_moov -q
expect_eq "a fragmented MP4" "$(streams_of out)" "v:h264 a:mp3:eng"

begin "containers that do not exist or cannot be streamed"
for case in "- --container mp4" "- --container avi" "- --container nosuch" \
    "plain2 --container image2" "null: --container nut"; do
    refuses 2 '' runnel render fast.mp4 $case
    [ ! -s out ] || complain "$case wrote to stdout"
done
fails 2 "which container" runnel render fast.mp4 named
expect_no_file plain2

# A burst at 0.5 s, in silence; where it begins again in a file, in ms of the pictures' clock.
burst() { # channels, rate
    echo "aevalsrc=exprs='if(between(t,0.5,0.52),0.8*sin(2*PI*1000*t),0)':c=$1:s=$2:d=1"
}
burst_of() { # file
    clip burst.raw -copyts -i "$1" -map 0:a:0 -af aresample=async=1:first_pts=0 -ac 1 -ar 48000 -f s16le
    python3 -c "
import array
a = array.array('h', open('burst.raw', 'rb').read())
print(round(next(i for i, v in enumerate(a) if abs(v) > 5000) / 48
    - 1000 * $(times_of "$1" | head -n 1), 2))"
}
expect_burst() { # file, that it was made of
    ms="$(burst_of "$1") $(burst_of "$2")"
    echo "$ms" | awk '{ d = $1 - $2 } END { exit !(d > -1 && d < 1) }' || complain "$1, $2: the burst is at $ms ms"
}
pcm_of() { # file, format: the sound, sample for sample
    clip sound.raw "$1" -map 0:a:0 -f $2 && md5sum <sound.raw
}

clip second.mkv lavfi:testsrc2=s=64x48:r=25:d=1 -c:v libx264 -pix_fmt yuv420p
in_mp4() { # coding of PCM: what it is in MP4, of which newer versions of FFmpeg hold some
    [ -e "$1" ] || { ffmpeg -v quiet -y -f lavfi -i anullsrc=d=0.1 -c:a "$1" pcm.mp4 && echo "$1" || echo alac; } >"$1"
    cat "$1"
}
begin "sound that the container cannot hold becomes another: lossless stays lossless, in its time"
for format in ${WHOLE:+s16le} s24le u8; do
    clip in.mkv second.mkv "lavfi:$(burst stereo 44100)" -map 0 -map 1 -c:v copy -c:a pcm_$format
    ok runnel render in.mkv out.mp4 -y
    expect_eq "streams of $format" "$(streams_of out.mp4)" "v:h264 a:$(in_mp4 pcm_$format)"
    [ "$(in_mp4 pcm_$format)" != alac ] ||
        expect_message "warning: 'out.mp4': mp4 cannot hold pcm_$format; stream 1 of the input becomes alac, losslessly"
    wide=s24le
    [ $format = s24le ] || wide=s16le
    expect_eq "samples of $format" "$(pcm_of out.mp4 $wide)" "$(pcm_of in.mkv $wide)"
    expect_burst out.mp4 in.mkv
done
clip wide.mkv in.mkv -map 0 -c:v copy -c:a pcm_s32le
ok runnel render wide.mkv out.mp4 -y
[ "$(in_mp4 pcm_s32le)" != alac ] || expect_message "lost: .*stream 1 of the input becomes alac"
! grep losslessly err || complain "rounded to 24 bits is not lossless"

begin "what was lossy becomes the usual coding of the container; sync within 1 ms"
lossy() { # channels, rate, codec, containers of input and output, what it becomes
    clip in.$4 second.mkv "lavfi:$(burst $1 $2)" -map 0 -map 1 -c:v copy -c:a $3
    ok runnel render in.$4 out.$5 -y -q
    [ $6 = - ] || expect_eq "$3 in $5" "$(streams_of out.$5 | tr ' ' '\n' | grep ^a:)" a:$6
    expect_burst out.$5 in.$4
    expect_eq "frames in $5" "$(frames_of out.$5)" 25
}
lossy mono 22050 pcm_s16le mkv webm opus
lossy 5.1 48000 pcm_s24le mkv mp4 "$(in_mp4 pcm_s24le)"
lossy stereo 48000 flac mkv ts aac
lossy stereo 44100 wmav2 mkv mp4 aac
if [ "${WHOLE-}" ]; then
    lossy stereo 44100 libvorbis mkv mp4 vorbis
    lossy mono 44100 flac mkv flv aac
    lossy stereo 48000 flac mkv mpg mp2
    lossy stereo 44100 pcm_f32le mov avi -
fi

begin "a gap in the sound is as long afterwards, a cut keeps it in time, and what is broken counts"
clip gap.mkv second.mkv "lavfi:$(burst stereo 44100)" -af "aselect='not(between(t,0.2,0.4))'" -map 0 -map 1 \
    -c:v copy -c:a pcm_s16le
for out in out.mp4 out.mov; do # of PCM both know no times
    ok runnel render gap.mkv $out -y -q
    expect_burst $out gap.mkv
done
expect_eq "the sound in MOV" "$(streams_of out.mov)" "v:h264 a:pcm_s16le"
ok runnel render gap.mkv out.mp4 -y -q --from 0.4 --audio aac
ms=$(burst_of out.mp4)
awk -v ms="$ms" 'BEGIN { exit !(ms > 99 && ms < 101) }' || complain "after a cut the burst is at $ms ms"
cp flac.mkv broken.mkv
pos=$(entries flac.mkv a packet=pos | sed -n 2p)
printf '%0200d' 7 | dd of=broken.mkv bs=1 seek=$((pos + 60)) conv=notrunc 2>/dev/null
fails 6 "1 damaged .*1 packet of sound cannot be decoded" runnel render broken.mkv out.mp4 -y -q --audio aac

begin "--audio and --subs: copy, none, an encoder"
render_with "v:h264 s:subrip:deu s:subrip:eng" --audio none
render_with "v:h264 a:flac:deu a:mp3:eng" --subs none
render_with "v:h264 a:ac3:deu a:ac3:eng s:subrip:deu s:subrip:eng" --audio ac3:b=96k
render_with "v:h264 a:flac:deu a:mp3:eng s:ass:deu s:ass:eng" --subs ass
render_with "$all" --audio copy --subs copy
clip in.mov second.mkv lavfi:anullsrc=d=1 -map 0 -map 1 -c:v copy -c:a pcm_u8
fails 4 'cannot hold stream 1 of the input (audio, pcm_u8); .mkv holds it' runnel render in.mov no.mp4 --audio copy
for case in "--audio nosuch" "--audio libx264" "--audio aac:nosuch=1" "--audio aac:b" \
    "--audio pcm_u8" "--subs aac" "--subs mov_text:x=1" "--subs nosuch"; do
    refuses 2 '' runnel render many.mkv no.mp4 $case
done
