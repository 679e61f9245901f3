/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/model/build/link-bases.h"
#include "core/model/profile/address-space.h"
#include "core/read/legacy/legacy-text.h"

/* The mappings listed at the end of a profile. */

typedef struct {
    char *name; /* with the $ */
    char *value;
} LegacyVariable;

typedef struct {
    PvProfileBuilder *builder;
    PvAddressSpace *space;
    PvIdMap module_of_path;
    PV_ARRAY (LegacyVariable) variables;
    size_t replaced_bytes; /* inserted for variables */
    PvLinkBases link_bases;
    PvMapping last; /* the latest one, and its path, the builder's string */
    const char *last_path;
    bool is_last_anonymous;
    PvMapping before; /* the one before the latest */
    const char *before_path;
    PvModuleId main_module; /* 0: none yet */
    PvModuleId jit_module;  /* anonymous code; 0: none yet */
    int32_t pid;            /* of the process; 0: unknown */
    bool is_empty;
} LegacyMap;

/* pid: of the process, which tells where the names of its generated code are; 0: unknown. */
void legacy_map_init (LegacyMap *map, PvProfileBuilder *builder, int32_t pid);
void legacy_map_clear (LegacyMap *map);

void legacy_map_add_lines (LegacyMap *map, PvText text);

/* Splits the map off the end of text, which then ends before the line that announces the map.
 * ret_map is what follows that line. False, with an empty ret_map, if there is no map. */
bool legacy_map_split (PvText *text, PvText *ret_map);

/* Takes the recorder's command if line is a comment with one; the first one counts. */
bool legacy_take_recorded_with (PvProfileBuilder *builder, PvText line);
