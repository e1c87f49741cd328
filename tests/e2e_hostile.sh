#!/bin/sh
# Values that no encoder takes, files that are not what they are called, names that are commands to a
# terminal: each ends in one line and the right status, and nothing else happens.
. "$(dirname "$0")/lib.sh"

export RUNNEL_DEVICE=none # quick, and the device has no part in this

make_clip in.mp4 0.2
echo 'the old file' >old.mp4
cp old.mp4 old.mkv
before=$(sha old.mp4)

refuse() { # status, old file, options...: of a run that would overwrite it
    want=$1 old=$2
    shift 2
    rm -f m.json
    run runnel render in.mp4 "$old" -y --metrics m.json "$@"
    expect_rc "$want"
    expect_one_line
    expect_eq "the old file after $*" "$(sha "$old")" "$before"
    expect_eq "the status in the metrics" "$(jq .exit_status m.json)" "$want"
    expect_no_file .old* old.partial*
}

# ---- encoders that do not open

while IFS='|' read -r message options; do
    begin "an encoder that cannot be had: $options"
    eval "refuse 2 $options"
    expect_message "$message"
    end
done <<'CASES'
cannot take crf=20,preset=slow.*joined by ':'|old.mp4 --codec-opts crf=20,preset=slow
libx264 cannot take crf=abc: crf is a number|old.mp4 --codec-opts crf=abc
cannot take b=-5: b is a whole number from 0|old.mp4 --codec-opts b=-5
cannot take threads=many: .*auto|old.mp4 --codec-opts threads=many
cannot take flags=nope: .*psnr|old.mp4 --codec-opts flags=nope
cannot take coder=99: coder is a whole number from -2 up to 2|old.mkv --codec ffv1 --codec-opts coder=99
with --codec-opts slices=3:|old.mkv --codec ffv1 --codec-opts slices=3:level=3
cannot take movflags=nope: .*faststart|old.mp4 --codec-opts movflags=nope
no pixel format is named 'nope'|old.mp4 --pix-fmt nope
is not key=value|old.mp4 --codec-opts =
is not key=value|old.mp4 --codec-opts crf
CASES

begin "one message for a rate that an encoder does not know"
ffmpeg -v error -y -i in.mp4 -an -sn -r 7 -c:v ffv1 seven.mkv
run runnel render seven.mkv seven.mpg
expect_rc 2
expect_one_line
expect_message 'cannot open the encoder mpeg1video .*7/1'
expect_no_file seven.mpg
end

if ffmpeg -hide_banner -encoders | grep -q h264_nvenc && ! ldconfig -p | grep -q libcuda.so.1; then
    begin "an encoder without its driver"
    refuse 4 old.mp4 --codec h264_nvenc
    expect_message 'cannot open the encoder h264_nvenc'
    end
fi

begin "a value of a hundred thousand digits"
refuse 2 old.mp4 --codec-opts "crf=$(printf '%0100000d' 1)x"
[ "$(wc -c <err)" -lt 1000 ] || complain "$(wc -c <err) bytes of messages"
end

finish
