#!/bin/sh
# Devices and decoders that never return: --timeout and the first signal end the run, and the frames so far are kept.
# Encoders and writes to files that never return end it, too.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip=clip.mkv
ok runnel render lavfi:testsrc2=s=160x120:r=25:d=10 $clip --codec mpeg4

cat >hang.c <<'C'
#include <semaphore.h>
#include <time.h>
/* $HANG: the function that hangs; $AFTER: after so many calls. */
static void hang(const char *name)
{
    static _Atomic int calls;
    const char *wanted = getenv("HANG"), *after = getenv("AFTER");
    if (!wanted || strcmp(wanted, name) || calls++ < atoi(after ? after : "0"))
        return;
    close(open("hung", O_CREAT | O_WRONLY, 0600));
    for (;;)
        pause();
}
#define HANGS(name, params, args)                                                                  \
    int name params                                                                                \
    {                                                                                              \
        hang(#name);                                                                               \
        return REAL(name) args;                                                                    \
    }
HANGS(clFinish, (cl_command_queue q), (q))
HANGS(clFlush, (cl_command_queue q), (q))
HANGS(clWaitForEvents, (cl_uint n, const cl_event *e), (n, e))
HANGS(av_read_frame, (void *a, void *b), (a, b))
HANGS(avcodec_receive_frame, (void *a, void *b), (a, b))
HANGS(avcodec_send_frame, (void *a, void *b), (a, b))
HANGS(clBuildProgram, (cl_program p, cl_uint n, const cl_device_id *d, const char *o,
                       void (*f)(cl_program, void *), void *a),
      (p, n, d, o, f, a))

/* Of files alone, and then of all that lies in their folder. */
static void hang_file(const char *name, int fd)
{
    struct stat st;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode))
        hang(name);
}
ssize_t write(int fd, const void *data, size_t size)
{
    hang_file("write", fd);
    return syscall(SYS_write, fd, data, size);
}
int fsync(int fd)
{
    hang_file("fsync", fd);
    return (int)syscall(SYS_fsync, fd);
}

/* $FAST: seconds last a tenth. */
int clock_gettime(clockid_t id, struct timespec *now)
{
    int err = (int)syscall(SYS_clock_gettime, id, now);
    if (getenv("FAST")) {
        now->tv_sec = now->tv_sec * 10 + now->tv_nsec / 100000000;
        now->tv_nsec = now->tv_nsec % 100000000 * 10;
    }
    return err;
}
int sem_clockwait(sem_t *sem, clockid_t id, const struct timespec *until)
{
    if (!getenv("FAST"))
        return REAL(sem_clockwait)(sem, id, until);
    usleep(10000);
    return sem_trywait(sem);
}
C
make_preload hang $(pkg-config --libs OpenCL libavformat libavcodec) || { skip "no compiler"; finish; }
prepared=$(preload hang)

device="the device has not finished its work for 1 s: .*--timeout"
input="reading '.*' has not gone on for 1 s: .*--timeout"
ok runnel render "$clip" null: -f convolution=preset=sharpen,stats=file=all.csv # compiled from now on

for case in clWaitForEvents:40:5:16 clFlush:40:5:4 av_read_frame:100:3:40 avcodec_receive_frame:60:3:10; do
    IFS=: read -r function after status frames <<EOF
$case
EOF
    begin "$function never returns: status $status, and the frames so far"
    fresh o
    echo old >o/x.mkv
    wanted=$device
    [ "$status" = 5 ] || wanted=$input
    fails "$status" "$wanted" env $prepared HANG="$function" AFTER="$after" "$RUNNEL" render "$clip" o/x.mkv -y \
        -f convolution=preset=sharpen,stats=file=o/x.csv --timeout 1 --metrics m.json
    expect_only o x.mkv x.partial.mkv x.partial.csv
    expect_eq "old file" "$(cat o/x.mkv)" old
    expect_least_frames o/x.partial.mkv "$frames"
    expect_eq "status in the metrics" "$(tr -dc 'a-z0-9:_\n' <m.json | grep exit_status)" "exit_status:$status"
done

begin "stats, info and bench end in the same way"
fails 3 "$input" env $prepared HANG=avcodec_receive_frame AFTER=60 "$RUNNEL" stats "$clip" --timeout 1
[ "$(wc -l <out)" -gt 10 ] || complain "the rows so far are lost"
fails 5 "$device" env $prepared HANG=clWaitForEvents AFTER=40 "$RUNNEL" stats "$clip" --timeout 1
refuses 3 "$input" env $prepared HANG=av_read_frame AFTER=1 "$RUNNEL" info "$clip" --timeout 1
refuses 5 "$device" env $prepared HANG=clWaitForEvents AFTER=40 "$RUNNEL" bench "$clip" -q --timeout 1
refuses 5 "$device" env $prepared HANG=clFinish AFTER=40 "$RUNNEL" bench --suite devices --quick -q --timeout 1

writing="writing '.*' has not gone on for 1 s: .*--timeout"
for case in avcodec_send_frame:40:x.mkv write:2:x.mkv write:1:x.mp4 write:4:x_%03d.png write:4:x.nii fsync:0:x.tif; do
    IFS=: read -r function after output <<EOF
$case
EOF
    begin "$function of $output never returns: status 4, and the older file"
    fresh o
    case $output in *%*) old=x_000.png ;; *) old=$output ;; esac
    echo old >o/$old
    refuses 4 "$writing" env $prepared HANG="$function" AFTER="$after" "$RUNNEL" render "$clip" "o/$output" -y -q \
        -f convolution=preset=sharpen,format=gray --timeout 1
    expect_only o $old
    [ "$(cat o/$old)" = old ] || complain "the old file is another"
done

begin "reports that hang, too, end the run as well"
refuses 4 "$writing" env $prepared HANG=write AFTER=2 "$RUNNEL" render "$clip" o/x.mkv -y -q --timeout 1 \
    --metrics o/m.json
refuses 4 "$writing" env $prepared HANG=write "$RUNNEL" stats "$clip" -q --timeout 1 -f stats=file=o/x.csv

begin "a driver that never builds has a minute"
minute="the device's driver has not built the kernels for 60 s"
refuses 5 "$minute" env $prepared FAST=1 HANG=clBuildProgram "$RUNNEL" render "$clip" o/y.mkv --timeout 30 \
    -f convolution=preset=sharpen

for pair in INT:130:clWaitForEvents:40 TERM:143:av_read_frame:100; do
    IFS=: read -r signal status function after <<EOF
$pair
EOF
    begin "$function never returns: one SIG$signal keeps the frames so far"
    rm -rf o hung
    mkdir o
    timeout -k 5 $patience env $prepared HANG="$function" AFTER="$after" "$RUNNEL" render "$clip" o/x.mkv \
        -f convolution=preset=sharpen --timeout 4 --unconfined >out 2>err </dev/null &
    timer=$!
    wait_for $patience [ -e hung ] || complain "nothing hangs"
    kill -"$signal" $(cat /proc/$timer/task/$timer/children)
    ends $timer "$status"
    expect_message "for 4 s after a signal"
    expect_only o x.partial.mkv
    expect_least_frames o/x.partial.mkv 16
done

begin "a second signal ends it at once"
rm -rf o hung
mkdir o
timeout -k 5 $patience env $prepared HANG=clWaitForEvents AFTER=40 "$RUNNEL" render "$clip" o/x.mkv \
    -f convolution=preset=sharpen >out 2>err </dev/null &
timer=$!
wait_for $patience [ -e hung ] || complain "nothing hangs"
child=$(cat /proc/$timer/task/$timer/children)
kill -TERM $child
wait_for $patience grep -q 'a second signal to give up' err || complain "the first one is not heard"
sleep 0.3 # sooner it counts as the echo of the first
kill -TERM $child
ends $timer 143
expect_only o

begin "time in which the process is stopped, or a pipe gives nothing, is none of a call's"
fresh o
mkfifo pipe
"$RUNNEL" render pipe o/x.mkv -f convolution=preset=sharpen --timeout 0.5 --progress p.json >out 2>err </dev/null &
slow=$!
exec 7>pipe
"$started" render "$clip" - --frames 100 -q -f gray >all.y4m
head -c 100000 all.y4m >&7
sleep 0.8
kill -STOP $slow
sleep 0.8
kill -CONT $slow
tail -c +100001 all.y4m >&7
exec 7>&-
ends $slow 0
expect_only o x.mkv

begin "who reads the output may take any time, but not the encoder"
mkfifo slow table
for fifo in slow table; do
    { sleep 1.5; cat; } <$fifo >$fifo.got &
done
ok runnel render "$clip" slow --container nut --codec rawvideo -q --timeout 0.5 -f stats=file=table
wait
expect_least_frames slow.got 250
expect_eq "rows" "$(wc -l <table.got)" 751
cat slow >/dev/null &
refuses 4 "$writing" env $prepared HANG=avcodec_send_frame AFTER=40 "$RUNNEL" render "$clip" slow --container nut \
    --codec mpeg4 -q --timeout 1
wait

begin "what is no time is refused"
refuses 2 "--timeout takes a time" runnel render "$clip" o/y.mkv --timeout 10f
refuses 2 "no option --timeout" runnel play "$clip" --timeout 10
