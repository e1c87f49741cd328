#!/bin/sh
# Multi-page TIFF in and out.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

cat >make.py <<'PY'
import numpy as np
from tiff import noise, write

H, W = 37, 29


def pages(n, shape=(H, W), **options):
    return [noise(i, shape, **options) for i in range(n)]


byte = np.uint8
write('g16.tif', pages(3))
write('g8.tif', pages(3, dtype=byte))
write('be.tif', pages(3), endian='>')
write('big.tif', pages(3), big=True)
write('bigbe.tif', pages(3), big=True, endian='>')
write('deflate.tif', pages(3), deflate=True)
write('predicted.tif', pages(3), big=True, deflate=True, predictor=2)
write('bepredicted.tif', pages(3), endian='>', deflate=True, predictor=2)
write('tiles.tif', pages(3), tile=16)
write('rgb8.tif', pages(3, (H, W, 3), dtype=byte))
write('rgb16.tif', pages(3, (H, W, 3)))
write('planes.tif', pages(3, (H, W, 3)), separate=True)
write('planetiles.tif', pages(3, (H, W, 3), dtype=byte), separate=True, tile=16)
write('rgba.tif', pages(3, (H, W, 4), dtype=byte), extra=2)
write('ya16.tif', pages(3, (H, W, 2)), extra=2)
write('spare.tif', pages(3, (H, W, 4), dtype=byte), extra=0)
write('bits12.tif', pages(3, most=4095), bits=12)
write('bits1.tif', pages(3, dtype=byte, most=1), bits=1, photometric=0)
ramp = list(range(0, 65536, 256))
write('palette.tif', pages(3, dtype=byte), photometric=3, palette=ramp + ramp[::-1] + ramp)
write('signed.tif', [p.astype(np.int16) for p in pages(3)], sample_format=2)
write('float.tif', [p.astype(np.float32) / 65535 for p in pages(3)], sample_format=3)
write('beyond.tif', [p.astype(np.float32) for p in pages(3)], sample_format=3)
write('double.tif', [p.astype(np.float64) / 3 for p in pages(3)], sample_format=3)
write('toowide.tif', [p.astype(np.uint32) * 1000 for p in pages(3)])
write('bits11.tif', pages(3, most=2047), bits=11)
write('floatcolour.tif', [p.astype(np.float32) for p in pages(3, (H, W, 3))], sample_format=3,
      separate=True, tile=16)
write('one.tif', pages(1))
write('onebig.tif', pages(1), big=True)
write('onetile.tif', pages(1), tile=16)
write('thumb.tif', [noise(0, (H, W)), noise(5, (9, 9)), noise(1, (H, W))], subtype=[0, 1, 2])
other = pages(4)
other[2] = noise(9, (20, 20))
write('othersize.tif', other)
other[2] = noise(9, (H, W), byte)
write('otherdepth.tif', other)
write('many.tif', pages(40))
PY
"$PYTHON" make.py

cat >judge.py <<'PY'
import numpy as np
import pages
from tiff import noise
H, W, byte = 37, 29, np.uint8
pages.answer(globals())
PY
start_judge judge.py
expect_pages() { expect_judged "$1|$2|$3"; } # file, number, expression

while read -r name wanted; do
    begin "$name: every page, sample for sample"
    ok runnel render $name.tif out_$name.tif
    expect_pages out_$name.tif 3 "$wanted"
done <<'LIST'
g16 noise(i, (H, W))
g8 noise(i, (H, W), byte)
be noise(i, (H, W))
big noise(i, (H, W))
bigbe noise(i, (H, W))
deflate noise(i, (H, W))
predicted noise(i, (H, W))
bepredicted noise(i, (H, W))
tiles noise(i, (H, W))
rgb8 noise(i, (H, W, 3), byte)
rgb16 noise(i, (H, W, 3))
planes noise(i, (H, W, 3))
planetiles noise(i, (H, W, 3), byte)
spare noise(i, (H, W, 4), byte)[:, :, :3]
bits12 noise(i, (H, W), most=4095)
bits11 noise(i, (H, W), most=2047)
bits1 (1 - noise(i, (H, W), byte, 1)) * 255
palette np.stack([noise(i, (H, W), byte), 255 - noise(i, (H, W), byte), noise(i, (H, W), byte)], 2)
signed noise(i, (H, W)).astype(np.int16)
float noise(i, (H, W)).astype(np.float32) / 65535
beyond noise(i, (H, W)).astype(np.float32)
floatcolour noise(i, (H, W, 3)).astype(np.float32)
LIST

begin "16 bits through an empty chain: deflate as it is, and in other compressions"
for name in raw packbits lzw deflate; do
    ok runnel render predicted.tif as_$name.tif --codec-opts compression_algo=$name
    expect_pages as_$name.tif 3 "noise(i, (H, W))"
done
for name in out_g16 out_predicted as_deflate; do
    expect_eq "$name.tif" "$(identify -format '%C %z;' $name.tif)" 'Zip 16;Zip 16;Zip 16;'
done

# What identify calls them.
while read -r name word; do
    begin "--compression $name: the same file from 1 and 4 threads, sample for sample"
    ok runnel render many.tif one_thread.tif -y --compression $name --threads 1
    ok runnel render many.tif threads.tif -y --compression $name --threads 4
    expect_same one_thread.tif threads.tif
    expect_pages threads.tif 40 "noise(i, (H, W))"
    expect_eq "compression" "$(identify -format '%C ' 'threads.tif[39]')" "$word "
done <<'LIST'
none None
packbits RLE
lzw LZW
deflate Zip
deflate:9 Zip
zstd Zstd
zstd:3 Zstd
LIST

begin "pages of several strips, in all kinds of samples: the same from 1 and 4 threads"
for kind in gray rgb48le rgba64le; do
    for threads in 1 4; do
        ok runnel render lavfi:testsrc2=s=700x501:r=25,format=$kind strips_$threads.tif --frames 3 -y --threads $threads
    done
    expect_same strips_1.tif strips_4.tif
    into want runnel render lavfi:testsrc2=s=700x501:r=25,format=$kind md5: -q --frames 3
    prints want runnel render strips_4.tif md5: -q
done

begin "--compression: levels and names that are none, and outputs without it"
while IFS='|' read -r message arguments; do
    refuses 2 "$message" runnel render many.tif $arguments
done <<'LIST'
--compression takes none, packbits|no.tif --compression zip
--compression takes none, packbits|no.tif --compression deflate:10
--compression takes none, packbits|no.tif --compression deflate:
--compression takes none, packbits|no.tif --compression lzw:2
--compression is for TIFF, PNG|no.mkv --compression deflate
--compression is for TIFF, PNG|md5: --compression none
PNG takes --compression none or deflate, not lzw|no_%d.png --compression lzw
--compression is for TIFF, PNG|no_%d.jpg --compression none
LIST
for kind in zstd deflate:9; do
    fails 2 "takes --compression none, packbits, lzw or deflate (no level), not ${kind%:9}" \
        runnel render lavfi:testsrc2=s=32x24:r=25 no_%d.tif --compression $kind --frames 2
done
expect_no_file no*

for name in rgba ya16; do
    begin "$name: alpha is kept"
    into want runnel render $name.tif md5: -q
    ok runnel render $name.tif out_$name.tif
    prints want runnel render out_$name.tif md5: -q
    expect_eq "planes" "$(grep -c '^0 ' out)" $([ $name = rgba ] && echo 4 || echo 2)
done

begin "a single page, in all kinds"
for name in one onebig onetile; do
    ok runnel render $name.tif out_$name.tif
    expect_pages out_$name.tif 1 "noise(i, (H, W))"
done

begin "thumbnails are no pages"
ok runnel render thumb.tif out_thumb.tif
expect_pages out_thumb.tif 2 "noise(i, (H, W))"

begin "--from, --to, --frames, --fps count pages"
ok runnel render many.tif range.tif --from 5f --to 9f
expect_pages range.tif 4 "noise(i + 5, (H, W))"
ok runnel render many.tif range.tif --from 1 --frames 3 --fps 10 -y
expect_pages range.tif 3 "noise(i + 10, (H, W))"
ok runnel render many.tif range.tif --from 0.033367 --frames 3 --fps 30000/1001 -y
expect_pages range.tif 3 "noise(i + 1, (H, W))" # a time in whole microseconds is that of its page
ok runnel render many.tif film.mkv --codec ffv1 --fps 10
expect_eq "second time" "$(times_of film.mkv | sed -n 2p)" 0.100000
expect_eq "frames" "$(frames_of film.mkv)" 40

begin "a stack from a film and from a sequence, and back to one"
ok runnel render many.tif 's_%03d.tif'
expect_eq "files" "$(ls s_*.tif | wc -l)" 40
ok runnel render 's_%03d.tif' again.tif
expect_pages again.tif 40 "noise(i, (H, W))"
says 'converted to rgb24' runnel render lavfi:testsrc2=s=32x24:r=25 colour.tif --frames 3
expect_eq "frames" "$(frames_of colour.tif)" 1 # libav knows one page
run runnel render colour.tif md5: -q
expect_eq "planes" "$(wc -l <out)" 9

begin "pages of another size or depth are damage, by number"
for name in othersize otherdepth; do
    fails 6 "page 3 of '$name.tif'" runnel render $name.tif out_$name.tif
    expect_pages out_$name.tif 3 "noise(i + (i == 2), (H, W))"
done

for percent in 31 66 99; do
    begin "a stack cut at $percent %"
    head -c $(($(stat -c %s many.tif) * percent / 100)) many.tif >cut.tif
    fails 6 "cut.tif' breaks off behind page" runnel render cut.tif out_cut.tif -y
    expect_pages out_cut.tif $((40 * percent / 100)) "noise(i, (H, W))"
done

begin "only the last bytes are cut off"
for name in g16 big be; do
    head -c -2 $name.tif >cut.tif
    fails 6 '' runnel render cut.tif out_cut.tif -y
    expect_pages out_cut.tif 3 "noise(i, (H, W))"
done

begin "samples cut off: what is there is shown, what is not is counted"
"$PYTHON" - <<'PY'
from tiff import noise, write
write('whole.tif', [noise(i, (37, 29)) for i in range(3)])
d = bytearray(open('whole.tif', 'rb').read())
at = d.index(noise(1, (37, 29)).astype('<u2').tobytes()[:16]) # the offset of page 2's first strip
offset = at.to_bytes(4, 'little')
d[d.index(offset):d.index(offset) + 4] = (len(d) + 1000).to_bytes(4, 'little')
open('hole.tif', 'wb').write(d)
PY
fails 6 "page 2 of 'hole.tif' is damaged" runnel render hole.tif out_hole.tif
expect_pages out_hole.tif 3 "noise(i, (H, W)) * ((np.arange(H)[:, None] >= 8) | (i != 1))"

cat >counted.c <<'C'
#include <stdint.h>

static void count(void)
{
    int fd = open("decoded", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (write(fd, "x", 1) != 1)
        _exit(99);
    close(fd);
}

long TIFFReadEncodedStrip(void *tif, uint32_t strip, void *to, long n)
{
    count();
    return REAL(TIFFReadEncodedStrip)(tif, strip, to, n);
}

long TIFFReadEncodedTile(void *tif, uint32_t tile, void *to, long n)
{
    count();
    return REAL(TIFFReadEncodedTile)(tif, tile, to, n);
}
C
begin "channels of a pixel: each page is decoded once, and each channel has its own samples"
"$PYTHON" - <<'PY'
from tiff import md5_lines, noise, write
pages = [noise(i, (37, 29, 3)) for i in range(3)]
write('strips3.tif', pages, photometric=1, deflate=True) # of 5 strips each
write('tiles3.tif', pages, photometric=1, tile=16, endian='>') # of 6 tiles each
open('want3', 'w').writelines(md5_lines(page[..., c] for page in pages for c in range(3)))
PY
counted=
make_preload counted -ltiff && counted=$(preload counted)
for kind in 'strips3 15' 'tiles3 18'; do
    rm -f decoded
    prints want3 env $counted "$RUNNEL" render ${kind% *}.tif md5: -q -d none --unconfined # to write the count
    [ ! "$counted" ] || expect_eq "blocks of $kind that were decoded" "$(wc -c <decoded)" "${kind#* }"
done

begin "nothing readable: status 3"
head -c 100 g16.tif >cut.tif
printf 'II*\0\10\0\0\0' >empty.tif
for name in cut empty; do refuses 3 '' runnel render $name.tif nothing.tif; done

begin "whole numbers that no float holds are refused, doubles are rounded with a word"
refuses 3 'uint32.*24 bits' runnel render toowide.tif nothing.tif
says 'lost: .*float64' runnel render double.tif out_double.tif
expect_pages out_double.tif 3 "(noise(i, (H, W)).astype(np.float64) / 3).astype(np.float32)"

begin "an encoder of levels takes neither signed samples nor floats unasked"
for name in signed float; do
    refuses 2 'takes no .* samples.*--pix-fmt' runnel render $name.tif 'level_%d.png' --frames 1
done
ok runnel render signed.tif 'level_%d.png' --frames 1 --pix-fmt gray16be
run runnel render level_0.png level.tif
expect_pages level.tif 1 "noise(i, (H, W)) ^ 0x8000"
ok runnel render float.tif 'levels_%d.png' --frames 1 --pix-fmt gray16be
run runnel render levels_0.png levels.tif
expect_pages levels.tif 1 "noise(i, (H, W))"

begin "a folder, a glob and a pattern of single pages, stacks and what is none of them"
mkdir mixed
cp one.tif mixed/a1.tif
cp g16.tif mixed/a2.tif
for input in mixed 'mixed/*.tif' mixed/a%d.tif; do
    ok runnel render "$input" out_mixed.tif -y
    expect_pages out_mixed.tif 4 "noise(max(i - 1, 0), (H, W))"
done
cp one.tif mixed/a5.tif
fails 6 "a3.tif' and those behind it are missing" runnel render mixed/a%d.tif null:
: >mixed/a4.tif
fails 6 "'mixed/a4.tif' cannot be read" runnel render mixed null:

begin "a folder of signed single pages is signed"
mkdir ct
numpy <<'PY'
from tiff import noise, write
for i in range(3):
    write('ct/s%d.tif' % i, [noise(i, (37, 29)).astype(np.int16)], sample_format=2)
PY
ok runnel render ct out_ct.tif
expect_pages out_ct.tif 3 "noise(i, (H, W)).astype(np.int16)"

begin "atomic: existing stacks, refusals, the input itself"
cp g16.tif kept.tif
fails 4 '' runnel render g8.tif kept.tif
expect_same g16.tif kept.tif
fails 2 '' runnel render kept.tif kept.tif -y
fails 2 '' runnel render g8.tif kept.tif -y --codec libx264
fails 2 '' runnel render g8.tif kept.tif -y --codec-opts compression_algo=zip
fails 2 '' runnel render g8.tif kept.tif -y --pix-fmt yuv420p
expect_same g16.tif kept.tif
ok runnel render g8.tif raw.tif --codec-opts compression_algo=raw --pix-fmt gray16le
expect_pages raw.tif 3 "noise(i, (H, W), byte) * np.uint16(257)"
refuses 4 '' \
    sh -c 'ulimit -f 64; exec "$RUNNEL" render lavfi:testsrc2=s=320x240:r=25,noise=alls=80 limited.tif --frames 50'
expect_no_file limited.tif

begin "a stack that may exceed 4 GB is a BigTIFF"
fails 4 '' sh -c 'ulimit -f 8000; exec "$RUNNEL" render lavfi:testsrc2=s=640x480:r=25 large.tif'
expect_file large.partial.tif
expect_eq "version" "$(head -c 4 large.partial.tif | od -An -tx1 | tr -d ' ')" 49492b00
ok runnel render large.partial.tif null:

begin "the sample scan is what its recipe makes"
"$PYTHON" "$root/media/make-scan.py" scan.tif
for file in scan.tif "$root/media/scan.tif"; do
    ok runnel render "$file" md5: -q
    mv out $(basename $(dirname "$file")).md5
done
expect_eq "slices" "$(wc -l <..md5)" 24
expect_same ..md5 media.md5
