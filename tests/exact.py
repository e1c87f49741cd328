"""Samples of every type in TIFF: `exact.py make FOLDER` writes inputs there, `exact.py check` reads lines
FILE INPUT from stdin and says of each whether FILE has the stored samples of INPUT, in the same type."""
import sys  # SPDX-License-Identifier: MIT

import numpy as np
import tifffile

import tiff

H, W = 7, 11
byte = np.uint8


def pages(**options):
    return [tiff.noise(i, (H, W), **options) for i in range(3)]


def inputs():
    """name: pages, options of tiff.write, what the output is stored as if not as the input"""
    real = [p.astype(np.float32) for p in pages()]
    half = [p.astype(np.float16) / 16 for p in pages(most=30000)]
    half[0][0, :4] = 65504, -0.0, 6e-8, -6.1e-5
    for kind in np.int8, np.int16:
        yield "s%d" % (8 * kind().itemsize), ([p.astype(kind) for p in pages()], {"sample_format": 2})
    for bits in 1, 2, 4, 6, 7:
        yield "u%d" % bits, (pages(dtype=byte, most=2**bits - 1), {"bits": bits})
    yield "w1", (pages(dtype=byte, most=1), {"bits": 1, "photometric": 0})
    yield "w4", (pages(dtype=byte, most=15), {"bits": 4, "photometric": 0})
    for bits in 10, 12:
        yield "u%d" % bits, (pages(most=2**bits - 1), {"bits": bits}, ("uint16", bits))
    colour = [tiff.noise(i, (H, W, 3), most=4095) for i in range(3)]
    yield "c12", (colour, {"bits": 12, "photometric": 2}, ("uint16", 0))
    for name, kind in ("8", byte), ("16", np.uint16):
        yield "u" + name, (pages(dtype=kind), {})
        yield "w" + name, (pages(dtype=kind), {"photometric": 0})
    yield "u32", ([p.astype(np.uint32) * 250 for p in pages()], {})
    yield "s32", ([(p.astype(np.int32) - 30000) * 300 for p in pages()], {"sample_format": 2})
    yield "f16", (half, {"sample_format": 3})
    yield "f32", ([p / 7 for p in real], {"sample_format": 3})
    yield "f64", ([p.astype(np.float64) / 4 for p in real], {"sample_format": 3}, ("float32", 0))


def make(folder):
    for name, (data, options, *_) in inputs():
        tiff.write("%s/%s.tif" % (folder, name), data, **options)


def stored(page):
    """The samples as they stand in the file, and the name of their type."""
    bits, kind = page.bitspersample, {1: "uint", 2: "int", 3: "float"}[int(page.sampleformat)]
    if bits in (8, 16, 32, 64):
        return page.asarray(), "%s%d" % (kind, bits)
    data = b""
    for offset, n in zip(page.dataoffsets, page.databytecounts):
        page.parent.filehandle.seek(offset)
        data += page.parent.filehandle.read(n)
    rows = np.unpackbits(np.frombuffer(data, byte).reshape(H, -1), axis=1)[:, :W * bits]
    return rows.reshape(H, W, bits) @ (1 << np.arange(bits)[::-1]), "uint%d" % bits


def fault(name, wanted):
    data, options, *other = dict(inputs())[wanted]
    bits, kind = options.get("bits", 0), data[0].dtype.name
    kind, depth = other[0] if other else ("uint%d" % bits if bits else kind, 0)
    with tifffile.TiffFile(name) as f:
        if len(f.pages) != len(data):
            return "%d pages" % len(f.pages)
        for page, want in zip(f.pages, data):
            got, found = stored(page)
            if found != kind or int(page.photometric) != options.get("photometric", 1):
                return "%s, photometric %d" % (found, page.photometric)
            if not np.array_equal(got, want):
                return "other values: %s, not %s" % (got[0, :5], want[0, :5])
            if depth and page.tags["MaxSampleValue"].value != 2**depth - 1:
                return "MaxSampleValue"
    return "yes"


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        for line in sys.stdin:
            try:
                print(fault(*line.split()), flush=True)
            except Exception as e: # whatever a reader says
                print(repr(e), flush=True)
