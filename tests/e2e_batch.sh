#!/bin/sh
# Many inputs in one command, and runs that find their output complete.
# shellcheck disable=SC2086 # words
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
export RUNNEL_DEVICE=none
for n in 1 2 3 4; do clip c$n.mkv lavfi:testsrc2=size=64x48:rate=25:duration=1.${n} -c:v ffv1; done
mkdir to
batch='runnel render c?.mkv to/{}.nut -f noise=seed=7,stats=file={}.csv --skip-complete -q'
made() { stat -c '%n %i %y' to/* ./*.csv; }
unchanged() { # command...: which leaves all as it is, and says nothing
    made >before
    ok "$@"
    made | cmp -s - before || complain "$*: files are others"
    [ ! -s err ] || complain "$*: $(cat err)"
}

begin "each input is rendered by itself, and what is complete is left alone"
ok $batch
alone='runnel render c?.mkv one_{}.nut -f noise=seed=7 --skip-complete'
ok $alone -q
for n in 1 2 3 4; do expect_same to/c$n.nut one_c$n.nut; done
unchanged $alone # how much is said changes no output
unchanged $batch

begin "what is missing, cut off or of another input is rendered again, and nothing else"
rm to/c1.nut c3.csv
truncate -s -1 to/c4.nut
fails 4 "to/c4.nut' exists; -y overwrites it" $batch
[ -e c3.csv ] || complain "the table of c3 is not there again"
cp c1.mkv c2.mkv
fails 4 "to/c2.nut' exists, made of another input or in another way; -y overwrites it" $batch
ok $batch -y
for n in 2 4; do
    ok runnel render c$n.mkv one.nut -f noise=seed=7 -q -y
    expect_same to/c$n.nut one.nut
done
unchanged $batch
for change in "--to 9" "--metrics {}.json" "--codec ffv1"; do
    ok $batch -y $change
    [ "$(made | sort -u)" != "$(sort -u before)" ] || complain "$change changes nothing"
done
ok $batch -y --crop 32x32 --codec ffv1 --rotate 90
unchanged $batch --rotate 90 --crop 32x32 --codec ffv1 # in another order
[ -s c4.json ] || complain "no report"
mv to/c1.nut to/c1.mkv
fails 4 'made of another input or in another way' runnel render c1.mkv to/c1.mkv -f noise=seed=8 --skip-complete
refuses 2 'INPUT is no file' runnel render lavfi:testsrc2=duration=1 to/l.nut --skip-complete

begin "a batch that is killed does the rest when it runs again"
rm to/*
"$RUNNEL" ${batch#* } -y &
wait_for $patience test -e to/c2.nut
kill -9 $!
wait $! 2>/dev/null
ok $batch -y
ok $batch
expect_eq "files" "$(echo to/*)" "to/c1.nut to/c2.nut to/c3.nut to/c4.nut"
rm to/*
mkfifo c5.mkv # which it waits for
"$RUNNEL" render c1.mkv c5.mkv c2.mkv 'to/{}.nut' -q &
child() { pgrep -P $! -f c5.mkv >child; }
gone() { ! grep -q . "/proc/$(cat child)/cmdline" 2>/dev/null; }
wait_for $patience child
kill -9 $!
wait_for $patience gone || complain "a process outlives what started it"
"$RUNNEL" render c1.mkv c5.mkv c2.mkv 'to/{}.nut' -q -y &
wait_for $patience child
kill $!
ends $! 143
expect_eq "files" "$(echo to/*)" to/c1.nut
rm c5.mkv

begin "names are names, whatever is in them"
ok runnel render c1.mkv one.nut -f invert,stats=file=one.csv -q -y
for name in 'c{}' 'a,custom=file=e.cl,stats=file=b' "it's" 'back\slash' 'Smith, John' 'a:b;c[d]' "$(printf 'b\377d')"; do
    mkdir -p "n/$name"
    cp c1.mkv "n/$name.mkv"
done
ok runnel render n/*.mkv 'n/{}/o.nut' -f 'invert,stats=file=n/{}/t.csv' -q --skip-complete
ok runnel render n/*.mkv 'n/{}/o.nut' -f 'invert,stats=file=n/{}/t.csv' -q --skip-complete
for o in n/*/o.nut; do expect_same "$o" one.nut; done
for o in n/*/t.csv; do expect_same "$o" one.csv; done
expect_eq "files" "$(find n -type f | wc -l)" 21

begin "names that meet are refused"
refuses 2 "two inputs would make 'to/c1.nut'" runnel render c1.mkv to/../c1.mkv 'to/{}.nut'
refuses 2 "two inputs would make 'to/c1.nut'" runnel render $(yes c1.mkv | head -n 9999) 'to/{}.nut'
refuses 2 "takes 16384 names at most" runnel render $(yes c1.mkv | head -n 20000) 'to/{}.nut'
refuses 2 "'t.csv' is one file for all inputs" runnel render c1.mkv c2.mkv 'to/{}.nut' -f stats=file=t.csv
refuses 2 "'m' is one file for all inputs" runnel render c1.mkv c2.mkv 'to/{}.nut' --metrics m
refuses 2 "'all.csv' is one file" runnel render c1.mkv c2.mkv 'to/{}.nut' -f 'stats=file={}.csv,stats=file=all.csv'
cp c1.mkv c1-x.mkv
refuses 2 "'c1-x.mkv' is an input" runnel render c1.mkv c1-x.mkv '{}-x.mkv' -y
expect_same c1.mkv c1-x.mkv
refuses 2 "put {} into OUTPUT" runnel render c1.mkv c2.mkv out.nut
refuses 2 "is not one file" runnel render c1.mkv 'o_%03d.png' --skip-complete
fails 3 "1 of 2 inputs failed" runnel render none.mkv c1.mkv 'to/{}.nut' -y
