// The least that reading a PNG takes: libpng's row loop; a whole picture where
// it is interlaced, since libpng gives no finished rows then.
#include <stdio.h>
#include <stdlib.h>

#include <png.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
  if (!file) return 66;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png))) return 65;
  png_init_io(png, file);
  png_read_info(png, info);
  png_set_expand(png);
  int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  size_t bytes = png_get_rowbytes(png, info);
  png_uint_32 height = png_get_image_height(png, info);
  unsigned long sum = 0;
  if (passes == 1) {
    png_bytep row = malloc(bytes);
    for (png_uint_32 y = 0; y < height; y++) {
      png_read_row(png, row, NULL);
      sum += row[bytes / 2];
    }
  } else {
    png_bytep *rows = malloc(height * sizeof *rows);
    for (png_uint_32 y = 0; y < height; y++) rows[y] = malloc(bytes);
    png_read_image(png, rows);
    sum = rows[height / 2][bytes / 2];
  }
  png_read_end(png, NULL);
  printf("%lu\n", sum);
  return 0;
}
