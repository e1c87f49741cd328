"""Volumes by other people's programs: `volumes.py make` writes inputs into the working folder, `volumes.py
check` reads lines FILE NAME from stdin and says of each whether a reader of its format finds in FILE what
stands in the volume NAME: values, spacing, origin, direction, order. Places are LPS, in mm."""
import bz2  # SPDX-License-Identifier: MIT
import ctypes
import glob
import importlib.util
import itertools
import os
import shutil
import subprocess
import sys

import nibabel
import numpy as np
import scipy.io
import tifffile

import dicom

random = np.random.default_rng(5)
SHAPE = 5, 7, 9 # slices, rows, columns
SPACING = np.array([0.75, 0.5, 2.5]) # floats hold them
ORIGIN = np.array([-100.25, 30.5, -12.0])


def turned():
    """Directions of columns, rows, slices (in columns of a matrix), which lie askew."""
    a, b = np.deg2rad(20), np.deg2rad(-35)
    x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    z = np.array([[np.cos(b), -np.sin(b), 0], [np.sin(b), np.cos(b), 0], [0, 0, 1]])
    return (z @ x)[:, [2, 0, 1]] # the picture's rows go along the body


DIRECTION = turned()
ct = random.integers(-1024, 3000, SHAPE).astype(np.int16)
ct[0, 0, :2] = -32768, 32767
real = random.normal(0, 500, SHAPE).astype(np.float32)
real[0, 0, :3] = np.nan, np.inf, -np.inf
times = random.integers(0, 256, (3, 4, 7, 9)).astype(np.uint8)
channels = random.integers(0, 65536, (2, 4, 3, 7, 9)).astype(np.uint16) # t z c y x
deep = random.integers(0, 65536, SHAPE).astype(np.uint16)
colour = random.integers(0, 256, (4, 7, 9, 3)).astype(np.uint8)
echoes = (random.normal(size=(2, 3, 4, 7, 9)) + 1j * random.normal(size=(2, 3, 4, 7, 9))).astype(np.complex64)
loud = np.hypot(echoes.real.astype(float), echoes.imag.astype(float)).astype(np.float32) # t c z y x
# name: the array (t z c y x, what there is of it), whether it has a place
TRUTH = {"ct": (ct, True), "real": (real, True), "times": (times, True), "channels": (channels, False),
         "deep": (deep, False), "colour": (colour, True), "signed": (ct, False),
         "plain": (real, False), "film": (times, False), "rgb": (colour, False),
         "whole": (ct.astype(np.float32), False),
         "integers": (ct.astype(np.int32), False), "first": (deep[:1], False),
         "rounded": (deep[:1].astype(np.float32), False), "heard": (loud[:, 0], False), "loud": (loud.transpose(0, 2, 1, 3, 4), False),
         "coil": (loud[:, 1], False), "map": (loud[0, 1], False), "vector": (channels[:1, :, ::2], False),
         "one": (channels[1, :, 2], False), "some": (channels[:, :, 1:], False)}


# ---- inputs

def affine():
    flip = np.diag([-1, -1, 1, 1])
    m = np.eye(4)
    m[:3, :3] = DIRECTION * SPACING
    m[:3, 3] = ORIGIN
    return flip @ m


def make_nifti():
    def save(name, array, kind=nibabel.Nifti1Image, slope=None):
        image = kind(array, affine())
        image.header.set_xyzt_units("mm", "sec")
        image.header.set_slope_inter(*(slope or (None, None)))
        nibabel.save(image, name)
        return image

    save("ct.nii.gz", ct.T, slope=(2, -1024))
    save("ct2.nii", ct.T, nibabel.Nifti2Image)
    save("real.nii", real.T)
    save("times.nii", times.T)
    image = save("qform.nii", ct.T)
    image.set_qform(affine(), 1)
    image.set_sform(None, 0)
    nibabel.save(image, "qform.nii")
    pair = nibabel.Nifti1Pair(ct.T, affine())
    nibabel.save(pair, "pair.img")
    dtype = np.dtype([("R", "u1"), ("G", "u1"), ("B", "u1")])
    save("colour.nii", np.ascontiguousarray(colour).view(dtype)[..., 0].T)
    big = nibabel.Nifti1Image(ct.T, affine(), nibabel.Nifti1Header(endianness=">"))
    big.header.set_data_dtype(">i2")
    nibabel.save(big, "big.nii")


def teem(*words):
    subprocess.run(["teem-unu", *words], check=True, stdin=subprocess.DEVNULL)


def vector(v):
    return "(%s)" % ",".join(repr(float(x)) for x in v)


def make_nrrd():
    ct.astype(">i2").tofile("ct.be")
    ras = np.diag([-1, -1, 1])
    teem("make", "-i", "ct.be", "-t", "short", "-s", "9", "7", "5", "-en", "big", "-e", "raw", "-spc", "RAS",
         "-dirs", " ".join(vector(ras @ DIRECTION[:, i] * SPACING[i]) for i in range(3)),
         "-orig", vector(ras @ ORIGIN), "-o", "ct.nrrd")
    teem("save", "-f", "nrrd", "-e", "gzip", "-i", "ct.nrrd", "-o", "packed.nrrd")
    teem("save", "-f", "nrrd", "-e", "raw", "-i", "ct.nrrd", "-o", "apart.nhdr")
    for encoding in "ascii", "hex", "bzip2":
        teem("save", "-f", "nrrd", "-e", encoding, "-i", "ct.nrrd", "-o", encoding + ".nrrd")
        teem("save", "-f", "nrrd", "-e", encoding, "-i", "ct.nrrd", "-o", encoding + "_apart.nhdr")


def make_encodings():
    """What teem does not write: other layouts of the text, skipped lines and bytes, and what is broken."""
    head = "%s\ntype: %s\ndimension: 3\nsizes: 9 7 5\nendian: big\nencoding: %s\n%s\n"
    meta = "NDims = 3\nDimSize = 9 7 5\nElementType = %s\nBinaryData = False\nElementDataFile = %s\n"
    nrrd = lambda *words: (head % ("NRRD0004", *words)).encode()
    numbers = real.ravel().tolist()
    text = ",\t".join(map(repr, numbers[:100])) + "\r\n" + "\n".join("%+.17e" % x for x in numbers[100:])
    text = text.replace("nan", "NaN").replace("-inf", "-Infinity").encode()
    body = deep.astype(">u2").tobytes()
    packed = bz2.compress(b"xyz" + body[:99]) + bz2.compress(body[99:]) + bytes(99)
    for name, data in {
            "words.nrrd": nrrd("float", "TXT", "line skip: 2\nbyte skip: 3\n") + b"a\n\r\nxyz" + text,
            "words_apart.nrrd": nrrd("double", "text", "data file: ./words.txt\nlineskip: 1\n"),
            "words.mha": (meta % ("MET_FLOAT", "LOCAL")).encode() + text + b"\n",
            "words_apart.mha": (meta % ("MET_DOUBLE", "./words.txt")).replace("ElementD", "HeaderSize = 2\nElementD").encode(),
            "words.txt": b"1\n" + text,
            "digits.nrrd": nrrd("ushort", "hex", "") + " ".join(body.hex(":", -3).upper().split(":")).encode(),
            "streams.nrrd": nrrd("uint16", "bz2", "line skip: 1\nbyte skip: 3\n") + b"BZh\n" + packed,
            "fraction.mha": (meta % ("MET_CHAR", "LOCAL")).encode() + b"-128 1.5 +3e1 " + b"7 " * 312,
            "skip.nrrd": nrrd("short", "raw", "line skip: 9\n") + body,
            "large.nrrd": nrrd("short", "ascii", "") + b"1 " * 99 + b"32768 " + b"1 " * 215,
            "letters.nrrd": nrrd("short", "ascii", "") + b"1 " * 99 + b"1x " + b"1 " * 215,
            "broken.nrrd": nrrd("ushort", "bzip2", "") + bz2.compress(body[:300]) + bz2.compress(body)[:9] + bytes(99),
            "g.nrrd": nrrd("ushort", "hex", "") + body.hex()[:-3].encode() + b"g12"}.items():
        open(name, "wb").write(data)


def make_meta():
    import vtk
    from vtk.util.numpy_support import numpy_to_vtk
    image = vtk.vtkImageData()
    image.SetDimensions(9, 7, 5)
    image.SetSpacing(*SPACING)
    image.SetOrigin(*ORIGIN)
    image.GetPointData().SetScalars(numpy_to_vtk(ct.ravel(), deep=True))
    for name, packed in ("plain.mha", False), ("apart.mhd", True):
        writer = vtk.vtkMetaImageWriter()
        writer.SetInputData(image)
        writer.SetFileName(name)
        writer.SetCompression(packed)
        writer.Write()
        lines = open(name, "rb").read()
        i = lines.index(b"TransformMatrix = ")
        end = lines.index(b"\n", i)
        matrix = " ".join(map(repr, DIRECTION.T.ravel().tolist()))
        lines = lines[:i] + b"TransformMatrix = " + matrix.encode() + lines[end:]
        open(name, "wb").write(lines)


def make_rest():
    meta = {"spacing": SPACING[2], "unit": "mm", "axes": "TZCYX"}
    tifffile.imwrite("hyper.tif", channels, imagej=True, resolution=(1 / SPACING[0], 1 / SPACING[1]), metadata=meta)
    tifffile.imwrite("ome.ome.tif", channels, metadata={
        "axes": "TZCYX", "PhysicalSizeX": 750.0, "PhysicalSizeXUnit": "µm", "PhysicalSizeY": 0.5,
        "PhysicalSizeYUnit": "mm", "PhysicalSizeZ": 2.5, "PhysicalSizeZUnit": "mm"})
    with tifffile.TiffWriter("pyramids.tif", bigtiff=True) as f:
        for page in deep:
            f.write(page, tile=(16, 16), contiguous=False)
            f.write(page[::2, ::2], subfiletype=1, contiguous=False)
    tifffile.imwrite("volumetric.tif", np.zeros((16, 40, 32), np.uint16), tile=(16, 16, 16))
    np.save("deep.npy", deep)
    np.save("fortran.npy", np.asfortranarray(deep.astype(">u2")))
    np.save("signed.npy", ct.astype(np.int64))
    np.save("times.npy", np.asfortranarray(times))
    np.save("wide.npy", (ct.astype(np.int64) + 2**25))
    deep.astype(">u2").tofile("deep.be")
    open("deep.behind", "wb").write(b"x" * 100 + deep.tobytes())
    (tmp := np.zeros((2, 3), "c8"))[:] = [[3 + 4j, 0, 1j], [5, -6, 8 - 6j]]
    np.save("complex.npy", tmp)
    tmp.tofile("complex.cfl")
    open("complex.hdr", "w").write("# Dimensions\n3 2 1 1 1 1 1 1 1 1 1 1 1 1 1 1 \n# Command\nphantom\n")


def rows_first(array):
    """As MATLAB counts: rows, columns, slices, times."""
    return array.transpose(*range(array.ndim - 2, array.ndim), *range(array.ndim - 3, -1, -1))


def save_mat73(name, variable, array):
    """What scipy does not write: HDF5, by libmatio."""
    lib = ctypes.CDLL("libmatio.so")
    lib.Mat_CreateVer.restype = lib.Mat_VarCreate.restype = ctypes.c_void_p
    file = ctypes.c_void_p(lib.Mat_CreateVer(name.encode(), None, 0x200))
    array = np.asfortranarray(array)
    kind = {"i2": (10, 3), "f4": (7, 7), "u1": (9, 2)}[array.dtype.str[1:]]
    var = ctypes.c_void_p(lib.Mat_VarCreate(variable.encode(), *kind, array.ndim,
                                            (ctypes.c_size_t * array.ndim)(*array.shape),
                                            ctypes.c_void_p(array.ctypes.data), 0))
    for v in var, None:
        if v and lib.Mat_VarWrite(file, v, 1):
            raise OSError(name)
    lib.Mat_Close(file)


def make_mat():
    scipy.io.savemat("ct.mat", {"note": "a text", "spacing": SPACING, "ct": rows_first(ct)})
    scipy.io.savemat("packed.mat", {"real": rows_first(real), "nothing": np.zeros((0, 3))}, do_compression=True)
    scipy.io.savemat("times.mat", {"times": rows_first(times)})
    scipy.io.savemat("packedtimes.mat", {"times": rows_first(times)}, do_compression=True)
    scipy.io.savemat("double.mat", {"real": rows_first(real).astype(np.float64)})
    scipy.io.savemat("whole.mat", {"ct": rows_first(ct).astype(np.int32)}, do_compression=True)
    scipy.io.savemat("four.mat", {"slice": rows_first(deep[:1])[:, :, 0].astype(np.float64)}, format="4")
    scipy.io.savemat("two.mat", {"deep": rows_first(deep), "mask": rows_first(deep > 9), "cell": {"x": 1},
                                 "list": SPACING})
    scipy.io.savemat("none.mat", {"note": "a text", "list": SPACING, "five": np.ones((2, 2, 2, 2, 2))})
    scipy.io.savemat("wide.mat", {"wide": np.full((3, 4), 2**25 + 1, np.int32)})
    scipy.io.savemat("echoes.mat", {"echoes": rows_first(echoes[:, 0])})
    save_mat73("new.mat", "ct", rows_first(ct))
    save_mat73("newtimes.mat", "times", rows_first(times))


def save_bart(name, array, sizes):
    array.astype("<c8").tofile(name + ".cfl")
    open(name + ".hdr", "w").write("# Dimensions\n%s \n" % " ".join(map(str, sizes)))


def make_bart():
    save_bart("coils", echoes, [9, 7, 4, 3, 1, 1, 1, 1, 1, 1, 2])
    save_bart("slices", echoes.transpose(2, 0, 1, 3, 4), [9, 7, 1, 3, 1, 2, 1, 1, 1, 1, 1, 1, 1, 4])
    save_bart("maps", echoes.transpose(1, 0, 2, 3, 4), [9, 7, 4, 2, 3]) # what was times is coils
    save_bart("many", echoes[:, None].repeat(2, 1).transpose(0, 2, 1, 3, 4, 5), [9, 7, 4, 2, 1, 3, 1, 1, 1, 1, 2])


def ome(planes, more="", uid="", order="XYZCT"):
    return """<?xml version="1.0" encoding="UTF-8"?>
<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"%s><Image ID="Image:0" Name="all"><Pixels ID="Pixels:0"
DimensionOrder="%s" Type="uint16" SizeX="9" SizeY="7" SizeZ="4" SizeC="3" SizeT="2">%s</Pixels></Image>%s</OME>""" % (
        uid, order, planes, more)


def write_ome(name, text, pages):
    with tifffile.TiffWriter(name) as f:
        for i, page in enumerate(pages):
            f.write(page, contiguous=False, description=None if i else text, metadata=None)


def make_ome():
    for order in "XYCZT", "XYTCZ", "XYZTC":
        axes = order[::-1]
        array = np.moveaxis(channels, [0, 1, 2], [axes.index(k) for k in "TZC"])
        tifffile.imwrite(order + ".ome.tif", array, photometric="minisblack", metadata={"axes": axes})
    places = list(itertools.product(range(2), range(4), range(3))) # t z c
    order = [places[i] for i in random.permutation(len(places))]
    data = '<TiffData IFD="%d" FirstT="%d" FirstZ="%d" FirstC="%d" PlaneCount="1"/>'
    write_ome("scrambled.ome.tif", ome("".join(data % (i, *p) for i, p in enumerate(order))),
              [channels[p] for p in order])
    # two blocks, the second one first; planes follow each other along z, then c
    blocks = '<TiffData IFD="12" PlaneCount="12"/><TiffData FirstT="1" IFD="0" PlaneCount="12"/>'
    runs = channels.transpose(0, 2, 1, 3, 4).reshape(2, 12, 7, 9)
    write_ome("blocks.ome.tif", ome(blocks), [*runs[1], *runs[0]])
    uid = "urn:uuid:0000000%d-0000-0000-0000-000000000000"
    parts = "".join('<TiffData FirstT="%d" PlaneCount="12"><UUID FileName="part%d.ome.tif">%s</UUID></TiffData>'
                    % (t, t, uid % t) for t in range(2))
    for t in range(2):
        write_ome("part%d.ome.tif" % t, ome(parts, uid=' UUID="%s"' % (uid % t)), runs[t])
    open("whole.companion.ome", "w").write(ome(parts.replace("part", "bare")))
    bare = '<OME><BinaryOnly MetadataFile="whole.companion.ome" UUID="%s"/></OME>'
    for t in range(2):
        write_ome("bare%d.ome.tif" % t, bare % (uid % 9), runs[t])
    write_ome("away.ome.tif", ome(parts.replace("part0", "../away").replace("part1", "/etc/passwd")), runs[0])
    write_ome("lost.ome.tif", ome(parts.replace("part1", "gone")), runs[0])
    second = ('<Image ID="Image:1" Name="preview"><Pixels DimensionOrder="XYZCT" SizeX="9" SizeY="7" SizeZ="5" '
              'SizeC="1" SizeT="1"><TiffData IFD="24" PlaneCount="5"/></Pixels></Image>')
    write_ome("images.ome.tif", ome('<TiffData IFD="0" PlaneCount="24"/>', second), [*runs.reshape(24, 7, 9), *deep])


def make_channels():
    pixels = np.ascontiguousarray(channels[0, :, ::2].transpose(0, 2, 3, 1)) # z y x c
    nrrd = "NRRD0004\ntype: %s\ndimension: 4\nsizes: %d 9 7 4\nkinds: %s domain domain domain\nendian: little\nencoding: raw\n\n"
    meta = "NDims = 3\nDimSize = 9 7 4\nElementType = MET_USHORT\nElementNumberOfChannels = 2\nElementDataFile = LOCAL\n"
    for name, head, samples in (("vector.nrrd", nrrd % ("ushort", 2, "2-vector"), pixels), ("vector.mha", meta, pixels),
                                ("colour.nrrd", nrrd % ("uchar", 3, "RGB-color"), colour)):
        open(name, "wb").write(head.encode() + samples.tobytes())
    layers = channels[0, :, ::2]
    tifffile.imwrite("pixels.tif", np.ascontiguousarray(layers.transpose(0, 2, 3, 1)), photometric="minisblack",
                     planarconfig="contig", metadata=None)
    tifffile.imwrite("layers.tif", layers, photometric="minisblack", planarconfig="separate", metadata=None)
    np.save("slice.npy", np.asfortranarray(deep[0]))


def make_dicom():
    os.mkdir("ct.dicom")
    for i in random.permutation(SHAPE[0]):
        at = ORIGIN + DIRECTION[:, 2] * SPACING[2] * i
        dicom.write("ct.dicom/%d.dcm" % (i * 7 % 5), ct[i], signed=True, number=int(i) + 1, modality="CT",
                    spacing=tuple(SPACING[1::-1]), instance="1.2.3.%d" % i, tags=[
                        (0x20, 0x32, "DS", "\\".join("%.10g" % x for x in at)),
                        (0x20, 0x37, "DS", "\\".join("%.12g" % x for x in DIRECTION.T[:2].ravel()))])


def make_broken():
    whole = open("ct2.nii", "rb").read()
    open("cut.nii", "wb").write(whole[:-100])
    open("ends.nii", "wb").write(whole[:-300])
    packed = open("ct.nii.gz", "rb").read()
    open("cut.nii.gz", "wb").write(packed[:len(packed) // 2])
    huge = bytearray(whole)
    huge[16:80] = np.array([3, 60000, 60000, 2**40, 1, 1, 1, 1], "<i8").tobytes()
    open("huge.nii", "wb").write(huge)
    text = b"NRRD0004\ntype: short\ndimension: 3\nsizes: 9 7 5\nencoding: %s\n%s\n"
    open("rle.nrrd", "wb").write(text % (b"zrle", b""))
    open("folder.nrrd", "wb").write(text % (b"raw", b"data file: ../secret\n"))
    open("list.nrrd", "wb").write(text % (b"raw", b"data file: s_%03d.raw 1 5 1\n"))
    # 600 pictures of ImageJ's behind one directory, most of them a hole in the file
    n, h, w = 600, 2048, 2048
    note = b"ImageJ=1.53t\nimages=%d\nslices=%d\nunit=mm\nspacing=2\n\0" % (n, n)
    tags = [(256, 4, 1, w), (257, 4, 1, h), (258, 3, 1, 16), (259, 3, 1, 1), (262, 3, 1, 1),
            (270, 2, len(note), 200), (273, 4, 1, 1024), (277, 3, 1, 1), (278, 4, 1, h),
            (279, 4, 1, h * w * 2)]
    with open("beyond.tif", "wb") as f:
        f.write(b"MM\0*" + (8).to_bytes(4, "big") + len(tags).to_bytes(2, "big"))
        for tag, kind, count, value in tags:
            f.write(tag.to_bytes(2, "big") + kind.to_bytes(2, "big") + count.to_bytes(4, "big"))
            f.write(value.to_bytes(4, "big") if kind != 3 else value.to_bytes(2, "big") + b"\0\0")
        f.seek(200)
        f.write(note)
        f.seek(1024 + (n - 1) * h * w * 2)
        f.write(np.arange(h * w, dtype=">u4").astype(">u2").tobytes())


# ---- outputs

def differ(what, got, wanted, within=0):
    got, wanted = np.asarray(got), np.asarray(wanted)
    if got.shape != wanted.shape or not np.allclose(got, wanted, rtol=within, atol=within, equal_nan=True):
        raise ValueError("%s: %s, not %s" % (what, got.ravel()[:12], wanted.ravel()[:12]))


def same(got, wanted):
    if got.dtype.newbyteorder("=") != wanted.dtype:
        raise ValueError("type: %s, not %s" % (got.dtype, wanted.dtype))
    if got.shape != wanted.shape or not np.array_equal(got, wanted, equal_nan=wanted.dtype.kind == "f"):
        raise ValueError("other values: %s, not %s" % (got.shape, wanted.shape))


def place(columns, origin, has_place):
    """columns: the vectors from sample to sample, in columns."""
    if has_place:
        differ("vectors", columns, DIRECTION * SPACING, 1e-6)
        differ("origin", origin, ORIGIN, 1e-5)


def check_nifti(name, array, has_place):
    image = nibabel.load(name)
    got = np.asarray(image.dataobj.get_unscaled() if array.dtype != np.uint8 or array.shape[-1] != 3 else image.dataobj)
    if got.dtype.fields:
        got = np.stack([got[c] for c in "RGB"], 0)
    if array.ndim == 5: # x y z t c
        array = array.transpose(2, 0, 1, 3, 4)
    same(got.T, array)
    flip = np.diag([-1, -1, 1, 1])
    for m in image.affine, image.get_qform() if image.header["qform_code"] else image.affine:
        m = flip @ m
        place(m[:3, :3], m[:3, 3], has_place)
    if array.shape == SHAPE and has_place:
        differ("zooms", image.header.get_zooms(), SPACING, 1e-6)


def check_nrrd(name, array, has_place):
    whole = subprocess.run(["teem-unu", "save", "-f", "nrrd", "-e", "raw", "-i", name, "-o", "-"], check=True,
                           capture_output=True, stdin=subprocess.DEVNULL).stdout
    head, body = whole.split(b"\n\n", 1)
    field = dict(line.split(": ", 1) for line in head.decode().split("\n") if ": " in line and line[0] != "#")
    kind = {"short": np.int16, "unsigned short": np.uint16, "float": np.float32, "unsigned char": np.uint8}
    sizes = [int(n) for n in field["sizes"].split()][::-1]
    same(np.frombuffer(body, kind[field["type"]]).reshape(sizes), array)
    if has_place:
        vectors = [v for v in field["space directions"].split() if v != "none"]
        m = np.array([[float(x) for x in v.strip("()").split(",")] for v in vectors]).T
        flip = np.diag({"left-posterior-superior": [1, 1, 1], "right-anterior-superior": [-1, -1, 1]}[field["space"]])
        place(flip @ m, flip @ [float(x) for x in field["space origin"].strip("()").split(",")], True)


def check_meta(name, array, has_place):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    deep = array.ndim >= 4 and array.shape[-1] != 3 # VTK reads no more than 3 dimensions
    if array.ndim == 5: # x y z t c
        array = array.transpose(2, 0, 1, 3, 4)
    if deep:
        beside = name.endswith(".mhd")
        with open(name[:-3] + "raw" if beside else name, "rb") as f:
            samples = f.read() if beside else f.read().split(b"ElementDataFile = LOCAL\n", 1)[1]
        same(np.frombuffer(samples, array.dtype).reshape(array.shape), array)
    else:
        reader = vtk.vtkMetaImageReader()
        reader.SetFileName(name)
        reader.Update()
        image = reader.GetOutput()
        same(vtk_to_numpy(image.GetPointData().GetScalars()).reshape(array.shape), array)
        if has_place:
            differ("spacing", image.GetSpacing(), SPACING, 1e-6)
            differ("origin", image.GetOrigin(), ORIGIN, 1e-5)
    if has_place:
        head = open(name, "rb").read(2048).decode("latin1")
        line = [s for s in head.split("\n") if s.startswith("TransformMatrix")][0]
        n = 4 if deep else 3
        m = np.array(line.split("=")[1].split(), float).reshape(n, n)
        differ("directions", m[:3, :3].T, DIRECTION, 1e-6)


def check_tiff(name, array, has_place):
    with tifffile.TiffFile(name) as f:
        axes, got = f.series[0].axes, f.series[0].asarray()
        same(got.reshape(array.shape), array)
        meta = f.imagej_metadata
        want = {3: "ZYX", 5: "TZCYX"}.get(array.ndim, "ZYXS" if array.shape[-1] == 3 else "TZYX")
        if axes != want:
            raise ValueError("axes: %s, not %s" % (axes, want))
        tags = f.pages[0].tags
        if "XResolution" in tags and meta.get("unit") == "mm":
            at = [tags[t].value for t in ("XResolution", "YResolution")]
            differ("spacing", [a[1] / a[0] for a in at] + [meta["spacing"]], SPACING, 1e-6)
        elif has_place:
            raise ValueError("no spacing")


def check_npy(name, array, has_place):
    same(np.load(name), array)


def read_pydicom(name):
    import pydicom
    ds = pydicom.dcmread(name)
    place = [float(x) for key in ("ImagePositionPatient", "ImageOrientationPatient") for x in ds.get(key, [])]
    return ds.pixel_array, place, [float(x) for x in ds.get("PixelSpacing", [])[::-1]]


def read_gdcm(name):
    import gdcm
    reader = gdcm.ImageReader()
    reader.SetFileName(name)
    if not reader.Read():
        raise ValueError("GDCM does not read it")
    image = reader.GetImage()
    kind = {8: np.uint8, 16: np.int16 if image.GetPixelFormat().GetPixelRepresentation() else np.uint16}
    pixels = np.frombuffer(image.GetBuffer().encode("utf-8", "surrogateescape"),
                           kind[image.GetPixelFormat().GetBitsAllocated()])
    w, h = image.GetDimension(0), image.GetDimension(1)
    return pixels.reshape((h, w, 3) if pixels.size == 3 * w * h else (h, w)), None, None


def read_dcmtk(name):
    text = subprocess.run(["dcmdump", "+L", "+W", ".", name], check=True, capture_output=True, text=True).stdout
    value = {line[1:10]: line.split("[", 1)[1].split("]")[0] for line in text.split("\n") if "[" in line}
    word = {line[1:10]: int(line.split()[2]) for line in text.split("\n") if line[12:14] == "US"}
    numbers = lambda *tags: [float(x) for tag in tags for x in value.get(tag, "").split("\\") if x]
    kind = {8: np.uint8, 16: np.int16 if word["0028,0103"] else np.uint16}[word["0028,0100"]]
    pixels = np.fromfile(os.path.basename(name) + ".0.raw", kind)
    shape = word["0028,0010"], word["0028,0011"], word["0028,0002"]
    pixels = pixels[:int(np.prod(shape))].reshape(shape if shape[2] > 1 else shape[:2])
    return pixels, numbers("0020,0032", "0020,0037"), numbers("0028,0030")[::-1]


# VTK begins with the last row, keeps the spacing in DICOM's order (rows first), and rescales within the samples'
# type, so that the largest wrap around: slope and intercept come last.
def read_vtk(name):
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    reader = vtk.vtkDICOMImageReader()
    reader.SetFileName(name)
    reader.Update()
    w, h, _ = reader.GetOutput().GetDimensions()
    samples = vtk_to_numpy(reader.GetOutput().GetPointData().GetScalars())
    pixels = samples.reshape((h, w, -1))[::-1]
    place = list(reader.GetImagePositionPatient()) + list(reader.GetImageOrientationPatient())
    spacing = list(reader.GetPixelSpacing()[1::-1])
    rescale = reader.GetRescaleSlope(), reader.GetRescaleOffset()
    return (pixels if pixels.shape[2] > 1 else pixels[:, :, 0]), place, spacing, *rescale


def dicom_readers():
    for module, reader in ("pydicom", read_pydicom), ("gdcm", read_gdcm), ("vtk", read_vtk):
        if importlib.util.find_spec(module):
            yield reader
    if shutil.which("dcmdump"):
        yield read_dcmtk


def check_dicom(name, array, has_place):
    slices = array.shape[-3 - (array.shape[-1] == 3)]
    pictures = array.reshape((-1,) + array.shape[array.ndim - 2 - (array.shape[-1] == 3):])
    names = sorted(glob.glob(name.replace("%02d", "*")))
    if len(names) != len(pictures):
        raise ValueError("%d files, not %d" % (len(names), len(pictures)))
    for reader in dicom_readers():
        for i, (each, picture) in enumerate(zip(names, pictures)):
            got, at, spacing, *rescale = reader(each)
            if rescale and rescale != [1, 0]:
                picture = (picture * rescale[0] + rescale[1]).astype(np.int64).astype(got.dtype)
            same(got, picture)
            if at is not None and has_place:
                differ("origin", at[:3], ORIGIN + i % slices * SPACING[2] * DIRECTION[:, 2], 1e-5)
                differ("directions", at[3:], DIRECTION.T.ravel()[:6], 1e-6)
                differ("spacing", spacing, SPACING[:2], 1e-6)


def check(name, truth):
    readers = {"nii": check_nifti, "gz": check_nifti, "nrrd": check_nrrd, "nhdr": check_nrrd,
               "mha": check_meta, "mhd": check_meta, "tif": check_tiff, "npy": check_npy,
               "dcm": check_dicom}
    try:
        readers[name.rsplit(".", 1)[1]](name, *TRUTH[truth])
        return "yes"
    except Exception as e: # whatever a reader says
        return "%s: %r" % (name, e)


if sys.argv[1] == "ome":
    make_ome()
elif sys.argv[1] == "seeds":
    for step in make_nifti, make_nrrd, make_meta, make_channels:
        step()
    np.save("deep.npy", deep)
    np.save("fortran.npy", np.asfortranarray(times))
elif sys.argv[1] == "make":
    for step in (make_nifti, make_nrrd, make_encodings, make_meta, make_rest, make_mat, make_bart, make_ome, make_channels,
                 make_dicom, make_broken):
        step()
else:
    for request in sys.stdin:
        print(check(*request.split()), flush=True)
