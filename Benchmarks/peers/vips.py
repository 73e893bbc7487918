"""vips.py INPUT SIZE OUTPUT [linear]: libvips 8.18's thumbnail through pyvips."""

import sys

import pyvips

source, size, target = sys.argv[1], int(sys.argv[2]), sys.argv[3]
picture = pyvips.Image.thumbnail(source, size, height=size, linear=len(sys.argv) > 4)
options = {"Q": 85} if target.endswith(".jpg") else {}
picture.write_to_file(target, **options)
