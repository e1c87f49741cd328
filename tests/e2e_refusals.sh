#!/bin/sh
# What cannot work is refused in one line, with the right status, before any output is touched.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_clip in.mp4 0.2
echo 'the old file' >old.mp4
before=$(sha old.mp4)
nines=$(printf '1 %.0s' $(seq 82))

refuse() { # status, chain
    refuses "$1" '' runnel render in.mp4 old.mp4 -y -f "$2"
    expect_eq "the old file after '$2'" "$(sha old.mp4)" "$before"
}

while read -r chain; do
    begin "refused: $chain"
    refuse 2 "$chain"
done <<CASES
convolutoin=preset=sharpen
convolution=preset=sharpenn
convolution=matrix='1 2 3 4'
convolution=matrix='$nines'
convolution=matrix='1 2 3 4 nan 6 7 8 9'
convolution=matrix='1 2 3 4 five 6 7 8 9'
convolution=size=2x2:matrix='1 2 3 4'
convolution=file=/nonexistent
convolution=raduis=3
erosion=radius=0
erosion=radius=32
erosion=shape=round
erosion=radius=1:2
erosion,,dilation
erosion,
closing;erosion
@/nonexistent
CASES

begin "an unknown name gets the nearest one, or else the list"
refuse 2 "closin"
expect_message "did you mean 'closing'?); .runnel filters. lists them"
refuse 2 "xyzzyx"
expect_message closing convolution
refuse 2 "closing=radus=1"
expect_message radius

begin "a name of a megabyte is cut in the message; 32 stages are said where a 33rd is refused"
{ head -c 1000000 /dev/zero | tr '\0' x; } >long.chain
for chain in @long.chain "closing=$(head -c 100000 long.chain)=1" "closing=shape=$(head -c 100000 long.chain)"; do
    refuse 2 "$chain"
    [ "$(wc -c <err)" -lt 700 ] || complain "$(wc -c <err) bytes"
    expect_message "'xxxxxxx*\.\.\.'"
done
refuse 2 "$(yes gray | head -n 33 | paste -sd ,)"
rm long.chain
expect_message "at most 32 stages"
ok runnel filters
grep -q ' at most 32' out || complain "the list of filters does not say how many a chain holds"

begin "what is not joined as a chain is gets the form that is right"
while IFS='|' read -r chain words; do
    refuse 2 "$(printf '%b' "$chain")"
    expect_message "$words"
done <<'CASES'
closing:radius=2|parameters follow an = .*closing=radius=2$
closing:radius=2:shape=disk|closing=radius=2:shape=disk$
closing:2|closing=2$
closing radius=2|closing=radius=2$
gray invert|parted by commas, as in gray,invert$
gray\ninvert|parted by commas, as in gray,invert$
gray closing=radius=2|as in gray,closing=radius=2$
gray+invert|as in gray,invert$
closing=radius=2 invert|closing: '2 invert' is no value: filters are parted by commas, as in closing,invert$
closing=disk gray,invert|parted by commas
closing=radius|takes
CASES

begin "names of FFmpeg that are none get the nearest, and where all of them are"
while IFS='|' read -r options words; do
    refuses 2 "$words" runnel render in.mp4 old.mkv -y $options
done <<'CASES'
--codec h265|no video encoder is named 'h265' (did you mean .*libx265.*?); "ffmpeg -encoders" (package ffmpeg) lists
--codec x264|did you mean libx264
--codec hvec|did you mean hevc?
--codec aac|aac encodes no video
--audio opuss|not 'opuss' (did you mean opus
--audio mp33|"ffmpeg -encoders" (package ffmpeg) lists them
--subs subripp|did you mean subrip?
--pix-fmt yuv420|no pixel format is named 'yuv420' (did you mean 'yuv420p'?); libx264 takes yuv420p
--pix-fmt foo|no pixel format is named 'foo'.*libx264 takes yuv420p .*gray
--container matrosca|did you mean matroska.*"ffmpeg -muxers" lists
--container x|try matroska
CASES

begin "outputs that are only read get those that are written"
for ext in mat cfl hdr img; do refuses 2 "read only; volumes are written as .nii, " runnel render in.mp4 x.$ext; done
for ext in raw bin; do refuses 2 "--container rawvideo" runnel render in.mp4 x.$ext; done

begin "a pattern that the shell expanded is to be quoted"
mkdir shell && touch shell/a.png shell/b.png shell/c.png
for words in 'render shell/a.png shell/b.png out.mp4' 'render shell/a.png shell/b.png shell/c.png out.mp4' \
    'stats shell/a.png shell/b.png' 'info shell/a.png shell/b.png shell/c.png'; do
    refuses 2 "the shell expanded it: '\*\.png'" runnel $words
done
for words in 'render in.mp4 x.mp4 y.mp4' 'render shell/a.png x.mp4 y.mp4' 'info in.mp4 shell/a.png'; do
    fails 2 '' runnel $words
    ! grep quote err || complain "$words: no shell expands that"
done
rm -r shell

begin "a value out of range gets the range"
refuse 2 "closing=radius=99"
expect_message '1\.\.31'

begin "a mask that names no plane is taken, and said"
says 'warning: erosion does nothing: planes=2 names no plane of gray$' \
    runnel render in.mp4 null: -f gray,erosion=planes=2,dilation=planes=3
expect_eq warnings "$(grep -c warning err)" 1

begin "an existing output is not overwritten without -y"
refuses 4 '' runnel render in.mp4 old.mp4
expect_eq "the old file" "$(sha old.mp4)" "$before"
fails 4 '' runnel render in.mp4 old.mp4 -n
expect_eq "the old file" "$(sha old.mp4)" "$before"

begin "-y overwrites"
cp old.mp4 new.mp4
ok runnel render in.mp4 new.mp4 -y
expect_eq frames "$(frames_of new.mp4)" 5

begin "the input itself is refused as output: hard link, symbolic link, other spelling"
cp in.mp4 self.mp4
ln self.mp4 hard.mp4
ln -s self.mp4 soft.mp4
mine=$(sha self.mp4)
for out in self.mp4 ./self.mp4 hard.mp4 soft.mp4 "$scratch/self.mp4"; do
    refuses 2 '' runnel render self.mp4 "$out" -y
    expect_eq "the input" "$(sha self.mp4)" "$mine"
done

while IFS='|' read -r rcwant command cases; do
    echo "$cases" | tr ';' '\n' >cases
    while read -r args; do
        begin "status $rcwant: $command $args"
        eval "run runnel $command $args"
        expect_refusal "$rcwant"
        expect_eq "the old file" "$(sha old.mp4)" "$before"
    done <cases
done <<'CASES'
2||;rendr in.mp4 x.mp4;render in.mp4;render in.mp4 x.mp4 y.mp4;render --nonsense in.mp4 x.mp4;filters nonsense
2|render in.mp4 old.mp4 -y|--frames x;--inflight 0;--from 1:2:3:4;-y -n;--codec nonsense;--pix-fmt nonsense
2|render in.mp4|old.mp4 -y --codec-opts nonsense=1;old.nonsense -y
3|render|missing.mp4 old.mp4 -y;meta old.mp4 -y
5|render in.mp4 old.mp4 -y|-d 99;-d nonsense
4|render|in.mp4 nowhere/x.mp4 -y
CASES

rm -f cases

# ---- files without an end, or without a beginning

named_pipes() { # what names the pipe $1, as words
    printf '%s\n' "-f @$1" "-f convolution=file=$1" "-f custom=file=$1" "--replay $1"
}

begin "a named pipe that nobody writes is refused, wherever a text is read"
for i in 1 2 3 4; do
    mkfifo text.$i
    (
        timeout -k 5 $patience "$started" render in.mp4 old.mp4 -y $(named_pipes text.$i | sed -n ${i}p) \
            </dev/null >out 2>err.$i
        echo $? >rc.$i
    ) &
done
wait
for i in 1 2 3 4; do
    mv err.$i err
    rc=$(cat rc.$i)
    expect_refusal 2 "text.$i': it is a pipe, and nothing writes to it"
done
rm -f rc.?

begin "what a program writes to a named pipe is read, whichever of the two starts first"
(sleep 0.3; printf 'closing' ) >text.1 &
ok runnel render in.mp4 null: -q -f @text.1
wait

has_open() { ls -l "/proc/$1/fd" 2>/dev/null | grep -q "/$2$"; } # process, name

begin "a signal ends the wait for a writer"
"$RUNNEL" render in.mp4 old.mp4 -y -f @text.1 2>err &
pid=$!
wait_for 20 has_open $pid text.1 || complain "the pipe is not opened"
kill -TERM $pid
ends $pid 143
rm -f text.?

begin "stdin and the pipes of the shell hold texts too, however slowly they come"
(printf 'clo'; sleep 0.3; printf 'sing\n') | "$started" render in.mp4 md5: -q -f @/dev/stdin >slow 2>err
"$started" render in.mp4 md5: -q -f closing >want 2>err
expect_file want
expect_same slow want
if command -v bash >/dev/null; then
    prints want bash -c "exec '$RUNNEL' render in.mp4 md5: -q -f @<(sleep 0.3; echo closing)"
fi
rm -f slow want

begin "texts without an end, or too long, are refused and not cut; a text is no video and no kernel"
{ echo closing; head -c 4096 /dev/zero | tr '\0' '#'; } >huge
truncate -s 3G huge
yes closing, | head -c 1100000 >long
for text in /dev/zero huge long /dev/urandom; do
    for how in "@$text" "convolution=file=$text" "custom=file=$text"; do refuse 2 "$how"; done
done
printf '1 2 1 2 4 2 1 2\0 1' >nul
refuse 2 convolution=file=nul
expect_message 'it is not text'
yes 'some words' | head -c 20000 >nul.txt
refuses 3 "'nul.txt' is no video or image that FFmpeg can open (it is text)" runnel render nul.txt o.mp4
fails 5 'defines no function .float filter(IN)' runnel render in.mp4 o.mp4 -f custom=file=nul.txt
rm -f huge long nul nul.txt

begin "media without an end are refused in bounded time and memory"
most=4000000
[ "${VARIANT:-release}" = release ] || most=unlimited # sanitizers map terabytes
mkfifo noise # /dev/urandom begins as an H.263 does, once in a while
for input in /dev/zero /dev/full noise; do
    [ $input != noise ] || python3 -c "import random, sys
r = random.Random(1)
while 1: sys.stdout.buffer.write(r.randbytes(65536))" >noise 2>pipe_closed &
    (ulimit -v $most; run runnel render $input old.mp4 -y -d none; echo $rc >rc)
    rc=$(cat rc)
    expect_refusal 3
done
rm -f rc noise pipe_closed

begin "patterns and folders skip what is no file"
mkdir images images/c.png
mkfifo images/b.png
clip images/a.png in.mp4 -frames:v 1
for input in images 'images/*.png'; do says '1 frame' runnel render "$input" null: -d none; done
rm -f images/a.png
for input in images 'images/*.png'; do refuses 3 '' runnel render "$input" null: -d none; done

begin "a signal ends the wait for media"
for name in b.png b.tif b.y4m; do
    [ -p images/$name ] || mkfifo images/$name
    for pair in INT:130 TERM:143; do
        "$RUNNEL" render images/$name null: -d none 2>err &
        pid=$!
        wait_for 20 takes_signals $pid || complain "it takes no signals"
        kill -${pair%:*} $pid
        ends $pid ${pair#*:}
    done
done
rm -rf images

# ---- recordings

level() { # frame, level: a line of a recording
    printf '{"frame":%s,"stage":0,"param":"level","value":"%s"}' "$1" "$2"
}

replay="runnel render in.mp4 md5: --replay tape --metrics metrics.json -y"

begin "the last line of a recording may be cut off, no other"
{ echo '{"chain":"threshold=level=100"}'; level 2 50; echo; } >tape
into want $replay -q
level 3 40 | head -c 30 >>tape
prints want $replay
expect_eq "warnings" "$(grep -c "warning: 'tape' ends within line 3" err)" 1
{ echo; level 4 30; echo; } >>tape
refuses 2 "'tape' line 3 is no line" $replay
{ echo '{"chain":"threshold=level=100"}'; level 2 50; } >tape
prints want $replay
expect_eq "warnings" "$(grep -c warning err)" 0
printf '{"chain":"thresh' >tape
refuses 2 '' $replay

begin "lines that are no lines of this recording are refused"
while read -r line; do
    { echo '{"chain":"threshold=level=100"}'; echo "$line"; level 3 30; echo; } >tape
    # of a value that the input does not take, the frame
    refuses 2 "tape'\( line\|, frame\) 2" runnel render in.mp4 old.mp4 -y --replay tape
    expect_eq "the old file after '$line'" "$(sha old.mp4)" "$before"
done <<'CASES'
{"frame":2,"stage":0,"param":"level","value":"50","frame":3}
[1]
7

{"frame":2,"stage":0,"param":"level","value":"50"} {}
{"frame":2,"stage":0,"param":"level","value":"-1"}
{"frame":2,"stage":0,"param":"level","value":"high"}
{"frame":2,"stage":0,"param":"enable","value":"2"}
CASES
{ echo '{"chain":"threshold=level=5000"}'; level 2 50; echo; } >tape
refuses 2 "tape' line 1: threshold" $replay

begin "what cannot change while running is refused before the first frame"
for off in 0 1; do
    {
        echo "{\"chain\":\"threshold,format=gray:enable=$off\"}"
        level 1 50
        echo
        echo "{\"frame\":2,\"stage\":1,\"param\":\"enable\",\"value\":\"$((1 - off))\"}"
    } >tape
    refuses 2 "tape', frame 2: the filters make pictures of another format" ${replay%md5:*}never.mkv --replay tape
    ok $replay
    expect_eq "pictures" "$(wc -l <out)" $((5 + 2 * (2 + off)))
done

begin "changes for frames that did not come are counted and said"
{ echo '{"chain":"threshold=level=100"}'; level 2 50; echo; level 5 60; echo; level 9 70; echo; } >tape
prints want $replay
expect_eq "words" "$(grep -c "warning: 'tape' has 2 changes for frames behind the last one, number 4" err)" 1
grep -q '"changes_unapplied": 2' metrics.json || complain "the metrics do not count them"
{ echo '{"chain":"threshold=level=100"}'; level 2 50; echo; level 4 60; echo; } >tape
ok $replay
expect_eq "warnings" "$(grep -c warning err)" 0
rm -f tape want metrics.json

begin "nothing was left behind"
expect_only . err hard.mp4 in.mp4 meta new.mp4 old.mp4 out self.mp4 soft.mp4 words.srt
