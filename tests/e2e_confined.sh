#!/bin/sh
# What holds if a decoder is taken over: it opens no file but the input and starts no program. And what a child of
# the program cannot get is a refusal.
. "$(dirname "$0")/lib.sh"

export RUNNEL_DEVICE=none
python3 - <<'PY' # a 3x2 array of MATLAB, without scipy
import struct
part = lambda kind, data: struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)
body = part(6, struct.pack("<II", 9, 0)) + part(5, struct.pack("<ii", 3, 2)) + part(1, b"x") + part(2, bytes(range(6)))
open("small.mat", "wb").write(b"MATLAB 5.0".ljust(124) + b"\0\1IM" + part(14, body))
PY
ok runnel render lavfi:testsrc2=size=32x32:rate=1:duration=1 one.dcm -f gray -q

# ---- the processes that read DICOM and .mat

cat >deny.c <<'C'
/* DENY: the confinement that this kernel refuses, or Both: does not have. */
#include <linux/seccomp.h>
#include <sys/prctl.h>
static int is(const char *what) { return !strcmp(getenv("DENY"), what); }
long syscall(long number, ...)
{
    long a[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    errno = EPERM;
    if (is("Landlock") && number == 446)
        return -1;
    errno = ENOSYS;
    if (is("Both") && number >= 444 && number <= 446)
        return -1;
    return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
int prctl(int what, ...)
{
    unsigned long a[4];
    va_list list;
    va_start(list, what);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(list, unsigned long);
    va_end(list);
    errno = EINVAL;
    return is("Both") && what == PR_SET_SECCOMP ? -1 : REAL(prctl)(what, a[0], a[1], a[2], a[3]);
}
int seccomp_load(void *filter)
{
    return is("seccomp") ? -EACCES : ((int (*)(void *))dlsym(RTLD_NEXT, "seccomp_load"))(filter);
}
C
sandboxed= # sanitizers keep their rights
[ "${VARIANT:-release}" = release ] && make_preload deny -lseccomp 2>/dev/null && sandboxed=1
for input in small.mat:3 one.dcm:1; do
    file=${input%:*}
    begin "$file is read in a process that opens nothing, or not at all"
    ok runnel info "$file"
    mv out whole
    [ "$sandboxed" ] || { skip_this "needs a compiler, libseccomp and no sanitizer"; continue; }
    for what in Landlock seccomp; do
        fails "${input#*:}" "would not be confined.*$what" \
            env $(preload deny) DENY=$what "$RUNNEL" info "$file"
        expect_one_line
    done
    ok env $(preload deny) DENY=Both "$RUNNEL" info "$file" # an old kernel
    expect_same out whole
done

finish
