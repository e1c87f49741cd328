#!/bin/sh
# Killed and interrupted at moments that the seed chooses (SEED=N): what stands under the output's name is
# the old file or the complete new one, and the next run leaves nothing beside it.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

: "${SEED:=1}" "${ROUNDS:=12}"
mkdir work && cd work || exit 1
src=lavfi:testsrc2=s=160x120:r=25
frames=80

# Sets $arguments and $names: how a kind of output is written to a folder, and the files that it is.
describe() { # kind, folder
    arguments="$2/o.$1" names="o.$1"
    case $1 in
    png)
        arguments="$2/i_%02d.png"
        names=$(awk -v n=$frames 'BEGIN {for (i = 0; i < n; i++) printf "i_%02d.png ", i}')
        ;;
    csv) arguments="null: -f stats=file=$2/o.csv" ;;
    mp4) arguments="$arguments --codec-opts movflags=+faststart" ;;
    esac
}

make_old() { # folder
    rm -rf "$1"
    mkdir "$1"
    for name in $names; do echo old >"$1/$name"; done
}

# Every file of the output is the old or the complete one; beside them stands only what may: hidden files
# that wait for the next run, and the partial output of a run that was asked to stop.
check_folder() { # when, whether there may be a partial output
    for name in $names; do
        [ "$(cat now/"$name" 2>/dev/null | head -c 4)" = "old" ] || cmp -s now/"$name" whole/"$name" ||
            complain "$1: $name is neither old nor complete"
    done
    for file in $(ls -A now); do
        case " $names " in *" $file "*) continue ;; esac
        case $file in
        .*.runnel-*)
            litter=$((litter + 1))
            continue
            ;;
        o.partial.csv) [ "$2" ] && continue ;;
        o.partial.*)
            [ "$2" ] && runnel render "now/$file" null: -q 2>/dev/null && continue
            ;;
        esac
        complain "$1: $file is left"
    done
}

check_next_run() {
    rm -f now/o.partial*
    ok runnel render $src $arguments --frames $frames -q -y -d none
    expect_only now $names
    for name in $names; do expect_same "now/$name" "whole/$name"; done
}

now() { date +%s%N; }

random() { # most: a number below it
    SEED=$(((SEED * 1103515245 + 12345) % 2147483648))
    chosen=$((SEED / 65536 * $1 / 32768))
}

pause() { sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"; } # milliseconds

# A file system without files that have no name.
cat >named.c <<'C'
int openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    if ((flags & O_TMPFILE) == O_TMPFILE)
        return errno = EOPNOTSUPP, -1;
    return syscall(SYS_openat, dir, path, flags, mode);
}
C
named=
make_preload named && named=$(preload named)

for kind in mp4 mkv tif png csv mp4-named png-named; do
    preload=
    case $kind in *-named)
        preload=$named
        [ "$named" ] || {
            skip "$kind: no C compiler"
            continue
        }
        ;;
    esac
    begin "$kind: killed and interrupted at any moment"
    kind=${kind%-named} litter=0
    describe $kind whole
    mkdir -p whole
    run runnel render $src $arguments --frames $frames -q -y -d none # compiles, caches
    t0=$(now)
    ok runnel render $src $arguments --frames $frames -q -y -d none
    took=$((($(now) - t0) / 1000000 + 1))
    describe $kind now
    old=0 new=0
    for round in $(seq "$ROUNDS"); do
        for how in KILL INT TERM HUP; do
            [ $how = KILL ] || [ $((round % 3)) = "$(case $how in INT) echo 0 ;; TERM) echo 1 ;; *) echo 2 ;; esac)" ] ||
                continue
            make_old now
            random $((took * 5 / 4))
            env $preload "$RUNNEL" render $src $arguments --frames $frames -q -y -d none >out 2>err </dev/null &
            pid=$!
            pause $chosen
            what="$kind, $how after $chosen of $took ms"
            kill -$how $pid 2>/dev/null
            random 2
            if [ $how != KILL ] && [ $chosen = 1 ]; then
                random 200
                pause $chosen
                kill -$how $pid 2>/dev/null
                what="$what, again after $chosen"
            fi
            wait $pid 2>/dev/null
            check_folder "$what" "$([ $how = KILL ] || echo yes)"
            set -- $names
            if cmp -s "now/$1" "whole/$1"; then new=$((new + 1)); else old=$((old + 1)); fi
            if [ $((round % 4)) = 0 ] || [ "$(ls -A now | grep -c '^\.')" != 0 ]; then check_next_run; fi
        done
    done
    echo "# $kind: old $old times, new $new times, hidden files $litter"
    rm -rf whole now
done

finish
