// The least that reading a WebP takes: libwebp's own decoder to RGB, or to RGBA
// where there is alpha, with the whole file and the whole picture in memory.
#include <stdio.h>
#include <stdlib.h>

#include <webp/decode.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 66;
  fseek(file, 0, SEEK_END);
  size_t bytes = (size_t)ftell(file);
  rewind(file);
  uint8_t *data = malloc(bytes);
  if (!data || fread(data, 1, bytes, file) != bytes) return 74;
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data, bytes, &features) != VP8_STATUS_OK) return 65;
  int width, height;
  uint8_t *picture = features.has_alpha ? WebPDecodeRGBA(data, bytes, &width, &height)
                                        : WebPDecodeRGB(data, bytes, &width, &height);
  if (!picture) return 65;
  printf("%d\n", picture[width]);
  return 0;
}
