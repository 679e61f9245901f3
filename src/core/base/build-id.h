/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/cursor.h"

/* The longest build-id that is stored; linkers write 8, 16 or 20 bytes. */
#define PV_BUILD_ID_MAX 32

/* Finds the build-id among ELF notes: writes at most PV_BUILD_ID_MAX bytes and returns their
 * number, 0 if there is none. align is the alignment of the section or segment. */
size_t pv_build_id_find (PvCursor notes, uint64_t align, uint8_t *ret_build_id);

/* Reads the build-id of an open ELF file of this machine's byte order from its segments. The result
 * is as above; 0 for any other file, too. Blocking. */
size_t pv_build_id_read (int fd, uint8_t *ret_build_id);
