#!/bin/sh
# Files for what will play them: --for.
. "$(dirname "$0")/lib.sh"
clip yuv.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p -c:v ffv1
clip rgb.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt gbrp -c:v ffv1
clip deep.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p10le -c:v ffv1
clip hdr.mkv lavfi:testsrc2=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p10le -c:v ffv1 \
    -vf setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc
ok ffmpeg -v error -f lavfi -i testsrc2=s=96x64:r=25 -f lavfi -i sine -t 0.2 -c:v ffv1 -c:a flac -y sound.mkv
probe() { # file: codec,pixel format; ProRes is decoded as 10 or 12 bits
    ffprobe -v error -select_streams v -show_entries stream=codec_name,pix_fmt -of csv=p=0 "$1" | sed 's/444p1[02]le/444/'
}

begin "--for chooses codec, pixel format and sound, and says what changes"
while read -r what in out want message; do
    ok runnel render "$in.mkv" "$out" -y -d none --for "$what"
    expect_eq "$what of $in" "$(probe "$out")" "$want"
    if [ -n "$message" ]; then
        expect_message "--for $what: $message"
    else
        ! grep 'warning: --for' err || complain "$what of $in loses nothing"
    fi
done <<'TABLE'
web yuv w.mp4 h264,yuv420p
web rgb w.mp4 h264,yuv420p RGB becomes 4:2:0, yuv420p
web deep w.mp4 h264,yuv420p yuv420p10 becomes yuv420p
phone hdr p.mp4 hevc,yuv420p10le HDR10 becomes HEVC Main 10
phone sound p.mp4 h264,yuv420p .*sound becomes AAC
tv yuv t.mkv h264,yuv420p
tv deep t.mp4 hevc,yuv420p10le
archive rgb a.mkv ffv1,bgr0
archive hdr a.mkv ffv1,yuv420p10le
edit yuv e.mov prores,yuv422p10le yuv420p becomes yuv422p10le
edit rgb e.mov prores,yuv444 RGB becomes yuv444p10le
TABLE
expect_eq "sound" "$(ffprobe -v error -select_streams a -show_entries stream=codec_name -of csv=p=0 p.mp4)" aac

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

begin "a default that few players open has a line"
says "few players open H.264 of yuv420p10le" runnel render deep.mkv d.mp4 -d none
ok runnel render yuv.mkv d.mp4 -y -d none
! grep 'few players' err || complain "all players open this"

finish
