"""A record cover with its disc half out, on nothing: soft shadow and round edges in alpha."""

import numpy as np

from .logo import edge
from .tools import Canvas, colour, fractal, lattice, mix, rounded_box, smooth

SIZE = 800
HALF = 292
SLEEVE = -68
DISC = 118
RADIUS = 268


def disc(x, y):
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    yield colour("000000"), 0.5 * (1 - smooth(-16, 40, np.hypot(x, y - 14) - RADIUS))
    shape = edge(radius - RADIUS)
    yield colour("101014"), shape
    # Grooves, and the two fans of light that a record shows.
    groove = 0.5 + 0.5 * np.sin(radius * 1.9)
    fan = np.clip(np.cos(2 * (angle + 0.75)), 0, 1) ** 14
    yield colour("9aa0b4"), shape * (0.05 * groove + fan * (0.22 + 0.25 * groove)) * smooth(
        104, 118, radius
    )
    for gap in (150, 196, 231):
        yield colour("000000"), shape * 0.7 * edge(np.abs(radius - gap) - 1.1)
    yield colour("f2c14e"), edge(radius - 92)
    yield colour("d1495b"), edge(np.abs(radius - 70) - 9)
    yield colour("101014"), edge(radius - 9)


def sleeve(x, y):
    box = rounded_box(x, y, HALF, HALF, 14)
    yield colour("000000"), 0.55 * (1 - smooth(-20, 38, rounded_box(x, y - 16, HALF, HALF, 14)))
    inside = edge(box)
    sky = mix(colour("2b1055"), colour("ff7a59"), smooth(-HALF, 120, y))
    yield mix(sky, colour("ffd9a0"), smooth(20, 190, y) * 0.7), inside
    # The sun, cut by stripes that widen downwards.
    sun = np.hypot(x, y + 20) - 150
    stripe = np.mod(y + 20, 26) - np.clip((y + 40) / 14, 0, 13)
    cut = np.where(y > -46, edge(-stripe), 1)
    yield mix(colour("fff1b8"), colour("ff3d7f"), smooth(-170, 130, y)), inside * edge(sun) * cut
    table = lattice(31)
    for index in range(7):
        level = 62 + index * 34
        crest = level - (96 - 6 * index) * (
            fractal(
                table, x / (118 + 14 * index) + 9.7 * index + 30, np.full_like(x, 3.3 * index), 5
            )
            - 0.32
        )
        tint = mix(colour("c2406b"), colour("140a2e"), np.full_like(x, (index / 6) ** 0.7))
        yield tint, inside * edge(crest - y)
        yield colour("ffb38a"), inside * 0.5 * (1 - index / 8) * edge(np.abs(crest - y) - 0.8)
    # Worn paper: a fine grain, a fold of light, a ring where the disc has pressed.
    grain = fractal(lattice(32), x / 1.7 + 300, y / 1.7 + 300, 2)
    yield colour("ffffff"), inside * 0.05 * grain
    yield colour("ffffff"), inside * 0.16 * smooth(0.2, 1, (x - y) / (2 * HALF)) ** 2
    yield colour("ffffff"), inside * 0.05 * np.exp(-((np.hypot(x, y) - 262) ** 2) / 60)
    yield colour("ffffff"), inside * 0.5 * edge(np.abs(box + 1) - 0.8)


def paint(x, y):
    yield from disc(x - DISC, y)
    yield from sleeve(x - SLEEVE, y)


def draw():
    return Canvas(SIZE, SIZE).draw(paint)
