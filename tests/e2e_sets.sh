#!/bin/sh
# A run owns the whole set of names that it writes: pairs of header and samples, numbered files. Whatever ends it,
# the older set stands whole until the new one does.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

ok "$started" render "$root/media/scan.tif" old.npy -q -d none --frames 6
mkdir new
into new.md5 "$started" render old.npy md5: -q -d none -f invert
into old.md5 "$started" render old.npy md5: -q -d none

make_old() { # the header of a pair, or the pattern of a set
    [ -d "as-$1" ] || { mkdir "as-$1" && ok "$started" render old.npy "as-$1/$1" -q -d none; }
    rm -rf set
    cp -r "as-$1" set
}
holds() { # input, file with the checksums of its pictures
    "$started" render "$1" md5: -q -d none >got.md5 2>got.err || complain "$1 cannot be read: $(head -n 1 got.err)"
    expect_same got.md5 "$2"
}
samples_of() { # header: whose samples it names
    data=set/$(sed -n 's/^data file: //p; s/^ElementDataFile = //p' "set/$1")
    cmp -s "$data" old.raw && echo old && return
    cmp -s "$data" new.raw && echo new || echo neither
}
ok "$started" render old.npy old.nhdr -q -d none
ok "$started" render old.npy new.nhdr -q -d none -f invert
# The calls that give data and names their place: each fails, or is the last of the process.
cat >breaker.c <<'C'
static int due(const char *what)
{
    static int n;
    const char *wanted = getenv("CALL"), *at = getenv("AT");
    return wanted && !strcmp(what, wanted) && ++n == atoi(at);
}
static int broken(const char *what)
{
    if (!due(what))
        return 0;
    if (getenv("KILL"))
        kill(getpid(), SIGKILL);
    errno = EIO;
    return 1;
}
int fsync(int fd) { return broken("fsync") ? -1 : REAL(fsync)(fd); }
int renameat(int a, const char *b, int c, const char *d) { return broken("rename") ? -1 : REAL(renameat)(a, b, c, d); }
int renameat2(int a, const char *b, int c, const char *d, unsigned e) { return broken("rename") ? -1 : REAL(renameat2)(a, b, c, d, e); }
int linkat(int a, const char *b, int c, const char *d, int e) { return broken("rename") ? -1 : REAL(linkat)(a, b, c, d, e); }
int unlinkat(int a, const char *b, int c) { return broken("unlink") ? -1 : REAL(unlinkat)(a, b, c); }
int unlink(const char *a) { return broken("unlink") ? -1 : REAL(unlink)(a); }
C
sed -i '1i #include <signal.h>' breaker.c
make_preload breaker && breaker=$(preload breaker)

# Whatever call fails or is the last: the header names samples of its own, of the old set or of the new one.
for header in q.nhdr q.mhd; do
    begin "$header: each call that fails, and a kill at each, leaves the old pair or the new one"
    for call in fsync rename unlink; do
        for at in 1 2 3 4 5; do
            for kill in '' KILL=1; do
                make_old $header
                run env $breaker CALL=$call AT=$at $kill "$RUNNEL" render old.npy set/$header -y -q -d none -f invert
                case $rc:$(samples_of $header) in
                0:new | 4:old | 137:old | 137:new) ;;
                *) complain "$call $at $kill: status $rc, samples of $(samples_of $header)" ;;
                esac
            done
        done
    done
done

begin "a pair that is stopped, or too large, leaves the old one whole"
mkfifo frames
for header in q.nhdr q.mhd; do
    make_old $header
    "$RUNNEL" render frames set/$header -y -q -d none -f invert --progress p.jsonl 2>err &
    pid=$!
    "$started" render lavfi:testsrc2=s=192x192:r=25,format=gray - -q -d none >frames 2>/dev/null &
    feeder=$!
    wait_for 30 frames_written p.jsonl 1 || complain "no frame is written"
    kill -INT $pid
    ends $pid 130
    kill $feeder 2>/dev/null
    wait $feeder
    rm -f p.jsonl
    holds set/$header old.md5
    ok "$started" info "set/${header%.*}.partial.${header##*.}"
    fails 4 '' sh -c 'ulimit -f 200; exec "$@"' - "$RUNNEL" render old.npy set/$header -y -q -d none -f invert
    holds set/$header old.md5
done

begin "no other output has the name of the samples"
for option in '--metrics t.raw' '--progress t.raw' '-f stats=file=t.raw'; do
    refuses 2 "same file 't.raw'" "$started" render old.npy t.nhdr -y -d none $option
    expect_no_file t.nhdr t.raw
done

begin "samples replace no file, and go with the header that names them alone"
make_old q.nhdr
echo mine >set/q-2.raw
says 'samples are in .set/q-3.raw' "$started" render old.npy set/q.nhdr -y -d none -f invert
expect_only set q.nhdr q-2.raw q-3.raw
holds set/q.nhdr new.md5
sed 's/^/ElementDataFile = /' >set/q.mhd <<'T'
q-3.raw
T
ok "$started" render old.npy set/q.nhdr -y -q -d none
expect_only set q.nhdr q.mhd q-2.raw q-3.raw q.raw
ok "$started" render set/q.nhdr set/r.nhdr -q -d none
sed 's/r.raw/q.raw/' set/r.nhdr >r && cp r set/r.nhdr
ok "$started" render set/r.nhdr set/q.nhdr -y -q -d none -f invert
expect_file set/q.raw

begin "two runs that write one pair at once leave a header with samples of its own"
for i in 1 2 3 4 5; do
    make_old q.nhdr
    "$started" render old.npy set/q.nhdr -y -q -d none -f invert 2>err &
    a=$!
    "$started" render old.npy set/q.nhdr -y -q -d none &
    wait $a
    wait $!
    [ "$(samples_of q.nhdr)" != neither ] || complain "the header names samples of another"
done

begin "numbered files: those of an older set that stay are counted, or removed with the word"
make_old f_%03d.png
says "2 files of an older set stay; --replace-set removes them" \
    "$started" render old.npy set/f_%03d.png -y -d none -f invert --frames 4 --metrics m.json
expect_eq counted "$(jq .ledger.older_files m.json)" 2
ok "$started" render old.npy set/f_%03d.png -y -q -d none -f invert --frames 4 --replace-set
expect_only set f_000.png f_001.png f_002.png f_003.png
refuses 2 'goes with -y' "$started" render old.npy set/f_%03d.png -d none --replace-set
refuses 2 'for a numbered output' "$started" render old.npy x.npy -y -d none --replace-set

begin "numbered files: a failure or a stop leaves the older set, and all of the new one is partial"
make_old f_%03d.png
fails 4 'set/f_%03d.partial.png' env $breaker CALL=fsync AT=4 "$RUNNEL" render old.npy set/f_%03d.png -y -d none -f invert
holds set/f_%03d.png old.md5
expect_file set/f_000.partial.png
expect_eq files "$(ls -A set | grep -c '^f_....partial.png$') $(ls -A set | grep -vc '^f_')" "3 0"

begin "numbered files: a kill while they get their names is ended by the next run"
for at in 1 2 3 4 5 6 7; do
    make_old f_%03d.png
    run env $breaker CALL=rename AT=$((at + 6)) KILL=1 "$RUNNEL" render old.npy set/f_%03d.png -y -q -d none -f invert
    killed=$rc
    ok "$started" render old.npy set/other.npy -q -d none --frames 1
    "$started" render set/f_%03d.png md5: -q -d none >got.md5 2>err || complain "unreadable"
    cmp -s got.md5 old.md5 || expect_same got.md5 new.md5
    expect_eq "$at: what is hidden" "$(ls -A set | grep '^[.]')" ""
    [ $killed = 137 ] || expect_same got.md5 new.md5
done
