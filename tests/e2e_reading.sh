#!/bin/sh
# Inputs that change while they are read, and reads that fail or are interrupted.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

source="lavfi:testsrc2=s=160x120:r=25:d=4"
ok runnel render "$source,format=gray" old.mkv --codec ffv1 -f gray
ok runnel render "$source,format=gray" old.npy -f gray
ok runnel render "$source,format=gray" old.tif -f gray
ok runnel render "$source,format=gray" old.nhdr -f gray
ok runnel render "$source,format=gray" old_%03d.png -f gray

# Begins a run that waits for the reader of its output, does something meanwhile, and lets the run end.
meanwhile() { # input, command...
    rm -f pipe
    mkfifo pipe
    timeout -k 5 $patience "$RUNNEL" render "$1" - -q -f gray >pipe 2>err </dev/null &
    reading=$!
    exec 7<pipe
    head -c 100 <&7 >got # frames flow
    shift
    "$@"
    cat <&7 >>got
    exec 7<&-
    wait $reading
    rc=$?
}


begin "y4m: what several threads read of a file is what FFmpeg reads of a pipe, also where frames are damaged, marked or cut"
clip a.y4m "$source" -frames:v 20
expect_python -c 'd = open("a.y4m", "rb").read(); n = d.index(b"\n") + 1; step = 160 * 120 * 3 // 2 + 6; at = n + 7 * step
open("marked.y4m", "wb").write(d[:at] + b"FRAME Ip\n" + d[at + 6:])
open("broken.y4m", "wb").write(d[:at] + b"XXXXX" + d[at + 5:])
open("cut.y4m", "wb").write(d[:at + 999])'
for name in a marked broken cut; do
    for options in "" "--from 5f" "--from 3f --frames 9 -f closing=slices=2"; do
        run sh -c "cat $name.y4m | '$RUNNEL' render - md5: -q --threads 8 $options"
        cp out want && wanted=$rc said=$(sed 's/.*written; //' err)
        run runnel render $name.y4m md5: -q --threads 8 $options
        expect_rc "$wanted"
        expect_same out want
        expect_eq "$name $options" "$(sed 's/.*written; //' err)" "$said"
    done
done
ok runnel render a.y4m null: --metrics counts -q
expect_eq "copied in" "$(jq ".. | .frames_copied_in? // empty" counts)" 1

for case in old.mkv:old.mkv old.npy:old.npy old.tif:old.tif old.nhdr:old.raw old_%03d.png:old_070.png; do
    file=${case#*:}
    begin "${case%%:*}: a file that is written to while it is read is status 6"
    cp "$file" kept
    meanwhile "${case%%:*}" sh -c 'cat kept kept >"$1"' sh "$file"
    expect_rc 6
    expect_message "'.*$file' was changed while it was read"
    expect_one_line
    cp kept "$file"
done

begin "of the same size, too"
cp old.npy kept
meanwhile old.npy dd if=/dev/zero of=old.npy bs=4096 count=2 conv=notrunc status=none
expect_rc 6
expect_message "was changed while it was read"
cp kept old.npy

begin "what only reads, links, renames or removes the files is none of that"
for f in old.mkv old.npy; do
    meanwhile $f sh -c 'cat "$1" >/dev/null; chmod 600 "$1"; ln "$1" link; rm -f link' sh $f
    expect_rc 0
    meanwhile $f sh -c 'cp "$1" new; mv new "$1"' sh $f
    expect_rc 0
done
meanwhile old_%03d.png rm -f old_000.png old_001.png
expect_rc 0

# ---- reads that fail

cat >reads.c <<'C'
/* $FAULT: every read of files whose name begins with bad gives EIO, or every second one EINTR. */
static int strikes(int fd)
{
    static _Atomic int n;
    char link[40], path[4096];
    const char *fault = getenv("FAULT");
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t size = readlink(link, path, sizeof path - 1);
    path[size < 0 ? 0 : size] = '\0';
    const char *slash = strrchr(path, '/');
    if (!fault || !slash || strncmp(slash, "/bad", 4))
        return 0;
    errno = strcmp(fault, "EIO") ? EINTR : EIO;
    return errno == EIO || n++ % 2 == 0;
}
#define READS(name, params, args)                                                                  \
    ssize_t name params                                                                            \
    {                                                                                              \
        return strikes(fd) ? -1 : REAL(name) args;                                                 \
    }
READS(read, (int fd, void *to, size_t n), (fd, to, n))
READS(__read_chk, (int fd, void *to, size_t n, size_t size), (fd, to, n, size))
READS(pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
READS(pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
C
make_preload reads -U_FORTIFY_SOURCE
for e in mkv mp4 y4m png jpg tif npy nii nii.gz nrrd mha dcm; do
    begin "$e: a signal during a read changes nothing, a bad disk is said in the system's words"
    run runnel render "lavfi:testsrc2=s=64x48:d=0.04" "bad.$e" -q -f gray
    if [ $rc = 2 ] || [ $rc = 3 ]; then
        skip_this "not built in"
        continue
    fi
    into want.md5 runnel render "bad.$e" md5: -q
    prints want.md5 env $(preload reads) FAULT=EINTR "$RUNNEL" render "bad.$e" md5: -q
    refuses 3 "Input/output error" env $(preload reads) FAULT=EIO "$RUNNEL" render "bad.$e" md5: -q
    refuses 3 "Input/output error" env $(preload reads) FAULT=EIO "$RUNNEL" info "bad.$e"
done

begin "executed through a descriptor the program finds what lies beside it"
ok python3 -c 'import os, sys
fd = os.open(sys.argv[1], os.O_RDONLY)
os.execve(fd, ["runnel", "info", "old.npy"], os.environ)' "$RUNNEL"
ok sh -c 'exec 9<"$1"; /dev/fd/9 info old.npy && /proc/self/fd/9 info old.npy' sh "$RUNNEL"
