/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/profile/owners.h"
#include "render/draw/color.h"

/* Property that chooses a function's colour. */
typedef enum {
    PV_COLOR_BY_MODULE,
    PV_COLOR_BY_KIND,        /* user, library, kernel, inlined, unknown */
    PV_COLOR_BY_HASH,        /* of the name */
    PV_COLOR_BY_PACKAGE,     /* by module if it has none */
    PV_COLOR_BY_VALUE,       /* of a formula, relative to that of the whole profile */
    PV_COLOR_BY_CHANGE,      /* more or less, of a signed measure */
    PV_COLOR_BY_CHANGE_SIZE, /* the same, shaded by its share of the largest change */
} PvColorScheme;

static inline bool
pv_color_is_by_change (PvColorScheme scheme)
{
    return scheme == PV_COLOR_BY_CHANGE || scheme == PV_COLOR_BY_CHANGE_SIZE;
}

/*
 * Meaningful colours. A function's hue depends on whose code it is (core/model/profile/owners.h),
 * so it is the same in every view. The few modules or packages that have most of a profile differ
 * for every eye: in hue or, for those who do not see it, in lightness. Colours are defined in
 * OKLCH, where equal lightness looks equally light.
 *
 * A hue is a family and a shade; a colour is a hue in a state.
 */
typedef enum {
    PV_FAMILY_NEUTRAL, /* the root and groups */
    PV_FAMILY_OWNER,   /* modules or packages by number, then groups by PvOwner */
    PV_FAMILY_OTHER = PV_FAMILY_OWNER + PV_OWNER_OTHER,
    PV_FAMILY_SYSTEM = PV_FAMILY_OWNER + PV_OWNER_SYSTEM,
    PV_FAMILY_KERNEL = PV_FAMILY_OWNER + PV_OWNER_KERNEL,
    PV_FAMILY_UNKNOWN = PV_FAMILY_OWNER + PV_OWNER_UNKNOWN,
    PV_FAMILY_SECTION = PV_FAMILY_OWNER + PV_OWNER_SECTIONS,
    PV_FAMILY_KIND = PV_FAMILY_OWNER + PV_OWNER_END, /* the colours of PV_COLOR_BY_KIND */
    PV_FAMILY_HASH = PV_FAMILY_KIND + 5,             /* all hues, for PV_COLOR_BY_HASH */
    PV_FAMILY_VALUE = PV_FAMILY_HASH + 10, /* from far below to far above, for PV_COLOR_BY_VALUE */
    PV_N_FAMILIES = PV_FAMILY_VALUE + 9,
} PvFamily;

enum {
    PV_N_SHADES = 3, /* subtle differences that separate adjacent boxes of one module */
    PV_N_HUES = PV_N_FAMILIES * PV_N_SHADES,
};

/* The state of a box. Faded: it does not match the search. Thin: there is no room for a border, but
 * others have one; such boxes have no text. */
typedef enum {
    PV_SHADE_NORMAL,
    PV_SHADE_INLINED,
    PV_SHADE_DIMMED, /* callers of the zoomed node */
    PV_SHADE_FADED,
    PV_SHADE_MATCH,
    PV_SHADE_MATCH_DIMMED,
    PV_SHADE_THIN,
    PV_SHADE_FADED_THIN,
    PV_N_SHADE_STATES,
} PvShadeState;

/* Slanting stripes on a ground: unlike every plain colour, also for people who see no hues. */
typedef struct {
    PvColor ground;
    PvColor stripe;
} PvHatch;

typedef struct {
    bool has_fills; /* and texts: not of a plain palette */
    bool is_dark;
    bool is_high_contrast;
    bool is_heap; /* bytes instead of time: greens */
    PvColor background;
    PvColor selection;
    PvColor border;       /* around boxes, in high contrast ... */
    PvColor faded_border; /* ... and around all boxes while some are faded */
    PvColor foreground;   /* text on the background */
    PvColor faint;        /* secondary text on the background */
    PvColor fills[PV_N_SHADE_STATES][PV_N_HUES];
    PvColor texts[PV_N_SHADE_STATES];
    PvHatch hatch; /* of boxes that stand for many, with texts[PV_SHADE_NORMAL] */
    PvHatch faded_hatch;
    PvHatch grey_hatch; /* where hues tell less from more */
} PvPalette;

void pv_palette_init (PvPalette *palette, bool is_dark, bool is_high_contrast, bool is_heap);
/* The same unless the palette is like that already. One that is empty has only zeros. */
void pv_palette_update (PvPalette *palette, bool is_dark, bool is_high_contrast, bool is_heap);
/* Without fills and texts, which are most of the work. */
void pv_palette_init_plain (PvPalette *palette, bool is_dark, bool is_high_contrast);

/* The same hue in its middle shade, for legends. */
static inline unsigned
pv_palette_get_middle (unsigned hue)
{
    return hue / PV_N_SHADES * PV_N_SHADES + PV_N_SHADES / 2;
}

/* The hue of a function; neutral for function 0. */
uint8_t pv_palette_hue (const PvProfile *profile, const PvSymbolTable *symbols,
                        PvFunctionId function, PvColorScheme scheme);
/* The scheme that tells most of a profile: by package where nearly all is in one module. */
PvColorScheme pv_palette_choose_scheme (const PvProfile *profile, const PvSymbolTable *symbols);
/* The hue with that scheme, for use as a function pointer. */
uint8_t pv_palette_hue_by_choice (const PvProfile *profile, const PvSymbolTable *symbols,
                                  PvFunctionId function);
/* The hue of a value that is so many times that of everything: blue for less, orange for more, the
 * outermost for a fourth and four times. Neutral for NAN. */
uint8_t pv_palette_value_hue (double ratio);
/* The hue of what went one way or the other: blue for -1, nothing but less, orange for 1, nothing
 * but more. Neutral for NAN. */
uint8_t pv_palette_change_hue (double balance);
/* The step of hues, as pv_node_values_get_step () has them, for a part of the largest change, from
 * -1 to 1. */
int pv_palette_part_step (double part);
/* The ratio in the middle of each hue of values, from PV_FAMILY_VALUE on. */
double pv_palette_value_ratio (unsigned family);
