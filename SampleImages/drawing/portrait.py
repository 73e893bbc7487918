"""A portrait photograph: a balloon at dawn that says which way is up."""

import numpy as np

from .logo import edge
from .tools import Canvas, blur, colour, fractal, lattice, mix, segment, smooth, to_srgb

WIDTH, HEIGHT = 1200, 1600
X, Y, RADIUS = 20, -190, 400


def sky(x, y):
    down = (y + HEIGHT / 2) / HEIGHT
    base = mix(colour("3f6fb5"), colour("f7b58c"), smooth(0.05, 0.72, down))
    base = mix(base, colour("fbe3bd"), 0.8 * smooth(0.55, 0.85, down))
    cloud = fractal(lattice(41), x / 420 + 40, y / 150 + 40, 7, 0.52)
    yield base, np.ones_like(x)
    light = mix(colour("ffe9d2"), colour("e58f7d"), smooth(0.45, 0.75, cloud))
    yield light, 0.75 * smooth(0.50, 0.78, cloud) * smooth(0.05, 0.5, down)


def hills(x, y):
    for index, (level, height, tint) in enumerate(
        ((470, 150, "b98a97"), (560, 120, "7f6784"), (650, 110, "4a4763"), (735, 90, "232a3c"))
    ):
        crest = level - height * (
            fractal(lattice(50 + index), x / 300 + 70, y * 0 + 5 * index, 6) - 0.4
        )
        # Spruces along the nearer crests.
        if index > 1:
            comb = np.abs(np.mod(x / (14 + 8 * index), 1) - 0.5) * 2
            tall = fractal(lattice(60 + index), np.floor(x / (14 + 8 * index)) * 7.7, y * 0, 1)
            crest = crest - (1 - comb) * tall * (16 + 14 * index)
        haze = mix(colour(tint), colour("f3c3a0"), 0.45 * smooth(0, 130, y - crest) / (1 + index))
        yield haze, edge(crest - y)


def letters(x, y):
    """The distance to 'UP' and an arrow over it, in strokes."""
    u = np.minimum(segment(x, y, -105, -30, -105, 40), segment(x, y, -25, -30, -25, 40))
    bowl = np.abs(np.hypot(x + 65, y - 40) - 40)
    u = np.minimum(u, np.where(y > 40, bowl, 1e9))
    p = segment(x, y, 30, -30, 30, 80)
    p = np.minimum(p, np.minimum(segment(x, y, 30, -30, 65, -30), segment(x, y, 30, 30, 65, 30)))
    p = np.minimum(p, np.where(x > 65, np.abs(np.hypot(x - 65, y) - 30), 1e9))
    arrow = segment(x, y, 0, -190, 0, -75)
    arrow = np.minimum(arrow, segment(x, y, 0, -190, -52, -138))
    arrow = np.minimum(arrow, segment(x, y, 0, -190, 52, -138))
    return np.minimum(np.minimum(u, p), arrow)


def balloon(x, y):
    x, y = x - X, y - Y
    # An envelope: a ball above, drawn in to the mouth below.
    t = np.clip(y / 520, 0, 1)
    width = np.where(
        y < 0, np.sqrt(np.clip(RADIUS**2 - y**2, 0, None)), RADIUS * (1 - t**1.75 * 0.86)
    )
    shape = edge(np.abs(x) - width) * edge(y - 520) * edge(-RADIUS - y)
    around = np.arcsin(np.clip(x / np.maximum(width, 1), -1, 1))
    panel = np.floor(around / (np.pi / 12) + 0.5)
    odd = np.mod(panel, 2)
    tint = mix(colour("f4efe4"), colour("e4572e"), odd)
    tint = mix(tint, colour("17556b"), edge(np.abs(y - 330) - 46) * 0.92)
    light = 0.30 + 0.78 * np.clip(np.cos(around + 0.55), 0, 1) * (0.82 + 0.18 * np.cos(y / 330))
    cloth = 0.96 + 0.08 * fractal(lattice(44), x / 9 + 500, y / 26 + 500, 3)
    pucker = 1 - 0.12 * np.abs(np.mod(around / (np.pi / 12) + 0.5, 1) - 0.5) ** 2 * 4
    yield tint * (light * cloth * pucker)[..., None], shape
    # A white disc for the letters, bent a little with the cloth.
    badge = np.hypot(x, y + 30) - 232
    yield colour("fdfaf3") * (0.55 + 0.45 * light)[..., None], shape * edge(badge)
    yield colour("17556b") * light[..., None], shape * edge(np.abs(badge + 14) - 4)
    yield colour("17556b") * (0.3 + 0.7 * light)[..., None], shape * edge(
        letters(x * 1.06, (y + 4) * 1.06) - 15
    )
    # Ropes and the basket.
    for side in (-1, 1):
        for inset in (0.35, 1):
            yield colour("3a2c22"), edge(
                segment(x, y, side * 56 * inset, 516, side * 44 * inset, 600) - 1.5
            )
    inside = edge(np.maximum(np.abs(x) - 48 + (y - 640) * 0.08, np.abs(y - 638) - 40))
    weave = 0.75 + 0.25 * np.sign(np.sin(x / 3.5) * np.sin(y / 3.5))
    yield colour("8a5a33") * (weave * (1.05 - 0.007 * (x + 40)))[..., None], inside
    yield colour("4d3019"), edge(np.maximum(np.abs(x) - 53, np.abs(y - 598) - 6))


def paint(x, y):
    yield from sky(x, y)
    yield from hills(x, y)
    yield from balloon(x, y)


def draw():
    picture = Canvas(WIDTH, HEIGHT).draw(paint)[..., :3]
    # The sensor: more noise in the shadows, a little of it smeared.
    random = np.random.default_rng(49)
    noise = random.normal(0, 1, picture.shape).astype(np.float32)
    noise = np.stack([blur(noise[..., c], 0.6) for c in range(3)], axis=-1)
    x, y = np.meshgrid(np.linspace(-1, 1, WIDTH), np.linspace(-1, 1, HEIGHT))
    picture *= (1 - 0.22 * (x * x + y * y) ** 1.2)[..., None]
    encoded = to_srgb(picture) + noise * (0.012 + 0.012 * (1 - np.clip(picture, 0, 1)))
    return np.rint(np.clip(encoded, 0, 1) * 255).astype(np.uint8)
