"""What every picture is drawn with: linear light, distance fields, noise, PNG 16."""

import struct
import zlib

import numpy as np

SUPERSAMPLING = 4


def to_linear(value):
    """sRGB 0...1 to linear light."""
    value = np.asarray(value, dtype=np.float32)
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def to_srgb(value):
    """Linear light to sRGB 0...1, clipped."""
    value = np.clip(value, 0, 1)
    return np.where(value <= 0.0031308, value * 12.92, 1.055 * value ** (1 / 2.4) - 0.055)


def colour(text):
    """A linear-light colour from six hexadecimal digits."""
    return to_linear([int(text[i : i + 2], 16) / 255 for i in (0, 2, 4)]).astype(np.float32)


def to_bytes(linear):
    return np.rint(to_srgb(linear) * 255).astype(np.uint8)


def mix(a, b, t):
    """a where t is 0, b where t is 1; t is a plane, a and b are colours or pictures."""
    t = np.asarray(t)[..., None]
    return a * (1 - t) + b * t


def smooth(edge0, edge1, x):
    t = np.clip((x - edge0) / (edge1 - edge0), 0, 1)
    return t * t * (3 - 2 * t)


# Distance fields: negative inside, in pixels.


def rounded_box(x, y, half_width, half_height, radius):
    qx = np.abs(x) - (half_width - radius)
    qy = np.abs(y) - (half_height - radius)
    return (
        np.hypot(np.maximum(qx, 0), np.maximum(qy, 0)) + np.minimum(np.maximum(qx, qy), 0) - radius
    )


def squircle(x, y, half, power=5.0):
    """About a superellipse, the shape of an app's icon."""
    ax, ay = np.abs(x) / half, np.abs(y) / half
    return ((ax**power + ay**power) ** (1 / power) - 1) * half


def segment(x, y, ax, ay, bx, by):
    """Distance to a line from a to b."""
    dx, dy = bx - ax, by - ay
    t = np.clip(((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy), 0, 1)
    return np.hypot(x - ax - t * dx, y - ay - t * dy)


class Canvas:
    """A premultiplied linear-light picture, drawn a band of rows at a time.

    `paint(x, y)` gets supersampled coordinates in output pixels, from the
    middle of the picture, and returns (colour, alpha) layers from back to front.
    """

    def __init__(self, width, height):
        self.width, self.height = width, height

    def draw(self, paint, band=64):
        s = SUPERSAMPLING
        rows = []
        xs = (np.arange(self.width * s, dtype=np.float32) + 0.5) / s - self.width / 2
        for top in range(0, self.height, band):
            count = min(band, self.height - top)
            ys = (np.arange(count * s, dtype=np.float32) + 0.5) / s + top - self.height / 2
            x, y = np.meshgrid(xs, ys)
            out = np.zeros(x.shape + (4,), dtype=np.float32)
            for layer, alpha in paint(x, y):
                alpha = np.broadcast_to(alpha, x.shape)[..., None]
                out *= 1 - alpha
                out[..., :3] += np.broadcast_to(layer, x.shape + (3,)) * alpha
                out[..., 3:] += alpha
            rows.append(out.reshape(count, s, self.width, s, 4).mean(axis=(1, 3)))
        return np.concatenate(rows)


def straight(picture):
    """Premultiplied linear light to straight 8-bit sRGB."""
    alpha = picture[..., 3:]
    rgb = np.divide(
        picture[..., :3], alpha, out=np.zeros_like(picture[..., :3]), where=alpha > 1e-6
    )
    eight = np.rint(np.clip(alpha, 0, 1) * 255).astype(np.uint8)
    rgb = to_bytes(rgb) * (eight > 0)
    return np.concatenate([rgb, eight], axis=-1).astype(np.uint8)


# Noise.


def lattice(seed, size=256):
    return np.random.default_rng(seed).random((size, size), dtype=np.float32)


def value_noise(table, x, y):
    """Smooth noise 0...1 with features one unit wide; wraps at the table's size."""
    size = table.shape[0]
    xi, yi = np.floor(x), np.floor(y)
    fx, fy = (x - xi).astype(np.float32), (y - yi).astype(np.float32)
    xi, yi = xi.astype(np.int64) % size, yi.astype(np.int64) % size
    xj, yj = (xi + 1) % size, (yi + 1) % size
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    top = table[yi, xi] * (1 - fx) + table[yi, xj] * fx
    low = table[yj, xi] * (1 - fx) + table[yj, xj] * fx
    return top * (1 - fy) + low * fy


def fractal(table, x, y, octaves, gain=0.5, ridged=False):
    """A sum of octaves, about 0...1; ridged has sharp crests."""
    total = np.zeros(np.broadcast(x, y).shape, dtype=np.float32)
    weight, norm, scale = 1.0, 0.0, 1.0
    turn = 0.6
    for _ in range(octaves):
        n = value_noise(table, x * scale, y * scale)
        if ridged:
            n = 1 - np.abs(2 * n - 1)
            n = n * n
        total += weight * n
        norm += weight
        weight *= gain
        scale *= 2.03
        # Turn each octave, so that the lattice's axes do not show.
        x, y = x * np.cos(turn) - y * np.sin(turn) + 17.3, x * np.sin(turn) + y * np.cos(turn) - 9.1
    return total / norm


def blur(plane, sigma):
    """A Gaussian blur of a 2-D plane with reflected edges."""
    radius = max(1, int(3 * sigma + 0.5))
    kernel = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2).astype(np.float32)
    kernel /= kernel.sum()
    for axis in (0, 1):
        pad = [(0, 0), (0, 0)]
        pad[axis] = (radius, radius)
        padded = np.pad(plane, pad, mode="reflect")
        length = plane.shape[axis]
        plane = sum(
            k * np.take(padded, range(i, i + length), axis=axis) for i, k in enumerate(kernel)
        )
    return plane


def png_16(path, samples):
    """Writes H x W x (3 or 4) 16-bit samples; Pillow cannot."""
    height, width, channels = samples.shape
    raw = (
        samples.astype(">u2").view(np.uint8).reshape(height, width * channels * 2).astype(np.int16)
    )
    step = channels * 2
    left = np.pad(raw, ((0, 0), (step, 0)))[:, :-step]
    above = np.pad(raw, ((1, 0), (0, 0)))[:-1]
    filtered = {1: raw - left, 2: raw - above, 3: raw - (left + above) // 2}
    lines = []
    for row in range(height):
        # The usual rule: the filter whose output is smallest, taken as signed bytes.
        best = min(filtered, key=lambda f: np.abs((filtered[f][row] + 128) % 256 - 128).sum())
        lines.append(bytes([best]) + (filtered[best][row] % 256).astype(np.uint8).tobytes())

    def chunk(name, body):
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 16, 2 if channels == 3 else 6, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"sRGB", b"\0"))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + chunk(b"IEND", b""))
