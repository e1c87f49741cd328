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

# ---- names

evil=$(printf 'e\033]0;x\007\n\tv\233\302\233il%%s\377name')
ffmpeg -v error -y -i in.mp4 -map 0:v -map 0:a -c copy -metadata "title=$evil" -metadata:s:a:0 "title=$evil" tagged.mkv
cp in.mp4 "$evil.mp4"
echo nonsense >"$evil.txt"
mkdir "$evil"

while IFS='|' read -r want words; do
    begin "a name that is a command to the terminal, status $want: $words"
    eval "run runnel $words"
    expect_rc "$want"
    expect_plain err
    LC_ALL=C grep -q "$(printf '\302\233\\|\233\\|\377')" err && complain "err has bytes of the name"
    grep -qv '^runnel: \|^  \|^$' err && complain "a line of err begins with the name"
    end
done <<'CASES'
0|render "$evil.mp4" "$evil.mkv" --metrics "$evil.json" --progress "$evil.lines"
4|render "$evil.mp4" "$evil.mkv"
0|stats "$evil.mp4" --plot "$evil.svg"
0|stats "$evil.mp4" -f stats=file="in.csv"
3|render "$evil.txt" null:
3|render "$evil" null:
3|render "missing $evil" null:
3|render "missing$evil*.png" null:
4|render in.mp4 "$evil"
4|render in.mp4 "nowhere/$evil/x.mkv"
2|render in.mp4 null: -f "$evil"
2|render in.mp4 null: -f "blur=$evil"
2|render in.mp4 null: -f "@$evil"
2|render in.mp4 null: --codec "$evil" --frames "$evil"
2|render in.mp4 x.mkv --codec "$evil"
2|render in.mp4 x.mkv --codec-opts "$evil=1"
2|render in.mp4 x.mkv --codec-opts "crf=$evil"
2|render in.mp4 x.mkv --pix-fmt "$evil"
5|render in.mp4 null: -d "$evil"
2|"$evil"
2|render "--$evil"
0|render tagged.mkv tagged.mp4 --log-level debug
CASES

begin "the same names as data"
expect_eq "the name in the metrics" "$(jq -r .output_path "$evil.json" | tr -d '\n' | cut -c 1-7)" \
    "$(printf 'e\033]0;x\007')"
jq -e . "$evil.lines" >jq.out 2>&1 || complain "the progress is no JSON: $(cat jq.out)"
end

finish
