"""16-bit colour: an aurora over a night sky, whose dark ramps would band in 8 bits."""

import numpy as np

from .tools import colour, fractal, lattice, mix, smooth, to_srgb

WIDTH, HEIGHT = 360, 240


def draw():
    x, y = np.meshgrid(np.arange(WIDTH, dtype=np.float32), np.arange(HEIGHT, dtype=np.float32))
    up = 1 - y / HEIGHT
    sky = mix(colour("0b1a33"), colour("020309"), smooth(0, 1, up))
    bend = 60 * fractal(lattice(11), x / 130, y * 0 + 3, 3) - 30
    for base, tint, seed, strength in (
        (0.42, colour("3dffb0"), 12, 0.55),
        (0.58, colour("5f7bff"), 13, 0.30),
        (0.70, colour("c45cff"), 14, 0.22),
    ):
        height = up - base - (bend + 24 * np.sin(x / 45 + seed)) / HEIGHT
        curtain = np.where(height > 0, np.exp(-height * 5.5), np.exp(height * 34))
        rays = 0.45 + 0.55 * fractal(lattice(seed), (x + bend * 1.4) / 11, y / 320, 2)
        sky = sky + tint * (strength * curtain * rays)[..., None]
    return np.rint(to_srgb(sky) * 65535).astype(np.uint16)
