#include "include/CTestCodecs.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

typedef struct errors {
  struct jpeg_error_mgr manager;
  jmp_buf fence;
} errors;

static void on_error(j_common_ptr object) { longjmp(((errors *)object->err)->fence, 1); }

static void on_message(j_common_ptr object, int level) {
  if (level < 0) object->err->num_warnings++;
}

static void install(errors *errors) {
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = on_error;
  errors->manager.emit_message = on_message;
}

void ct_free(ct_bytes bytes) { free(bytes.bytes); }

static uint8_t sample(uint32_t x, uint32_t y, uint32_t component) {
  uint32_t noise = (x * 2654435761u) ^ (y * 40503u) ^ (component * 97u);
  noise ^= noise >> 13;
  uint32_t edge = (x / 24 + y / 16) % 2 ? 60 : 0;
  return (uint8_t)((x * (component + 1) / 3 + y * 2) % 160 + edge + noise % 24);
}

static void set_scans(struct jpeg_compress_struct *object, jpeg_scan_info *scans) {
  for (int i = 0; i < object->num_components; i++) {
    scans[i] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {i}, .Ss = 0, .Se = 63};
  }
  object->scan_info = scans;
  object->num_scans = object->num_components;
}

#define MOST_SCANS 8192

static void set_script(struct jpeg_compress_struct *object, const ct_jpeg_options *options,
                       jpeg_scan_info *scans) {
  for (uint32_t i = 0; i < options->scan_count; i++) {
    const ct_jpeg_scan *scan = &options->scans[i];
    scans[i] = (jpeg_scan_info){
        .Ss = scan->first, .Se = scan->last, .Ah = scan->high, .Al = scan->low};
    for (int c = 0; c < object->num_components; c++) {
      if (scan->components >> c & 1) scans[i].component_index[scans[i].comps_in_scan++] = c;
    }
  }
  object->scan_info = scans;
  object->num_scans = (int)options->scan_count;
}

ct_bytes ct_jpeg_write(const ct_jpeg_options *options) {
  struct jpeg_compress_struct object;
  errors errors;
  install(&errors);
  object.err = &errors.manager;
  unsigned char *volatile bytes = NULL;
  unsigned long count = 0;
  unsigned char *buffer = NULL;
  jpeg_scan_info *volatile scans = NULL;
  uint8_t *volatile row = NULL;
  if (setjmp(errors.fence)) {
    jpeg_destroy_compress(&object);
    free(row);
    free(scans);
    return (ct_bytes){NULL, 0};
  }
  scans = calloc(MOST_SCANS, sizeof *scans);
  jpeg_create_compress(&object);
  jpeg_mem_dest(&object, &buffer, &count);
  object.image_width = options->width;
  object.image_height = options->height;
  object.input_components = (int)options->components;
  object.in_color_space = options->components == 1   ? JCS_GRAYSCALE
                          : options->components == 3 ? JCS_RGB
                                                     : JCS_CMYK;
  jpeg_set_defaults(&object);
  if (options->components == 4 && !options->untransformed) {
    jpeg_set_colorspace(&object, JCS_YCCK);
  } else if (options->components == 3 && options->untransformed) {
    jpeg_set_colorspace(&object, JCS_RGB);
  }
  jpeg_set_quality(&object, (int)options->quality, TRUE);
  for (int i = 0; i < object.num_components; i++) {
    object.comp_info[i].h_samp_factor = options->sampling[2 * i];
    object.comp_info[i].v_samp_factor = options->sampling[2 * i + 1];
  }
  object.arith_code = options->arithmetic;
  object.restart_interval = options->restart_interval;
  object.restart_in_rows = (int)options->restart_rows;
  if (options->progressive) jpeg_simple_progression(&object);
  if (options->separate_scans) set_scans(&object, scans);
  if (options->scans && options->scan_count <= MOST_SCANS) set_script(&object, options, scans);
  if (options->no_adobe) object.write_Adobe_marker = FALSE;
  jpeg_start_compress(&object, TRUE);
  row = malloc((size_t)options->width * options->components);
  for (uint32_t y = 0; y < options->height; y++) {
    for (uint32_t x = 0; x < options->width; x++) {
      for (uint32_t c = 0; c < options->components; c++) {
        row[x * options->components + c] = options->flat ? 90 : sample(x, y, c);
      }
    }
    JSAMPROW pointer = row;
    jpeg_write_scanlines(&object, &pointer, 1);
  }
  jpeg_finish_compress(&object);
  bytes = buffer;
  jpeg_destroy_compress(&object);
  free(row);
  free(scans);
  return (ct_bytes){bytes, count};
}

static void describe(const struct jpeg_decompress_struct *object, ct_jpeg_info *info) {
  info->width = object->image_width;
  info->height = object->image_height;
  info->components = (uint32_t)object->num_components;
  info->output_width = object->output_width;
  info->output_height = object->output_height;
  info->progressive = object->progressive_mode;
  info->arithmetic = object->arith_code;
  info->adobe = object->saw_Adobe_marker;
  for (int i = 0; i < object->num_components && i < 4; i++) {
    info->sampling[2 * i] = (uint8_t)object->comp_info[i].h_samp_factor;
    info->sampling[2 * i + 1] = (uint8_t)object->comp_info[i].v_samp_factor;
  }
}

ct_bytes ct_jpeg_decode(const uint8_t *bytes, size_t count, uint32_t shrink, uint64_t limit,
                        ct_jpeg_info *info) {
  memset(info, 0, sizeof *info);
  struct jpeg_decompress_struct object;
  errors errors;
  install(&errors);
  object.err = &errors.manager;
  uint8_t *volatile pixels = NULL;
  if (setjmp(errors.fence)) {
    jpeg_destroy_decompress(&object);
    free(pixels);
    return (ct_bytes){NULL, 0};
  }
  jpeg_create_decompress(&object);
  jpeg_mem_src(&object, bytes, count);
  jpeg_read_header(&object, TRUE);
  object.scale_num = 1;
  object.scale_denom = shrink;
  object.do_block_smoothing = FALSE;
  object.out_color_space = object.num_components == 1   ? JCS_GRAYSCALE
                           : object.num_components == 4 ? JCS_CMYK
                                                        : JCS_RGB;
  jpeg_calc_output_dimensions(&object);
  describe(&object, info);
  info->several_scans = jpeg_has_multiple_scans(&object);
  uint64_t row = (uint64_t)object.output_width * (uint64_t)object.output_components;
  if (row * object.output_height > limit) longjmp(errors.fence, 1);
  jpeg_start_decompress(&object);
  pixels = malloc(row * object.output_height);
  while (object.output_scanline < object.output_height) {
    JSAMPROW pointer = pixels + row * object.output_scanline;
    jpeg_read_scanlines(&object, &pointer, 1);
  }
  info->warnings = errors.manager.num_warnings;
  size_t total = row * object.output_height;
  jpeg_destroy_decompress(&object);
  return (ct_bytes){pixels, total};
}
