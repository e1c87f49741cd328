#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Makes networks of random weights in the forms that people train, as ONNX files of PyTorch's (Debian's
python3-torch), and torch.npz: what PyTorch makes with them of `picture`. FSRCNN: Dong et al., ECCV 2016; DnCNN: Zhang
et al., TIP 2017; ArtCNN: artoriuz/ArtCNN; valid: convolutions that do not pad, on a picture that is extended once."""
import numpy as np
import torch
from torch import nn


def conv(inputs, outputs, size, **more):
    return nn.Conv2d(inputs, outputs, size, **{"padding": size // 2, **more})


class Fsrcnn(nn.Sequential):
    def __init__(self):
        shrink = [conv(1, 8, 5), nn.PReLU(8), conv(8, 5, 1), nn.PReLU(5)]
        middle = [conv(5, 5, 3), nn.PReLU(5), conv(5, 5, 3), nn.PReLU()]
        expand = [conv(5, 8, 1), nn.PReLU(8), nn.ConvTranspose2d(8, 1, 9, 2, 4, 1)]
        super().__init__(*shrink, *middle, *expand)


class Dncnn(nn.Module):
    def __init__(self):
        super().__init__()
        inner = [[conv(9, 9, 3, bias=False), nn.BatchNorm2d(9), nn.ReLU()] for _ in range(2)]
        self.noise = nn.Sequential(conv(1, 9, 3), nn.ReLU(), *sum(inner, []), conv(9, 1, 3, bias=False))

    def forward(self, x):
        return x - self.noise(x)


class Artcnn(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = conv(1, 8, 3)
        self.inner = nn.Sequential(conv(8, 8, 3), nn.ReLU(), conv(8, 8, 3), nn.ReLU(), conv(8, 8, 3))
        self.last = nn.Sequential(conv(8, 4, 3), nn.PixelShuffle(2))

    def forward(self, x):
        first = self.first(x)
        return torch.clamp(self.last(self.inner(first) + first), 0, 1)


class Valid(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Conv2d(1, 3, 7), nn.LeakyReLU(0.2), nn.Conv2d(3, 2, 3), nn.ReLU6(), nn.Conv2d(2, 1, 5))


torch.manual_seed(1)
results = {"picture": (np.random.default_rng(1).random((19, 23)) * 65535).astype("<u2")}
x = torch.from_numpy(results["picture"].astype(np.float32) / 65535)[None, None]
for net in Fsrcnn(), Dncnn(), Artcnn(), Valid():
    name = type(net).__name__.lower()
    for p in net.parameters():
        nn.init.normal_(p, 0.02, 0.15)
    for part in net.modules():
        if isinstance(part, nn.BatchNorm2d):
            part.running_mean.normal_(0, 0.1)
            part.running_var.uniform_(0.5, 1.5)
    sizes = {"x": {2: "h", 3: "w"}, "y": {2: "h", 3: "w"}}
    torch.onnx.export(net.eval(), x, f"{name}.onnx", opset_version=13, input_names=["x"], output_names=["y"],
                      dynamic_axes=sizes)
    wide = nn.functional.pad(x, (6,) * 4, mode="replicate") if name == "valid" else x
    results[name] = net(wide).detach().numpy()[0, 0]
np.savez_compressed("torch.npz", **results)
