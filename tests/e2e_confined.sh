#!/bin/sh
# What holds if a decoder is taken over: it opens no file but the input and starts no program. And what a child of
# the program cannot get is a refusal.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

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
    return is("seccomp") ? -EACCES : REAL(seccomp_load)(filter);
}
C
sandboxed= # sanitizers keep their rights
[ "${VARIANT:-release}" = release ] && make_preload deny -lseccomp 2>/dev/null && sandboxed=1
for input in small.mat:3 one.dcm:1; do
    file=${input%:*}
    begin "$file is read in a process that opens nothing, or not at all"
    into whole runnel info "$file"
    [ "$sandboxed" ] || { skip_this "needs a compiler, libseccomp and no sanitizer"; continue; }
    for what in Landlock seccomp; do
        refuses "${input#*:}" "would not be confined.*$what" \
            env $(preload deny) DENY=$what "$RUNNEL" info "$file" --unconfined
    done
    refuses 1 "Landlock.*--unconfined" env $(preload deny) DENY=Landlock "$RUNNEL" info "$file"
    prints whole env $(preload deny) DENY=Both "$RUNNEL" info "$file" # an old kernel
done

# ---- the run itself

mkdir home tmp other
echo secret >home/secret
echo old >other/old
ok runnel render lavfi:testsrc2=size=32x32:rate=5:duration=1 clip.mkv --codec mpeg4 -q
cat >broken.c <<'C'
/* A decoder, or an encoder, in which somebody else's code runs: tries what it must not, once, and tells what it did. */
#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
extern char **environ;
static const char *at(const char *folder, const char *name)
{
    static _Thread_local char path[2][4096];
    static _Thread_local int n;
    snprintf(path[n ^= 1], 4096, "%s/%s", getenv(folder), name);
    return path[n];
}
static int done(int fd) { return fd >= 0 && !close(fd); }
static int writes(const char *name) { return done(open(name, O_WRONLY | O_CREAT, 0600)); }
static int starts(void)
{
    char *argv[] = {"sh", "-c", ":", NULL};
    pid_t pid;
    int status;
    return !posix_spawn(&pid, "/bin/sh", NULL, NULL, argv, environ) && waitpid(pid, &status, 0) == pid && !status;
}
static int connects(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM, 0), err = connect(fd, (void *)&a, sizeof a) ? errno : 0;
    close(fd);
    return err != EACCES;
}
static void act(void)
{
    static _Atomic int before;
    DIR *dir;
    if (before++)
        return;
    const struct { const char *what; int done; } acts[] = {
        {"read in HOME", done(open(at("HOME", "secret"), O_RDONLY))},
        {"list HOME", (dir = opendir(getenv("HOME"))) && !closedir(dir)},
        {"write in HOME", writes(at("HOME", ".profile"))},
        {"read elsewhere", done(open(at("OTHER", "old"), O_RDONLY))},
        {"replace elsewhere", !rename(at("OTHER", "old"), at("OTHER", "new"))},
        {"start a program", starts()},
        {"write beside", writes(at("BESIDE", "more"))},
        {"change beside", done(open(at("BESIDE", "old"), O_WRONLY | O_TRUNC))},
        {"make a folder beside", !mkdir(at("BESIDE", "folder"), 0700)},
        {"remove beside", !unlink(at("BESIDE", "old"))},
        {"write in TMPDIR", writes(at("TMPDIR", "file"))},
        {"write a kernel", writes(at("POCL_CACHE_DIR", "kernel.so"))},
        {"connect", strcmp(getenv("NET"), "refused") && connects()},
    };
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (acts[i].done)
            dprintf(9, "%s\n", acts[i].what);
}
#define BREAK(name)                                                                                \
    int name(void *a, const void *b)                                                               \
    {                                                                                              \
        if (!strcmp(getenv("BROKEN"), #name))                                                      \
            act();                                                                                 \
        return REAL(name)(a, b);                                                                   \
    }
BREAK(avcodec_send_packet)
BREAK(avcodec_send_frame)
BREAK(avformat_find_stream_info)
C
landlock=$(python3 - <<'PY'
import ctypes
print(ctypes.CDLL(None).syscall(444, None, 0, 1))
PY
)
[ "${VARIANT:-release}" = release ] || landlock=0 # sanitizers keep their rights
taken_over() { # function, arguments of runnel: what it did there is in the file did
    broken=$1
    shift
    ok env $prepared BROKEN="$broken" HOME="$PWD/home" TMPDIR="$PWD/tmp" OTHER="$PWD/other" BESIDE="$PWD/o" \
        POCL_CACHE_DIR="$PWD/cache" "$RUNNEL" "$@" 9>did
}
acts() { # function, options of render
    rm -rf home/.profile tmp/file other/*
    fresh o cache
    echo old >o/old
    echo old >other/old
    function=$1
    shift
    taken_over "$function" render "$PWD/clip.mkv" "$PWD/o/x.mkv" --codec mpeg4 "$@"
    expect_file o/x.mkv
}

begin "a replay builds kernels for its changes, though the reader may not"
cat >tape <<'LINES'
{"chain":"blur=sigma=1"}
{"frame":3,"stage":0,"param":"sigma","value":"20"}
LINES
into got env -u RUNNEL_DEVICE POCL_CACHE_DIR="$PWD/cold" "$started" render clip.mkv md5: -q --replay tape
prints got runnel render clip.mkv md5: -q --replay tape

begin "a decoder that is taken over reads the input alone, and writes and starts nothing"
make_preload broken $(pkg-config --libs libavformat libavcodec) 2>/dev/null && [ "$landlock" -ge 2 ] ||
    { skip_this "needs a compiler and Landlock"; finish; }
prepared=$(preload broken) NET=$([ "$landlock" -ge 4 ] || echo refused)
export NET
for function in avformat_find_stream_info avcodec_send_packet; do
    acts $function
    [ ! -s did ] || complain "$function could: $(paste -sd, did)"
    acts $function --unconfined # what is tried can be done, then
    [ "$(wc -l <did)" -ge 12 ] || complain "$function could only: $(paste -sd, did)"
done

begin "an encoder that is taken over writes beside the output, and reads and starts nothing else"
acts avcodec_send_frame
grep -Ev "beside|TMPDIR|a kernel" did && complain "it could more"

begin "every command that reads is confined, and says so"
NET=refused
for command in "render clip.mkv null:" "stats clip.mkv" "info clip.mkv" "bench clip.mkv -d none --repeats 1"; do
    taken_over avformat_find_stream_info $command -v
    [ ! -s did ] || complain "$command could: $(paste -sd, did)"
    expect_message "confinement of this run: Landlock"
done
