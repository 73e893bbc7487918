"""Makes Tests/Fixtures: small files, one for each coding and each kind of trouble.

Run by Scripts/make-fixtures. All show the same upright picture where a format
lets them: 48x32, corners red, green, blue and white, an arrow that points up.
"""

import io
import pathlib
import struct
import subprocess
import sys
import zlib

import numpy as np
from PIL import Image

ROOT = pathlib.Path(sys.argv[1])
WIDTH, HEIGHT = 48, 32
# (path, format, coding, width, height, orientation, alpha, depth, frames, verdict)
INDEX = []


def save(
    path,
    data,
    form="-",
    coding="-",
    size=(WIDTH, HEIGHT),
    orientation=1,
    alpha=0,
    depth=8,
    frames=1,
    verdict="ok",
):
    assert len(data) < 20_000, path
    target = ROOT / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    INDEX.append((path, form, coding, *size, orientation, alpha, depth, frames, verdict))


def picture(width=WIDTH, height=HEIGHT):
    """The picture as H x W x 3."""
    y, x = np.mgrid[0:height, 0:width]
    rgb = np.stack([60 + 3 * x, 90 + 4 * y, 200 - 2 * x - 2 * y], axis=-1).clip(0, 255)
    corner = max(1, min(width, height) // 4)
    rgb[:corner, :corner] = 255, 0, 0
    rgb[:corner, width - corner :] = 0, 255, 0
    rgb[height - corner :, :corner] = 0, 0, 255
    rgb[height - corner :, width - corner :] = 255, 255, 255
    middle = width / 2 - 0.5
    top = height * 0.2
    head = (y >= top) & (y < height * 0.5) & (np.abs(x - middle) <= (y - top))
    stem = (y >= height * 0.5) & (y < height * 0.85) & (np.abs(x - middle) <= width * 0.06)
    rgb[head | stem] = 0, 0, 0
    return rgb.astype(np.uint8)


RGB = picture()
# Round: clear outside, a soft edge.
_Y, _X = np.mgrid[0:HEIGHT, 0:WIDTH]
ALPHA = ((1.15 - np.hypot((_X - 23.5) / 24, (_Y - 15.5) / 16)) * 600).clip(0, 255).astype(np.uint8)
RGBA = np.dstack([RGB, ALPHA])
GREY = np.asarray(Image.fromarray(RGB).convert("L"))


def exif(orientation, endian="<"):
    """A TIFF block with nothing but the orientation."""
    order = b"II" if endian == "<" else b"MM"
    return order + struct.pack(endian + "HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0)


def profile():
    """A matrix profile, version 2: Display P3's primaries with a gamma of 2.2."""

    def fixed(*values):
        return b"".join(struct.pack(">i", round(v * 65536)) for v in values)

    def xyz(*values):
        return b"XYZ \0\0\0\0" + fixed(*values)

    name = b"Test P3\0"
    tags = {
        b"desc": b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name + b"\0" * 79,
        b"cprt": b"text\0\0\0\0CC0\0",
        b"wtpt": xyz(0.9642, 1, 0.8249),
        b"rXYZ": xyz(0.51512, 0.2412, -0.00105),
        b"gXYZ": xyz(0.29198, 0.69225, 0.04189),
        b"bXYZ": xyz(0.1571, 0.06657, 0.78407),
        b"rTRC": b"curv\0\0\0\0" + struct.pack(">IH", 1, round(2.2 * 256)),
    }
    tags[b"gTRC"] = tags[b"bTRC"] = tags[b"rTRC"]
    table, body = struct.pack(">I", len(tags)), b""
    start = 128 + 4 + 12 * len(tags)
    for tag, value in tags.items():
        table += tag + struct.pack(">II", start + len(body), len(value))
        body += value + b"\0" * (-len(value) % 4)
    header = struct.pack(
        ">I4sI4s4s4s", start + len(body), b"\0" * 4, 0x02400000, b"mntr", b"RGB ", b"XYZ "
    )
    header += (
        struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + b"\0" * 28 + fixed(0.9642, 1, 0.8249)
    )
    return header.ljust(128, b"\0") + table + body


PROFILE = profile()


# PNG

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def packed(samples, depth):
    """Rows of samples (H x W x channels) as PNG bytes, filter 0."""
    flat = samples.reshape(samples.shape[0], -1)
    if depth == 16:
        rows = [r.astype(">u2").tobytes() for r in flat]
    elif depth == 8:
        rows = [r.astype(np.uint8).tobytes() for r in flat]
    else:
        bits = ((flat[..., None] >> np.arange(depth - 1, -1, -1)) & 1).reshape(flat.shape[0], -1)
        rows = [np.packbits(r.astype(np.uint8)).tobytes() for r in bits]
    return b"".join(b"\0" + r for r in rows)


def adam7(samples, depth):
    passes = (
        (0, 0, 8, 8),
        (0, 4, 8, 8),
        (4, 0, 8, 4),
        (0, 2, 4, 4),
        (2, 0, 4, 2),
        (0, 1, 2, 2),
        (1, 0, 2, 1),
    )
    parts = [samples[y::dy, x::dx] for y, x, dy, dx in passes]
    return b"".join(packed(p, depth) for p in parts if p.size)


def png(samples, kind, depth=8, before=b"", after=b"", interlaced=False, idat_extra=b""):
    height, width = samples.shape[:2]
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, int(interlaced))
    data = (adam7 if interlaced else packed)(samples, depth)
    return (
        SIGNATURE
        + chunk(b"IHDR", header)
        + before
        + chunk(b"IDAT", zlib.compress(data, 9) + idat_extra)
        + after
        + chunk(b"IEND", b"")
    )


def make_png():
    plain = dict(form="png", coding="non-interlaced")
    for depth in (1, 2, 4):
        save(f"png/grey{depth}.png", png(GREY >> (8 - depth), 0, depth), depth=depth, **plain)
    save("png/grey8.png", png(GREY, 0), **plain)
    save("png/grey16.png", png(GREY.astype(np.uint16) * 257, 0, 16), depth=16, **plain)
    save(
        "png/grey8-trns.png",
        png(GREY, 0, before=chunk(b"tRNS", struct.pack(">H", int(GREY[0, 0])))),
        alpha=1,
        **plain,
    )
    save("png/greyalpha8.png", png(np.dstack([GREY, ALPHA]), 4), alpha=1, **plain)
    save(
        "png/greyalpha16.png",
        png(np.dstack([GREY, ALPHA]).astype(np.uint16) * 257, 4, 16),
        alpha=1,
        depth=16,
        **plain,
    )
    save("png/rgb8.png", png(RGB, 2), **plain)
    save(
        "png/rgb8-trns.png",
        png(RGB, 2, before=chunk(b"tRNS", struct.pack(">HHH", 255, 0, 0))),
        alpha=1,
        **plain,
    )
    # Low bytes differ from high ones, so that a reader that drops them shows.
    deep = RGB.astype(np.uint16) * 256 + 77
    save("png/rgb16.png", png(deep, 2, 16), depth=16, **plain)
    save("png/rgba8.png", png(RGBA, 6), alpha=1, **plain)
    save(
        "png/rgba16.png",
        png(np.dstack([deep, ALPHA.astype(np.uint16) * 257]), 6, 16),
        alpha=1,
        depth=16,
        **plain,
    )

    for depth, colours in ((1, 2), (2, 4), (4, 16), (8, 64)):
        image = Image.fromarray(RGB).quantize(
            colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE
        )
        entries = np.array(image.getpalette()[: 3 * colours], dtype=np.uint8).tobytes()
        indices = np.asarray(image)
        palette = chunk(b"PLTE", entries)
        save(
            f"png/palette{depth}.png", png(indices, 3, depth, before=palette), depth=depth, **plain
        )
        # Fewer alpha values than colours: the rest are opaque.
        alphas = bytes(i * 255 // colours for i in range(colours // 2))
        save(
            f"png/palette{depth}-trns.png",
            png(indices, 3, depth, before=palette + chunk(b"tRNS", alphas)),
            depth=depth,
            alpha=1,
            **plain,
        )

    crossed = dict(form="png", coding="adam7")
    save("png/adam7-rgb8.png", png(RGB, 2, interlaced=True), **crossed)
    save("png/adam7-rgba8.png", png(RGBA, 6, interlaced=True), alpha=1, **crossed)
    save("png/adam7-grey1.png", png(GREY >> 7, 0, 1, interlaced=True), depth=1, **crossed)
    save("png/adam7-rgb16.png", png(deep, 2, 16, interlaced=True), depth=16, **crossed)
    # Sides below 8 and 5: some passes are empty.
    for width, height in ((1, 1), (3, 2), (5, 1), (1, 5)):
        save(
            f"png/adam7-{width}x{height}.png",
            png(picture(width, height), 2, interlaced=True),
            size=(width, height),
            **crossed,
        )

    turned = np.rot90(RGB)
    tag = chunk(b"eXIf", exif(6, ">"))
    save(
        "png/exif-before.png",
        png(turned, 2, before=tag),
        size=(HEIGHT, WIDTH),
        orientation=6,
        **plain,
    )
    save(
        "png/exif-after.png",
        png(turned, 2, after=tag),
        size=(HEIGHT, WIDTH),
        orientation=6,
        **plain,
    )
    icc = chunk(b"iCCP", b"Test P3\0\0" + zlib.compress(PROFILE, 9))
    save("png/icc.png", png(RGB, 2, before=icc), **plain)
    linear = chunk(b"gAMA", struct.pack(">I", 100_000))
    save("png/gamma1.png", png(RGB, 2, before=linear), **plain)
    save("png/srgb.png", png(RGB, 2, before=chunk(b"sRGB", b"\0")), **plain)
    p3 = chunk(b"cICP", bytes([12, 13, 0, 1]))
    save("png/cicp-p3.png", png(RGB, 2, before=p3), **plain)

    def control(sequence):
        return chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, WIDTH, HEIGHT, 0, 0, 1, 10, 0, 0))

    second = chunk(b"fdAT", struct.pack(">I", 2) + zlib.compress(packed(255 - RGB, 8), 9))
    begin = chunk(b"acTL", struct.pack(">II", 2, 0)) + control(0)
    save("png/apng.png", png(RGB, 2, before=begin, after=control(1) + second), frames=2, **plain)
    save("png/1x1.png", png(picture(1, 1), 2), size=(1, 1), **plain)
    save("png/1x150.png", png(picture(1, 150), 2), size=(1, 150), **plain)
    save("png/many-idat.png", split_idat(png(RGB, 2), 7), **plain)


def split_idat(data, length):
    """The same with its IDAT cut in chunks of `length` bytes, empty ones between."""
    at = data.index(b"IDAT") - 4
    size = struct.unpack(">I", data[at : at + 4])[0]
    body = data[at + 8 : at + 8 + size]
    parts = b"".join(
        chunk(b"IDAT", body[i : i + length]) + chunk(b"IDAT", b"") for i in range(0, size, length)
    )
    return data[:at] + parts + data[at + 12 + size :]


# JPEG


def tool(name, *arguments, data):
    return subprocess.run([name, *arguments], input=data, stdout=subprocess.PIPE, check=True).stdout


def ppm(rgb):
    return b"P6 %d %d 255\n" % (rgb.shape[1], rgb.shape[0]) + rgb.tobytes()


def cjpeg(*arguments, rgb=RGB):
    return tool("cjpeg", "-quality", "92", *arguments, data=ppm(rgb))


def pillow_jpeg(image, **options):
    out = io.BytesIO()
    image.save(out, "JPEG", quality=92, **options)
    return out.getvalue()


def segments(data):
    """(marker, offset, length with the marker) of the header's segments, up to the first scan."""
    at = 2
    while True:
        marker, size = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield marker, at, size + 2
        if marker == 0xDA:
            return
        at += size + 2


def without(data, unwanted):
    for marker, at, size in segments(data):
        if marker == unwanted:
            return data[:at] + data[at + size :]
    raise ValueError("no such segment")


def patched(data, marker, offset, value):
    for found, at, _ in segments(data):
        if found == marker:
            return data[: at + offset] + bytes([value]) + data[at + offset + 1 :]
    raise ValueError("no such segment")


def make_jpeg():
    base = dict(form="jpeg", coding="baseline")
    for name, sample in (
        ("444", "1x1"),
        ("422", "2x1"),
        ("420", "2x2"),
        ("411", "4x1"),
        ("440", "1x2"),
    ):
        save(f"jpeg/ycc-{name}.jpg", cjpeg("-sample", sample), **base)
    save("jpeg/grey.jpg", cjpeg("-grayscale"), **base)
    save("jpeg/rgb-adobe.jpg", cjpeg("-rgb"), **base)
    save("jpeg/restart.jpg", cjpeg("-restart", "1"), **base)
    save("jpeg/restart-blocks.jpg", cjpeg("-restart", "2B"), **base)
    save("jpeg/progressive.jpg", cjpeg("-progressive"), form="jpeg", coding="progressive")
    save(
        "jpeg/progressive-grey.jpg",
        cjpeg("-progressive", "-grayscale"),
        form="jpeg",
        coding="progressive",
    )
    scans = ROOT / ".scans"
    scans.write_text("0;\n1;\n2;\n")
    save("jpeg/multi-scan.jpg", cjpeg("-scans", str(scans)), form="jpeg", coding="multi-scan")
    scans.unlink()
    save("jpeg/arithmetic.jpg", cjpeg("-arithmetic"), form="jpeg", coding="arithmetic")
    both = cjpeg("-arithmetic", "-progressive")
    save("jpeg/arithmetic-progressive.jpg", both, form="jpeg", coding="arithmetic-progressive")
    # SOF1 with what baseline allows: extended by name alone.
    plain = cjpeg()
    at = next(a for m, a, _ in segments(plain) if m == 0xC0)
    save(
        "jpeg/extended.jpg",
        plain[: at + 1] + b"\xc1" + plain[at + 2 :],
        form="jpeg",
        coding="extended",
    )

    for width, height in ((1, 1), (1, 150), (17, 9), (8, 8), (31, 33)):
        save(
            f"jpeg/{width}x{height}.jpg",
            cjpeg(rgb=picture(width, height)),
            size=(width, height),
            **base,
        )

    flips = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    for orientation in range(1, 9):
        image = Image.fromarray(RGB)
        if orientation in flips:
            image = image.transpose(flips[orientation])
        for name, endian in (("le", "<"), ("be", ">")):
            data = pillow_jpeg(image, subsampling=0, exif=b"Exif\0\0" + exif(orientation, endian))
            save(
                f"jpeg/exif{orientation}-{name}.jpg",
                data,
                size=image.size,
                orientation=orientation,
                **base,
            )
    wrong = pillow_jpeg(Image.fromarray(RGB), subsampling=0, exif=b"Exif\0\0" + exif(9))
    save("jpeg/exif9.jpg", wrong, **base)
    save("jpeg/icc.jpg", pillow_jpeg(Image.fromarray(RGB), icc_profile=PROFILE), **base)

    # Inks: black takes what the three colours share. Pillow writes them as
    # Adobe does, inverted, with its marker.
    inks = 255 - RGB.astype(np.int16)
    black = inks.min(axis=-1)
    inks = np.dstack([inks - black[..., None], black]).astype(np.uint8)
    save("jpeg/cmyk-adobe.jpg", pillow_jpeg(Image.fromarray(inks, "CMYK")), **base)
    straight = pillow_jpeg(Image.fromarray(255 - inks, "CMYK"))
    save("jpeg/cmyk-plain.jpg", without(straight, 0xEE), **base)
    # YCCK: the three inks as if they were red, green and blue.
    three = np.asarray(Image.fromarray(inks[..., :3]).convert("YCbCr"))
    coded = 255 - np.dstack([three, 255 - inks[..., 3]])
    data = pillow_jpeg(Image.fromarray(coded.astype(np.uint8), "CMYK"))
    save("jpeg/ycck-adobe.jpg", patched(data, 0xEE, 15, 2), **base)


# WebP


def pillow_webp(pixels, **options):
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "WEBP", method=4, **options)
    return out.getvalue()


def riff(*chunks):
    body = b"WEBP" + b"".join(
        n + struct.pack("<I", len(b)) + b + b"\0" * (len(b) % 2) for n, b in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def webp_chunks(data):
    at = 12
    while at < len(data):
        size = struct.unpack("<I", data[at + 4 : at + 8])[0]
        yield data[at : at + 4], data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def three_bytes(value):
    return struct.pack("<I", value)[:3]


def make_webp():
    flat, clear = dict(form="webp", coding="lossy"), dict(
        form="webp", coding="lossy-alpha", alpha=1
    )
    save("webp/lossy.webp", pillow_webp(RGB, quality=90), **flat)
    save("webp/lossy-alpha.webp", pillow_webp(RGBA, quality=90), **clear)
    save("webp/lossless.webp", pillow_webp(RGB, lossless=True), form="webp", coding="lossless")
    save(
        "webp/lossless-alpha.webp",
        pillow_webp(RGBA, lossless=True, exact=True),
        form="webp",
        coding="lossless",
        alpha=1,
    )
    few = np.asarray(Image.fromarray(RGB).quantize(8, dither=Image.Dither.NONE).convert("RGB"))
    save(
        "webp/lossless-8-colours.webp",
        pillow_webp(few, lossless=True),
        form="webp",
        coding="lossless",
    )
    turned = np.ascontiguousarray(np.rot90(RGB))
    data = pillow_webp(turned, quality=90, exif=exif(6))
    save("webp/exif6.webp", data, size=(HEIGHT, WIDTH), orientation=6, **flat)
    save("webp/icc.webp", pillow_webp(RGB, quality=90, icc_profile=PROFILE), **flat)
    for width, height in ((1, 1), (17, 9)):
        small = pillow_webp(picture(width, height), quality=90)
        save(f"webp/{width}x{height}.webp", small, size=(width, height), **flat)

    # Two frames on a clear canvas; the first stands at (8, 4) and is 32x24.
    def frame(pixels, x, y):
        name, body = next(webp_chunks(pillow_webp(pixels, lossless=True, exact=True)))
        place = b"".join(
            map(three_bytes, (x // 2, y // 2, pixels.shape[1] - 1, pixels.shape[0] - 1, 100))
        )
        return b"ANMF", place + b"\0" + name + struct.pack("<I", len(body)) + body + b"\0" * (
            len(body) % 2
        )

    canvas = bytes([0x12, 0, 0, 0]) + three_bytes(WIDTH - 1) + three_bytes(HEIGHT - 1)
    data = riff(
        (b"VP8X", canvas),
        (b"ANIM", b"\0" * 6),
        frame(np.ascontiguousarray(RGB[4:28, 8:40]), 8, 4),
        frame(255 - RGB, 0, 0),
    )
    save("webp/animated.webp", data, form="webp", coding="animated", alpha=1, frames=2)


# Trouble


def make_bad():
    good_png, good_jpeg, good_webp = (
        png(RGB, 2),
        cjpeg("-sample", "2x2"),
        pillow_webp(RGB, quality=90),
    )
    noise = np.random.default_rng(5).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    big = {"png": png(noise, 2), "jpg": cjpeg(rgb=noise), "webp": pillow_webp(noise, quality=90)}
    forms = {
        "png": ("png", "non-interlaced"),
        "jpg": ("jpeg", "baseline"),
        "webp": ("webp", "lossy"),
    }
    for ending, data in big.items():
        form, coding = forms[ending]
        about = dict(form=form, coding=coding, size=(40, 40))
        save(f"bad/half.{ending}", data[: len(data) // 2], verdict="damaged", **about)
        # For JPEG and PNG that is the end mark's last byte: every pixel is there.
        save(
            f"bad/short-by-1.{ending}",
            data[:-1],
            verdict="damaged" if ending == "webp" else "ok",
            **about,
        )
        save(f"bad/trailing.{ending}", data + b"\0trailing\xff\xd8" * 40, **about)
    named = dict(form="png", coding="non-interlaced")
    save("bad/png-named.jpg", good_png, **named)
    save("bad/jpeg-named.png", good_jpeg, form="jpeg", coding="baseline")
    save("bad/webp-named.png", good_webp, form="webp", coding="lossy")
    save("bad/no-extension", good_png, **named)

    at = good_png.index(b"IDAT")
    save(
        "bad/idat-crc.png",
        good_png[: at + 40] + bytes([good_png[at + 40] ^ 0x55]) + good_png[at + 41 :],
        verdict="damaged",
        **named,
    )
    save(
        "bad/ihdr-crc.png",
        good_png[:29] + b"\0\0\0\0" + good_png[33:],
        verdict="damaged",
        form="png",
    )
    save(
        "bad/no-idat.png",
        SIGNATURE
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 4, 4, 8, 2, 0, 0, 0))
        + chunk(b"IEND", b""),
        verdict="damaged",
        form="png",
        size=(4, 4),
    )
    save(
        "bad/zero-width.png",
        SIGNATURE
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 0, 4, 8, 2, 0, 0, 0))
        + chunk(b"IEND", b""),
        verdict="damaged",
        form="png",
        size=(0, 4),
    )
    save("bad/no-palette.png", png(GREY, 3), verdict="damaged", **named)
    short_palette = chunk(b"PLTE", bytes(range(12)))
    save(
        "bad/palette-index.png",
        png(np.full((4, 4), 200, np.uint8), 3, before=short_palette),
        size=(4, 4),
        verdict="damaged",
        **named,
    )
    claim = (
        SIGNATURE
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 100_000, 100_000, 8, 6, 0, 0, 0))
        + chunk(b"IDAT", b"x\x9c")[:14]
    )
    save(
        "bad/claims-100000.png",
        claim,
        form="png",
        coding="non-interlaced",
        size=(100_000, 100_000),
        alpha=1,
        verdict="refused",
    )
    grey = cjpeg("-grayscale", rgb=picture(8, 8))
    for offset, value in ((5, 0xFF), (6, 0xDC), (7, 0xFF), (8, 0xDC)):
        grey = patched(grey, 0xC0, offset, value)
    save(
        "bad/claims-65500.jpg",
        grey,
        form="jpeg",
        coding="baseline",
        size=(65_500, 65_500),
        verdict="refused",
    )
    save(
        "bad/twelve-bit.jpg",
        patched(good_jpeg, 0xC0, 4, 12),
        form="jpeg",
        depth=12,
        verdict="unsupported",
    )
    at = next(a for m, a, _ in segments(good_jpeg) if m == 0xC0)
    save(
        "bad/lossless.jpg",
        good_jpeg[: at + 1] + b"\xc3" + good_jpeg[at + 2 :],
        form="jpeg",
        verdict="unsupported",
    )
    save("bad/only-start.jpg", b"\xff\xd8", form="jpeg", size=(0, 0), verdict="damaged")
    save(
        "bad/riff-length.webp",
        good_webp[:4] + b"\xff\xff\xff\x7f" + good_webp[8:],
        form="webp",
        coding="lossy",
        verdict="damaged",
    )

    nothing = dict(size=(0, 0), depth=0, frames=0, verdict="not-an-image")
    other = dict(size=(0, 0), depth=0, frames=0, verdict="unsupported")
    save("bad/empty.png", b"", **nothing)
    save("bad/one-byte.jpg", b"\xff", **nothing)
    save("bad/text.png", b"This is a text, and no picture.\n", **nothing)
    save("bad/page.png", b"<!DOCTYPE html><html><title>404</title></html>\n", **nothing)
    save("bad/zeros.webp", b"\0" * 512, **nothing)
    save(
        "bad/drawing.svg",
        b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
        form="svg",
        **other,
    )
    for brand in ("heic", "avif"):
        box = struct.pack(">I", 24) + b"ftyp" + brand.encode() + b"\0\0\0\0mif1" + brand.encode()
        save(f"bad/photo.{brand}", box + struct.pack(">I", 8) + b"mdat", form=brand, **other)
    for form in ("gif", "bmp", "tiff"):
        out = io.BytesIO()
        Image.fromarray(RGB[:8, :8]).save(out, form)
        save(f"bad/picture.{form}", out.getvalue(), form=form, **other)


def main():
    for make in (make_png, make_jpeg, make_webp, make_bad):
        make()
    lines = [
        "path format coding width height orientation alpha depth frames verdict".split(),
        *INDEX,
    ]
    text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
    (ROOT / "INDEX.tsv").write_text(text)
    kept = {ROOT / row[0] for row in INDEX} | {ROOT / "INDEX.tsv", ROOT / "README.md"}
    for file in ROOT.rglob("*"):
        if file.is_file() and file not in kept:
            file.unlink()
    total = sum(f.stat().st_size for f in kept if f.exists())
    assert total < 400_000, total
    print(f"made {len(INDEX)} fixtures, {total} bytes")


main()
