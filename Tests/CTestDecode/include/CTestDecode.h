// Stock decoders for tests: what any other program would see in our files.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct test_picture {
  /// 0 when it could not be decoded.
  uint32_t width, height;
  /// 3 or 4, of the file.
  uint32_t channels;
  /// Packed RGBA, NULL on failure; for `test_picture_free`.
  uint8_t *_Nullable rgba;
  /// JPEG: sampling of the first component; quantiser of its DC.
  uint32_t h_sampling, v_sampling, dc_quantizer;
} test_picture;

test_picture test_decode_png(const uint8_t *bytes, size_t count);
test_picture test_decode_jpeg(const uint8_t *bytes, size_t count);
test_picture test_decode_webp(const uint8_t *bytes, size_t count);
void test_picture_free(test_picture *picture);

/// Gives free memory back to the system where the C library can (Swift does not
/// see `malloc_trim`).
void test_trim_heap(void);

/// Whether this build runs under AddressSanitizer, which makes resident figures
/// meaningless.
bool test_has_address_sanitizer(void);

#pragma clang assume_nonnull end
