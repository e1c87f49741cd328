#!/bin/sh
# All ways to damage what is kept of kernels, and to own it; each costs the build of a kernel.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

case ${VARIANT:-release} in
asan | tsan)
    skip "a damaged cache of kernels: the sanitizers take the crashes"
    finish
    ;;
esac
clean="env -i PATH=$PATH"
make_clip in.mp4 0.2
mkdir temp
into want runnel render in.mp4 md5: -f invert

kernels="env POCL_CACHE_DIR=$scratch/kernels TMPDIR=$scratch/temp"

damage() { # how, names
    rm -rf kernels
    cp -r sound kernels
    find kernels -type f -name "$2" | while read -r f; do
        case $1 in
        empty) : >"$f" ;;
        cut) truncate -s "$(($(stat -c %s "$f") / 2))" "$f" ;;
        zeros) truncate -s 0 "$f" && truncate -s 20k "$f" ;;
        text) yes 'no kernel' | head -c 20000 >"$f" ;;
        traps) # in its code
            head -c 8192 /dev/zero | tr '\0' '\314' | dd of="$f" bs=4096 seek=1 conv=notrunc 2>/dev/null
            ;;
        folder) rm "$f" && mkdir "$f" ;;
        esac
    done
}

begin "a damaged cache of kernels: said, and the run goes on with kernels of its own"
mkdir kernels
prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert
mv kernels sound
while read -r how what; do
    damage "$how" "$what"
    prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert
    expect_eq "words about $how $what" "$(grep -c "warning: .*'$scratch/kernels'.*delete" err)" 1
    [ $bad = 0 ] || complain "(that was $how $what)"
    expect_only temp
done <<'CASES'
traps *.so
cut program.bc
cut *.so
zeros program.bc
CASES

begin "a folder that others may fill: said, and nothing in it is loaded, nor anything written"
cached=home/.cache/pocl/kcache
foreign() { # component, reason, environment...
    expect=$1 why=$2
    shift 2
    before=$(find home elsewhere 2>/dev/null | sort)
    prints want $clean TMPDIR="$scratch/temp" "$@" "$RUNNEL" render in.mp4 md5: -f invert --log-level debug
    expect_eq "warnings" "$(grep -c "warning: .*$expect' $why: kernels are compiled for this run only" err)" 1
    expect_eq "programs taken, words about what crashed" \
        "$(grep -c "taken from '[^']*\(home\|elsewhere\)\|delete that" err)" 0
    expect_eq "files" "$(find home elsewhere 2>/dev/null | sort)" "$before"
    [ $bad = 0 ] || complain "(that was $expect $why)"
    expect_only temp
}
fill() { # with kernels that crash
    rm -rf home elsewhere
    damage traps '*.so'
    mkdir -p ${cached%/*}
    mv kernels $cached
}
(umask 0 && mkdir -m 755 home && $clean HOME="$scratch/home" "$RUNNEL" render in.mp4 null: -f invert -q)
expect_eq "folders that umask 0 opens" "$(find home/.cache -type d -perm /077)" ""
fill
chmod 777 $cached
foreign kcache "may be written by others" HOME="$scratch/home"
foreign kcache "may be written by others" POCL_CACHE_DIR="$scratch/$cached"
chmod 755 $cached
chmod 777 home/.cache
foreign .cache "may be written by others" HOME="$scratch/home"
foreign .cache "may be written by others" HOME="$scratch/home" XDG_CACHE_HOME="$scratch/home/.cache/x"
prints want $clean TMPDIR=/dev/null HOME="$scratch/home" "$RUNNEL" render in.mp4 md5: -f invert
expect_message 'no folder for compiled kernels'
expect_eq "words about what crashed" "$(grep -c 'delete that' err)" 0
if [ "$(id -u)" = 0 ]; then
    chmod 755 home/.cache
    chown 65534 $cached
    foreign kcache "is another user's" HOME="$scratch/home"
    chown 0 $cached
    mv home/.cache elsewhere
    ln -s "$scratch/elsewhere" home/.cache
    chown -h 65534 home/.cache
    foreign .cache "is another user's" HOME="$scratch/home"
    chown -h 0 home/.cache
    chown 65534 home
    foreign home "is another user's" HOME="$scratch/home"
    fill
    chown 65534 $cached/runnel-*
    ok $clean TMPDIR="$scratch/temp" HOME="$scratch/home" "$RUNNEL" render in.mp4 null: -f invert --log-level debug
    expect_eq "programs taken" "$(grep -c 'program is taken' err)" 0
else
    skip_this "files of other users: not root"
fi
rm -rf home elsewhere kernels

begin "a damaged copy of a built program: built anew, without a word"
while read -r how what; do
    damage "$how" "$what"
    prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert -q
    expect_eq "words about $how $what" "$(cat err)" ""
    [ "$how" = folder ] || cmp -s kernels/runnel-* sound/runnel-* || complain "it is not kept anew"
done <<'CASES'
cut runnel-*
text runnel-*
folder runnel-*
folder program.bc
CASES

begin "several runs at once share a damaged folder, and each computes all the same"
for how in "empty *.so" "cut program.bc" "text runnel-*" "folder *.so" "none none"; do
    damage ${how% *} "${how#* }"
    [ "$how" != "none none" ] || rm -rf kernels # each makes it
    runs=
    for i in 1 2 3 4; do
        $kernels "$RUNNEL" render in.mp4 md5: -f invert -q >"out$i" 2>"err$i" </dev/null &
        runs="$runs $!"
    done
    for i in $runs; do ends "$i" 0; done
    for i in 1 2 3 4; do expect_same "out$i" want; done
    [ $bad = 0 ] || complain "(that was $how: $(cat err?))"
done
rm -f out? err?

begin "a folder that goes during the run ends no run"
damage none none
rm -f pipe
mkfifo pipe
into whole runnel render "$root/media/clip.mp4" - --frames 60 -f invert -q
$kernels "$RUNNEL" render "$root/media/clip.mp4" - --frames 60 -f invert -q >pipe 2>err </dev/null &
going=$!
exec 7<pipe
head -c 100 <&7 >got # frames flow
rm -rf kernels
cat <&7 >>got
exec 7<&-
ends $going 0
expect_same got whole

begin "a program that is kept is not built again; one of another sample type, and of another chain, is"
damage none none
prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert --log-level debug
expect_eq "taken" "$(grep -c "a program is taken from '$scratch/kernels/runnel-" err)" 1
ok $kernels "$RUNNEL" render in.mp4 null: -f format=gray16,invert,threshold --log-level debug
expect_eq "taken for other chains" "$(grep -c "a program is taken from" err)" 0

begin "what the first try wrote of the progress is no reason to refuse"
damage empty '*.so'
ok $kernels "$RUNNEL" render in.mp4 null: -f invert --progress lines -q
expect_eq "events of the end" "$(grep -c '"end"' lines)" 1
fails 4 "'lines' exists" $kernels "$RUNNEL" render in.mp4 null: -f invert --progress lines -q
rm -f lines

begin "where what was read is gone it says which folder to delete"
clip in.y4m in.mp4 -f yuv4mpegpipe
mkfifo named
for how in empty cut; do
    damage $how '*.so'
    stdin=in.y4m prints want $kernels "$RUNNEL" render - md5: -f invert
    expect_message "warning: .*'$scratch/kernels'.*delete"
    (head -c 9000 in.y4m; sleep 0.1; tail -c +9001 in.y4m) >named &
    env SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $kernels "$RUNNEL" play - --md5 --untimed -f invert <named >out 2>err &
    player=$!
    wait_for $patience cmp -s out want || complain "not all is shown: $(cat err)"
    kill $player
    ends $player 143
    echo invert | $kernels "$RUNNEL" render in.mp4 md5: -f @/dev/stdin >out 2>err
    expect_same out want
    expect_message "warning: .*'$scratch/kernels'.*delete"
    ok bash -c "$kernels $RUNNEL render in.mp4 md5: -f @<(echo invert)"
    expect_same out want
    echo invert >named &
    $kernels "$RUNNEL" render in.mp4 never.mkv -f @named >out 2>err
    rc=$?
    expect_rc 5
    expect_message "'$scratch/kernels'.*delete that folder"
done
expect_only temp
expect_eq "what is left of the output" "$(ls -A | grep -c never)" 0

begin "an empty program is compiled anew, also where what was read is gone"
damage empty program.bc
stdin=in.y4m prints want $kernels "$RUNNEL" render - md5: -f invert -q
expect_eq "words" "$(cat err)" ""
expect_only temp

begin "the restarted run is the same process, ends by a signal, and leaves no kernels"
damage empty '*.so'
$kernels "$RUNNEL" render lavfi:testsrc2=s=64x48:r=25 md5: -f invert >lines 2>err &
pid=$!
wait_for 40 [ -s lines ] || complain "it does not run"
expect_eq "its name" "$(cat "/proc/$pid/comm")" runnel
expect_eq "argv" "$(tr '\0' ' ' <"/proc/$pid/cmdline")" "$RUNNEL render lavfi:testsrc2=s=64x48:r=25 md5: -f invert "
kill -TERM $pid
ends $pid 143
expect_only temp
rm -rf kernels lines

begin "a user's kernel that crashes alone"
echo 'float filter(IN) { *(global volatile int *)0 = 1; return PIXEL(0, 0); }' >crash.cl
mkdir kernels
refuses 5 "error: .*'crash.cl'" $kernels "$RUNNEL" render in.mp4 never.mkv -f custom=crash.cl

begin "a runtime folder where nothing can be made is none"
ok $clean HOME=/dev/null/home XDG_RUNTIME_DIR=/proc TMPDIR="$scratch/temp" "$RUNNEL" render in.mp4 null: -f invert
expect_only temp

finish
