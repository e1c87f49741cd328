#!/bin/sh
# Recordings: render makes of them what was shown, whatever was changed.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

ffmpeg -v error -f lavfi -i testsrc2=d=1:s=96x64:r=25 -c:v ffv1 clip.mkv

# hash_of N [OPTION...]: the hashes of frame N, of chain $chain.
hash_of() {
    n=$1
    shift
    runnel render clip.mkv md5: -q -f "$chain" "$@" | grep "^$n "
}

begin "sessions: parameters, filters across frames, edits of the chain, seeks, loops"
python3 "$root/tests/record_walk.py" "$started" clip.mkv 2 8 10 >wrong 2>&1 || complain "$(tail -n 1 wrong)"
sed 's/^/# /' wrong
[ ! -s wrong ] || bad=1

begin "edits of a recording, their undo, a second pass over it"
RUNNEL_DEVICE=none python3 "$root/tests/record_edit.py" "$started" clip.mkv >wrong 2>&1 || complain "$(tail -n 1 wrong)"
sed 's/^/# /' wrong
[ ! -s wrong ] || bad=1

begin "a script's recording: other filters, filters across frames, ramps, the ends of a loop"
cat >tape <<'END'
{"chain":"blur=1,dilation=slices=1"}
{"frame":6,"stage":0,"param":"sigma","value":"3"}
{"frame":9,"to":9,"first":9,"last":10}
{"frame":10,"chain":"invert,blur=2"}
{"frame":12,"to":16,"stage":1,"param":"sigma","from":"2","value":"4","ease":"linear"}
{"frame":18,"stage":0,"param":"enable","value":"0"}
END
into made runnel render clip.mkv md5: -q --replay tape
while read -r n chain; do
    expect_eq "frame $n" "$(grep "^$n " made)" "$(hash_of "$n")"
done <<'END'
0 blur=1,dilation=slices=1
5 blur=1,dilation=slices=1
6 blur=3,dilation=slices=1
8 blur=3,dilation=slices=1
10 invert,blur=2
12 invert,blur=2
13 invert,blur=2.5
16 invert,blur=4
17 invert,blur=2
19 blur=4
24 blur=4
END
chain=blur=3,dilation=slices=1
expect_eq "within a loop" "$(grep '^9 ' made)" "$(hash_of 9 --from 9f --to 11f)"
ok runnel render clip.mkv made.mkv -q --codec ffv1 --replay tape
ok runnel render made.mkv md5: -q
expect_eq "the file" "$(cat out)" "$(cat made)"

begin "other filters before the first frame"
printf '%s\n' '{"chain":"erosion"}' '{"frame":0,"chain":"blur=2"}' '{"frame":3,"stage":0,"param":"sigma","value":"3"}' >tape
ok runnel render clip.mkv md5: -q --replay tape
expect_eq "frame 2" "$(grep '^2 ' out)" "$(chain=blur=2 && hash_of 2)"
runnel render clip.mkv md5: -q --replay tape >out
expect_eq "frame 3" "$(grep '^3 ' out)" "$(chain=blur=3 && hash_of 3)"

begin "the end of the input is no mark: on a longer clip the last frames have neighbours"
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$RUNNEL" play clip.mkv -q -f median=slices=1 --untimed --record end --md5 >pixels &
at_end() { grep -qs '^24 0' pixels; } # in a file of its own: the one before is as long
wait_for 20 at_end || complain "it is not played to its end"
kill $!
wait $!
expect_eq "lines" "$(cat end)" '{"chain":"median=slices=1"}'

begin "what other filters bring: code, tables, formats"
printf '%s\n' '{"chain":"invert"}' '{"frame":2,"chain":"custom=file=k.cl"}' >code
echo 'float filter(IN) { return PIXEL(0, 0); }' >k.cl
refuses 2 "names code to run" runnel render clip.mkv md5: --replay code
ok runnel render clip.mkv md5: -q --replay code --allow-code
printf '%s\n' '{"chain":"invert"}' '{"frame":2,"chain":"stats=file=t.csv"}' >table
refuses 2 "t.csv" runnel render clip.mkv md5: --replay table
refuses 2 "measure what render makes of it" runnel render clip.mkv md5: --replay table --allow-writes
printf '%s\n' '{"chain":"invert"}' '{"frame":2,"chain":"gray"}' >gray
refuses 2 "'gray', frame 2: the filters make pictures of another format" runnel render clip.mkv x.mkv --replay gray
expect_eq "no file" "$(ls x.mkv t.csv 2>/dev/null)" ""
