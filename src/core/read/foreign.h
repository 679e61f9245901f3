/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Says what a file is that no reader knows, by data, its first unpacked bytes. Looks at a bounded
 * number of them, decodes nothing. Returns a translated sentence without a full stop; free with
 * g_free (). Any thread. */
char *pv_foreign_describe (const uint8_t *data, size_t size_bytes);

/* True if the beginning of a file is text in a format that has a name, though no reader: its lines
 * may look like folded stacks. */
bool pv_foreign_is_text (const uint8_t *data, size_t size_bytes);

/* True if it can say more than that it is text, or nothing at all. */
bool pv_foreign_is_known (const uint8_t *data, size_t size_bytes);
