#!/bin/sh
# What the commands say: help, lists, tables, metrics, progress.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

src=$scratch/src.nut
clip "$src" lavfi:testsrc2=s=64x48:r=25 -frames:v 30 -c:v rawvideo

begin "--help and --version go to stdout"
for args in --help "render --help all" "play --help all" "stats --help all" "info --help all" "bench --help all" "devices --help all" "filters --help all"; do
    ok runnel $args
    expect_file out
    expect_eq "stderr of $args" "$(wc -c <err)" 0
    expect_plain out
    expect_narrow out
done
for row in 'render --exact --strict' 'stats --exact' 'bench --strict'; do # what else is 6, of the options that it has
    command=${row%% *}
    runnel $command --help all | tr -s ' \n' ' ' >help
    expect_eq "6 of $command" "$command $(grep -o -- 'with --[a-z]*: or' help | sed 's/with //; s/: or//' | sort | paste -sd ' ')" "$row"
    for option in --exact --strict; do
        case $row in *$option*) ;; *) refuses 2 "no option $option" runnel $command clip.mp4 $option ;; esac
    done
    grep -q '129, 130, 143 stopped' help || complain "$command --help does not explain its statuses"
done
ok runnel --version
expect_eq "version" "$(head -n 1 out | grep -c '^runnel [0-9]')" 1

begin "every filter is listed and explained"
ok runnel filters
names=$(sed -n 's/^ *F(\([a-z0-9]*\)).*/\1/p' "$root/filters/registry.c")
[ "$(echo "$names" | wc -l)" -ge 26 ] || complain "the registry cannot be read"
cp out list
for f in $names; do
    grep -qw "^ *$f" list || complain "$f is not listed"
    ok runnel filters $f
    [ $f = format ] || [ $f = gray ] || grep -qw planes out || complain "the parameters of $f are not listed"
done

begin "devices"
ok runnel devices
grep -qi 'pocl\|portable' out || complain "PoCL is not listed"

begin "the table at the end"
ok runnel render $src null: --frames 20 -f convolution=preset=sharpen,closing
for word in decode upload convolution closing download; do
    grep -q "$word" err || complain "the table lacks $word"
done
expect_eq "stdout" "$(wc -c <out)" 0

begin "-q is quiet"
ok runnel render $src null: --frames 5 -q
expect_eq "stderr" "$(wc -c <err)" 0

begin "metrics and progress are JSON"
ok runnel render $src null: --frames 30 -f closing --metrics m.json --progress p.json
jq -e . m.json >/dev/null || complain "m.json is no JSON"
jq -e . p.json >/dev/null || complain "p.json is no JSON"
expect_eq "last event" "$(tail -n 1 p.json | jq -r .event)" end
expect_eq "frames" "$(tail -n 1 p.json | jq -r .frames)" 30
expect_eq "frames in the metrics" "$(jq '[.. | objects | .frames_out? // empty][0]' m.json)" 30

begin "metrics of a failed run"
fails 3 '' runnel render missing.mp4 null: --metrics m2.json
expect_eq "status in the metrics" "$(jq '[.. | objects | .exit_status? // empty][0]' m2.json)" 3

begin "stats prints a table and nothing else"
run runnel stats $src --frames 3 -p 4 2>/dev/null
[ $rc = 2 ] && run runnel stats $src --frames 3 --p 4
expect_rc 0
expect_eq "lines" "$(wc -l <out)" 10
expect_eq "fields" "$(awk -F, '{print NF}' out | sort -u)" 14

begin "stats=file= from render"
ok runnel render $src null: --frames 3 -f erosion,stats=file=s.csv
expect_eq "lines" "$(wc -l <s.csv)" 10
fails 4 '' runnel render $src null: --frames 3 -f stats=file=s.csv
ok runnel render $src null: --frames 3 -f stats=file=s.csv -y

begin "enable=0: any filter passes the frames on as they are, and leaves no table"
into want runnel render $src md5: --frames 3 -f invert -q
off=erosion=radius=2:enable=0,invert,closing=slices=1:enable=0,stats=file=off.csv:enable=0,format=gray:enable=0
prints want runnel render $src md5: --frames 3 -f "$off" -q
expect_no_file off.csv
into want runnel stats $src --frames 3 -f invert -q
prints want runnel stats $src --frames 3 -f "$off" -q # its last filter does not measure: one is appended
ok runnel filters closing
grep -q '^ *enable \*  *int  *1 .* 0\.\.1$' out || complain "enable is not listed"
for wrong in erosion=enable=2 "convolution=matrix=1 2:enable=0"; do
    refuses 2 '' runnel render $src null: -f "$wrong" -q
done
expect_no_file off.csv
printf '{"chain":"stats=file=off.csv:enable=0"}\n{"frame":1,"to":1,"stage":0,"param":"enable","value":"1"}\n' >on.jsonl
ok runnel render $src null: --frames 3 --replay on.jsonl --allow-writes -q
expect_eq "frames measured" "$(cut -d, -f1 off.csv | uniq | tr '\n' ' ')" "frame 1 "

begin "a filter that stays off for the whole run needs no device, builds no kernel and waits for no frame"
echo 'float filter(IN) { this is no OpenCL; }' >broken.cl
into want runnel stats $src --frames 3 -f invert -q
for device in none ''; do
    prints want runnel stats $src --frames 3 ${device:+-d $device} -q --metrics off.json -y \
        -f custom=broken.cl:enable=0,invert,closing=slices=7:enable=0
    expect_eq "the stages that ran" "$(grep -o 'closing\|custom' off.json | wc -l)" 0
done
printf '{"chain":"custom=broken.cl:enable=0"}\n' >broken.jsonl # it may be switched on
fails 5 '' runnel render $src null: --frames 3 --replay broken.jsonl -q --allow-code

begin "a chain file"
printf '# two stages\nerosion=radius=2,\n  dilation=radius=2\n' >chain.txt
into want runnel render $src md5: --frames 3 -q -f @chain.txt
prints want runnel render $src md5: --frames 3 -q -f 'erosion=radius=2,dilation=radius=2'

begin "the formats that format takes are said the same way by help and error"
runnel filters format | sed -n 's/^ *\(gray, .*float)\)$/\1/p' >names
expect_eq "lists" "$(wc -l <names)" 1
fails 2 '' runnel render $src null: -f format=foo
grep -qF -f names err || complain "the error has another list: $(cat err)"

begin "the device waits for the reader no longer than the run lasts, whoever opens the output late"
mkfifo late.mkv
"$RUNNEL" render $src late.mkv --frames 5 -y -q -f invert --metrics m.json >out 2>err &
pid=$!
waits() { ! kill -0 $pid 2>/dev/null || { takes_signals $pid && is_idle $pid; }; } # for a reader
wait_for $patience waits || complain "it does not wait for a reader"
timeout $patience cat late.mkv >/dev/null
ends $pid 0
expect_eq "waiting" "$(jq '[.wait_reader_s, .wait_device_s, .wait_writer_s] | max <= input.wall_s' m.json m.json)" true

begin "a run without a filter that is on was on no device, and not on the C reference path either"
for options in '' '-f sharpen=enable=0' '-d none'; do
    says '^  2 frames, .* fps; start-up' runnel render $src null: --frames 2 $options
done
says '^  2 frames, .* fps, on the C reference path; start-up' runnel render $src null: --frames 2 -f sharpen -d none

begin "the manual's keys are those of the help; Shift with Up and Down is said in words there"
run runnel play --help all
sed -n '/^Keys in the window/,/^$/p' out | sed 1d | cut -c3-26 | sed 's/ *$//; s/, mouse//; s/, double-click//; s/, wheel//; s/, drag//; s/, Shift+drag//; s/, Right-drag//; s/, right click//' |
    awk '{ gsub(/ \/ |, /, "\n"); print }' | grep . | grep -v '^Shift+[UD]' | sort >keys
sed -n '/^| key |/,/^$/p' "$root/app/man/runnel-play.1.md" | cut -d'|' -f2 | grep -o '`[^`]*`' | tr -d '`' | sort >told
[ "$(wc -l <told)" -gt 20 ] || complain "the table was not found"
expect_same keys told

begin "a filter is what the registry offers, a stage one place in the chain: keys, table and messages say so"
run runnel play --help all
sed -n '/^Keys in the window/,/^Examples/p' out >words
sed -n '/^| key |/,/^$/p' "$root/app/man/runnel-play.1.md" >>words
sed 's/runnel filters//' words | grep -wE 'filters?' | grep -v 'type a filter' | sed 's/^/# /' >odd
[ ! -s odd ] || complain "a stage is called a filter: $(head -n 1 odd)"
fails 2 'a chain holds at most [0-9]* stages' runnel render $src null: -f "$(seq 70 | sed s/.*/gray/ | paste -sd,)"

begin "the program runs from anywhere"
ok sh -c 'cd / && exec "$RUNNEL" "$@"' sh render $src md5: --frames 2 -q -f closing

peak() { # frames
    ok runnel render lavfi:testsrc2=s=160x120:r=25 null: --frames "$1" -q -f closing --metrics mem.json -y
    jq '[.. | objects | .peak_rss_bytes? // empty][0] / 1024 | floor' mem.json
}
if is_sanitized; then
    skip "memory does not grow with the length: sanitizers keep freed memory"
else
    begin "memory does not grow with the length"
    short=$(peak 200)
    long=$(peak 3000)
    [ "$long" -le $((short + 8192)) ] || complain "$short KiB for 200 frames, $long KiB for 3000"
fi
