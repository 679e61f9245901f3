/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/build/builder.h"
#include "core/model/profile/address-space.h"
#include "core/read/legacy/legacy-text.h"

/* What was mapped where, as a profile tells it at its end. */

typedef struct {
    char *name; /* with the $ */
    char *value;
} LegacyVariable;

typedef struct {
    PvProfileBuilder *builder;
    PvAddressSpace *space;
    PvIdMap module_of_path;
    PV_ARRAY (LegacyVariable) variables;
    size_t replaced_bytes; /* that they were replaced by */
    PvMapping last;        /* and the path it is of, as the builder's string */
    const char *last_path;
    PvModuleId main_module; /* 0: none yet */
    bool is_empty;
} LegacyMap;

void legacy_map_init (LegacyMap *map, PvProfileBuilder *builder);
void legacy_map_clear (LegacyMap *map);

/* Takes one line of a map in any of its forms; other lines are left alone. */
void legacy_map_add_line (LegacyMap *map, LegacyText line);
void legacy_map_add_lines (LegacyMap *map, LegacyText text);

/* Cuts the map off the end of a text: text ends before the line that announces it. ret_map is what
 * follows that line, empty if there is none. */
bool legacy_map_split (LegacyText *text, LegacyText *ret_map);

/* Takes the command of a recording, if the line is a remark that tells it; the first one counts. */
bool legacy_take_recorded_with (PvProfileBuilder *builder, LegacyText line);
