# SPDX-License-Identifier: MIT
# %% [markdown]
# # A stack through a chain of filters
# This file is a notebook in the percent format (Jupyter by jupytext, VS Code, Spyder), and a script.

# %%
import numpy
import runnel

rng = numpy.random.default_rng(1)
stack = rng.integers(0, 4096, (24, 128, 128), dtype="uint16") # slices, rows, columns

# %% A stack at once: close holes across slices
closed = runnel.apply(stack, "median=2,closing=shape=disk:radius=2:slices=2")
print(closed.shape, closed.dtype)

# %% Slice by slice, however many there are, and what was measured of each
for out, row in runnel.stream("blur=sigma=1.5", stack, stats=True):
    print(row["frame"], row["mean"], row["l2"])

# %% Without copies: slots are memory that the device reaches fast
with runnel.Runner("invert", (128, 128), "uint16") as runner:
    slot = runner.slot()
    numpy.multiply(stack[0], 2, out=numpy.asarray(slot))
    runner.submit(slot)
    print(numpy.asarray(runner.wait()).max())

# %% Files: any input and output of the program runnel
runnel.write("closed.nrrd", closed, spacing=(2, 1, 1), unit="HU", overwrite=True)
with runnel.open("closed.nrrd") as pictures:
    masks = list(runnel.stream("threshold=level=2500hu", pictures, **pictures.scan))
print(pictures.scan, masks[0].dtype, masks[0].max())

# %% What there is
print([f["name"] for f in runnel.filters()])
print([d["name"] for d in runnel.devices()])
