// WebP: the whole picture at once, under a reservation by formula, since
// libwebp allows no allocation hooks.
#include "include/wi_encoders.h"

#include <webp/encode.h>

#define KB UINT64_C(1024)

typedef struct output {
  const wi_sink *sink;
  wi_failure *failure;
} output;

static uint64_t units(uint64_t length, uint32_t bits) {
  return (length + (UINT64_C(1) << bits) - 1) >> bits;
}

// The lossless coder splits the picture into tiles of 2^bits pixels a side, at
// most 2,600 of them, and keeps two histograms of up to 8,544 bytes a tile.
static uint64_t histogram_bytes(uint32_t width, uint32_t height, uint32_t bits) {
  uint64_t tiles = units(width, bits) * units(height, bits);
  while (tiles > 2600) {
    bits++;
    tiles = units(width, bits) * units(height, bits);
  }
  return tiles * 2 * 8544;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

// One of two moments is the worst: while matches are searched (a table of 1 MB,
// and about 32 bytes a pixel), or while histograms are clustered.
static uint64_t lossless_bytes(uint32_t width, uint32_t height, uint32_t method) {
  uint64_t pixels = (uint64_t)width * height;
  if (method == 0) {
    return larger(1090 * KB + pixels * 27, 64 * KB + pixels * 16 +
                                               histogram_bytes(width, height, 7));
  }
  uint64_t coded = method == 1 ? pixels * 32 : pixels * 301 / 10;
  return larger(1090 * KB + pixels * 32,
                96 * KB + coded + histogram_bytes(width, height, 7 - method));
}

// Alpha is coded as a lossless picture of one channel, beside the planes.
static uint64_t alpha_bytes(uint32_t width, uint32_t height, uint32_t method) {
  uint64_t pixels = (uint64_t)width * height;
  if (method == 0) return 1120 * KB + pixels * 25;
  return larger(1120 * KB + pixels * 33,
                96 * KB + pixels * 47 / 2 + histogram_bytes(width, height, 9 - method));
}

// Planes, state for each macroblock, and the bit writer, which doubles and
// copies: up to 600 bytes a macroblock for noise, 300 at moderate quality.
static uint64_t lossy_bytes(uint32_t width, uint32_t height, uint32_t quality) {
  uint64_t chroma = ((uint64_t)width + 1) / 2 * (((uint64_t)height + 1) / 2);
  uint64_t blocks = units(width, 4) * units(height, 4);
  uint64_t bits = quality <= 70 ? 300 : 600;
  return 40 * KB + (uint64_t)width * height + 2 * chroma + blocks * (80 + bits) +
         (uint64_t)width * 8;
}

uint64_t wi_webp_encoder_bytes(uint32_t width, uint32_t height, uint32_t channels,
                               const wi_webp_options *options) {
  if (width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION) return UINT64_MAX;
  uint32_t method = options->method > 4 ? 4 : options->method;
  if (options->lossless) return lossless_bytes(width, height, method);
  uint64_t lossy = lossy_bytes(width, height, options->quality);
  if (channels != 4) return lossy;
  return larger(lossy + (uint64_t)width * height * 2, alpha_bytes(width, height, method));
}

static int write_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture) {
  output *output = picture->custom_ptr;
  if (count == 0 || output->sink->write(output->sink->context, bytes, count)) return 1;
  wi_fail(output->failure, WI_WRITE_FAILED, "the output refused %zu bytes", count);
  return 0;
}

static void encode(const uint8_t *pixels, int stride, uint32_t channels,
                   const WebPConfig *config, WebPPicture *picture, wi_failure *failure) {
  int ok = channels == 4 ? WebPPictureImportRGBA(picture, pixels, stride)
                         : WebPPictureImportRGB(picture, pixels, stride);
  if (ok) ok = WebPEncode(config, picture);
  if (ok) return;
  // A refusal of the sink stands in `failure` already, and wins.
  if (picture->error_code == VP8_ENC_ERROR_OUT_OF_MEMORY ||
      picture->error_code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY) {
    wi_fail(failure, WI_OUT_OF_MEMORY, "the system has no memory left for libwebp");
  } else if (picture->error_code == VP8_ENC_ERROR_PARTITION0_OVERFLOW ||
             picture->error_code == VP8_ENC_ERROR_PARTITION_OVERFLOW) {
    wi_fail(failure, WI_UNSUPPORTED, "the picture is too complex for WebP");
  } else {
    wi_fail(failure, WI_MISUSE, "libwebp: error %d", (int)picture->error_code);
  }
}

wi_status wi_webp_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                         size_t stride, uint32_t channels, const wi_webp_options *options,
                         const wi_sink *sink, const wi_memory *memory, wi_failure *failure) {
  if (failure->status) return failure->status;
  if (width > WEBP_MAX_DIMENSION || height > WEBP_MAX_DIMENSION) {
    return wi_fail(failure, WI_UNSUPPORTED, "a WebP holds at most %d pixels a side, not %u x %u",
                   WEBP_MAX_DIMENSION, width, height);
  }
  if (width == 0 || height == 0 || (channels != 3 && channels != 4) ||
      stride < (size_t)width * channels || stride > INT32_MAX || options->quality < 1 ||
      options->quality > 100 || options->method > 4) {
    return wi_fail(failure, WI_MISUSE, "a WebP of %u x %u x %u at quality %u, method %u", width,
                   height, channels, options->quality, options->method);
  }
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) {
    return wi_fail(failure, WI_MISUSE, "libwebp is not of the version it was built for");
  }
  config.lossless = options->lossless;
  // Of a lossless picture this is the effort.
  config.quality = options->lossless ? 75 : (float)options->quality;
  config.method = (int)options->method;
  // Codes straight into the file instead of keeping tokens: up to 24 bytes a
  // pixel less for the same bytes within 1 %.
  config.low_memory = 1;
  output output = {sink, failure};
  picture.use_argb = options->lossless;
  picture.width = (int)width;
  picture.height = (int)height;
  picture.writer = write_bytes;
  picture.custom_ptr = &output;
  uint64_t bytes = wi_webp_encoder_bytes(width, height, channels, options);
  if (bytes > SIZE_MAX) return wi_fail(failure, WI_OVER_BUDGET, "a size passes the address space");
  if (wi_reserve(memory, (size_t)bytes, failure)) return failure->status;
  encode(pixels, (int)stride, channels, &config, &picture, failure);
  WebPPictureFree(&picture);
  wi_release(memory, (size_t)bytes);
  return failure->status;
}
