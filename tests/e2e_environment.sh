#!/bin/sh
# Missing platforms, homes, linkers: clear words, right status, no half files. Most runs that compile their kernels anew
# are for WHOLE=1 alone.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

# an empty environment but for what the sanitizers need
clean="env -i PATH=$PATH LSAN_OPTIONS=${LSAN_OPTIONS-} TSAN_OPTIONS=${TSAN_OPTIONS-}"
make_clip in.mp4 0.2

begin "no platform: said, and the C reference computes the same pixels"
into want runnel render in.mp4 md5: -f invert
prints want env OCL_ICD_VENDORS=/nonexistent "$started" render in.mp4 md5: -f invert
expect_message 'pocl-opencl-icd'

begin "no platform, but a device was asked for"
for sel in gpu 0 0:0 pthread; do
    refuses 5 '' env OCL_ICD_VENDORS=/nonexistent "$started" render in.mp4 x.mp4 -f invert -d $sel
    expect_no_file x.mp4
done

begin "runnel devices without a platform"
run env OCL_ICD_VENDORS=/nonexistent "$started" devices
[ $rc = 0 ] || [ $rc = 5 ] || complain "status $rc"
grep -q pocl-opencl-icd out err || complain "it does not say what to install"

if [ "${WHOLE-}" ]; then
    begin "HOME cannot be written"
    prints want $clean HOME=/dev/null/home "$RUNNEL" render in.mp4 md5: -f invert

    begin "no HOME at all"
    prints want $clean "$RUNNEL" render in.mp4 md5: -f invert

    begin "a runtime folder that cannot be used is none"
    mkdir temp
    ok $clean HOME=/dev/null/home XDG_RUNTIME_DIR=/dev/null/none TMPDIR="$scratch/temp" \
        "$RUNNEL" render in.mp4 null: -f invert
    expect_only temp runnel-kernels-$(id -u)
    rm -r temp
fi

begin "variables that are empty count as not set"
ok $clean HOME="$scratch/home" POCL_CACHE_DIR= XDG_CACHE_HOME= "$RUNNEL" render in.mp4 md5: -f invert
[ -d home/.cache/pocl/kcache ] || complain "no cache in HOME"
rm -rf home

begin "without a home kernels are kept in a folder of this user's"
mkdir temp
own=runnel-kernels-$(id -u)
lone="$clean HOME=/dev/null/home TMPDIR=$scratch/temp"
prints want $lone "$RUNNEL" render in.mp4 md5: -f invert
expect_message "'/dev/null' .*: compiled kernels are kept in '$scratch/temp/$own'"
expect_only temp $own
expect_eq "its mode" "$(stat -c %a temp/$own)" 700
prints want $lone "$RUNNEL" render in.mp4 md5: -f invert --log-level debug
expect_eq "taken" "$(grep -c "a program is taken from '$scratch/temp/$own" err)" 1
expect_only temp $own

begin "no kernels are kept where another user could put his own"
fresh temp runtime home own
mkfifo wait.fifo
chmod 1777 temp
case_of() { # environment...: where the kernels of a run are
    $clean TMPDIR="$scratch/temp" "$@" "$RUNNEL" render wait.fifo md5: 2>err &
    pid=$!
    wait_for 20 takes_signals $pid || complain "it takes no signals"
    find temp runtime home own -name 'runnel-kernels-*' -o -name kcache | cut -d/ -f1
    kill -KILL $pid
    wait $pid 2>/dev/null
    rm -rf temp/runnel-* runtime/runnel-* home/.cache home/* own/*
}
chmod 777 runtime
expect_eq "a runtime folder for all" "$(case_of HOME=/dev/null XDG_RUNTIME_DIR="$scratch/runtime")" temp
chmod 700 runtime
expect_eq "one of our own" "$(case_of HOME=/dev/null XDG_RUNTIME_DIR="$scratch/runtime")" runtime
if [ "$(id -u)" = 0 ]; then
    chown 65534 runtime home
    expect_eq "root, somebody's runtime folder" "$(case_of HOME=/dev/null XDG_RUNTIME_DIR="$scratch/runtime")" temp
    expect_eq "root, somebody's home" "$(case_of HOME="$scratch/home")" temp
    expect_eq "root, somebody's cache" "$(case_of HOME=/dev/null XDG_CACHE_HOME="$scratch/home/c")" temp
    expect_eq "root, a cache of its own" "$(case_of HOME="$scratch/home" XDG_CACHE_HOME="$scratch/own")" own
    expect_eq "root, told to take somebody's" "$(case_of POCL_CACHE_DIR="$scratch/home/kcache")" temp
fi
rm -rf runtime home own wait.fifo

begin "the number of threads of a batch system is a number"
for n in 1 0 -1 '' abc 3x 99999999999999999999 1e3 '0x10' ' 2'; do
    prints want env SLURM_CPUS_PER_TASK="$n" "$started" render in.mp4 md5: -f invert
    [ "$n" = 1 ] && seen=0 || seen=1
    expect_eq "words about '$n'" "$(grep -c 'warning: SLURM_CPUS_PER_TASK' err)" $seen
done

# ---- crashes in kernels; long_cache.sh has all ways to damage what is kept of them

kernels="env POCL_CACHE_DIR=$scratch/kernels TMPDIR=$scratch/temp"
if is_sanitized; then
    skip "a user's kernel that crashes: the sanitizers take the crashes"
else
    begin "a user's kernel that crashes: one line that names it, status 5, and no kernel is compiled anew for it"
    echo 'float filter(IN) { *(global volatile int *)0 = 1; return PIXEL(0, 0); }' >crash.cl
    mkdir kernels
    refuses 5 "error: .*'crash.cl': does it" $kernels "$RUNNEL" render in.mp4 never.mkv -f invert,custom=crash.cl,invert
    expect_eq "lines" "$(grep -vc "there is no /sys" err)" 1
    refuses 5 "'crash.cl'.* folder '$scratch/kernels'" $kernels "$RUNNEL" render in.mp4 never.mkv -f custom=crash.cl
    expect_eq "what is left of the output, and marks" "$(ls -A . kernels | grep -c 'never\|damaged')" 0
    rm -rf kernels
fi

begin "no linker in PATH"
mkdir nold
run env PATH="$scratch/nold" HOME="$scratch/nold" POCL_CACHE_DIR="$scratch/nold/cache" \
    "$RUNNEL" render in.mp4 x.mp4 -f invert
case $rc in
0) expect_file x.mp4 ;; # it knew where else to look
5)
    expect_one_line
    expect_message 'ld'
    expect_no_file x.mp4
    ;;
*) complain "status $rc, neither 0 nor 5" ;;
esac
prints want env PATH="$scratch/nold" HOME="$scratch/nold" "$RUNNEL" render in.mp4 md5: -f invert -d none

own=$(for o in 'unshare -m' 'unshare -rm'; do $o true 2>/dev/null && echo "$o" && break; done)
[ -d /sys/devices ] || own=env # there is nothing to hide
if [ -n "$own" ]; then
    begin "no /sys: said in one line, and the device is there"
    bare() { ok $own sh -c '[ ! -d /sys/devices ] || mount -t tmpfs none /sys && exec "$@"' sh "$RUNNEL" "$@"; }
    bare render in.mp4 md5: -f invert -d cpu
    expect_same out want
    expect_message '^runnel: there is no /sys here: CPUs, for PoCL: [1-9][0-9]*; memory: [0-9.]* GiB$'
    expect_eq "lines about /sys or hwloc" "$(grep -c 'sys\|hwloc' err)" 1
    bare render in.mp4 md5: -f invert -d cpu -q
    expect_eq "bytes said with -q" "$(wc -c <err)" 0
    bare devices
    grep -q ' cpu ' out || complain "no CPU is listed"
else
    skip "no /sys: nobody but root, outside a chroot, may hide /sys from a program here"
fi

begin "RUNNEL_DEVICE chooses, -d wins"
prints want env RUNNEL_DEVICE=none "$started" render in.mp4 md5: -f invert
fails 5 '' env RUNNEL_DEVICE=nonsense "$started" render in.mp4 md5: -f invert
ok env RUNNEL_DEVICE=nonsense "$started" render in.mp4 md5: -f invert -d none

begin "devices by number, pair, kind, name"
name=$("$started" devices | sed -n 's/^\* .* mapped  *\([^ ]*\).*/\1/p' | tr a-z A-Z)
[ -n "$name" ] || complain "the default device has no name"
for sel in 0 0:0 cpu "$name"; do
    prints want runnel render in.mp4 md5: -f invert -q -d "$sel"
done
run runnel render in.mp4 md5: -f invert -d 0:0:0
[ $rc = 2 ] || [ $rc = 5 ] || complain "status $rc for -d 0:0:0"

loaded() { # arguments of runnel: all that the loader brought in, in the file loaded
    rm -f trace.*
    ok env LD_DEBUG=files LD_DEBUG_OUTPUT="$scratch/trace" "$RUNNEL" "$@"
    sed -n 's/.*calling init: *//p' trace.* | sort -u >loaded
    grep -q libc.so loaded || complain "the loader says nothing"
}

begin "--version and filters load the engine alone"
for args in --version filters "filters closing"; do
    loaded $args
    expect_eq "what $args loads of the others" "$(grep -E 'libav|libsw|libSDL|libgdcm|libtiff|jansson' loaded)" ""
    [ "$(wc -l <loaded)" -le 12 ] || complain "$args loads $(wc -l <loaded) libraries"
done

begin "the program finds its halves from wherever it is called, and says where one is missed"
mkdir half
cp "$RUNNEL" half/runnel
ln -s "$RUNNEL" link
prints want ./link render in.mp4 md5: -f invert
ok half/runnel --version
refuses 1 "^runnel: error: .*runnel-media.so.*'$scratch/half/'.*No such file" half/runnel render in.mp4 none.mp4
refuses 1 "^runnel: error: .*runnel-play.so.*'$scratch/half/'.*No such file" half/runnel play in.mp4
: >half/runnel-media.so
refuses 1 'half/runnel-media.so: file too short' half/runnel render in.mp4 none.mp4
expect_no_file none.mp4

begin "it is one process, under the name that it was called by"
mkfifo endless
"$RUNNEL" render endless null: -d none 2>err &
pid=$!
wait_for 20 takes_signals $pid || complain "it takes no SIGTERM"
expect_eq "argv[0]" "$(tr '\0' '\n' <"/proc/$pid/cmdline" | head -n 1)" "$RUNNEL"
expect_eq "its name" "$(cat "/proc/$pid/comm")" runnel
kill -TERM $pid
ends $pid 143

begin "libavdevice is loaded for lavfi: alone, and missed with a word"
loaded render in.mp4 null: -d none
grep -q libavformat loaded || complain "no libavformat"
expect_eq "what lavfi: alone needs" "$(grep -E 'libav(device|filter)' loaded)" ""
loaded render lavfi:testsrc2=s=64x48:d=0.1 null: -d none
grep -q libavdevice loaded || complain "no libavdevice"
mkdir broken
for major in 57 58 59 60 61 62 63 64 65; do : >broken/libavdevice.so.$major; done
refuses 3 'install libavdevice[0-9][0-9]$' \
    env LD_LIBRARY_PATH="$scratch/broken" "$RUNNEL" render lavfi:testsrc2=s=64x48:d=0.1 null: -d none
ok env LD_LIBRARY_PATH="$scratch/broken" "$RUNNEL" render in.mp4 null: -d none

begin "GDCM is loaded for DICOM alone, and missed with a word"
loaded render in.mp4 md5: -d none
expect_eq "what DICOM alone needs" "$(grep libgdcm loaded)" ""
if [ -e "$(dirname "$RUNNEL")/runnel-dicom.so" ]; then
    ok "$started" render "$root/media/scan.tif" scan_%02d.dcm --frames 1
    loaded info scan_00.dcm --unconfined # what reads it could not write this list
    grep -q libgdcm loaded || complain "no libgdcm"
    mkdir lacking
    cp "$RUNNEL" "$(dirname "$RUNNEL")/runnel-media.so" lacking
    refuses 1 'runnel-dicom.so' lacking/runnel info scan_00.dcm
    ok lacking/runnel render "$root/media/scan.tif" other_%02d.dcm --frames 1 # written without it
    : >lacking/runnel-dicom.so
    refuses 1 "lacking/runnel-dicom.so" lacking/runnel info scan_00.dcm
fi

begin "no driver is loaded where there is nothing to filter, unless a device is named"
loaded render in.mp4 md5:
expect_eq "drivers" "$(grep -E 'libpocl|libLLVM' loaded)" ""
loaded render in.mp4 md5: -f invert=enable=0,convolution=preset=sharpen:enable=0
expect_eq "drivers for what is off" "$(grep -E 'libpocl|libLLVM' loaded)" ""
loaded render in.mp4 md5: -f invert=enable=0,invert
grep -qE 'libpocl|libLLVM' loaded || complain "no driver for what is on"
fails 5 '' env RUNNEL_DEVICE=nonsense "$started" render in.mp4 md5:
ok "$started" render in.mp4 md5: -d cpu

begin "libavfilter is loaded where pictures are turned or scaled, and missed with a word"
loaded render in.mp4 null: -d none --scale 32x-2
grep -q libavfilter loaded || complain "no libavfilter"
for major in 8 9 10 11 12 13 14; do : >broken/libavfilter.so.$major; done
refuses 3 "'in.mp4' needs .*install libavfilter[0-9]*$" \
    env LD_LIBRARY_PATH="$scratch/broken" "$RUNNEL" render in.mp4 null: -d none --scale 32x-2
ok env LD_LIBRARY_PATH="$scratch/broken" "$RUNNEL" render in.mp4 null: -d none

begin "another user, without a home or rights here"
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1 && command -v setpriv >/dev/null; then
    chmod 755 .
    chmod 644 in.mp4
    cp "$RUNNEL" program # the checkout may be in a folder that nobody may enter
    cp "$(dirname "$RUNNEL")/runnel-media.so" .
    chmod 755 program runnel-media.so
    prints want setpriv --reuid nobody --regid nogroup --clear-groups env -u TMPDIR -u POCL_CACHE_DIR HOME=/root \
        ./program render in.mp4 md5: -f invert
    refuses 4 '' setpriv --reuid nobody --regid nogroup --clear-groups env -u TMPDIR -u POCL_CACHE_DIR HOME=/root \
        ./program render in.mp4 x.mp4 -d none -f invert
else
    skip_this "not root"
fi
