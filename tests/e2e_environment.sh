#!/bin/sh
# Missing platforms, homes, linkers: clear words, right status, no half files.
. "$(dirname "$0")/lib.sh"

# an empty environment but for what the sanitizers need
clean="env -i PATH=$PATH LSAN_OPTIONS=${LSAN_OPTIONS-} TSAN_OPTIONS=${TSAN_OPTIONS-}"
make_clip in.mp4 0.2

begin "no platform: said, and the C reference computes the same pixels"
run runnel render in.mp4 md5: -f closing
expect_rc 0
mv out want
run env OCL_ICD_VENDORS=/nonexistent "$RUNNEL" render in.mp4 md5: -f closing
expect_rc 0
expect_same out want
expect_message 'pocl-opencl-icd'
end

begin "no platform, but a device was asked for"
for sel in gpu 0 0:0 pthread; do
    run env OCL_ICD_VENDORS=/nonexistent "$RUNNEL" render in.mp4 x.mp4 -f closing -d $sel
    expect_rc 5
    expect_one_line
    expect_no_file x.mp4
done
end

begin "runnel devices without a platform"
run env OCL_ICD_VENDORS=/nonexistent "$RUNNEL" devices
[ $rc = 0 ] || [ $rc = 5 ] || complain "status $rc"
grep -q pocl-opencl-icd out err || complain "it does not say what to install"
end

begin "HOME cannot be written"
run $clean HOME=/nonexistent "$RUNNEL" render in.mp4 md5: -f closing
expect_rc 0
expect_same out want
end

begin "no HOME at all"
run $clean "$RUNNEL" render in.mp4 md5: -f closing
expect_rc 0
expect_same out want
end

begin "no linker in PATH"
mkdir nold
run env PATH="$scratch/nold" HOME="$scratch/nold" POCL_CACHE_DIR="$scratch/nold/cache" \
    "$RUNNEL" render in.mp4 x.mp4 -f closing=radius=3
case $rc in
0) expect_file x.mp4 ;; # it knew where else to look
5)
    expect_one_line
    expect_message 'ld'
    expect_no_file x.mp4
    ;;
*) complain "status $rc, neither 0 nor 5" ;;
esac
run env PATH="$scratch/nold" HOME="$scratch/nold" "$RUNNEL" render in.mp4 md5: -f closing -d none
expect_rc 0
expect_same out want
end

begin "RUNNEL_DEVICE chooses, -d wins"
run env RUNNEL_DEVICE=none "$RUNNEL" render in.mp4 md5: -f closing
expect_rc 0
expect_same out want
run env RUNNEL_DEVICE=nonsense "$RUNNEL" render in.mp4 md5: -f closing
expect_rc 5
run env RUNNEL_DEVICE=nonsense "$RUNNEL" render in.mp4 md5: -f closing -d none
expect_rc 0
end

begin "devices by number, pair, kind, name"
for sel in 0 0:0 cpu PTHREAD; do
    run runnel render in.mp4 md5: -f closing -q -d $sel
    expect_rc 0
    expect_same out want
done
run runnel render in.mp4 md5: -f closing -d 0:0:0
[ $rc = 2 ] || [ $rc = 5 ] || complain "status $rc for -d 0:0:0"
end

begin "another user, without a home or rights here"
if [ "$(id -u)" = 0 ] && id nobody >/dev/null 2>&1 && command -v setpriv >/dev/null; then
    chmod 755 .
    chmod 644 in.mp4
    cp "$RUNNEL" program # the checkout may be in a folder that nobody may enter
    chmod 755 program
    run setpriv --reuid nobody --regid nogroup --clear-groups env HOME=/root \
        ./program render in.mp4 md5: -f closing
    expect_rc 0
    expect_same out want
    run setpriv --reuid nobody --regid nogroup --clear-groups env HOME=/root \
        ./program render in.mp4 x.mp4 -f closing
    expect_rc 4
    expect_one_line
    end
else
    skip "not root"
fi

finish
