"""pillow.py INPUT SIZE OUTPUT: a thumbnail as Pillow's documentation makes it."""

import sys

from PIL import Image

Image.MAX_IMAGE_PIXELS = None
source, size, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with Image.open(source) as picture:
    picture.thumbnail((size, size), Image.Resampling.LANCZOS)
    options = {"quality": 85} if target.endswith(".jpg") else {}
    picture.save(target, **options)
