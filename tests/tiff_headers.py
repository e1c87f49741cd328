"""Headers of TIFFs whose fields have random values, and what became of them.

tiff_headers.py make                writes the files
tiff_headers.py compare A B [SKIP]  prints what of the header of A the TIFF B does not have; SKIP: names that may differ
"""
import random  # SPDX-License-Identifier: MIT
import sys

import numpy as np
import tifffile

rng, random_ = np.random.default_rng(7), random.Random(7)
GEO = {33550: (12, (0.5, 0.5, 0.0)), 33922: (12, (0.0, 0.0, 0.0, 440720.0, 3751320.0, 0.0)),
       34735: (3, (1, 1, 0, 2, 1024, 0, 1, 1, 2049, 34737, 7, 0)), 34736: (12, (6378137.0, 298.25)),
       34737: (2, "WGS 84|"), 42113: (2, "-9999")}
STORAGE = {254, 256, 257, 258, 259, 262, 270, 273, 277, 278, 279, 282, 283, 284, 296, 305, 317, 339, 50838, 50839}
AFRESH = {"ImageJ"}


def word():
    return "".join(random_.choice("abcdefgh ijklm") for _ in range(random_.randint(3, 30))).strip() or "x"


def tag(code, kind, value):
    count = len(value) if kind in (1, 7) else None if kind == 2 else len(value) // 2 if kind == 5 else len(value)
    return (code, kind, len(value) + 1 if kind == 2 else count, value, True)


def profile(space):
    return bytes(16) + space + bytes(108) + rng.bytes(200)


def tags(space, page):
    yield from (tag(code, 2, word()) for code in (269, 271, 272, 285, 315, 316, 337, 33432))
    yield tag(306, 2, "2020:01:02 03:04:%02d" % page)
    yield tag(700, 1, b"<x:xmpmeta xmlns:x='adobe:ns:meta/'>%d</x:xmpmeta>" % page)
    yield tag(33723, 7, b"\x1c\x02\x05\0\x09headline%d" % page)
    if not page:
        yield tag(34675, 7, profile(space))
        yield from (tag(code, kind, value) for code, (kind, value) in GEO.items())
        yield tag(318, 5, (3127, 10000, 329, 1000))
        yield tag(319, 5, (64, 100, 33, 100, 3, 10, 6, 10, 15, 100, 6, 100))
        yield tag(274, 3, (3,))


def make_pages(name, array, space, byteorder="<", photometric="minisblack"):
    with tifffile.TiffWriter(name, byteorder=byteorder) as f:
        for i, page in enumerate(array):
            f.write(page, photometric=photometric, metadata=None, description=word(), software="scanner 1.2",
                    extratags=list(tags(space, i)), contiguous=False)


def make_imagej(name, **more):
    stack = rng.integers(0, 60000, (2, 4, 3, 7, 9)).astype(np.uint16) # t z c
    meta = dict(axes="TZCYX", unit="um", spacing=random_.uniform(0.1, 2), finterval=random_.uniform(1, 9), fps=12.5,
                loop=True, min=3.0, max=900.0, mode="composite", xorigin=3.5, yorigin=-2.0, zorigin=1.0, cf=1,
                c0=1.5, c1=2.5, c2=0.25, vunit="OD", operator=word(), **more)
    tifffile.imwrite(name, stack, imagej=True, resolution=(4.0, 5.0), metadata=dict(
        meta, Info="Befund: \u00e4\n" + word(), Labels=["s%d %s" % (i, word()) for i in range(24)],
        Ranges=tuple(float(x) for x in rng.integers(0, 999, 6)), ROI=rng.bytes(80), Properties={word(): word()},
        LUTs=list(rng.integers(0, 256, (3, 3, 256)).astype(np.uint8)), Overlays=[rng.bytes(70), rng.bytes(91)]))


def swapped(name, output):
    """The same file with the bytes of ImageJ's tag, and all else, in the other order."""
    with tifffile.TiffFile(name) as f:
        meta = dict(f.imagej_metadata, LUTs=list(f.imagej_metadata["LUTs"]), axes="TZCYX")
        for made in "ImageJ", "images", "channels", "slices", "frames", "hyperstack":
            del meta[made]
        tifffile.imwrite(output, f.asarray(), byteorder=">", imagej=True, resolution=(4.0, 5.0), metadata=meta)


def make_ome():
    stack = rng.integers(0, 60000, (2, 4, 3, 7, 9)).astype(np.uint16)
    meta = dict(axes="TZCYX", PhysicalSizeX=0.25, PhysicalSizeXUnit="\u00b5m", PhysicalSizeY=0.125, PhysicalSizeYUnit="\u00b5m",
                PhysicalSizeZ=750.0, PhysicalSizeZUnit="nm", TimeIncrement=250.0, TimeIncrementUnit="ms")
    tifffile.imwrite("bare.ome.tif", stack, metadata=meta, software=False)
    tifffile.imwrite("full.ome.tif", stack, software=False, metadata=dict(
        meta, Name="a cell", Channel={"Name": ["DAPI", "a &lt; b &amp; c", "GFP"], "Color": [255, 65535, 1]},
        AcquisitionDate="2020-01-02T03:04:05", Description=word(), Plane={"PositionX": [float(i) for i in range(24)], "DeltaT": [float(i) for i in range(24)]}))
    pages = [stack[0, 0, i] for i in range(3)]
    with tifffile.TiffWriter("more.ome.tif", ome=False) as f: # a page more than it counts
        for i, page in enumerate(pages):
            f.write(page, metadata=None, contiguous=False, photometric="minisblack", description=None if i else
                    "<OME><Image><Pixels SizeX='9' SizeY='7' SizeZ='2' SizeC='1' SizeT='1'/></Image></OME>")
    halves = rng.integers(0, 99, (2, 7, 9)).astype(np.float16)
    tifffile.imwrite("half.tif", halves, metadata=None, software=False)


def make():
    make_ome()
    gray = rng.integers(0, 60000, (3, 7, 9)).astype(np.uint16)
    make_pages("pages.tif", gray, b"GRAY")
    make_pages("swapped.tif", gray, b"GRAY", ">")
    make_pages("photo.tif", rng.integers(0, 256, (1, 7, 9, 3)).astype(np.uint8), b"RGB ", photometric="rgb")
    make_pages("deep.tif", rng.integers(0, 60000, (2, 7, 9, 3)).astype(np.uint16), b"RGB ", photometric="rgb")
    make_imagej("imagej.tif")
    swapped("imagej.tif", "imagej_swapped.tif")
    tifffile.imwrite("strange.tif", gray, metadata=None, software=False,
                     extratags=[tag(65000, 2, word()), tag(34666, 13, (8,))])
    bytes_of = open("strange.tif", "rb").read()  # the place of EXIF, which a newer tifffile does not write
    open("strange.tif", "wb").write(bytes_of.replace(b"\x6a\x87\x0d\0", b"\x69\x87\x0d\0"))
    tifffile.imwrite("plain.tif", gray, metadata=None, software=False)
    tifffile.imwrite("dots.tif", gray, metadata=None, software=False, resolution=(300, 300), resolutionunit=2)


def same(a, b):
    if isinstance(a, (list, tuple)) or isinstance(a, np.ndarray):
        return b is not None and len(a) == len(b) and all(map(same, a, b))
    return abs(a - b) < 1e-9 * max(1, abs(a)) if isinstance(a, float) and isinstance(b, (int, float)) else a == b


def compare(a, b, skip=""):
    skip = set(skip.split(",")) | AFRESH
    with tifffile.TiffFile(a) as f, tifffile.TiffFile(b) as g:
        only = len(f.pages) == len(g.pages) and len(f.pages) or 1
        for i, t in ((i, t) for i in range(only) for t in f.pages[i].tags):
            got = g.pages[i].tags.get(t.code)
            value = got and got.value
            if t.code == 33723 and got: # padded
                value = value[:len(t.value)]
            if t.code in (318, 319) and got: # libtiff has floats
                value = t.value if np.allclose(*[np.divide(v[::2], v[1::2]) for v in (t.value, value)]) else value
            if (t.code not in STORAGE or (i and t.code == 270)) and t.name not in skip and not same(t.value, value):
                print(t.name, t.value, value)
        first, meta = f.pages[0].tags, g.imagej_metadata or {}
        if f.is_imagej:
            for key, value in f.imagej_metadata.items():
                if key not in skip and not same(value, meta.get(key)):
                    print(key, value, meta.get(key))
        elif 270 in first and "ImageDescription" not in skip and g.pages[0].description != first[270].value:
            print("ImageDescription", first[270].value, g.pages[0].description)
        if 305 in first and not g.pages[0].software.startswith(first[305].value):
            print("Software", first[305].value, g.pages[0].software)
        for code in (282, 283, 296):
            if (f.is_imagej or first[296].value == 2) and first[code].name not in skip and not same(first[code].value, g.pages[0].tags[code].value):
                print(first[code].name, first[code].value, g.pages[0].tags[code].value)


def ome(name):
    """Prints what a reader of OME-TIFF finds."""
    with tifffile.TiffFile(name) as f:
        series = f.series[0]
        pixels = tifffile.xml2dict(f.ome_metadata)["OME"]["Image"]["Pixels"]
        channels = pixels["Channel"] if isinstance(pixels["Channel"], list) else [pixels["Channel"]]
        sizes = [pixels.get("PhysicalSize" + k) for k in "XYZ"] + [pixels.get("PhysicalSizeXUnit")]
        print(f.is_ome, series.kind, series.axes, series.shape, series.dtype, sizes, pixels.get("TimeIncrement"),
              pixels["Type"], [c.get("Name") for c in channels], [c["SamplesPerPixel"] for c in channels])


def labels(name, first=0, end=None):
    with tifffile.TiffFile(name) as f:
        found = f.imagej_metadata["Labels"]
        print(([found] if isinstance(found, str) else found)[int(first):end and int(end)])


def ome_others(name):
    """Prints what OME-XML says beside sizes."""
    with tifffile.TiffFile(name) as f:
        image = tifffile.xml2dict(f.ome_metadata)["OME"]["Image"]
        print(image["Name"], image.get("AcquisitionDate"), image.get("Description"), [
            (c.get("Name"), c.get("Color")) for c in image["Pixels"]["Channel"]], image["Pixels"].get("Plane"))


def ome_of_imagej(name):
    with tifffile.TiffFile(name) as f:
        meta = f.imagej_metadata
        print("True ome TZCYX (2, 4, 3, 7, 9) uint16", [0.25, 0.2, float("%.15g" % meta["spacing"]), "\u00b5m"],
              "%.15g" % meta["finterval"], "uint16 [None, None, None] [1, 1, 1]")


globals()[sys.argv[1]](*sys.argv[2:])
