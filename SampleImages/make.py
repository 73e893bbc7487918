"""Draws the sample images beside this file. Run by the wrapper `make`."""

import pathlib
import sys

from PIL import Image

from drawing import cover, deep, logo, photo, portrait, tools

HERE = pathlib.Path(__file__).resolve().parent
ORIENTATION = 0x0112


def make_logo():
    picture = Image.fromarray(tools.straight(logo.draw()), "RGBA")
    picture.save(HERE / "logo.png", optimize=True)
    # 256 colours, alpha among them: a palette with a tRNS chunk.
    palette = picture.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    palette.save(HERE / "logo-palette.png", optimize=True)


def make_photo():
    picture = Image.fromarray(photo.draw(), "RGB")
    picture.save(HERE / "photo.jpg", quality=photo.QUALITY, subsampling="4:2:0", optimize=True)


def make_cover():
    picture = Image.fromarray(tools.straight(cover.draw()), "RGBA")
    picture.save(HERE / "cover.webp", quality=84, alpha_quality=90, method=6)


def make_portrait():
    upright = Image.fromarray(portrait.draw(), "RGB")
    # As a phone held upright stores it: on its side, with a note how to turn it.
    stored = upright.transpose(Image.Transpose.ROTATE_90)
    exif = Image.Exif()
    exif[ORIENTATION] = 6
    stored.save(HERE / "portrait.jpg", quality=88, subsampling="4:2:0", optimize=True, exif=exif)


def make_deep():
    tools.png_16(HERE / "deep.png", deep.draw())


MAKERS = {
    "logo": make_logo,
    "photo": make_photo,
    "cover": make_cover,
    "portrait": make_portrait,
    "deep": make_deep,
}

if __name__ == "__main__":
    wanted = sys.argv[1:] or list(MAKERS)
    for name in wanted:
        if name not in MAKERS:
            sys.exit(f"There is no picture '{name}'; there are {', '.join(MAKERS)}.")
        MAKERS[name]()
        print(f"made {name}")
