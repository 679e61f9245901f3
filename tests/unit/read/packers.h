/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/* One stream each; free with g_byte_array_unref (). */
GByteArray *gzip_bytes (const GByteArray *bytes);
GByteArray *zstd_bytes (const GByteArray *bytes);
GByteArray *xz_bytes (const GByteArray *bytes);
GByteArray *bzip2_bytes (const GByteArray *bytes);
