"""A 12-megapixel photograph: a mountain lake in the evening, grass out of focus in front.

The ground is a height field seen in perspective. For each column of the picture the
field is sampled at growing distance; the running maximum of what it hides tells, for
every pixel, how far away the first ground is.
"""

import numpy as np

from .tools import blur, colour, fractal, lattice, mix, smooth, to_srgb

WIDTH, HEIGHT = 4032, 3024
QUALITY = 97
HORIZON = 1490
FOCAL = 3300
EYE = 26.0
NEAR, FAR, STEPS = 60.0, 9000.0, 1500
SUN = np.array([0.80, 0.36, -0.48], dtype=np.float32)

ROCK, RELIEF, FOREST, CLOUD, WATER, BLADE = (lattice(70 + k) for k in range(6))


def ground(x, z):
    """Height in metres: a basin of hills, and a range that rises with distance."""
    ridges = fractal(ROCK, x / 1500 + 31.7, z / 1500 + 12.2, 10, 0.47, ridged=True)
    rise = smooth(1500, 6200, z)
    basin = smooth(0, 900, np.abs(x + 260) - 90 - 0.16 * z)
    shore = fractal(RELIEF, x / 420 + 90, z / 420 + 90, 6)
    height = -24 + 150 * basin * shore + 60 * smooth(700, 2400, z) * shore
    return height + rise * (2150 * ridges**1.25 - 150)


def spruce(x, z, height):
    """How far the trees stand over the ground, and where they grow."""
    grow = smooth(0.38, 0.52, fractal(FOREST, x / 260 + 50, z / 260 + 50, 5))
    grow = grow * smooth(3, 12, height) * (1 - smooth(330, 470, height))
    cell_x, cell_z = np.floor(x / 7), np.floor(z / 7)
    px = (cell_x * 127.1 + cell_z * 311.7) % 251 / 251
    pz = (cell_x * 269.5 + cell_z * 183.3) % 241 / 241
    away = np.hypot(x / 7 - cell_x - 0.3 - 0.4 * px, z / 7 - cell_z - 0.3 - 0.4 * pz)
    tall = 9 + 11 * (px * 3.7 % 1)
    return grow * np.clip(1 - away * 2.1, 0, 1) * tall, grow


def air(rows):
    """The sky of the given rows, without clouds, by height over the horizon."""
    up = np.clip((HORIZON - rows) / HORIZON, 0, 1)
    low = mix(colour("ffd2a1"), colour("b9c9dc"), smooth(0, 0.28, up))
    return mix(low, colour("3a6db0"), smooth(0.2, 1, up))


def sky(x, y):
    """Clouds lie on a plane over the head, so that they crowd to the horizon."""
    base = air(y)
    height = np.maximum(HORIZON - y, 1) / FOCAL
    px, pz = (x - WIDTH / 2) / FOCAL / (height + 0.06), 1 / (height + 0.06)
    thick = fractal(CLOUD, px * 0.55 + 60, pz * 0.9 + 60, 9, 0.55)
    cover = smooth(0.47, 0.70, thick) * smooth(0, 0.10, height)
    toward = fractal(CLOUD, (px + 0.12) * 0.55 + 60, (pz - 0.1) * 0.9 + 60, 6, 0.55)
    lit = np.clip(0.5 + (thick - toward) * 5, 0, 1)
    cloud = mix(colour("8f8a9c"), colour("fff0dc"), lit)
    cloud = mix(cloud, colour("ffbf8a"), 0.6 * (1 - smooth(0.05, 0.35, height)))
    glow = np.exp(-(((x - 3050) / 900) ** 2) - ((y - HORIZON + 120) / 420) ** 2)
    return mix(base, cloud, 0.86 * cover) + colour("ffb066") * (0.55 * glow)[..., None]


def land_columns(x0, x1):
    """Distance (0 = sky) of the first ground, for every pixel of the columns."""
    columns = (np.arange(x0, x1, dtype=np.float32) + 0.5 - WIDTH / 2) / FOCAL
    z = (NEAR * (FAR / NEAR) ** (np.arange(STEPS) / (STEPS - 1))).astype(np.float32)
    wx = columns[:, None] * z[None, :]
    wz = np.broadcast_to(z[None, :], wx.shape)
    bare = ground(wx, wz)
    height = np.where(z < 3600, bare + spruce(wx, wz, bare)[0], bare)
    height = np.maximum(height, 0)
    reach = np.maximum.accumulate((height - EYE) / z[None, :] * FOCAL, axis=1)
    levels = HORIZON - np.arange(HEIGHT, dtype=np.float32) - 0.5
    found = np.stack([np.searchsorted(row, levels) for row in reach])
    inside = found < STEPS
    near = np.clip(found, 1, STEPS - 1)
    r1 = np.take_along_axis(reach, near, axis=1)
    r0 = np.take_along_axis(reach, near - 1, axis=1)
    part = np.clip((levels[None, :] - r0) / np.maximum(r1 - r0, 1e-3), 0, 1)
    distance = z[near - 1] + (z[near] - z[near - 1]) * part
    # Steep ground: the level of the pixel, not of the field, is the height there.
    return np.where(inside, distance, 0).T, EYE + levels[:, None] * (distance.T / FOCAL)


def shade(x, z, height, sight):
    """Colour of the ground at world x, z, seen from a distance of `sight`."""
    step = np.maximum(1.5, z / 900)
    bare = ground(x, z)
    dx = (ground(x + step, z) - bare) / step
    dz = (ground(x, z + step) - bare) / step
    norm = 1 / np.sqrt(1 + dx * dx + dz * dz)
    light = np.clip((-dx * SUN[0] + SUN[1] - dz * SUN[2]) * norm, 0, 1)
    flat = norm
    fine = fractal(RELIEF, x / 9 + height / 5, z / 9 + height / 7, 6, 0.62)
    rock = mix(colour("4c4540"), colour("a08f80"), fine)
    meadow = mix(colour("3f4a1d"), colour("8c8340"), fractal(FOREST, x / 21, z / 21, 6, 0.6))
    tone = mix(rock, meadow, smooth(0.66, 0.86, flat) * (1 - smooth(420, 760, height)))
    above, grow = spruce(x, z, bare)
    leaf = fractal(BLADE, x / 1.1 + height * 1.3, height / 1.3 + z / 3, 4, 0.7)
    tree = mix(
        colour("0d1a12"), colour("47602a"), leaf * np.clip(0.25 + (height - bare) / 16, 0, 1)
    )
    tone = mix(tone, tree, np.where(z < 3600, np.clip(grow * 1.1, 0, 1), 0.85 * grow))
    snow = smooth(560, 900, height + 520 * (fine - 0.5)) * smooth(0.30, 0.52, flat)
    tone = mix(tone, colour("f4f4f8"), snow)
    warm, cool = colour("ffcf9a") * 2.1, colour("8fa6d0") * 0.42
    lit = tone * (
        warm * (light**1.15 * (0.55 + 0.7 * fine))[..., None]
        + cool * (0.35 + 0.5 * flat)[..., None]
    )
    haze = 1 - np.exp(-((((sight - 150).clip(0)) / 8200) ** 1.15))
    return mix(
        lit,
        mix(colour("a9b4cf"), colour("e8b58c"), smooth(1200, 3600, x)),
        0.8 * haze * np.exp(-np.clip(height, 0, None) / 1500),
    )


def scene():
    picture = np.empty((HEIGHT, WIDTH, 3), dtype=np.float32)
    land = np.zeros((HEIGHT, WIDTH), dtype=bool)
    rows = np.arange(HEIGHT, dtype=np.float32)[:, None] + 0.5
    for x0 in range(0, WIDTH, 192):
        x1 = min(WIDTH, x0 + 192)
        cols = np.arange(x0, x1, dtype=np.float32)[None, :] + 0.5
        distance, height = land_columns(x0, x1)
        x, y = np.broadcast_arrays(cols, rows)
        part = sky(x, np.minimum(y, HORIZON))
        world_x = (x - WIDTH / 2) / FOCAL * distance
        # Where the field lies under the water's level, the lake is seen.
        mask = distance > 0
        mask[mask] = (ground(world_x[mask], distance[mask]) > 0) | (height[mask] > 1.5)
        z = distance[mask]
        part[mask] = shade(world_x[mask], z, height[mask], z)
        picture[:, x0:x1] = part
        land[:, x0:x1] = mask
    return picture, land


def lake(picture, land):
    """Mirrors the scene about the horizon, ruffled, where nothing else lies."""
    y, x = np.nonzero(~land & (np.arange(HEIGHT)[:, None] > HORIZON))
    depth = (y - HORIZON + 0.5).astype(np.float32)
    z = EYE * FOCAL / depth
    wx = (x - WIDTH / 2) / FOCAL * z
    wave = fractal(WATER, wx / 1.9 + 40, z / 5.5 + 40, 6, 0.6) - 0.5
    broad = fractal(WATER, wx / 60 + 20, z / 120 + 20, 4)
    rough = 0.25 + 1.1 * smooth(0.42, 0.62, broad)
    bend = wave * rough * np.minimum(depth * 0.9 + 8, 420)
    row = np.clip(HORIZON - depth * 1.02 + bend, 0, HORIZON - 1).astype(np.int64)
    column = np.clip(x + wave * 40 * rough, 0, WIDTH - 1).astype(np.int64)
    seen = picture[row, column]
    deep = mix(colour("10222c"), colour("1f3f46"), broad)
    clear = 0.30 + 0.62 * (1 - smooth(0, 1500, depth))
    out = (
        mix(deep, seen, clear) + colour("ffcf9a") * (0.10 * np.clip(wave, 0, 1) * rough)[..., None]
    )
    result = picture.copy()
    result[y, x] = out
    return result


def grass(picture):
    """Stems near the lens, each blurred by how near it stands."""
    random = np.random.default_rng(77)
    for sigma, count, tint, low in (
        (3.0, 190, "2b3314", 620),
        (10.0, 110, "3f421a", 760),
        (24.0, 30, "6d5a2a", 880),
    ):
        alpha = np.zeros((HEIGHT, WIDTH), dtype=np.float32)
        bright = np.zeros_like(alpha)
        for _ in range(count):
            # Thick to the left and right, open in the middle.
            base = WIDTH * random.beta(0.55, 0.55)
            tall = random.uniform(0.35, 1) * low * (0.45 + 1.0 * abs(base / WIDTH - 0.5) * 2)
            lean, curl = random.normal(0.16, 0.22), random.normal(0, 0.0003)
            stem = random.uniform(2.2, 4.8) * (1 + sigma / 5)
            ys = np.arange(int(HEIGHT - tall), HEIGHT)
            up = HEIGHT - ys.astype(np.float32)
            xs = base + lean * up + curl * up * up
            width = stem * np.clip(1 - (up / tall) ** 2, 0, 1) ** 0.5 + 0.6
            seed_head = (up > 0.82 * tall) & (up < 0.97 * tall)
            width = np.where(
                seed_head, width + stem * 1.3 * np.abs(np.sin(up / (6 + sigma))), width
            )
            shade_of = random.uniform(0.5, 1.5)
            for yy, xx, w in zip(ys, xs, width):
                a, b = int(max(0, xx - w)), int(min(WIDTH, xx + w + 1))
                if a < b:
                    alpha[yy, a:b] = 1
                    bright[yy, a:b] = shade_of * np.linspace(0.7, 1.25, b - a)
        bright, alpha = blur(bright * alpha, sigma), blur(alpha, sigma)
        tone = (
            colour(tint)
            * np.divide(bright, alpha, out=np.ones_like(alpha), where=alpha > 1e-3)[..., None]
        )
        picture = mix(picture, tone, np.clip(alpha * 1.25, 0, 1))
    return picture


def develop(picture):
    """Lens and sensor: falling light, noise of photons, a little sharpening, a tone curve."""
    random = np.random.default_rng(78)
    x, y = np.meshgrid(
        np.linspace(-1, 1, WIDTH, dtype=np.float32), np.linspace(-1, 1, HEIGHT, dtype=np.float32)
    )
    picture = picture * (1 - 0.30 * ((x * x + y * y) / 2) ** 1.3)[..., None]
    picture = 1 - np.exp(-1.35 * np.clip(picture, 0, None))
    out = np.empty(picture.shape, dtype=np.uint8)
    shared = random.normal(0, 1, picture.shape[:2]).astype(np.float32)
    for c in range(3):
        plane = blur(picture[..., c], 0.7)
        own = random.normal(0, 1, plane.shape).astype(np.float32)
        noise = blur(0.8 * shared + 0.6 * own, 0.45)
        plane = plane + noise * np.sqrt(0.00070 * np.clip(plane, 0, 1) + 0.000024)
        encoded = to_srgb(plane)
        encoded = encoded + 0.45 * (encoded - blur(encoded, 1.4))
        out[..., c] = np.rint(np.clip(encoded, 0, 1) * 255)
    return out


def draw():
    picture, land = scene()
    return develop(grass(lake(picture, land)))
