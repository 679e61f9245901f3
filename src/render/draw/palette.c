/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/palette.h"

#include <math.h>
#include <string.h>

#include "core/base/hash.h"

/* Lightness is relative to the theme's, so that one table serves light and dark. */
typedef struct {
    float hue;    /* degrees */
    float chroma; /* in the light theme */
    float lighter;
} PvHueSpec;

#define GREY(lighter_)                                                                             \
    {                                                                                              \
        286, 0.006f, (lighter_)                                                                    \
    }

#define SECTION(kind_, hue_, chroma_, lighter_)                                                    \
    [PV_FAMILY_SECTION + PV_SECTION_##kind_ - 1] = {(hue_), (chroma_), (lighter_)}

/* A colour in OKLCH. */
typedef struct {
    float hue; /* degrees */
    float chroma;
    float lightness;
} PvLch;

static const PvHueSpec hue_specs[PV_N_FAMILIES] = {
    [PV_FAMILY_NEUTRAL] = GREY (0.03f),
    [PV_FAMILY_KIND] = {72, 0.103f, -0.045f},      /* own code */
    [PV_FAMILY_KIND + 1] = {241, 0.080f, 0.030f},  /* libraries */
    [PV_FAMILY_KIND + 2] = {320, 0.085f, -0.070f}, /* kernel */
    [PV_FAMILY_KIND + 3] = {90, 0.068f, 0.040f},   /* inlined */
    [PV_FAMILY_KIND + 4] = GREY (-0.012f),         /* unknown */
    [PV_FAMILY_HASH] = {18, 0.075f, 0.0f},
    [PV_FAMILY_HASH + 1] = {48, 0.090f, 0.0f},
    [PV_FAMILY_HASH + 2] = {70, 0.095f, 0.01f},
    [PV_FAMILY_HASH + 3] = {92, 0.100f, 0.03f},
    [PV_FAMILY_HASH + 4] = {128, 0.085f, 0.01f},
    [PV_FAMILY_HASH + 5] = {162, 0.070f, 0.01f},
    [PV_FAMILY_HASH + 6] = {200, 0.065f, 0.01f},
    [PV_FAMILY_HASH + 7] = {236, 0.068f, 0.0f},
    [PV_FAMILY_HASH + 8] = {268, 0.066f, 0.0f},
    [PV_FAMILY_HASH + 9] = {330, 0.066f, 0.0f},
    SECTION (CODE, 67, 0.108f, 0.000f),
    SECTION (CONSTANTS, 150, 0.037f, -0.074f),
    SECTION (DATA, 241, 0.102f, -0.026f),
    SECTION (ZEROS, 201, 0.100f, 0.037f),
    SECTION (TABLES, 0, 0.064f, -0.132f),
    SECTION (SYMBOLS, 105, 0.039f, 0.038f),
    SECTION (DEBUG, 298, 0.105f, -0.127f),
    [PV_FAMILY_SECTION + PV_SECTION_REST - 1] = GREY (-0.017f),
    [PV_FAMILY_VALUE] = {255, 0.105f, -0.115f},
    [PV_FAMILY_VALUE + 1] = {253, 0.086f, -0.080f},
    [PV_FAMILY_VALUE + 2] = {251, 0.062f, -0.040f},
    [PV_FAMILY_VALUE + 3] = {249, 0.034f, 0.000f},
    [PV_FAMILY_VALUE + 4] = {90, 0.012f, 0.030f},
    [PV_FAMILY_VALUE + 5] = {70, 0.048f, 0.020f},
    [PV_FAMILY_VALUE + 6] = {62, 0.084f, 0.000f},
    [PV_FAMILY_VALUE + 7] = {52, 0.112f, -0.030f},
    [PV_FAMILY_VALUE + 8] = {44, 0.120f, -0.065f},
};

/*
 * By PvOwner, of time and of heaps, light and dark. Found by a search for colours as far apart as
 * possible: every two differ by at least 12 (CIEDE2000) in any shade, and those of modules and
 * packages by as much for the three kinds of colour blindness, which leave little but lightness.
 * tests/unit/render/test-palette.c measures them.
 *
 * The program is amber; of heaps it is green.
 */
static const PvLch owner_colors[2][2][PV_OWNER_UNKNOWN + 1] = {
    {
        {
            {86, 0.090f, 0.885f},
            {187, 0.075f, 0.928f},
            {285, 0.068f, 0.837f},
            {268, 0.117f, 0.686f},
            {354, 0.128f, 0.655f},
            {2, 0.115f, 0.807f},
            {128, 0.054f, 0.686f},
            {98, 0.114f, 0.687f},
            {286, 0.003f, 0.694f},
            {237, 0.045f, 0.790f},
            {305, 0.095f, 0.685f},
            {286, 0.007f, 0.892f},
        },
        {
            {69, 0.119f, 0.516f},
            {203, 0.078f, 0.535f},
            {285, 0.122f, 0.538f},
            {285, 0.134f, 0.400f},
            {9, 0.038f, 0.444f},
            {346, 0.121f, 0.355f},
            {116, 0.046f, 0.536f},
            {111, 0.057f, 0.350f},
            {286, 0.006f, 0.355f},
            {233, 0.047f, 0.451f},
            {307, 0.050f, 0.380f},
            {286, 0.004f, 0.529f},
        },
    },
    {
        {
            {135, 0.079f, 0.933f},
            {194, 0.083f, 0.935f},
            {211, 0.056f, 0.655f},
            {219, 0.122f, 0.752f},
            {99, 0.133f, 0.878f},
            {107, 0.064f, 0.657f},
            {88, 0.129f, 0.715f},
            {133, 0.041f, 0.786f},
            {286, 0.006f, 0.760f},
            {224, 0.036f, 0.829f},
            {150, 0.020f, 0.660f},
            {286, 0.006f, 0.931f},
        },
        {
            {119, 0.101f, 0.388f},
            {209, 0.108f, 0.350f},
            {242, 0.125f, 0.537f},
            {298, 0.135f, 0.362f},
            {117, 0.123f, 0.536f},
            {33, 0.037f, 0.367f},
            {92, 0.046f, 0.497f},
            {183, 0.030f, 0.488f},
            {286, 0.008f, 0.352f},
            {251, 0.045f, 0.441f},
            {169, 0.111f, 0.457f},
            {286, 0.003f, 0.527f},
        },
    },
};

/* The same in high contrast, where text needs more. */
#define STRONG_LIGHT(lightness_) (0.697f + ((lightness_)-0.66f) * 0.93f)
#define STRONG_DARK(lightness_)  (0.27f + ((lightness_)-0.36f))

#define SHADE_STEP    0.005
#define INLINED_LIGHT 0.035
#define INLINED_DARK  0.026

/* The least contrast to the background without text: WCAG 2.1. */
#define LEAST_CONTRAST 3.0

static PvColor
rgb (uint32_t hex)
{
    return (PvColor){(hex >> 16) / 255.0, (hex >> 8 & 0xff) / 255.0, (hex & 0xff) / 255.0};
}

static PvColor
match_color (bool is_dark)
{
    return rgb (is_dark ? 0xf5c211 : 0xf8d010);
}

/* The greys and accents of the GNOME palette. */
static void
init_fixed_colors (PvPalette *palette)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    palette->background = dark ? (strong ? rgb (0x000000) : rgb (0x1e1e1e)) : rgb (0xffffff);
    palette->foreground = dark ? rgb (0xffffff) : (strong ? rgb (0x000000) : rgb (0x2e2e33));
    palette->faint = dark ? rgb (strong ? 0xdeddda : 0xa8a6a2) : rgb (strong ? 0x3d3846 : 0x6a6872);
    palette->selection = dark ? rgb (0xffffff) : rgb (0x1a1a1e);
    palette->border = dark ? rgb (0xdeddda) : rgb (0x000000);
    palette->faded_border =
        pv_color_keep_contrast (palette->background, palette->background, LEAST_CONTRAST);
}

static void
init_texts (PvPalette *palette)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    PvColor text = dark ? rgb (strong ? 0xffffff : 0xfafafa) : rgb (strong ? 0x000000 : 0x241f31);
    palette->texts[PV_SHADE_NORMAL] = text;
    palette->texts[PV_SHADE_INLINED] = text;
    palette->texts[PV_SHADE_DIMMED] =
        dark ? (strong ? text : rgb (0xd6d4d0)) : (strong ? text : rgb (0x46434f));
    palette->texts[PV_SHADE_FADED] =
        dark ? rgb (strong ? 0xdeddda : 0x9f9da3) : rgb (strong ? 0x3d3846 : 0x6b6874);
    palette->texts[PV_SHADE_THIN] = palette->texts[PV_SHADE_FADED_THIN] = text;
    palette->texts[PV_SHADE_MATCH] = rgb (0x1d1600);
    palette->texts[PV_SHADE_MATCH_DIMMED] = rgb (0x1d1600);
}

/* Dark amber looks brown, so shift it a little towards copper. */
static double
warmer_in_the_dark (double hue)
{
    return hue > 40 && hue < 100 ? hue - 16 : hue;
}

/* A color as it is painted, but for its shade. */
static PvLch
find_lch (const PvPalette *palette, unsigned family)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    if (family >= PV_FAMILY_OWNER && family < PV_FAMILY_SECTION) {
        PvLch lch = owner_colors[palette->is_heap][dark][family - PV_FAMILY_OWNER];
        if (strong)
            lch.lightness = dark ? STRONG_DARK (lch.lightness) : STRONG_LIGHT (lch.lightness);
        return lch;
    }
    const PvHueSpec *spec = &hue_specs[family];
    double lightness = dark ? (strong ? 0.36 : 0.492) : (strong ? 0.885 : 0.855);
    return (PvLch){
        .hue = (float)(dark ? warmer_in_the_dark (spec->hue) : spec->hue),
        .chroma = spec->chroma * (float)(strong ? 0.8
                                         : dark ? 0.88
                                                : 0.95),
        .lightness = (float)lightness + spec->lighter * (dark ? 0.9f : 1.0f),
    };
}

static void
init_hue (PvPalette *palette, unsigned family, unsigned shade)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    PvLch lch = find_lch (palette, family);
    unsigned hue = family * PV_N_SHADES + shade;
    double chroma = lch.chroma, hue_angle = lch.hue;
    double lightness = lch.lightness + SHADE_STEP * ((int)shade - PV_N_SHADES / 2);

    PvColor fill = pv_color_from_oklch (lightness, chroma, hue_angle);
    palette->fills[PV_SHADE_NORMAL][hue] = fill;
    palette->fills[PV_SHADE_INLINED][hue] =
        pv_color_from_oklch (MIN (lightness + (dark ? INLINED_DARK : INLINED_LIGHT),
                                  dark ? (strong ? 0.455 : 0.547) : 0.98),
                             chroma * 0.8, hue_angle);
    palette->fills[PV_SHADE_DIMMED][hue] =
        strong ? fill
               : pv_color_mix (pv_color_from_oklch (lightness, chroma * 0.7, hue_angle),
                               palette->background, dark ? 0.38 : 0.42);
    double pale = dark ? MIN (lightness, 0.5) : MAX (lightness, 0.81); /* their text is faint */
    palette->fills[PV_SHADE_FADED][hue] = pv_color_mix (
        pv_color_from_oklch (pale, chroma * 0.6, hue_angle), palette->background, 0.72);
    palette->fills[PV_SHADE_THIN][hue] =
        pv_color_keep_contrast (fill, palette->background, LEAST_CONTRAST);
    palette->fills[PV_SHADE_FADED_THIN][hue] = pv_color_keep_contrast (
        palette->fills[PV_SHADE_FADED][hue], palette->background, LEAST_CONTRAST);
    PvColor match = match_color (dark);
    palette->fills[PV_SHADE_MATCH][hue] = match;
    palette->fills[PV_SHADE_MATCH_DIMMED][hue] = pv_color_mix (match, rgb (0xffffff), 0.35);
}

static void
init_hatches (PvPalette *palette)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    double ground = dark ? (strong ? 0.12 : 0.30) : (strong ? 0.995 : 0.955);
    double stripe = dark ? (strong ? 0.40 : 0.43) : (strong ? 0.74 : 0.80);
    palette->hatch = (PvHatch){
        .ground = pv_color_from_oklch (ground, strong ? 0 : 0.012, 262),
        .stripe = pv_color_from_oklch (stripe, strong ? 0 : 0.035, 262),
    };
    palette->grey_hatch = (PvHatch){
        .ground = pv_color_from_oklch (ground, 0, 0),
        .stripe = pv_color_from_oklch (stripe, 0, 0),
    };
    palette->faded_hatch = (PvHatch){
        .ground = pv_color_mix (palette->hatch.ground, palette->background, 0.72),
        .stripe = pv_color_mix (palette->hatch.stripe, palette->background, 0.72),
    };
}

void
pv_palette_init_plain (PvPalette *palette, bool is_dark, bool is_high_contrast)
{
    g_assert (palette != NULL);

    palette->has_fills = false;
    palette->is_dark = is_dark;
    palette->is_high_contrast = is_high_contrast;
    init_fixed_colors (palette);
}

void
pv_palette_init (PvPalette *palette, bool is_dark, bool is_high_contrast, bool is_heap)
{
    pv_palette_init_plain (palette, is_dark, is_high_contrast);
    palette->has_fills = true;
    palette->is_heap = is_heap;
    init_texts (palette);
    init_hatches (palette);
    for (unsigned family = 0; family < PV_N_FAMILIES; family++)
        for (unsigned shade = 0; shade < PV_N_SHADES; shade++)
            init_hue (palette, family, shade);
}

void
pv_palette_update (PvPalette *palette, bool is_dark, bool is_high_contrast, bool is_heap)
{
    if (!palette->has_fills || palette->is_dark != is_dark ||
        palette->is_high_contrast != is_high_contrast || palette->is_heap != is_heap)
        pv_palette_init (palette, is_dark, is_high_contrast, is_heap);
}

double
pv_palette_value_ratio (unsigned family)
{
    g_assert (family >= PV_FAMILY_VALUE && family < PV_N_FAMILIES);

    return exp2 (((double)family - PV_FAMILY_VALUE) / 2 - 2);
}

uint8_t
pv_palette_value_hue (double ratio)
{
    unsigned family = PV_FAMILY_NEUTRAL;
    if (!isnan (ratio)) {
        double step = ratio > 0 ? round (log2 (ratio) * 2) : -INFINITY;
        family = PV_FAMILY_VALUE + (unsigned)(CLAMP (step, -4, 4) + 4);
    }
    return (uint8_t)(family * PV_N_SHADES + PV_N_SHADES / 2);
}

uint8_t
pv_palette_change_hue (double balance)
{
    unsigned family = PV_FAMILY_NEUTRAL;
    if (!isnan (balance))
        family = PV_FAMILY_VALUE + (unsigned)(round (CLAMP (balance, -1, 1) * 4) + 4);
    return (uint8_t)(family * PV_N_SHADES + PV_N_SHADES / 2);
}

int
pv_palette_part_step (double part)
{
    double size = fabs (part);
    int step = size < 0.02 ? 0 : size < 0.1 ? 1 : size < 0.25 ? 2 : size < 0.5 ? 3 : 4;
    return part < 0 ? -step : step;
}

/* A name in brackets, "[no stack recorded]", says why there is no other. */
static bool
is_unknown (const PvFunction *function)
{
    return function->kind != PV_FUNCTION_NAMED ||
           (function->name != NULL && function->name[0] == '[');
}

static unsigned
family_by_kind (const PvModule *module, const PvFunction *function)
{
    bool nameless = module == NULL || module->kind == PV_MODULE_UNKNOWN;
    if (nameless && is_unknown (function))
        return PV_FAMILY_KIND + 4;
    if (module != NULL && (module->is_kernel || module->kind == PV_MODULE_KERNEL ||
                           module->kind == PV_MODULE_KERNEL_MODULE))
        return PV_FAMILY_KIND + 2;
    if (nameless || module->is_main || module->kind == PV_MODULE_JIT)
        return PV_FAMILY_KIND;
    return PV_FAMILY_KIND + 1;
}

static unsigned
family_by_owner (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function,
                 PvColorScheme scheme)
{
    const PvOwners *owners = pv_symbol_table_get_owners (symbols, profile);
    PvOwnedBy by = scheme == PV_COLOR_BY_PACKAGE ? PV_OWNED_BY_PACKAGE : PV_OWNED_BY_MODULE;
    return PV_FAMILY_OWNER + owners->owner_of_function[by][function];
}

uint8_t
pv_palette_hue (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function_id,
                PvColorScheme scheme)
{
    if (function_id == 0 || function_id >= symbols->n_functions)
        return PV_FAMILY_NEUTRAL * PV_N_SHADES + PV_N_SHADES / 2;

    const PvFunction *function = &symbols->functions[function_id];
    const char *name = function->name != NULL ? function->name : "";
    uint64_t hash = pv_hash_bytes (name, strlen (name), 3).a;
    unsigned family;

    if (scheme == PV_COLOR_BY_KIND) {
        const PvModule *module = function->module != 0 && function->module < profile->n_modules
                                     ? &profile->modules[function->module]
                                     : NULL;
        family = family_by_kind (module, function);
    } else if (scheme == PV_COLOR_BY_HASH) {
        family = PV_FAMILY_HASH + (unsigned)((hash >> 8) % (PV_FAMILY_VALUE - PV_FAMILY_HASH));
    } else {
        family = family_by_owner (profile, symbols, function_id, scheme);
    }
    return (uint8_t)(family * PV_N_SHADES + hash % PV_N_SHADES);
}

PvColorScheme
pv_palette_choose_scheme (const PvProfile *profile, const PvSymbolTable *symbols)
{
    return pv_symbol_table_get_owners (symbols, profile)->is_of_packages ? PV_COLOR_BY_PACKAGE
                                                                         : PV_COLOR_BY_MODULE;
}

uint8_t
pv_palette_hue_by_choice (const PvProfile *profile, const PvSymbolTable *symbols,
                          PvFunctionId function)
{
    return pv_palette_hue (profile, symbols, function, pv_palette_choose_scheme (profile, symbols));
}
