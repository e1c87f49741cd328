#!/bin/sh
# All ways to damage what is kept of kernels, and to own it; each costs the build of a kernel.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

! is_sanitized || { skip "a damaged cache of kernels: the sanitizers take the crashes"; finish; }
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

begin "a damaged cache of kernels: one line, status 5, no output, and the next run works"
mkdir kernels
prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert
mv kernels sound
while read -r how what; do
    damage "$how" "$what"
    mkdir -p kernels/AB
    touch kernels/mine kernels/AB/mine kernels/runnel-mine
    fails 5 "'$scratch/kernels'.*run again" $kernels "$RUNNEL" render in.mp4 never.mkv -f invert
    expect_eq "error lines" "$(grep -c 'error: ' err)" 1
    expect_eq "what is left of the output" "$(ls -A | grep -c never)" 0
    prints want $kernels "$RUNNEL" render in.mp4 md5: -f invert
    expect_message "'$scratch/kernels'.*compiled anew"
    says '' $kernels "$RUNNEL" render in.mp4 null: -f invert -q
    expect_eq "files of others" "$(find kernels -name '*mine' | wc -l)" 3
    [ $bad = 0 ] || complain "(that was $how $what)"
done <<'CASES'
traps *.so
cut program.bc
cut *.so
empty *.so
folder *.so
zeros program.bc
CASES

begin "a folder that others may fill: said, and nothing in it is loaded, nor anything written"
cached=home/.cache/pocl/kcache own=runnel-kernels-$(id -u)
foreign() { # component, reason, environment...
    expect=$1 why=$2
    shift 2
    before=$(find home elsewhere 2>/dev/null | sort)
    prints want $clean TMPDIR="$scratch/temp" "$@" "$RUNNEL" render in.mp4 md5: -f invert --log-level debug
    expect_eq "warnings" "$(grep -c "warning: .*$expect' $why: compiled kernels are kept in '$scratch/temp/$own'" err)" 1
    expect_eq "programs taken, words about what crashed" \
        "$(grep -c "taken from '[^']*\(home\|elsewhere\)\|run again" err)" 0
    expect_eq "files" "$(find home elsewhere 2>/dev/null | sort)" "$before"
    [ $bad = 0 ] || complain "(that was $expect $why)"
    expect_only temp $own
}
fill() { # with kernels that crash, or are sound
    rm -rf home elsewhere
    damage ${1:-traps} '*.so'
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
expect_eq "words about what crashed" "$(grep -c 'run again' err)" 0
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
    fill none
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
    [ "${what%-*}" != runnel ] || [ "$how" = folder ] || cmp -s kernels/runnel-* sound/runnel-* || complain "it is not kept anew"
done <<'CASES'
cut runnel-*
text runnel-*
folder runnel-*
folder program.bc
empty program.bc
CASES

begin "several runs at once share a folder that a run left damaged, and each computes all the same"
for how in "empty *.so" "text runnel-*" "none none"; do
    damage ${how% *} "${how#* }"
    [ "$how" != "none none" ] || rm -rf kernels # each makes it
    [ "$how" != "empty *.so" ] || fails 5 '' $kernels "$RUNNEL" render in.mp4 null: -f invert
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

begin "a runtime folder where nothing can be made is none"
ok $clean HOME=/dev/null/home XDG_RUNTIME_DIR=/proc TMPDIR="$scratch/temp" "$RUNNEL" render in.mp4 null: -f invert
expect_only temp $own
