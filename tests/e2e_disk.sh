#!/bin/sh
# Full disks: status 4, one line, the old file untouched, and what fits is kept, playable, beside it. WHOLE=1
# lets every one of the first writes fail, and has all sizes of a disk.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

export RUNNEL

clip src.nut lavfi:testsrc2=s=64x48:r=25 -frames:v 200 -c:v rawvideo

begin "/dev/full"
fails 4 '' sh -c '"$started" render src.nut - --frames 50 >/dev/full'
fails 4 '' sh -c '"$started" render src.nut md5: --frames 5 >/dev/full'
fails 4 '' sh -c '"$started" stats src.nut --frames 5 >/dev/full'

# A run has failed and said so in one line, and $1 holds nearly all that fits into $2 bytes, whole.
expect_partial() { # file, bytes
    expect_refusal 4 "'$1'"
    ffmpeg -nostdin -v error -xerror -i "$1" -f null - 2>decode || complain "$1: $(head -n 1 decode)"
    case $1 in *.avi | *.gif) ;; *) [ ! -s decode ] || complain "$1: $(head -n 1 decode)" ;; esac
    [ "$(stat -c %s "$1" || echo 0)" -ge $(($2 * 8 / 10)) ] || complain "only $(stat -c %s "$1") of $2 bytes are used"
}

clip noise.mkv lavfi:testsrc2=s=96x64:r=25:d=2.4,noise=alls=80:allf=t lavfi:sine=440:r=48000:d=2.4 -c:v ffv1 -c:a pcm_s16le
clip silent.mkv noise.mkv -map 0:v -c copy
for e in mp4 mkv ts mpg avi tif y4m; do
    begin "a file size limit is an error, not a death, and $e up to there is kept"
    limits='400 501' source=silent.mkv # blocks of 512 bytes
    # Two streams share the packs that are being filled.
    [ $e = mpg ] && limits='312 436' source=noise.mkv
    for limit in $limits; do
        echo old >limited.$e
        run sh -c "ulimit -f $limit; exec \"\$RUNNEL\" render '$source' limited.$e --frames 60 -y -d none"
        expect_partial limited.partial.$e $((limit * 512))
        expect_eq "old file" "$(cat limited.$e)" old
        rm -f limited.*
    done
done

begin "not even the smallest file fits"
refuses 4 '' \
    sh -c 'ulimit -f 4; exec "$RUNNEL" render "lavfi:testsrc2=s=320x240:r=25,noise=alls=80:allf=t" limited.mp4 --frames 9'
expect_no_file limited.mp4 limited.partial.mp4

# ---- one failure, with space again after it

cat >once.c <<'C'
/* The N-th write to a file fails: cut short, with no space for the rest; or at once; or only the sync of
 * the whole shows it. All that comes after it works. A file tells that it happened. */
static int calls;

static int is_turn(int fd, int *count)
{
    struct stat st;
    const char *turn = getenv("FAIL_AT");
    if (!turn || fstat(fd, &st) || !S_ISREG(st.st_mode))
        return 0;
    int now = __atomic_add_fetch(count, 1, __ATOMIC_SEQ_CST);
    if (now == atoi(turn))
        close(open("hit", O_CREAT | O_WRONLY, 0666));
    return now - atoi(turn);
}

ssize_t write(int fd, const void *data, size_t size)
{
    const char *how = getenv("FAIL_HOW");
    int late = how && strcmp(how, "sync") ? is_turn(fd, &calls) : -1;
    if ((late == 0 && !strcmp(how, "hard")) || (late == 1 && !strcmp(how, "short")))
        return errno = ENOSPC, -1;
    if (late == 0 && size > 1)
        size /= 2;
    return syscall(SYS_write, fd, data, size);
}

int fsync(int fd)
{
    const char *how = getenv("FAIL_HOW");
    if (how && !strcmp(how, "sync") && calls >= 0 && is_turn(fd, &calls) == 0)
        return errno = EIO, -1;
    return (int)syscall(SYS_fsync, fd);
}
C
once=
make_preload once && once=1
once() { # how, which, command...
    rm -f hit
    how=$1 which=$2
    shift 2
    run env $(preload once) FAIL_HOW="$how" FAIL_AT="$which" "$@"
}

while IFS='|' read -r name arguments; do
    [ "$once" ] || {
        skip "one write of $name fails: no C compiler"
        continue
    }
    begin "one write of $name fails"
    for how in short hard sync; do
        which=1
        while [ $which -le 12 ]; do
            fresh disk
            case $name in i_*) old=disk/i_1.png ;; *) old=disk/$name ;; esac
            echo old >$old
            once $how $which "$RUNNEL" render src.nut --frames 2 $arguments -q -y
            [ -e hit ] || break
            expect_refusal 4
            case $name in
            *.jsonl) [ "$(cat $old)" = old ] || jq . $old >/dev/null || complain "$how $which: half a line" ;;
            i_*)
                expect_eq "$how $which: the old file" "$(cat $old)" old
                for partial in disk/i_0*; do
                    ffmpeg -nostdin -v error -xerror -i $partial -f null - 2>/dev/null || [ ! -e $partial ] ||
                        complain "$how $which: a broken picture"
                done
                expect_eq "$how $which: hidden files" "$(ls -A disk | grep '^[.]')" ""
                ;;
            *)
                expect_eq "$how $which: the old file" "$(cat $old)" old
                for partial in disk/*.partial.*; do
                    [ -e "$partial" ] || continue
                    [ "$(frames_of "$partial")" -gt 0 ] || complain "$how $which: $partial is of no use"
                    rm "$partial"
                done
                expect_only disk $name
                ;;
            esac
            which=$((which + (which < 3 || ${WHOLE:-0} ? 1 : 3)))
        done
        [ $which -gt 12 ] || expect_rc 0
        [ $which -gt 1 ] || complain "$how: nothing failed"
    done
done <<'CASES'
m.json|null: --metrics disk/m.json
p.jsonl|null: --progress disk/p.jsonl
s.csv|null: -f stats=file=disk/s.csv
i_%d.png|disk/i_%d.png
o.png|disk/o.png --frames 1
o.tif|disk/o.tif
o.mkv|disk/o.mkv
o.mp4|disk/o.mp4
CASES

begin "/dev/full for every text"
for option in '--metrics ' '--progress ' '-f stats=file='; do
    for name in /dev/full -; do
        refuses 4 '' sh -c "\"\$started\" render src.nut null: --frames 3 -q $option$name >/dev/full"
    done
done

mkdir full
mount -t tmpfs -o size=600k tmpfs full 2>/dev/null || { skip "full disks: no tmpfs can be mounted"; finish; }
mounts="$scratch/full"

begin "disk full in mid-stream"
for e in mp4 mkv nut; do
    case $e in nut) quick= ;; *) quick="--codec-opts preset=ultrafast" ;; esac
    echo old >full/o.$e
    run runnel render "lavfi:testsrc2=s=320x240:r=25,noise=alls=80:allf=t" full/o.$e -y --frames 100 $quick
    expect_partial full/o.partial.$e 600000
    expect_eq "old file" "$(cat full/o.$e)" old
    expect_only full o.$e o.partial.$e
    rm -f full/o.*
done

begin "disk full at the trailer"
clip small.nut lavfi:testsrc2=s=160x120:r=25,noise=alls=60:allf=t -frames:v 40 -c:v rawvideo
ok runnel render small.nut probe.mp4 --frames 40 \
    --codec-opts preset=ultrafast
size=$(($(stat -c %s probe.mp4) / 1024))
for less in 1 3 8 ${WHOLE:+2 4 16 32}; do
    umount full
    mount -t tmpfs -o size=$((size - less))k tmpfs full
    run runnel render small.nut full/t.mp4 --frames 40 \
        --codec-opts preset=ultrafast
    case $rc in
    4)
        expect_only full t.partial.mp4
        frames=$(frames_of full/t.partial.mp4)
        [ "$frames" -ge 20 ] || complain "$less KiB short: $frames of 40 frames"
        ;;
    0) # room enough: then it has to be whole
        expect_eq "frames, $less KiB short" "$(frames_of full/t.mp4)" 40
        ;;
    *) expect_rc 4 ;;
    esac
    expect_plain err
done

begin "disk full in a stack: the same pages are kept whatever the number of threads"
for threads in 1 4; do
    umount full
    mount -t tmpfs -o size=600k tmpfs full
    refuses 4 '' \
        runnel render "lavfi:testsrc2=s=640x400:r=25,noise=alls=6:allf=t,format=gray" full/t.tif --frames 20 \
        --threads $threads --metrics m.json -y
    expect_only full t.partial.tif
    mv full/t.partial.tif kept_$threads.tif
    expect_eq "pages counted" "$(jq .ledger.packets_written m.json)" "$(identify kept_$threads.tif | wc -l)"
    ok runnel render kept_$threads.tif null:
done
expect_same kept_1.tif kept_4.tif
[ "$(identify kept_1.tif | wc -l)" -ge 2 ] || complain "$(identify kept_1.tif | wc -l) pages of 20"

for ext in png bmp; do # with threads of the encoder's own, and without
    begin "disk full among images: $ext"
    umount full
    mount -t tmpfs -o size=200k tmpfs full
    refuses 4 '' \
        runnel render small.nut "full/i_%03d.$ext" --frames 20 --threads 4
    bad_images=0 n=0
    for f in full/i_*.$ext; do
        expect_eq "name" "$f" "full/i_$(printf %03d $n).partial.$ext"
        clip decoded.framemd5 -xerror -i "$f" -f framemd5 || bad_images=$((bad_images + 1))
        n=$((n + 1))
    done
    expect_eq "broken images" $bad_images 0
    [ $n -gt 1 ] || complain "$n images"
    expect_eq "temporary files" "$(ls -A full | grep -vc "^i_[0-9]*.partial.$ext$")" 0
done

begin "disk full for the table of stats"
umount full
mount -t tmpfs -o size=4k tmpfs full
fails 4 '' runnel render src.nut null: --frames 200 -f stats=file=full/s.csv
expect_only full

begin "disk full for the metrics and the progress"
for size in 0 4; do
    umount full
    mount -t tmpfs -o size=$((size + 4))k,nr_inodes=10 tmpfs full
    [ $size = 4 ] || dd if=/dev/zero of=full/filler bs=4096 count=1 2>/dev/null
    for option in --metrics --progress; do
        run runnel render src.nut null: --frames 2 -q $option full/t.json
        if [ $size = 4 ]; then
            expect_rc 0
            jq . full/t.json >/dev/null || complain "half a text"
        else
            expect_refusal 4
            [ ! -s full/t.json ] || complain "$option: something was written"
        fi
        rm -f full/t.json
    done
done
