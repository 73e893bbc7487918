// Which rows of a VP8 key frame come without a byte of their own.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Macroblocks along the longest side that the format allows.
#define WI_VP8_MAX_BLOCKS 1024

/// Reads the first partition, `count` bytes that follow the frame tag's ten,
/// and sets `empty[row]` to 1 for each row of macroblocks without residuals.
/// Damaged data give some answer, in bounded time.
void wi_vp8_empty_rows(const uint8_t *partition, size_t count, uint32_t columns, uint32_t rows,
                       uint8_t *empty);

#pragma clang assume_nonnull end
