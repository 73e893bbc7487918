"""An app's mark: a six-bladed aperture on an icon's body, with hairlines and a soft shadow."""

import numpy as np

from .tools import Canvas, colour, mix, rounded_box, smooth, squircle

SIZE = 1024
HALF = 404
# The body sits a little high; the shadow falls below it.
LIFT = 18

NIGHT, INDIGO, TEAL = colour("171a4a"), colour("4a3fc4"), colour("18b7a6")
WHITE = colour("ffffff")
BLADES = [colour(c) for c in ("ffd166", "ff9f5a", "ff6b6b", "e85d9e", "9b5de5", "4cc9f0")]


def edge(distance):
    """1 inside, 0 outside; the supersampling smooths what is left."""
    return np.clip(0.5 - distance * 4, 0, 1)


def aperture(x, y, outer, hole):
    """(colour, inside, seams) of six blades, each cut by a straight line that touches the hole."""
    tangents = []
    for k in range(6):
        a = k * np.pi / 3 + 0.3
        across = x * np.cos(a) + y * np.sin(a) - hole
        along = y * np.cos(a) - x * np.sin(a)
        tangents.append((across, along))

    body = np.zeros(x.shape + (3,), dtype=np.float32)
    seam = np.full(x.shape, 1e9, dtype=np.float32)
    for k, (across, along) in enumerate(tangents):
        # Blade k lies outside its own tangent and inside the next.
        mine = (across > 0) & (tangents[(k + 1) % 6][0] <= 0)
        shade = 0.82 + 0.30 * np.clip(across / outer, 0, 1)
        body = np.where(mine[..., None], BLADES[k] * shade[..., None], body)
        # A seam runs one way from the hole's corner, under the neighbour the other way.
        seam = np.minimum(seam, np.where(along < hole * 0.58, np.abs(across), 1e9))

    opening = np.max([across for across, _ in tangents], axis=0)
    return body, edge(np.hypot(x, y) - outer) * edge(-opening), edge(seam - 1.6)


def paint(x, y):
    y = y + LIFT
    body = squircle(x, y, HALF)

    # A wide soft shadow and a tight one.
    wide = squircle(x, y - 34, HALF - 6)
    tight = squircle(x, y - 8, HALF - 2)
    yield colour("05061a"), 0.34 * (1 - smooth(-70, 78, wide)) ** 1.5
    yield colour("05061a"), 0.22 * (1 - smooth(-14, 18, tight))

    inside = edge(body)
    slope = np.clip((x * 0.55 + y + HALF * 1.2) / (HALF * 2.6), 0, 1)
    yield mix(
        mix(INDIGO, NIGHT, smooth(0, 0.85, slope)), TEAL, 0.55 * smooth(0.55, 1.15, slope)
    ), inside
    glow = np.exp(-((x + 150) ** 2 + (y + 250) ** 2) / (2 * 210.0**2))
    yield colour("b8b4ff"), inside * 0.30 * glow

    # A ring of ticks: sixty, each a hairline, every fifth longer.
    radius, angle = np.hypot(x, y), np.arctan2(y, x)
    turn = angle / (2 * np.pi) * 60
    nearest = np.rint(turn)
    across = np.abs(turn - nearest) * 2 * np.pi * radius / 60
    long = np.mod(nearest, 5) == 0
    inner = np.where(long, 312, 328)
    tick = edge(
        np.maximum(across - np.where(long, 2.2, 1.1), np.maximum(radius - 346, inner - radius))
    )
    yield WHITE, inside * tick * np.where(long, 0.92, 0.55)
    yield WHITE, inside * 0.35 * edge(np.abs(radius - 362) - 0.7)

    # The aperture, with its own shadow on the body.
    yield colour("03041a"), inside * 0.5 * (1 - smooth(-20, 46, np.hypot(x, y - 14) - 268))
    blades, shape, seams = aperture(x, y, 274, 96)
    yield blades, inside * shape
    yield NIGHT, inside * shape * seams * 0.85
    yield WHITE, inside * 0.8 * edge(np.abs(radius - 274) - 1.5)

    # In the hole: three widgets, small to wide.
    for cx, cy, w, h, alpha in (
        (-29, -27, 24, 22, 1),
        (29, -27, 24, 22, 0.62),
        (0, 27, 53, 22, 0.85),
    ):
        yield WHITE, inside * alpha * edge(rounded_box(x - cx, y - cy, w, h, 8))

    # A rim of light along the top edge.
    rim = edge(np.abs(body + 3) - 1.6) * np.clip((-y - x * 0.3) / HALF, 0, 1)
    yield WHITE, inside * 0.75 * rim


def draw():
    return Canvas(SIZE, SIZE).draw(paint)
