"""Reads DICOM files that others made, with the program and with pydicom, and compares every sample.

long_dicom.py RUNNEL KNOWN FOLDER...: every file below the folders gives what pydicom reads, with status 0, or
ends with status 3 or 6 and the reason that stands in KNOWN: lines `end of a path | part of the message`.
Folders named `volume` are read as one series, too, against the files in the order of their positions. Prints
a line for each file that does otherwise, and the counts. SHOW=1: a line for every file.

pydicom decodes with GDCM's Python module where that is installed, as the program does; what is not compressed
and RLE it decodes by itself."""
import collections  # SPDX-License-Identifier: MIT
import os
import subprocess
import sys
import warnings

import numpy as np
import pydicom
from pydicom.pixel_data_handlers import util

from tiff import md5_lines

warnings.simplefilter("ignore")


def is_dicom(path):
    with open(path, "rb") as f:
        head = f.read(132)
    return head[128:] == b"DICM" or (path.endswith(".dcm") and len(head) > 8)


def pictures(path):
    """Arrays (h, w) or (h, w, 3), as the program is to give them; or why pydicom does not read them."""
    try:
        ds = pydicom.dcmread(path, force=True)
        if "PixelData" not in ds or not ds.get("Rows"):
            return "no picture"
        v = ds.pixel_array
        kind, syntax = ds.get("PhotometricInterpretation", ""), ds.file_meta.TransferSyntaxUID
        if kind == "PALETTE COLOR":
            v = util.apply_color_lut(v, ds)
        elif kind.startswith("YBR") and (not syntax.is_compressed or syntax == pydicom.uid.RLELossless):
            v = util.convert_color_space(v, kind, "RGB") # what decodes JPEG does it by itself
    except Exception as e: # whatever its reason, it is the other side's
        return f"{type(e).__name__}: {e}"
    colour = v.ndim > 2 and v.shape[-1] == 3
    return list(v if v.ndim == 3 + colour else v[None])


def to_samples(plane):
    """As the program holds it: floats for 32 bits; None where that would not be exact."""
    if plane.dtype.itemsize > 2:
        return plane.astype(np.float32) if np.abs(plane.astype(np.int64)).max() <= 1 << 24 else None
    return plane.astype(np.int16) if plane.dtype == np.int8 else plane


def wanted(frames):
    frames = [to_samples(frame) for frame in frames]
    return None if any(frame is None for frame in frames) else md5_lines(frames)


def read(runnel, path):
    got = subprocess.run([runnel, "render", path, "md5:", "-d", "none", "-q"], capture_output=True, text=True)
    said = got.stderr.strip().replace(path, os.path.basename(path))
    return got.returncode, got.stdout.splitlines(keepends=True), said


def judge(runnel, path, known):
    """What came of a file, whether that is as it has to be, and the reason."""
    status, lines, said = read(runnel, path)
    frames = pictures(path)
    want = None if isinstance(frames, str) else wanted(frames)
    if status == 3 and frames == "no picture":
        return "without a picture", True, said
    if status:
        return f"status {status}", status in (3, 6) and any(path.endswith(a) and b in said for a, b in known), said
    if isinstance(frames, str):
        return "read, not by pydicom", any(path.endswith(a) and b in frames for a, b in known), frames
    return ("equal", True, "") if lines == want else ("other", False, f"{frames[0].shape} {frames[0].dtype}")


def judge_volume(runnel, folder):
    files = [pydicom.dcmread(os.path.join(folder, name)) for name in os.listdir(folder)]
    normal = np.cross(files[0].ImageOrientationPatient[:3], files[0].ImageOrientationPatient[3:])
    files.sort(key=lambda ds: np.dot(normal, ds.ImagePositionPatient))
    status, lines, said = read(runnel, folder)
    equal = not status and lines == wanted([ds.pixel_array for ds in files])
    return "series equal" if equal else "series other", equal, f"status {status}: {said}"


def judge_all(runnel, known, folder):
    for where, inner, names in os.walk(folder):
        inner.sort()
        if os.path.basename(where) == "volume":
            yield where, judge_volume(runnel, where)
        for path in (os.path.join(where, name) for name in sorted(names)):
            if is_dicom(path):
                yield path, judge(runnel, path, known)


def main():
    runnel, known, *folders = sys.argv[1:]
    known = [[part.strip() for part in line.split("|")] for line in open(known) if "|" in line]
    counts, bad = collections.Counter(), 0
    for folder in folders:
        for path, (result, good, why) in judge_all(runnel, known, folder):
            counts["refused by name" if good and result == "status 3" else result] += 1
            bad += not good
            if not good or os.environ.get("SHOW"):
                print(f"{path[len(folder) + 1:]}: {result}: {why.splitlines()[0] if why else ''}")
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(bad > 0 or not counts["equal"])


main()
