# SPDX-License-Identifier: MIT
"""What napari.json names: a function for each filter, of whose annotations magicgui makes a widget."""
from inspect import Parameter, Signature
from typing import Annotated

from . import filter, filters

IMAGE = "napari.types.ImageData"


def _shown(p):
    limits = {k: p[k] for k in ("min", "max", "step") if k in p and not isinstance(p["default"], str)} # a level is a text
    choices = {"choices": p["choices"]} if "choices" in p else {}
    return Annotated[type(p["default"]), {"tooltip": p["help"], **limits, **choices}]


def _widget(f):
    rows = f["parameters"][:[p["name"] for p in f["parameters"]].index("enable")] # then come those that all filters have

    def run(image, **values):
        return getattr(filter, f["name"])(image, **values)

    run.__signature__ = Signature([
        Parameter("image", Parameter.POSITIONAL_OR_KEYWORD, annotation=IMAGE),
        *(Parameter(p["name"], Parameter.KEYWORD_ONLY, default=p["default"], annotation=_shown(p)) for p in rows)])
    run.__annotations__ = {"image": IMAGE, **{p["name"]: _shown(p) for p in rows}, "return": IMAGE}
    run.__name__, run.__doc__ = f["name"], f["help"]
    return run


globals().update({f["name"]: _widget(f) for f in filters()})
