#!/bin/sh
# Small files that claim large pictures or inflate to long texts: a clear line, little memory. Pictures that are
# really there are read; --memory decides. WHOLE=1 has each file read in two ways.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

export RUNNEL # for bombs.py

begin "claims of every format end in one line, within 512 MB"
case ${VARIANT:-release} in
asan | tsan) skip_this "the sanitizers' shadow is memory" ;;
*) PRESTARTED_AT='' expect_python "$root/tests/bombs.py"; cat py.out ;;
esac

begin "what does not end is read no further than its header may be long"
{ printf 'YUV4MPEG2 W64 H64 X'; yes A | tr -d '\n'; } 2>/dev/null | "$started" info - >out 2>err
expect_eq "status" $? 3
expect_one_line
expect_message "Header too large"
yes invert, | head -c 2000000 >long.chain
refuses 2 "longer than" runnel render lavfi:testsrc2=d=0.1 null: -f @long.chain
yes '{"frame":1}' | head -c 20000000 >long.jsonl
refuses 2 "longer than" runnel render lavfi:testsrc2=d=0.1 null: --replay long.jsonl

begin "a picture that is refused names the size, the memory and the option"
python3 - <<'PY'
import struct, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
def png(w, h, *extra, rows=b''):
    head = chunk(b'IHDR', struct.pack('>IIBBBBB', w, h, 8, 0, 0, 0, 0))
    return b'\x89PNG\r\n\x1a\n' + head + b''.join(extra) + chunk(b'IDAT', zlib.compress(rows, 9)) + chunk(b'IEND', b'')
open('claim.png', 'wb').write(png(16000, 16000))
open('true.png', 'wb').write(png(9000, 4000, rows=bytes(9001 * 4000)))
text = chunk(b'tEXt', b'Title\0kept') + chunk(b'zTXt', b'Comment\0\0' + zlib.compress(b'also kept'))
bomb = chunk(b'zTXt', b'Bomb\0\0' + zlib.compress(bytes(64 << 20), 9))
open('text.png', 'wb').write(png(8, 8, text, bomb, rows=bytes(9 * 8)))
PY
refuses 3 "'claim.png': pictures of 16000x16000 need up to 3.1 GB of memory, .*MB may be taken.*--memory 3457M" \
    runnel info claim.png
refuses 3 "9000x4000 need up to .*, and 100 MB may be taken" runnel render true.png null: --memory 100M
refuses 3 "need up to .*--memory" runnel render "$root/media/clip.mp4" null: --memory 1M # by the decoder
refuses 2 "memory" runnel render true.png null: --memory much

begin "a large picture of one colour, 35 kB, is read"
into whole.md5 runnel render true.png md5: -q -f invert -d none
prints whole.md5 runnel render true.png md5: -q -f invert -d none --memory 150M

begin "frames in flight are reduced to what fits, with the same pixels"
clip='lavfi:testsrc2=s=640x480:d=0.4'
into all.md5 runnel render $clip md5: -q -f sharpen -d none --inflight 6 --metrics all.json
prints all.md5 runnel render $clip md5: -q -f sharpen -d none --inflight 6 --metrics few.json --memory 4M
expect_eq "frames in flight" "$(jq .inflight all.json)" 6
[ "$(jq .inflight few.json)" -lt 6 ] || complain "$(jq .inflight few.json) frames in flight"

# packed_volume NAME WIDTH HEIGHT SLICES HELD: a .nii.gz of 16-bit zeros that holds so many of its slices
packed_volume() {
    python3 - "$@" <<'PY'
import gzip, struct, sys
name, (w, h, n, held) = sys.argv[1], map(int, sys.argv[2:])
head = bytearray(352)
struct.pack_into('<i', head, 0, 348)
struct.pack_into('<4h', head, 40, 3, w, h, n)
struct.pack_into('<2h', head, 70, 4, 16)
struct.pack_into('<f', head, 108, 352)
head[344:348] = b'n+1\0'
open(name + '.nii.gz', 'wb').write(gzip.compress(bytes(head) + bytes(2 * w * h * held), 1))
PY
}

begin "a header that announces many large pictures takes no more frames in flight than its file may hold"
packed_volume many 6000 6000 30 2
fails 6 '28 missing' runnel render many.nii.gz null: -d none -f invert --inflight 9 --metrics many.json
[ "$(jq .inflight many.json)" -lt 5 ] || complain "$(jq .inflight many.json) frames in flight"

begin "a packed volume of large slices needs --memory"
packed_volume large 16000 8000 1 1
refuses 3 "16000x8000 need up to .*--memory" runnel render large.nii.gz null: -d none
ok runnel render large.nii.gz null: -d none --memory 1G

begin "texts that inflate too far are left out, and said; the others stay"
fails 0 "lost: .*1 text of a picture" runnel render text.png text.mkv
fails 6 '' runnel render text.png strict.mkv --strict
