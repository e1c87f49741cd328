"""Headers of scans whose every field has a random value, and what became of them.

headers.py make                  writes the files
headers.py compare_nifti A B     prints the fields of A that B has not; those that are written afresh
                                 (sizes, types, places of the samples) are not compared
"""
import os
import random
import sys

import nibabel
import numpy as np

import dicom

AFRESH = {"sizeof_hdr", "vox_offset", "magic", "descrip", "datatype", "bitpix", "scl_slope",
          "scl_inter"}
SHEAR = np.array([[0.8, 0.1, 0.3, -7.5], [-0.1, 0.9, 0.2, 11], [0.05, 0.1, 2.5, 3], [0, 0, 0, 1]])


def samples():
    return np.arange(9 * 7 * 4 * 3, dtype=np.int16).reshape((9, 7, 4, 3), order="F") - 300


def make_nifti(name, kind, seed):
    rng = random.Random(seed)
    image = kind(samples(), None)
    h = image.header
    for field in ("slice_duration", "toffset", "intent_p1", "intent_p2", "intent_p3"):
        h[field] = rng.uniform(0.1, 100)
    h["cal_min"], h["cal_max"] = rng.uniform(-99, 0), rng.uniform(1, 99)
    h["intent_code"] = 5
    h["intent_name"] = b"z score"
    h["slice_code"], h["slice_start"], h["slice_end"] = rng.randint(1, 6), 1, 2
    h["dim_info"] = 1 | 2 << 2 | 3 << 4
    h["aux_file"] = b"atlas.lut"
    h["descrip"] = b"made by another program"
    h["xyzt_units"] = 3 | 16  # micrometres and milliseconds
    h["pixdim"] = [-1] + [rng.uniform(0.5, 3) for _ in range(7)]
    for field in ("glmax", "glmin", "extents", "session_error"):
        if field in h.keys():
            h[field] = rng.randint(1, 30000)
    for field, text in (("data_type", b"dsr"), ("db_name", b"someone"), ("regular", b"x")):
        if field in h.keys():
            h[field] = text
    axis = np.array([rng.uniform(-1, 1) for _ in range(3)])
    h["quatern_b"], h["quatern_c"], h["quatern_d"] = axis / np.linalg.norm(axis) * 0.7
    for k in "xyz":
        h["qoffset_" + k] = rng.uniform(-100, 100)
        h["srow_" + k] = SHEAR["xyz".index(k)]
    h["sform_code"], h["qform_code"] = 4, 2
    for code, text in ((2, b"dicom"), (4, b"<AFNI/>"), (6, b"what a user says"), (44, b"{}")):
        h.extensions.append(nibabel.nifti1.Nifti1Extension(code, text))
    nibabel.save(image, name)


def make():
    make_nifti("all1.nii", nibabel.Nifti1Image, 1)
    make_nifti("all2.nii.gz", nibabel.Nifti2Image, 2)
    make_nifti("pair.img", nibabel.Nifti1Pair, 3)
    for name, code in (("sform", "qform_code"), ("qform", "sform_code")):
        image = nibabel.load("all1.nii")
        image.header[code], image.header["vox_offset"] = 0, 352
        with open(name + ".nii", "wb") as f:
            f.write(image.header.binaryblock + bytes(4) + samples().tobytes("F"))
    image = nibabel.load("all1.nii")
    bytes_ = nibabel.Nifti1Image(samples().astype(np.uint8), None, image.header)
    bytes_.set_data_dtype(np.uint8)
    nibabel.save(bytes_, "bytes.nii")
    make_series("tilt", range(5))
    make_series("gap", (0, 1, 3, 3.4))
    nibabel.save(nibabel.Nifti1Image(samples(), np.diag([2, 2, 3, 1])), "plain.nii")


def raw(extension):
    content = extension.get_content()
    content = content if isinstance(content, bytes) else str(content).encode()
    return extension.get_code(), content.rstrip(b"\0")


TILT = np.array([0.5, -2.0, 3.0])  # mm from slice to slice: not along the normal, which is z


def make_series(folder, steps):
    """A series whose slice i lies steps[i] times TILT behind the first."""
    os.mkdir(folder)
    for i, step in enumerate(steps):
        dicom.write(f"{folder}/{i}.dcm", samples()[:, :, 0, 0].T + i, signed=True,
                    position=np.array([-10, 20, 30]) + step * TILT, spacing=(0.5, 0.25))


def tilted(name):
    """Prints the affine of a NIfTI, where it is not that of slices one TILT apart."""
    want = np.array([[0.25, 0, 0.5, -10], [0, 0.5, -2, 20], [0, 0, 3, 30]]) * [[-1], [-1], [1]]
    got = nibabel.load(name).affine[:3]
    if not np.allclose(got, want, atol=1e-5):
        print(got, want)


def compare_nifti(a, b):
    """Fields of a form whose code is 0 mean nothing."""
    a, b = nibabel.load(a).header, nibabel.load(b).header
    unused = set(AFRESH)
    if not a["qform_code"]:
        unused |= {k for k in a.keys() if k.startswith(("quatern", "qoffset"))}
    if not a["sform_code"]:
        unused |= {k for k in a.keys() if k.startswith("srow")}
    for field in set(a.keys()) - unused:
        got = b[field] if field in b.keys() else None
        first = field == "pixdim" and not a["qform_code"]
        same = got is not None and (np.allclose(a[field][first:], got[first:], rtol=1e-5)
                                    if first else
                                    np.allclose(a[field], got, rtol=1e-5, atol=1e-5)
                                    if a[field].dtype.kind in "if" else a[field] == got)
        if not same:
            print(field, a[field], got)
    if not b["descrip"].item().startswith(a["descrip"].item()):
        print("descrip", a["descrip"], b["descrip"])
    kept = [raw(e) for e in b.extensions]
    for e in a.extensions:
        if raw(e) not in kept:
            print("extension", raw(e), kept)


# Written by the program, or of the pixels: what is true of a derived picture.
DERIVED = {0x80001, 0x80008, 0x80012, 0x80013, 0x80014, 0x80015, 0x80016, 0x80018, 0x8103E, 0x82111, 0x82112,
           0x182010, 0x18A001, 0x20000E, 0x200011, 0x200013, 0x281052, 0x281053, 0x7FE00010}


def make_dicom():
    """Every element of the standard's dictionary that a picture may have, with a random value."""
    import pydicom
    from pydicom.datadict import DicomDictionary
    rng = random.Random(9)
    texts = {"AE": "AET", "AS": "042Y", "CS": "CODE", "DA": "20250102", "DS": "1.5", "DT": "20250102030405", "IS": "3",
             "LO": "a text", "LT": "long", "PN": "Who^Else", "SH": "short", "ST": "some", "TM": "010203",
             "UC": "unlimited", "UI": "1.2.840.9", "UR": "http://x", "UT": "words"}
    numbers = {"FD": 0.25, "FL": 0.5, "SL": -3, "SS": -2, "UL": 7, "US": 5}
    for name, implicit in (("explicit.dcm", False), ("implicit.dcm", True)):
        ds = pydicom.dcmread("tilt/0.dcm")
        for tag, (vr, *_, keyword) in DicomDictionary.items():
            group, element = tag >> 16, tag & 0xFFFF
            if tag in (0x80005, 0x80010) or tag in ds or not keyword or not element or \
                    group in (0, 2, 4, 0x20, 0x28, 0x88, 0x7FE0, 0xFFFA, 0xFFFC, 0xFFFE):
                continue
            if vr in texts:
                ds.add_new(tag, vr, texts[vr])
            elif vr in numbers:
                ds.add_new(tag, vr, numbers[vr])
            elif vr == "SQ" and rng.random() < 0.2:
                item, inner = pydicom.Dataset(), pydicom.Dataset()
                inner.CodeValue = "inside"
                item.CodeValue, item.ConceptCodeSequence = "x", pydicom.Sequence([inner])
                ds.add_new(tag, vr, pydicom.Sequence([item, item]))
        block = ds.private_block(0x29, "SOMEBODY", create=True)
        block.add_new(0x10, "OB", bytes(range(256)) * 300)
        block.add_new(0x11, "LO", "private")
        ds.is_implicit_VR = implicit
        ds.is_little_endian = True
        ds.file_meta.TransferSyntaxUID = "1.2.840.10008.1.2" + ("" if implicit else ".1")
        ds.save_as(name)


def compare_dicom(a, b, messages):
    """Prints the elements that messages do not name either."""
    import pydicom
    a, b, said = pydicom.dcmread(a), pydicom.dcmread(b), open(messages).read()
    for e in a:
        kept = b[e.tag].value if e.tag in b else None
        if e.tag not in DERIVED and kept != e.value and e.name not in said:
            print(e.tag, e.name, str(e.value)[:80], str(kept)[:80])


def affine_of(header, form):
    return header.get_sform() if form == "sform" else header.get_qform()


def places(a, b, source):
    """Prints the forms by which the voxels of b do not lie where a has them. source: of a, the
    voxel that (x, y) of b shows, as an expression."""
    a, b = nibabel.load(a).header, nibabel.load(b).header
    for form in "sform", "qform":
        for x, y, z in ((0, 0, 0), (2, 1, 3), (1, 3, 2)):
            want = affine_of(a, form) @ [*eval(source, {"x": x, "y": y}), z, 1]
            got = affine_of(b, form) @ [x, y, z, 1]
            if not b[form + "_code"] or not np.allclose(want, got, atol=1e-4):
                print(form, (x, y, z), want, got)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
