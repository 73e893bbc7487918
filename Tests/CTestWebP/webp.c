#include "include/CTestWebP.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <webp/decode.h>
#include <webp/encode.h>

uint8_t *wt_webp_decode(const uint8_t *bytes, size_t count, bool alpha, int32_t *width,
                        int32_t *height) {
  return alpha ? WebPDecodeRGBA(bytes, count, width, height)
               : WebPDecodeRGB(bytes, count, width, height);
}

size_t wt_webp_encode(const uint8_t *pixels, int32_t width, int32_t height,
                      const wt_webp_options *options, uint8_t **out) {
  WebPConfig config;
  WebPPicture picture;
  *out = NULL;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) return 0;
  config.quality = options->quality;
  config.method = options->method;
  config.lossless = options->lossless;
  config.exact = options->lossless;
  config.partitions = options->partitions;
  if (options->no_filter) config.filter_strength = 0;
  config.filter_type = options->simple_filter ? 0 : 1;
  config.alpha_compression = !options->plain_alpha;
  config.alpha_filtering = options->alpha_filtering;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.use_argb = options->lossless;
  picture.width = width;
  picture.height = height;
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  bool done = WebPPictureImportRGBA(&picture, pixels, width * 4) && WebPEncode(&config, &picture);
  WebPPictureFree(&picture);
  if (!done) {
    WebPMemoryWriterClear(&writer);
    return 0;
  }
  *out = writer.mem;
  return writer.size;
}

void wt_fill(uint8_t *pixels, int32_t width, int32_t height, wt_scene scene, bool alpha) {
  uint32_t seed = 12345;
  for (int32_t y = 0; y < height; y++) {
    for (int32_t x = 0; x < width; x++) {
      uint8_t *at = pixels + ((size_t)y * (size_t)width + (size_t)x) * 4;
      seed = seed * 1664525u + 1013904223u;
      int grain = (int)(seed >> 29) - 4;
      bool photo = scene == WT_PHOTO || (scene == WT_HALF_FLAT && y < height / 2);
      for (int c = 0; c < 3; c++) {
        int wave = 90 + ((x * (c + 2) / 3 + y * (3 - c) / 2) & 255) / 3 + ((x ^ y) & 31) / 4;
        int value = photo                  ? wave + grain
                    : scene == WT_DRAWING ? ((x / 23 + y / 17 * (c + 1)) & 3) * 80
                    : scene == WT_NOISE   ? (int)(seed >> (8 + 8 * c)) & 255
                                          : 120 + c;
        at[c] = (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value);
      }
      at[3] = 255;
      if (alpha) {
        int64_t dx = x - width / 2, dy = y - height / 2;
        int64_t far = dx * dx + dy * dy, radius = (int64_t)width * width / 4 + 1;
        at[3] = (uint8_t)(far >= radius ? 0 : 255 - far * 255 / radius);
        if (scene == WT_NOISE) at[3] = (uint8_t)(seed >> 24);
      }
    }
  }
}

#if defined(__GLIBC__)
#include <malloc.h>
size_t wt_malloc_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
void wt_malloc_trim(void) { malloc_trim(0); }
#else
size_t wt_malloc_bytes(void) { return 0; }
void wt_malloc_trim(void) {}
#endif

size_t wt_resident_bytes(void) {
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  char line[256];
  size_t total = 0, part;
  while (fgets(line, sizeof line, file)) {
    if (sscanf(line, "RssAnon: %zu", &part) == 1) total += part * 1024;
    if (sscanf(line, "RssShmem: %zu", &part) == 1) total += part * 1024;
  }
  fclose(file);
  return total;
}

typedef struct flow {
  int descriptor;
  size_t count;
  uint8_t bytes[];
} flow;

static void *pour(void *argument) {
  flow *flow = argument;
  for (size_t at = 0; at < flow->count;) {
    // Odd pieces: a reader must put short reads together.
    size_t piece = flow->count - at < 7001 ? flow->count - at : 7001;
    ssize_t written = write(flow->descriptor, flow->bytes + at, piece);
    if (written <= 0) break;
    at += (size_t)written;
  }
  close(flow->descriptor);
  free(flow);
  return NULL;
}

int32_t wt_pipe(const uint8_t *bytes, size_t count) {
  int ends[2];
  // A reader that stops early must not end the tests.
  signal(SIGPIPE, SIG_IGN);
  flow *flow = malloc(sizeof *flow + count);
  pthread_t thread;
  if (!flow || pipe(ends) != 0) {
    free(flow);
    return -1;
  }
  flow->descriptor = ends[1];
  flow->count = count;
  memcpy(flow->bytes, bytes, count);
  if (pthread_create(&thread, NULL, pour, flow) != 0) {
    close(ends[0]);
    close(ends[1]);
    free(flow);
    return -1;
  }
  pthread_detach(thread);
  return ends[0];
}

void wt_free(void *block) { WebPFree(block); }
