#!/bin/sh
# What a container can hold is in the output: transparency, light, fields, the time of every picture.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make() { # file, arguments of ffmpeg
    file=$1
    shift
    clip "$file" lavfi:testsrc2=s=96x64:r=25:d=0.4 "$@"
}
first_times() { # file: of each stream
    entries "$1" '' packet=stream_index,pts_time | sort -t, -k1,1n -u
}
video=testsrc2=s=96x64:r=25:d=0.4
sound=lavfi:sine=440:r=48000:d=0.4

for codec in vp9 vp8; do
    [ $codec = vp9 ] && library=libvpx-vp9 || library=libvpx
    clip $codec.webm "lavfi:color=red@0.5:s=96x64:r=25:d=0.4,format=rgba,geq=r=X:g=Y:b=128:a=2*X" \
        -c:v $library -auto-alt-ref 0 -pix_fmt yuva420p
    begin "transparency of $codec: in FFV1, in WebM, and said where it goes"
    ok runnel render $codec.webm $codec.mkv --codec ffv1 -d none
    expect_eq "format" "$(about $codec.mkv stream=pix_fmt)" yuva420p
    sums_of -c:v $library -i $codec.webm -pix_fmt yuva420p >want
    expect_printed want sums_of $codec.mkv -pix_fmt yuva420p
    expect_file want
    ok runnel render $codec.webm $codec-2.webm --codec $library -d none
    clip raw.nut -c:v $library -i $codec-2.webm -c:v rawvideo
    expect_eq "format in WebM" "$(about raw.nut stream=pix_fmt)" yuva420p
    says 'takes no yuva420p' runnel render $codec.webm $codec.mp4 -d none
    expect_eq "tag of H.264" "$(about $codec.mp4 stream=tag:alpha_mode)" ""
done

begin "transparency: the usual coding of .mov and .mkv is one that holds it, of what has it"
clip rgba.mov "lavfi:color=red:s=96x64:r=25:d=0.2,format=rgba,geq=r=X:g=Y:b=128:a='255*gt(X,48)'" -c:v png
for out in rgba-2.mov:prores,yuva444p12le rgba.mkv:ffv1,bgra rgba.avi:ffv1,bgra; do
    ok runnel render rgba.mov ${out%:*} -d none
    expect_eq "coding" "$(about ${out%:*} stream=codec_name,pix_fmt)" ${out#*:}
    [ ${out%:*} = rgba.avi ] || expect_message 'encoded as .* holds their transparency'
done
# What is opaque stays opaque: 255 of 8 bits is 1023 of 10.
ok runnel render rgba.mov rgba10.mkv --codec ffv1 --pix-fmt yuva444p10 -d none
clip alpha.raw rgba10.mkv -frames:v 1 -vf extractplanes=a -pix_fmt gray10le -f rawvideo
od -An -v -tu2 -w2 alpha.raw | sort -u >got
printf '     0\n  1023\n' >want
expect_same got want
make opaque.gif
ok runnel render opaque.gif opaque.mov -d none
expect_eq "coding of an opaque GIF" "$(about opaque.mov stream=codec_name)" h264

begin "Theora numbers every picture, whatever the source's ticks are"
make ticks.mp4 -c:v libx264 -pix_fmt yuv420p
ok runnel render ticks.mp4 ticks.ogv -d none
expect_eq "pictures" "$(frames_of ticks.ogv)" 10

begin "light that only the first picture's messages tell is in the header"
make hdr.mkv -c:v libx265 -preset ultrafast -pix_fmt yuv420p10le -x265-params \
    "log-level=none:hdr10=1:repeat-headers=1:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=1000,400"
for out in hdr.mp4 hdr-2.mkv hdr.webm; do
    ok runnel render hdr.mkv $out -d none
    expect_eq "light in $out" "$(about $out stream=max_content,max_luminance | sed 's,10000000/10000,1000/1,')" 1000,1000/1
done

begin "FLAC, TrueHD and stereo pictures in MP4"
for codec in flac truehd; do
    make $codec.mkv $sound -c:v libx264 -pix_fmt yuv420p -strict -2 -c:a $codec -metadata:s:v stereo_mode=left_right
    ok runnel render $codec.mkv $codec.mp4 -d none
    expect_eq "sound" "$(entries $codec.mp4 a stream=codec_name)" $codec
    expect_eq "which eye is which" "$(about $codec.mp4 stream=side_data_type)" 'Stereo 3D'
done

begin ".m2ts is one, from .ts too"
make plain.ts $sound -c:v libx264 -pix_fmt yuv420p -c:a mp2
ok runnel render plain.ts blu.m2ts -d none
expect_eq "bytes beyond packets of 192" "$(($(cat blu.m2ts | wc -c) % 192))" 0
expect_eq "sync byte" "$(head -c 5 blu.m2ts | tail -c 1)" G

begin "the last picture of a GIF is shown as long as it was"
make delays.gif -vf "setpts='if(eq(N,9),N+12,N)/25/TB'" -vsync vfr -final_delay 7
ok runnel render delays.gif again.gif -d none
expect_same_of again.gif delays.gif entries '' packet=pts_time,duration_time
make one.mp4 -frames:v 1 -c:v libx264 -pix_fmt yuv420p
run runnel render one.mp4 one.gif -d none
expect_eq "time of a single one" "$(about one.gif packet=duration_time)" 0.040000

begin "a GIF faster than players show it is warned of"
says 'warning.*fast.gif.*50 frames/s at most' runnel render lavfi:testsrc2=s=16x16:r=120:d=0.1 fast.gif -d none
ok runnel render lavfi:testsrc2=s=16x16:r=50:d=0.1 good.gif -d none
expect_eq "warnings at 50" "$(grep -c 'players show' err)" 0

begin "a cover that QuickTime has no place for is mentioned; in MP4 none gives way to a tag"
clip cover.mp4 lavfi:$video lavfi:color=blue:s=16x16 -map 0 -map 1 -c:v:0 libx264 -pix_fmt:v:0 yuv420p \
    -c:v:1 png -frames:v:1 1 -disposition:v:1 attached_pic
clip cover.png cover.mp4 -map 0:1 -c copy -f image2 -update 1
make cover.mkv -c:v libx264 -pix_fmt yuv420p -attach cover.png -metadata:s:t mimetype=image/png -metadata own=mine
ok runnel render cover.mkv cover-2.mp4 -d none
expect_eq "cover" "$(entries cover-2.mp4 v:1 stream=codec_name)" png
says "attached picture, png) is not copied: mov has no place" runnel render cover.mp4 cover.mov -d none
says 'lost: .*attached picture, png) is left out: avi cannot hold it; \.mkv holds it' \
    runnel render cover.mp4 cover.avi -d none

begin "an encoder that counts pictures does not move them against the sound; .mpg holds fields"
make fields.mpg $sound -vf setfield=bff -flags +ildct+ilme -c:v mpeg2video -top 0 -c:a mp2
ok runnel render fields.mpg fields-2.mpg -d none
expect_same_of fields-2.mpg fields.mpg first_times
expect_same_of fields-2.mpg fields.mpg about stream=codec_name
expect_same_of fields-2.mpg fields.mpg about frame=interlaced_frame,top_field_first

begin "in AVI sound that begins with a lead-in moves no picture and is not late"
for codec in aac libmp3lame; do
    make lead-$codec.mp4 $sound -c:v libx264 -pix_fmt yuv420p -c:a $codec
    ok runnel render lead-$codec.mp4 lead-$codec.avi -d none
    expect_same_of lead-$codec.avi lead-$codec.mp4 times_of
    expect_eq "first packet" "$(entries lead-$codec.avi a packet=pts_time | head -n 1 | cut -c1-5)" 0.000
done
# The samples before 0 are those of the lead-in: the rest is as long as that of the input.
behind_lead() { entries "$1" a packet=pts_time,duration_time | awk -F, 'NF > 1 && $1 + $2 / 2 >= 0' | wc -l; }
expect_same_of lead-aac.avi lead-aac.mp4 behind_lead
expect_message "avi cannot hold the times of mp3; stream 1 of the input becomes pcm_s16le" # it is no whole packet

begin "sound that would be copied out of its time is a loss that is told"
says "lost: .*copied.avi.: the sound of stream 1 (mp3) is heard up to 1.0 ms too early" \
    runnel render lead-libmp3lame.mp4 copied.avi -d none --audio copy
fails 6 '' runnel render lead-libmp3lame.mp4 copied.avi -d none --audio copy --strict -y

begin "the order of fields stands in H.264 too; what codes no fields leaves it to the container"
for job in tff:tt:0011 bff:bb:0100; do
    order=${job%%:*} told=${job##*:} short=${job#*:}
    clip $order.mpg lavfi:testsrc2=s=96x64:r=25:d=0.2 -vf setfield=$order -flags +ildct -c:v mpeg2video \
        -top $([ $order = tff ] && echo 1 || echo 0)
    ok runnel render $order.mpg $order.mp4 -d none
    expect_eq "$order in H.264" "$(ffmpeg -i $order.mp4 -c copy -bsf:v trace_headers -f null - 2>&1 |
        sed -n 's/.* pic_struct  *\([01]*\) .*/\1/p' | sort -u)" $told
    ok runnel render $order.mpg $order.mov --codec mjpeg -d none
    expect_eq "$order of MJPEG" "$(about $order.mov stream=field_order)" ${short%:*}
done

begin "full range where the file cannot say so: the picture is the same, in limited range"
make full.mp4 -vf scale=out_range=pc -c:v libx264 -qp 0 -color_range pc -pix_fmt yuv420p
clip full.y full.mp4 -vf extractplanes=y -f rawvideo
od -An -v -tu1 -w1 full.y | sort -nu >full.levels
for out in avi:pixels nut:pixels mpg:range; do
    says 'limited-range' runnel render full.mp4 full.${out%:*} -d none
    expect_eq "range" "$(about full.${out%:*} stream=color_range | grep -c pc)" 0
    [ ${out#*:} = range ] && continue
    # 256 steps are still told apart, between other ends.
    clip full.y full.${out%:*} -vf extractplanes=y -pix_fmt gray10le -f rawvideo
    od -An -v -tu2 -w2 full.y | sort -nu >got
    off=$(paste full.levels got | awk 'NF != 2 || ($2 - 64 - $1 * 876 / 255) ^ 2 > 1' | wc -l)
    expect_eq "levels that are wrong" "$off" 0
done
run runnel render full.mp4 full.mov -d none
expect_eq "range in MOV" "$(about full.mov stream=color_range)" pc
run runnel render lavfi:color=white:s=16x16:d=0.04,format=yuv420p white.mjpeg -d none
clip white.y white.mjpeg -vf extractplanes=y -f rawvideo
expect_eq "white in full range" "$(od -An -v -tu1 -w1 white.y | sort -u)" " 255"

begin "HEVC is hvc1 in MP4 and MOV, or what tag= says"
make hevc.mp4 -c:v libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1
for job in hvc1.mp4: hvc1.mov: hev1.mp4::tag=hev1; do
    out=${job%%:*}
    ok runnel render hevc.mp4 $out --codec libx265 --codec-opts preset=ultrafast${job#*:} -d none
    expect_eq "$out" "$(about $out stream=codec_tag_string)" ${out%.*}
done
ok runnel render hevc.mp4 xvid.avi --codec mpeg4 --codec-opts tag=XVID -d none
expect_eq "AVI" "$(about xvid.avi stream=codec_tag_string)" XVID
fails 2 'tag=h is neither four characters' runnel render hevc.mp4 bad.mp4 --codec libx265 --codec-opts tag=h -d none
fails 2 'refuses these streams or options' \
    runnel render hevc.mp4 bad.mp4 --codec libx265 --codec-opts preset=ultrafast:tag=XVID -d none

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
begin "an animation is played as often as its input, GIF and APNG"
make once.gif -loop -1
make four.gif -loop 3
make ever.gif
make three.apng -plays 3 -f apng
for job in once.gif:once-2.gif:1 four.gif:four-2.gif:4 four.gif:four.apng:4 ever.gif:ever.apng:0 three.apng:three.gif:3; do
    in=${job%%:*} out=${job#*:}
    ok runnel render $in ${out%:*} -d none
    expect_eq "$in > ${out%:*}" "$(plays ${out%:*})" ${out#*:}
done
run runnel render four.gif two.gif --codec-opts loop=1 -d none
expect_eq "the user's own" "$(plays two.gif)" 2
sh -c 'cat four.gif | "$0" render - piped.gif -d none -q' "$started"
expect_eq "through a pipe" "$(plays piped.gif)" 4

begin "texts that overlap begin when they did in MP4 and MOV"
printf '1\n00:00:00,100 --> 00:00:00,300\nA\n\n2\n00:00:00,200 --> 00:00:00,400\nB\n' >overlap.srt
make overlap.mkv overlap.srt -map 0 -map 1 -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:s srt
for e in mp4 mov; do
    ok runnel render -y -d none overlap.mkv "overlap.$e"
    expect_eq "$e" "$(entries "overlap.$e" s packet=pts_time | head -n 3 | xargs)" "0.000000 0.100000 0.200000"
done

begin "tags of any name, titles and languages of streams in MP4 and MOV"
make own.mkv $sound -map 0 -map 1 -map 1 -c:v libx264 -pix_fmt yuv420p -c:a aac -metadata title=T -metadata own=mine \
    -metadata:s:v title=Pictures -metadata:s:a:1 title=Comments -metadata:s:a:0 language=fre -metadata:s:a:1 language=deu
for out in own.mp4 own.mov; do
    ok runnel render own.mkv $out -d none --codec-opts movflags=+faststart
    expect_eq "tags" "$(entries $out '' format=tag:title,tag:own)" T,mine
    entries $out '' stream=tag:language,tag:handler_name | tr '\n' ' ' >got
    grep -q Pictures got && grep -q Comments got || complain "titles of streams: $(cat got)"
    grep -qE 'fr[ea],SoundHandler (ger|deu),Comments' got || complain "languages: $(cat got)"
    expect_eq "the index stands first" "$(grep -abo -e moov -e mdat $out | head -n 1 | cut -d: -f2)" moov
done
make plain.mp4 -c:v libx264 -pix_fmt yuv420p -metadata title=T
run runnel render plain.mp4 plain-2.mp4 -d none
expect_eq "usual tags stand where others look" "$(grep -ac mdirappl plain-2.mp4)" 1

begin "chapters in Ogg, a timecode in AVI, light in MPEG-TS"
printf ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=200\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=200\nEND=400\ntitle=Two\n' >meta
make chapters.mkv meta -map_chapters 1 -c:v libx264 -pix_fmt yuv420p
ok runnel render chapters.mkv chapters.ogv -d none
printf '0.000000,One\n0.200000,Two\n' >want
expect_printed want entries chapters.ogv '' chapter=start_time,tag:title
make timecode.mov -c:v libx264 -pix_fmt yuv420p -timecode 01:00:00:00
run runnel render timecode.mov timecode.avi -d none
expect_eq "timecode" "$(entries timecode.avi '' format=tag:timecode)" 01:00:00:00
make gop.mpg -c:v mpeg2video -timecode 10:20:30:05
run runnel render gop.mpg gop.mov -d none
run runnel render gop.mpg later.mov -d none --from 0.08
for f in gop later; do entries $f.mov v:0 stream=tag:timecode; done >got
printf '10:20:30:05\n10:20:30:07\n' >want
expect_same got want
run runnel render gop.mpg gop.ts -d none
expect_message "the timecode 10:20:30:05 is not kept"
make zero.mpg -c:v mpeg2video
ok runnel render zero.mpg zero.ts --strict -d none
for codec in libx264 libx265; do
    ok runnel render hdr.mkv hdr-$codec.ts --codec $codec --codec-opts preset=ultrafast -d none
    ffmpeg -i hdr-$codec.ts -c copy -bsf:v trace_headers -f null - 2>&1 | grep -E 'max_(display_mastering|content)' |
        sed 's/.* //' | sort -u >got
    printf '1000\n10000000\n' >want
    expect_same got want
done
