#!/bin/sh
# Full disks: status 4, one line, no half file, the old file untouched.
. "$(dirname "$0")/lib.sh"

small_disk() { # folder, KiB
    mkdir -p "$1"
    mount -t tmpfs -o size="$2"k tmpfs "$1" 2>/dev/null || return 1
    mounts="$mounts $scratch/$1"
}

begin "/dev/full"
run sh -c '"$RUNNEL" render lavfi:testsrc2=s=64x48:r=25 - --frames 50 >/dev/full'
expect_rc 4
run sh -c '"$RUNNEL" render lavfi:testsrc2=s=64x48:r=25 md5: --frames 5 >/dev/full'
expect_rc 4
run sh -c '"$RUNNEL" stats lavfi:testsrc2=s=64x48:r=25 --frames 5 >/dev/full'
expect_rc 4
end

begin "a file size limit is an error, not a death"
run sh -c 'ulimit -f 64; exec "$RUNNEL" render "lavfi:testsrc2=s=320x240:r=25,noise=alls=80:allf=t" limited.mkv --frames 50'
expect_rc 4
expect_no_file limited.mkv
end

if ! small_disk full 600; then
    for t in "disk full in mid-stream" "disk full at the trailer" "disk full among images"; do
        begin "$t"
        skip "no tmpfs can be mounted"
    done
    finish
fi

begin "disk full in mid-stream"
for e in mp4 mkv nut; do
    echo old >full/o.$e
    run runnel render "lavfi:testsrc2=s=320x240:r=25,noise=alls=80:allf=t" full/o.$e -y --frames 100
    expect_rc 4
    expect_one_line
    expect_eq "old file" "$(cat full/o.$e)" old
    expect_only full o.$e
    rm -f full/o.$e
done
end

begin "disk full at the trailer"
run runnel render "lavfi:testsrc2=s=160x120:r=25,noise=alls=60:allf=t" probe.mp4 --frames 40
expect_rc 0
size=$(($(stat -c %s probe.mp4) / 1024))
for less in 1 2 3 4 8 16 32; do
    umount full
    mount -t tmpfs -o size=$((size - less))k tmpfs full
    run runnel render "lavfi:testsrc2=s=160x120:r=25,noise=alls=60:allf=t" full/t.mp4 --frames 40
    case $rc in
    4) expect_only full ;;
    0) # room enough: then it has to be whole
        expect_eq "frames, $less KiB short" "$(frames_of full/t.mp4)" 40
        ;;
    *) expect_rc 4 ;;
    esac
    expect_plain err
done
end

begin "disk full among images"
umount full
mount -t tmpfs -o size=100k tmpfs full
run runnel render "lavfi:testsrc2=s=160x120:r=25,noise=alls=60:allf=t" 'full/i_%03d.png' --frames 20
expect_rc 4
expect_one_line
bad_images=0
for f in full/i_*.png; do
    ffmpeg -v error -xerror -i "$f" -f null - 2>/dev/null || bad_images=$((bad_images + 1))
done
expect_eq "broken images" $bad_images 0
expect_eq "temporary files" "$(ls -A full | grep -vc '^i_[0-9]*.png$')" 0
end

begin "disk full for the table of stats"
umount full
mount -t tmpfs -o size=4k tmpfs full
run runnel render lavfi:testsrc2=s=64x48:r=25 null: --frames 200 -f stats=file=full/s.csv
expect_rc 4
expect_only full
end

finish
