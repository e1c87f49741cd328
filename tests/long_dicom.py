"""Reads DICOM files that others made with the program and with pydicom, and compares every sample.

long_dicom.py RUNNEL KNOWN FOLDER...: every file below the folders either gives what pydicom reads, with
status 0, or is refused with status 3 and a reason that KNOWN lists: lines `part of a path | part of the
message`. Prints a line for each file that does otherwise, and the counts."""
import collections
import hashlib
import os
import subprocess
import sys
import warnings

import numpy as np
import pydicom
from pydicom.pixel_data_handlers import util

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
        if not getattr(ds.file_meta, "TransferSyntaxUID", None):
            ds.file_meta.TransferSyntaxUID = pydicom.uid.ImplicitVRLittleEndian
        v = ds.pixel_array
        kind = ds.get("PhotometricInterpretation", "")
        if kind == "PALETTE COLOR":
            v = util.apply_color_lut(v, ds)
        elif kind.startswith("YBR") and ds.SamplesPerPixel == 3:
            raw = ds.file_meta.TransferSyntaxUID in pydicom.uid.UncompressedTransferSyntaxes or "RLE" in ds.file_meta.TransferSyntaxUID.name
            if raw or kind == "YBR_FULL_422" and os.environ.get("CONVERT"):
                v = util.convert_color_space(v, kind, "RGB")
    except Exception as e:
        return f"{type(e).__name__}: {e}"
    colour = v.ndim > 2 and v.shape[-1] == 3
    frames = v if v.ndim == 3 + colour else v[None]
    return list(frames)


def to_samples(plane):
    if plane.dtype.itemsize > 2:
        return plane.astype(np.float32) if np.abs(plane.astype(np.int64)).max() <= 1 << 24 else None
    if plane.dtype == np.int8:
        return plane.astype(np.int16)
    return plane


def wanted(frames):
    lines = []
    for i, frame in enumerate(frames):
        planes = [frame] if frame.ndim == 2 else [frame[..., c] for c in (1, 2, 0)]
        for p, plane in enumerate(planes):
            plane = to_samples(plane)
            if plane is None:
                return "does not fit"
            plane = np.ascontiguousarray(plane, plane.dtype.newbyteorder("<"))
            lines.append(f"{i} {p} {hashlib.md5(plane.tobytes()).hexdigest()}")
    return lines


def judge(runnel, path):
    got = subprocess.run([runnel, "render", path, "md5:", "-d", "none", "-q"], capture_output=True, text=True)
    frames = pictures(path)
    said = got.stderr.strip()
    if got.returncode:
        return f"status {got.returncode}", f"{said} [pydicom: {frames if isinstance(frames, str) else 'reads it'}]"
    if isinstance(frames, str):
        return "read here alone", frames
    want = wanted(frames)
    if want == "does not fit":
        return "other", "32 bits are not refused"
    lines = got.stdout.split("\n")[:-1]
    if lines == want:
        return "equal", ""
    return "other", f"{sum(a != b for a, b in zip(lines, want))} of {len(want)} planes differ, {len(lines)} came; {frames[0].shape} {frames[0].dtype}"


def main():
    runnel, known, *folders = sys.argv[1:]
    listed = [[part.strip() for part in line.split("|")] for line in open(known) if "|" in line]
    counts, bad = collections.Counter(), 0
    for folder in folders:
        for where, inner, names in os.walk(folder):
            inner.sort()
            for name in sorted(names):
                path = os.path.join(where, name)
                if not is_dicom(path):
                    continue
                result, why = judge(runnel, path)
                refused = result == "status 3" and any(a in path and b in why for a, b in listed)
                counts["refused by name" if refused else result] += 1
                if result not in ("equal", "read here alone") and not refused:
                    bad += 1
                    print(f"{path[len(folder) + 1:]}: {result}: {why}")
                elif os.environ.get("SHOW"):
                    print(f"{path[len(folder) + 1:]}: {'refused by name' if refused else result}: {why}")
    print(", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    sys.exit(bad > 0)


main()
