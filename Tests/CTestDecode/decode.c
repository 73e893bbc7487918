#include "include/CTestDecode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include <webp/decode.h>

static const test_picture nothing;

test_picture test_decode_png(const uint8_t *bytes, size_t count) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&image, bytes, count)) return nothing;
  test_picture picture = {image.width, image.height,
                          image.format & PNG_FORMAT_FLAG_ALPHA ? 4 : 3, NULL, 0, 0, 0};
  image.format = PNG_FORMAT_RGBA;
  picture.rgba = malloc((size_t)image.width * image.height * 4);
  if (picture.rgba && png_image_finish_read(&image, NULL, picture.rgba, 0, NULL)) return picture;
  png_image_free(&image);
  free(picture.rgba);
  return nothing;
}

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf fence;
} errors;

static void fail(j_common_ptr object) { longjmp(((errors *)object->err)->fence, 1); }

test_picture test_decode_jpeg(const uint8_t *bytes, size_t count) {
  struct jpeg_decompress_struct jpeg;
  errors errors;
  test_picture *volatile picture = calloc(1, sizeof *picture);
  jpeg.err = jpeg_std_error(&errors.base);
  errors.base.error_exit = fail;
  if (setjmp(errors.fence) == 0) {
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, count);
    jpeg_read_header(&jpeg, TRUE);
    picture->h_sampling = (uint32_t)jpeg.comp_info[0].h_samp_factor;
    picture->v_sampling = (uint32_t)jpeg.comp_info[0].v_samp_factor;
    picture->channels = 3;
    jpeg.out_color_space = JCS_EXT_RGBA;
    jpeg_start_decompress(&jpeg);
    picture->dc_quantizer = jpeg.quant_tbl_ptrs[0]->quantval[0];
    picture->rgba = malloc((size_t)jpeg.output_width * jpeg.output_height * 4);
    while (jpeg.output_scanline < jpeg.output_height) {
      JSAMPROW row = picture->rgba + (size_t)jpeg.output_scanline * jpeg.output_width * 4;
      jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    if (errors.base.num_warnings == 0) {
      picture->width = jpeg.output_width;
      picture->height = jpeg.output_height;
    }
  }
  jpeg_destroy_decompress(&jpeg);
  test_picture result = *picture;
  free(picture);
  return result;
}

test_picture test_decode_webp(const uint8_t *bytes, size_t count) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(bytes, count, &features) != VP8_STATUS_OK) return nothing;
  int width, height;
  uint8_t *decoded = WebPDecodeRGBA(bytes, count, &width, &height);
  if (!decoded) return nothing;
  // Into memory that `test_picture_free` can free.
  size_t size = (size_t)width * (size_t)height * 4;
  uint8_t *rgba = malloc(size);
  if (rgba) memcpy(rgba, decoded, size);
  WebPFree(decoded);
  uint32_t channels = features.has_alpha ? 4 : 3;
  return (test_picture){(uint32_t)width, (uint32_t)height, channels, rgba, 0, 0, 0};
}

void test_picture_free(test_picture *picture) {
  free(picture->rgba);
  *picture = nothing;
}

void test_trim_heap(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

bool test_has_address_sanitizer(void) {
#if __has_feature(address_sanitizer)
  return true;
#else
  return false;
#endif
}
