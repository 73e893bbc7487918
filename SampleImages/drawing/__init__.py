"""The sample images, drawn by code: one module a picture, tools.py for all."""
