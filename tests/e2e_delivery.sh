#!/bin/sh
# Files for what will play them: --for. WHOLE=1 has two passes of x265, too.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
clip yuv.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p -c:v ffv1
clip rgb.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt gbrp -c:v ffv1
clip deep.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p10le -c:v ffv1
clip hdr.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p10le -c:v ffv1 \
    -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc
ok ffmpeg -v error -f lavfi -i testsrc2=s=96x64:r=25 -f lavfi -i sine -t 0.2 -map 0 -map 1 -map 1 -c:v ffv1 -c:a:0 aac \
    -c:a:1 flac -y sound.mkv
clip hdr444.mkv hdr.mkv -pix_fmt yuv444p10le -c:v ffv1
probe() { # file: codec,pixel format; ProRes is decoded as 10 or 12 bits
    ffprobe -v error -select_streams v -show_entries stream=codec_name,pix_fmt -of csv=p=0 "$1" | sed 's/444p1[02]le/444/'
}

begin "--for chooses codec, pixel format and sound, and says what changes"
while read -r what in out want message; do
    ok runnel render "$in.mkv" "$out" -y -d none --for "$what"
    expect_eq "$what of $in" "$(probe "$out")" "$want"
    if [ -n "$message" ]; then
        expect_message "--for $what: $message" "lost: --for $what: $message"
    else
        ! grep 'warning: --for' err || complain "$what of $in loses nothing"
    fi
done <<'TABLE'
web yuv w.mp4 h264,yuv420p
web rgb w.mp4 h264,yuv420p RGB becomes 4:2:0, yuv420p
web deep w.mp4 h264,yuv420p yuv420p10 becomes yuv420p
phone hdr p.mp4 hevc,yuv420p10le
phone hdr444 p.mp4 hevc,yuv420p10le HDR10 becomes 4:2:0, HEVC Main 10
phone sound p.mp4 h264,yuv420p .*sound becomes AAC
tv yuv t.mkv h264,yuv420p
tv deep t.mp4 hevc,yuv420p10le
archive rgb a.mkv ffv1,bgr0
archive hdr a.mkv ffv1,yuv420p10le
edit yuv e.mov prores,yuv422p10le yuv420p becomes yuv422p10le
edit rgb e.mov prores,yuv444 RGB becomes yuv444p10le
TABLE
expect_eq "sounds" "$(ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 p.mp4 | tr '\n' ' ')" "aac aac "
first() { ffmpeg -v error -i "$1" -map 0:a:0 -c copy -f md5 -; }
expect_eq "the sound that fits" "$(first p.mp4)" "$(first sound.mkv)"
fails 6 'HDR10 becomes yuv444p10le' runnel render hdr444.mkv p.mp4 -y -d none --for phone --pix-fmt yuv444p10le --strict

begin "--codec and --pix-fmt come first; other names, sides and outputs are refused"
ok runnel render rgb.mkv c.mp4 -d none --for web --codec libx265 -q
expect_eq codec "$(probe c.mp4)" hevc,yuv420p
ok runnel render yuv.mkv f.mp4 -d none --for web --pix-fmt yuv444p --codec-opts preset=ultrafast -q
expect_eq format "$(probe f.mp4)" h264,yuv444p
refuses 2 "name it x.mp4" runnel render yuv.mkv x.avi --for web
refuses 2 "name it x.mkv" runnel render yuv.mkv x --for tv
refuses 2 "makes a media file such as out.mov" runnel render yuv.mkv 'x_%d.png' --for edit
refuses 2 "even sides, not 95x64: add --crop 94x64" runnel render yuv.mkv x.mp4 --for web --crop 95x64
refuses 2 "web, phone, tv" runnel render yuv.mkv x.mp4 --for radio
says "writes .*encoder prores_ks with profile=hq, container mov" runnel render yuv.mkv x.mov --for edit --dry-run -d none

begin "--size is kept by each encoder that has two passes, and used"
clip noisy.mkv "$root/media/clip.mp4" -t 3 -vf scale=160:90,noise=alls=12:allf=t -c:v ffv1 -c:a aac
while read -r out size options; do
    case $out in +*) [ -n "${WHOLE-}" ] || continue ;; esac
    out=${out#+}
    # shellcheck disable=SC2086 # words
    says ' fps, .*; in all [0-9.]* s$' runnel render noisy.mkv "$out" -y -d none -f invert --size "$size" $options
    bytes=$(wc -c <"$out")
    [ "$bytes" -le "$size" ] && [ "$bytes" -ge $((size * 9 / 10)) ] || complain "$out has $bytes of $size bytes"
    expect_eq "pictures of $out" "$(ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets \
        -of csv=p=0 "$out")" "$(ffprobe -v error -select_streams v -count_packets -show_entries stream=nb_read_packets \
        -of csv=p=0 noisy.mkv)"
done <<'TABLE'
s.mp4 200000 --for web --verify
+s.mkv 200000 --codec libx265 --codec-opts preset=fast:x265-params=keyint=50
s.webm 150000 --audio none --codec-opts cpu-used=8
TABLE
says "two passes for 300000 bytes" runnel render noisy.mkv n.mp4 -d none --size 300k --dry-run
says "less than --size" runnel render yuv.mkv s.mp4 -y -d none --size 900k
fails 4 "cannot be made as small" runnel render noisy.mkv u.mp4 -d none --size 120k --codec-opts qmax=12
expect_message "frames written so far are in 'u.partial.mp4'"
run sh -c '"$RUNNEL" render "$1" n.mp4 -d none --size 900k --codec-opts preset=placebo:threads=1 & p=$!
    sleep 1; kill -INT $p; wait $p' sh "$root/media/clip.mp4"
expect_rc 130
expect_eq "what is left" "$(ls -A | grep -c '^\.\|^n\.')" 0

begin "--size is refused where it cannot be kept"
stdin=noisy.mkv refuses 2 "can be read only once" runnel render - n.mp4 --size 1M
refuses 2 "a single media file" runnel render noisy.mkv null: --size 1M
refuses 2 "tables by a run of their own" runnel render noisy.mkv n.mp4 --size 1M -f stats=file=t.csv
refuses 2 "leave crf= out" runnel render noisy.mkv n.mp4 --size 1M --codec-opts crf=20
refuses 2 "two passes.*ffv1 has none" runnel render noisy.mkv n.mkv --size 1M --for archive
refuses 2 "1000 bytes are too few: pictures of 3.0 s take 15[0-9]* at least$" runnel render noisy.mkv n.mp4 --size 1k
fails 2 "sound and container take [0-9]*$" runnel render noisy.mkv n.mp4 --size 20k
refuses 2 "number of bytes such as 800k" runnel render noisy.mkv n.mp4 --size big

begin "a default that few players open has a line"
says "few players open H.264 of yuv420p10le" runnel render deep.mkv d.mp4 -d none
says "few players open H.264 of gray10le" runnel render deep.mkv g.mp4 -d none -f gray
ok runnel render yuv.mkv d.mp4 -y -d none
! grep 'few players' err || complain "all players open this"
