// Baseline JPEG row by row over libjpeg, its memory manager under the hooks.
#include <stddef.h>
#include <stdio.h>

#include <jerror.h>
#include <jpeglib.h>
#include <setjmp.h>

#include "jpeg_memory.h"
#include "writer.h"

#define BUFFER_BYTES (16 * 1024)

typedef struct jpeg_writer {
  wi_writer base;
  struct jpeg_compress_struct jpeg;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  wi_jpeg_memory manager;
  bool created;
  jmp_buf fence;
  uint8_t buffer[BUFFER_BYTES];
} jpeg_writer;

// `client_data` is the memory wrapper's, so the writer is found from the error
// manager that it contains.
static jpeg_writer *writer_of(j_common_ptr object) {
  return (jpeg_writer *)((uint8_t *)object->err - offsetof(jpeg_writer, errors));
}

static _Noreturn void fail(j_common_ptr object) {
  jpeg_writer *writer = writer_of(object);
  char message[JMSG_LENGTH_MAX];
  object->err->format_message(object, message);
  wi_fail(&writer->base.failure, WI_MISUSE, "libjpeg: %s", message);
  longjmp(writer->fence, 1);
}

static void ignore_message(j_common_ptr object, int level) {
  (void)object;
  (void)level;
}

static void ignore_output(j_common_ptr object) { (void)object; }

static void start_buffer(j_compress_ptr jpeg) {
  jpeg_writer *writer = writer_of((j_common_ptr)jpeg);
  writer->destination.next_output_byte = writer->buffer;
  writer->destination.free_in_buffer = BUFFER_BYTES;
}

static void emit(jpeg_writer *writer, size_t count) {
  if (!wi_writer_emit(&writer->base, writer->buffer, count)) longjmp(writer->fence, 1);
}

static boolean empty_buffer(j_compress_ptr jpeg) {
  emit(writer_of((j_common_ptr)jpeg), BUFFER_BYTES);
  start_buffer(jpeg);
  return TRUE;
}

static void end_buffer(j_compress_ptr jpeg) {
  jpeg_writer *writer = writer_of((j_common_ptr)jpeg);
  emit(writer, BUFFER_BYTES - writer->destination.free_in_buffer);
}

static wi_status write_row(wi_writer *base, const uint8_t *row) {
  jpeg_writer *writer = (jpeg_writer *)base;
  if (setjmp(writer->fence)) return base->failure.status;
  // libjpeg's rows are not const, but it only reads them.
  JSAMPROW rows[1] = {(JSAMPROW)(uintptr_t)row};
  if (jpeg_write_scanlines(&writer->jpeg, rows, 1) != 1) {
    return wi_fail(&base->failure, WI_MISUSE, "libjpeg took no row");
  }
  return WI_OK;
}

static wi_status finish(wi_writer *base) {
  jpeg_writer *writer = (jpeg_writer *)base;
  if (setjmp(writer->fence)) return base->failure.status;
  jpeg_finish_compress(&writer->jpeg);
  return WI_OK;
}

static void close_writer(wi_writer *base) {
  jpeg_writer *writer = (jpeg_writer *)base;
  if (writer->created) jpeg_destroy_compress(&writer->jpeg);
  wi_memory memory = base->memory;
  wi_free(&memory, writer);
}

static const wi_writer_calls calls = {write_row, finish, close_writer};

static wi_status start(jpeg_writer *writer, uint32_t width, uint32_t height,
                       const wi_jpeg_options *options) {
  if (setjmp(writer->fence)) return writer->base.failure.status;
  struct jpeg_compress_struct *jpeg = &writer->jpeg;
  jpeg->err = jpeg_std_error(&writer->errors);
  writer->errors.error_exit = fail;
  writer->errors.emit_message = ignore_message;
  writer->errors.output_message = ignore_output;
  // Set before: a start that fails half-way leaves something to destroy.
  writer->created = true;
  jpeg_create_compress(jpeg);
  wi_jpeg_memory_install(&writer->manager, (j_common_ptr)jpeg, &writer->base.memory,
                         &writer->base.failure);
  writer->destination.init_destination = start_buffer;
  writer->destination.empty_output_buffer = empty_buffer;
  writer->destination.term_destination = end_buffer;
  jpeg->dest = &writer->destination;
  jpeg->image_width = width;
  jpeg->image_height = height;
  jpeg->input_components = 3;
  jpeg->in_color_space = JCS_RGB;
  jpeg_set_defaults(jpeg);
  jpeg_set_quality(jpeg, (int)options->quality, TRUE);
  jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor =
      options->full_chroma ? 1 : 2;
  jpeg->dct_method = JDCT_ISLOW;
  jpeg->optimize_coding = options->optimize ? TRUE : FALSE;
  jpeg->write_JFIF_header = TRUE;
  jpeg->write_Adobe_marker = FALSE;
  jpeg_start_compress(jpeg, TRUE);
  return WI_OK;
}

wi_writer *wi_jpeg_writer_open(uint32_t width, uint32_t height, const wi_jpeg_options *options,
                               const wi_sink *sink, const wi_memory *memory,
                               wi_failure *failure) {
  if (width == 0 || height == 0 || options->quality < 1 || options->quality > 100) {
    wi_fail(failure, WI_MISUSE, "a JPEG of %u x %u at quality %u can't be written", width,
            height, options->quality);
    return NULL;
  }
  if (width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) {
    wi_fail(failure, WI_UNSUPPORTED, "a JPEG holds at most %d pixels a side, not %u x %u",
            (int)JPEG_MAX_DIMENSION, width, height);
    return NULL;
  }
  jpeg_writer *writer = wi_allocate_zeroed(memory, 1, sizeof *writer, failure);
  if (!writer) return NULL;
  writer->base.calls = &calls;
  writer->base.height = height;
  writer->base.row_bytes = (size_t)width * 3;
  writer->base.memory = *memory;
  writer->base.sink = *sink;
  if (start(writer, width, height, options) == WI_OK) return &writer->base;
  *failure = writer->base.failure;
  close_writer(&writer->base);
  return NULL;
}
