/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/rows.h"
#include "core/write/pack/pack-file.h"

/* Ends the section at hand if it is as large as sections are to be. */
void pv_pack_end_row (PvPackFile *file, uint32_t tag);
/* Ends the section at hand if there is anything in it. */
void pv_pack_end_rows (PvPackFile *file, uint32_t tag);

/* Writes rows from `first` on, up to n, as pv_row_types has them, in as many sections as needed. */
void pv_pack_write_rows (PvPackFile *file, uint32_t tag, PvProfileTable table, const void *rows,
                         uint32_t first, uint32_t n);
/* Writes a table of the profile from row `first` on: 1 if row 0 is "none". */
void pv_pack_write_table (PvPackFile *file, uint32_t tag, const PvProfile *profile,
                          PvProfileTable table, uint32_t first);
