#!/bin/sh
# Files whose parts are so many that reading what they say of themselves takes long: a clear line, in time.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

export RUNNEL # for bombs.py

begin "headers that keep a processor busy end in one line, within 512 MB and 10 s"
if is_sanitized; then
    skip_this "the sanitizers' shadow is memory"
else
    expect_python "$root/tests/bombs.py" long
    cat py.out
    ok runnel info pages.tif
    grep -q ' 1100000 slices' out || complain "$(cat out)"
    refuses 3 "the header of 'keys.mp4' keeps a processor busy for 5 s: .*--timeout" runnel info keys.mp4
    fails 3 "1000000 packets in a row gave no picture" sh -c 'ulimit -t 10; exec "$RUNNEL" render junk.mkv junk.y4m -d none'
    expect_file junk.partial.y4m
    # A compressed array of a .mat is inflated once.
    python3 - <<'PY'
import struct, zlib
part = lambda kind, data: struct.pack('<II', kind, len(data)) + data + bytes(-len(data) % 8)
for name, flags, kind, side, n, parts in ('deep', 9, 2, 1024, 2000, 1), ('pairs', 7 | 1 << 11, 7, 512, 500, 2):
    tag = struct.pack('<II', kind, n << 20)
    head = part(6, struct.pack('<II', flags, 0)) + part(5, struct.pack('<3i', side, side, n)) + part(1, b'a') + tag
    c = zlib.compressobj(1)
    data = c.compress(struct.pack('<II', 14, len(head) + (n << 20) * parts) + head) + c.flush(zlib.Z_FULL_FLUSH)
    block = zlib.compressobj(1, wbits=-15)
    slices = (block.compress(bytes(1 << 20)) + block.flush(zlib.Z_FULL_FLUSH)) * n
    data += (block.compress(tag) + block.flush(zlib.Z_FULL_FLUSH)).join([slices] * parts)
    open(name + '.mat', 'wb').write(b'MATLAB 5.0 MAT-file'.ljust(124) + struct.pack('<H2sII', 0x100, b'IM', 15, len(data)) + data)
PY
    for file in deep pairs; do ok sh -c 'ulimit -t 8; exec "$RUNNEL" render $0.mat null: -q -d none' $file; done
    # A folder of many names.
    python3 -c 'import os; os.mkdir("many"); [open("many/a%d.png" % i, "w").close() for i in range(10**6)]'
    refuses 3 "is no image" sh -c 'ulimit -t 12; exec "$RUNNEL" render many null: -q -d none'
    # A recording that goes backwards.
    seq 340000 -1 1 | awk '{ printf "{\"frame\":%d,\"to\":%d,\"stage\":0,\"on\":%s}\n", 2 * $1, 2 * $1, $1 % 2 ? "true" : "false" }' |
        { echo '{"chain":"erosion"}'; cat; } | head -c 16000000 >back.jsonl
    ok sh -c 'ulimit -t 10; exec "$RUNNEL" render lavfi:testsrc2=d=0.1 null: -q -d none --replay back.jsonl'
fi
