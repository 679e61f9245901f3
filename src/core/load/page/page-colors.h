/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/model/profile/symbols.h"

/* The colours of pictures: as JSON, and the hue of a function, an index in them. */
typedef struct {
    const char *json;
    uint8_t (*get_hue) (const PvProfile *profile, const PvSymbolTable *symbols,
                        PvFunctionId function);
} PvPageColors;
