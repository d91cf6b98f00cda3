// nearby-bridge · SPDX-License-Identifier: Apache-2.0
#pragma once
#include <zlib.h>

// deflateInit2 and inflateInit2 are macros, which Swift does not import.

// 15 bits of window, and 16 for the frame of gzip.
static inline int nearby_deflate_init(z_stream *stream) {
    return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int nearby_inflate_init(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}
