"""How ITK's readers read scans that runnel wrote, against where the elements of the DICOM series say they lie."""
import os  # SPDX-License-Identifier: MIT
import subprocess
import sys

import numpy as np

import dicom

SIZE = np.array([7, 6, 5])
SPACING = np.array([0.25, 0.5])
TURNED = np.linalg.qr(np.array([[0.8, 0.3, 0.1], [-0.4, 0.9, 0.2], [0.2, -0.1, 1.0]]))[0]
SERIES = { # direction of columns, rows, and the step from slice to slice, mm
    "straight": (np.eye(3)[0], np.eye(3)[1], np.array([0, 0, 2.5])),
    "oblique": (TURNED[:, 0], TURNED[:, 1], 2.5 * np.cross(TURNED[:, 0], TURNED[:, 1])),
    "tilt": (np.eye(3)[0], np.eye(3)[1], np.array([0, -2, 3.0])),
    "gap": (np.eye(3)[1], np.eye(3)[2], np.array([7.5, 0, 0])), # slices are 2.5 mm thick
}
CUTS = {"whole": ([], (0, 0), (7, 6)), "crop": (["--crop", "4x3+2+1"], (2, 1), (4, 3))}
ORIGIN = np.array([-10, 20, 30.0])


def make(name, u, v, step):
    os.mkdir(name)
    samples = np.random.default_rng(5).integers(-1000, 1000, SIZE[::-1]).astype(np.int16)
    for k in range(SIZE[2]):
        dicom.write(f"{name}/{k}.dcm", samples[k], signed=True, position=ORIGIN + k * step, orientation=(*u, *v),
                    spacing=(0.5, 0.25), kind="1.2.840.10008.5.1.4.1.1.2", modality="CT",
                    tags=[(0x18, 0x50, "DS", "2.5")])
    return samples


def compare(said, samples, first, directions):
    """first: the sample of the series that the first one is. Returns what differs, in words."""
    spacing, origin, direction = np.array(said[3:6]), np.array(said[6:9]), np.reshape(said[9:18], (3, 3))
    wrong = [] if said[:3] == [*samples.shape[::-1]] and said[18] == samples.sum(dtype=float) else ["size or samples"]
    for at in np.array(list(np.ndindex(2, 2, 2))) * (np.array(samples.shape[::-1]) - 1):
        got = origin + direction @ (spacing * at)
        want = ORIGIN + (at + first) * [*SPACING, 1] @ np.array(directions)
        if not np.allclose(got, want, atol=1e-4):
            wrong += [f"{at} lies at {got.round(4)}, not {want.round(4)}"]
    return wrong


def main(reader):
    for name, (u, v, step) in SERIES.items():
        samples = make(name, u, v, step)
        for cut, (options, (x, y), (w, h)) in CUTS.items():
            for form in ".nii", ".nii.gz", ".nrrd", ".nhdr", ".mha", ".mhd", "/%03d.dcm":
                out = f"{name}_{cut}" + form
                if form[0] == "/":
                    os.makedirs(os.path.dirname(out))
                subprocess.run(["runnel", "render", name, out, "-q", *options], check=True, stderr=subprocess.DEVNULL)
                path = os.path.dirname(out) if form[0] == "/" else out
                said = subprocess.run([reader, path], capture_output=True, text=True).stdout.split()
                if name == "tilt" and form.startswith(".nii"): # ITK knows no shear in NIfTI, and says so
                    wrong = [] if "orthonormal" in said else [" ".join(said)]
                elif len(said) != 20:
                    wrong = [" ".join(said)]
                else:
                    wrong = compare([float(s) for s in said[1:]], samples[:, y:y + h, x:x + w], (x, y, 0), (u, v, step))
                print("not ok" if wrong else "ok", "-", path, *wrong)


main(os.path.abspath(sys.argv[1]))
