"""The float64 reference: linear light, premultiplied, exact kernel, whole support.

It shares nothing with the program, and its blas-free sums keep to the memory of
a few hundred megabytes by going down the picture in bands of columns.
"""

import numpy as np

SRGB_TO_LINEAR = np.array(
    [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in np.arange(256) / 255.0]
)


def lanczos3(x):
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0.0)


def taps(source, count):
    """For each output: its first source sample and its weights."""
    ratio = source / count
    stretch = max(1.0, ratio)
    result = []
    for output in range(count):
        centre = (output + 0.5) * ratio - 0.5
        low = max(0, int(np.floor(centre - 3 * stretch)))
        high = min(source - 1, int(np.ceil(centre + 3 * stretch)))
        weights = lanczos3((np.arange(low, high + 1) - centre) / stretch)
        result.append((low, weights / weights.sum()))
    return result


def resize(pixels, width, height):
    """`pixels`: uint8, rows x columns x channels. Linear, premultiplied, float64."""
    rows, columns, channels = pixels.shape
    down, across = taps(rows, height), taps(columns, width)
    narrow = np.empty((height, columns, channels))
    band = max(1, (1 << 23) // rows)
    for left in range(0, columns, band):
        part = pixels[:, left : left + band]
        if channels == 4:
            linear = np.empty(part.shape)
            alpha = part[:, :, 3] / 255.0
            linear[:, :, 3] = alpha
            linear[:, :, :3] = SRGB_TO_LINEAR[part[:, :, :3]] * alpha[:, :, None]
        else:
            linear = SRGB_TO_LINEAR[part]
        flat = linear.reshape(rows, -1)
        for y, (first, weights) in enumerate(down):
            narrow[y, left : left + band] = (weights @ flat[first : first + len(weights)]).reshape(
                -1, channels
            )
    result = np.empty((height, width, channels))
    for x, (first, weights) in enumerate(across):
        result[:, x] = np.einsum("k,ykc->yc", weights, narrow[:, first : first + len(weights)])
    return result


def encode(linear):
    linear = np.clip(linear, 0, 1)
    return 255 * np.where(
        linear <= 0.0031308, 12.92 * linear, 1.055 * np.power(linear, 1 / 2.4) - 0.055
    )


def largest_error(output, reference):
    """As docs/fidelity.md has it: each channel where alpha is 255, premultiplied
    elsewhere, and alpha. Of 255."""
    output = output.astype(np.float64)
    if reference.shape[2] != 4:
        return float(np.abs(output - np.rint(encode(reference))).max())
    alpha = reference[:, :, 3:]
    straight = np.divide(
        reference[:, :, :3], alpha, out=np.zeros_like(reference[:, :, :3]), where=alpha > 0
    )
    colour, alpha = encode(straight), 255 * np.clip(alpha, 0, 1)
    ours, ours_alpha = output[:, :, :3], output[:, :, 3:]
    opaque = (np.rint(alpha) == 255) & (ours_alpha == 255)
    exact = np.abs(ours - np.rint(colour))
    premultiplied = np.abs(ours * ours_alpha - colour * alpha) / 255
    return float(
        max(np.where(opaque, exact, premultiplied).max(), np.abs(ours_alpha - np.rint(alpha)).max())
    )
