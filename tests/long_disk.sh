#!/bin/sh
# The space ends at every 4 KiB around the end of the output: status 4 and the old file, or all of the new.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

src="lavfi:testsrc2=s=160x120:r=25,noise=alls=60:allf=t"
mkdir full
mount -t tmpfs -o size=16k tmpfs full 2>/dev/null || { skip "disk full at every 4 KiB around the trailer: no tmpfs can be mounted"; finish; }
mounts="$scratch/full"

for e in mp4 mkv nut avi mov tif png csv json jsonl; do
    begin "$e: disk full at every 4 KiB around the end"
    case $e in
    csv) arguments="null: -f stats=file=o.csv" ;;
    json) arguments="null: --metrics o.json" ;;
    jsonl) arguments="null: --progress o.jsonl" ;;
    mov) arguments="o.mov --codec-opts movflags=+faststart" ;;
    png) arguments="o.png --frames 1" ;;
    *) arguments="o.$e" ;;
    esac
    ok runnel render "$src" --frames 40 $arguments -q -y -d none
    pages=$((($(stat -c %s o.$e) + 4095) / 4096))
    failed=0 written=0
    first=$((pages > 10 ? pages - 10 : 1))
    # One page is the old file's, and room is kept for the trailer, or a page, before its size is known.
    for n in $(seq $first $((pages + $([ $e = tif ] && echo 7 || echo 3)))); do
        umount full
        mount -t tmpfs -o size=$((4 * (n + 1)))k tmpfs full
        echo old >full/o.$e
        run runnel render "$src" --frames 40 $(echo "$arguments" | sed "s|o\.$e|full/&|") -q -y -d none
        case $rc in
        0)
            written=$((written + 1))
            case $e in
            json | jsonl) jq . full/o.$e >/dev/null || complain "$n of $pages pages: half a text" ;;
            *) expect_same full/o.$e o.$e ;;
            esac
            ;;
        *)
            failed=$((failed + 1))
            expect_refusal 4
            [ $e = jsonl ] || expect_eq "$n of $pages pages: the old file" "$(cat full/o.$e)" old
            case $e in
            mp4 | mkv | nut | avi | mov | tif)
                frames=$("$RUNNEL" render full/o.partial.$e md5: -q -d none | sed 's/ .*//' | uniq | grep -c .)
                [ "${frames:-0}" -ge 25 ] || complain "$n of $pages pages: ${frames:-0} of 40 frames are kept"
                rm -f full/o.partial.$e
                ;;
            esac
            ;;
        esac
        expect_only full o.$e
    done
    [ $written -gt 0 ] || complain "never enough space"
    [ $failed -gt 0 ] || case $e in csv | json | jsonl | png) ;; *) complain "always enough space" ;; esac
done
