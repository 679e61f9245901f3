/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/read/text/text.h"

/* "  nCHILDREN: BYTES TEXT" */
typedef struct {
    uint64_t n_children;
    uint64_t size_bytes;
    PvText text;
} MassifNode;

bool massif_parse_node (PvText line, MassifNode *ret);

/* "0xADDRESS: FUNCTION (FILE:LINE)", "0xADDRESS: FUNCTION (in OBJECT)" or "0xADDRESS: ???" */
typedef struct {
    uint64_t address;
    PvText function; /* empty: unknown */
    PvText file;     /* empty: unknown */
    uint32_t line;
    PvText object; /* empty: unknown */
} MassifFrame;

/* False: the text is of several places that are too small to be listed. */
bool massif_parse_frame (PvText text, MassifFrame *ret);

/* The module of an object file, made on first use; the unknown one for an empty path. */
PvModuleId massif_get_module (PvProfileBuilder *builder, PvHashMap *module_of_path, PvText path);
/* The frame for the profile. Without a function its name is its address: where the module was is
 * not known, so nobody can find another. */
PvGivenFrame massif_give_frame (PvProfileBuilder *builder, const MassifFrame *frame);

/* True if the first bytes of a file look like massif's. */
bool massif_sniff (const uint8_t *data, size_t size_bytes);
