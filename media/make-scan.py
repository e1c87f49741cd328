#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes media/scan.tif from nothing but arithmetic: make-scan.py [OUTPUT]

24 slices of 192 x 192, 16 bits (a detector of 12, shifted up by 4), as of a CT scan: a body with a shell
and inclusions of other densities, some hundred pores in it, of radius 0.7 to 2.5 voxels, which a
closing=shape=disk:radius=2:slices=2 fills, a few larger cavities, which it must leave, the blur of a
scanner and its noise. The same voxels on every machine: the random numbers are a hash of a counter."""
import os
import sys

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import tiff

D, H, W = 24, 192, 192
AIR, BODY, SHELL, SOFT, DENSE, PORE = 12, 1500, 2500, 1000, 3300, 60 # of 4095
Z, Y, X = np.mgrid[0:D, 0:H, 0:W].astype(np.float64)


def hashed(n, stream):
    """n numbers of 0..1, exclusive: splitmix64 of a counter."""
    v = (np.arange(n, dtype=np.uint64) + np.uint64(stream << 32)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in (30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB):
        v = (v ^ (v >> np.uint64(shift))) * np.uint64(factor)
    return ((v ^ (v >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 2.0**53


def ellipsoid(centre, radii):
    """Where it is: centre and radii are z, y, x in voxels."""
    return sum(((g - c) / r) ** 2 for g, c, r in zip((Z, Y, X), centre, radii)) <= 1


def densities():
    v = np.full((D, H, W), AIR, np.float64)
    outside = ellipsoid((11.5, 96, 96), (30, 82, 74))
    inside = ellipsoid((11.5, 96, 96), (26, 71, 63))
    v[outside] = SHELL
    v[inside] = BODY
    for centre, radii, density in [
            ((8, 80, 70), (14, 22, 16), SOFT), ((15, 84, 124), (12, 17, 20), SOFT),
            ((11, 128, 96), (16, 18, 24), DENSE), ((12, 130, 96), (9, 9, 13), SOFT),
            ((5, 54, 100), (5, 8, 8), DENSE), ((18, 108, 62), (4, 6, 6), DENSE)]:
        v[ellipsoid(centre, radii)] = density
    return v, inside


def dig(v, inside):
    """Pores anywhere in the body and its shell, cavities in the body."""
    n = 700
    where = [hashed(n, s) for s in range(1, 4)]
    size = 0.7 + 1.8 * hashed(n, 4)
    for i in range(n):
        c = where[0][i] * D, where[1][i] * H, where[2][i] * W
        box = tuple(slice(max(int(p) - 4, 0), int(p) + 6) for p in c)
        near = sum((g[box] - p) ** 2 for g, p in zip((Z, Y, X), c)) <= size[i] ** 2
        v[box][near & (v[box] > AIR)] = PORE
    for c in (7, 96, 44), (16, 60, 128), (12, 150, 120):
        v[ellipsoid(c, (6, 6.5, 6.5)) & inside] = PORE


def blur(v):
    for axis in range(3):
        n = v.shape[axis]
        before = v.take(np.clip(np.arange(n) - 1, 0, n - 1), axis)
        after = v.take(np.clip(np.arange(n) + 1, 0, n - 1), axis)
        v = (before + 6 * v + after) / 8 # exact in binary
    return v


def main():
    v, inside = densities()
    dig(v, inside)
    v = blur(v)
    bell = sum(hashed(v.size, s).reshape(v.shape) for s in range(5, 9)) - 2 # sigma 0.577
    v = np.clip(np.rint(v + bell * (1 + v / 120)), 0, 4095).astype(np.uint16) * np.uint16(16)
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "media", "scan.tif")
    tiff.write(out, list(v), rows=H, deflate=True, predictor=2)


main()
