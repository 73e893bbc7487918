// The least that reading a JPEG takes: libjpeg-turbo's own loop to RGB rows.
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 66;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  jpeg_stdio_src(&jpeg, file);
  jpeg_read_header(&jpeg, TRUE);
  jpeg_start_decompress(&jpeg);
  unsigned long sum = 0;
  JSAMPROW row = malloc((size_t)jpeg.output_width * jpeg.output_components);
  while (jpeg.output_scanline < jpeg.output_height) {
    jpeg_read_scanlines(&jpeg, &row, 1);
    sum += row[jpeg.output_width / 2];
  }
  jpeg_finish_decompress(&jpeg);
  printf("%lu\n", sum);
  return 0;
}
