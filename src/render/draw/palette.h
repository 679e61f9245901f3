/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/profile/symbols.h"
#include "render/draw/color.h"

/* Property that chooses a function's colour. */
typedef enum {
    PV_COLOR_BY_MODULE,
    PV_COLOR_BY_KIND,        /* user, library, kernel, inlined, unknown */
    PV_COLOR_BY_HASH,        /* of the name */
    PV_COLOR_BY_PACKAGE,     /* of the package; by module if it has none */
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
 * Meaningful colours. A function's hue depends on what it belongs to (program warm, system
 * libraries cool, kernel grey-violet, unknown grey) and on the name of its module, so it is the
 * same in every view and every run. Hues are defined in OKLCH, where equal lightness looks equally
 * light, so that one text colour is readable on all of them.
 *
 * A hue is a family and a shade; a colour is a hue in a state.
 */
typedef enum {
    PV_FAMILY_NEUTRAL, /* the root and groups */
    PV_FAMILY_UNKNOWN,
    PV_FAMILY_KERNEL,
    PV_FAMILY_OWN = PV_FAMILY_KERNEL + 3,     /* the program itself */
    PV_FAMILY_LIBRARY = PV_FAMILY_OWN + 4,    /* libraries that are not part of the system */
    PV_FAMILY_SYSTEM = PV_FAMILY_LIBRARY + 4, /* the distribution's libraries */
    PV_FAMILY_JIT = PV_FAMILY_SYSTEM + 6,
    PV_FAMILY_KIND = PV_FAMILY_JIT + 2,      /* the colours of PV_COLOR_BY_KIND */
    PV_FAMILY_HASH = PV_FAMILY_KIND + 5,     /* all hues, for PV_COLOR_BY_HASH */
    PV_FAMILY_SECTION = PV_FAMILY_HASH + 10, /* one for each kind of sections of a program */
    PV_FAMILY_VALUE = PV_FAMILY_SECTION + PV_N_SECTION_KINDS -
                      1, /* from far below to far above, for PV_COLOR_BY_VALUE */
    PV_N_FAMILIES = PV_FAMILY_VALUE + 9,
} PvFamily;

enum {
    PV_N_SHADES = 3, /* subtle differences that separate adjacent boxes of one module */
    PV_N_HUES = PV_N_FAMILIES * PV_N_SHADES,
};

/* The state of a box. Faded: it does not match the search. */
typedef enum {
    PV_SHADE_NORMAL,
    PV_SHADE_INLINED,
    PV_SHADE_DIMMED, /* callers of the zoomed node */
    PV_SHADE_FADED,
    PV_SHADE_MATCH,
    PV_SHADE_MATCH_DIMMED,
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
    PvColor border;     /* around boxes, in high contrast only */
    PvColor foreground; /* text on the background */
    PvColor faint;      /* secondary text on the background */
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
/* The same with PV_COLOR_BY_MODULE, for use as a function pointer. */
uint8_t pv_palette_hue_by_module (const PvProfile *profile, const PvSymbolTable *symbols,
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
/* The length of the outermost part of a name, a package or namespace, which gives functions without
 * a module their hue; 0: none. */
size_t pv_palette_get_package (const char *name);
/* The hue of this module's functions with PV_COLOR_BY_MODULE, in its middle shade. */
uint8_t pv_palette_module_hue (const PvModule *module);
