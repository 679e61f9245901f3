/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/draw/palette.h"

#include <math.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/model/profile/package.h"
#include "core/model/profile/system-modules.h"

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

/*
 * Whose code it is can be told by every eye: the groups (program, libraries, system, kernel, made
 * at run time, unknown) differ in lightness, and in hue for those who see it. tests/unit/render/
 * test-palette.c proves it for three kinds of colour blindness. Within a group modules have hues
 * that not everybody can tell apart.
 */
static const PvHueSpec time_hues[PV_N_FAMILIES] = {
    [PV_FAMILY_NEUTRAL] = GREY (0.03f),
    [PV_FAMILY_UNKNOWN] = GREY (0.034f),
    [PV_FAMILY_KERNEL] = {298, 0.050f, -0.122f},
    [PV_FAMILY_KERNEL + 1] = {314, 0.050f, -0.122f},
    [PV_FAMILY_KERNEL + 2] = {284, 0.050f, -0.122f},
    [PV_FAMILY_OWN] = {67, 0.108f, 0.000f},
    [PV_FAMILY_OWN + 1] = {72, 0.108f, 0.000f},
    [PV_FAMILY_OWN + 2] = {76, 0.108f, 0.000f},
    [PV_FAMILY_OWN + 3] = {62, 0.108f, 0.000f},
    [PV_FAMILY_LIBRARY] = {8, 0.044f, -0.074f},
    [PV_FAMILY_LIBRARY + 1] = {116, 0.044f, -0.074f},
    [PV_FAMILY_LIBRARY + 2] = {342, 0.044f, -0.074f},
    [PV_FAMILY_LIBRARY + 3] = {138, 0.044f, -0.074f},
    [PV_FAMILY_SYSTEM] = {246, 0.047f, -0.028f},
    [PV_FAMILY_SYSTEM + 1] = {200, 0.047f, -0.028f},
    [PV_FAMILY_SYSTEM + 2] = {230, 0.047f, -0.028f},
    [PV_FAMILY_SYSTEM + 3] = {178, 0.047f, -0.028f},
    [PV_FAMILY_SYSTEM + 4] = {262, 0.047f, -0.028f},
    [PV_FAMILY_SYSTEM + 5] = {214, 0.047f, -0.028f},
    [PV_FAMILY_JIT] = {156, 0.110f, 0.032f},
    [PV_FAMILY_JIT + 1] = {146, 0.110f, 0.032f},
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

/* Heaps are all green: lime for the program, bluish for the system. The same holds for groups. */
static const PvHueSpec heap_hues[] = {
    [PV_FAMILY_NEUTRAL] = GREY (0.03f),
    [PV_FAMILY_UNKNOWN] = GREY (0.036f),
    [PV_FAMILY_KERNEL] = {160, 0.016f, -0.136f},
    [PV_FAMILY_KERNEL + 1] = {150, 0.016f, -0.136f},
    [PV_FAMILY_KERNEL + 2] = {170, 0.016f, -0.136f},
    [PV_FAMILY_OWN] = {134, 0.080f, -0.048f},
    [PV_FAMILY_OWN + 1] = {142, 0.080f, -0.048f},
    [PV_FAMILY_OWN + 2] = {126, 0.080f, -0.048f},
    [PV_FAMILY_OWN + 3] = {148, 0.080f, -0.048f},
    [PV_FAMILY_LIBRARY] = {114, 0.105f, -0.004f},
    [PV_FAMILY_LIBRARY + 1] = {106, 0.105f, -0.004f},
    [PV_FAMILY_LIBRARY + 2] = {120, 0.105f, -0.004f},
    [PV_FAMILY_LIBRARY + 3] = {100, 0.105f, -0.004f},
    [PV_FAMILY_SYSTEM] = {172, 0.040f, -0.092f},
    [PV_FAMILY_SYSTEM + 1] = {184, 0.040f, -0.092f},
    [PV_FAMILY_SYSTEM + 2] = {164, 0.040f, -0.092f},
    [PV_FAMILY_SYSTEM + 3] = {194, 0.040f, -0.092f},
    [PV_FAMILY_SYSTEM + 4] = {178, 0.040f, -0.092f},
    [PV_FAMILY_SYSTEM + 5] = {190, 0.040f, -0.092f},
    [PV_FAMILY_JIT] = {154, 0.080f, -0.048f},
    [PV_FAMILY_JIT + 1] = {158, 0.075f, -0.048f},
};

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
    palette->texts[PV_SHADE_MATCH] = rgb (0x1d1600);
    palette->texts[PV_SHADE_MATCH_DIMMED] = rgb (0x1d1600);
}

/* Dark amber looks brown, so shift it a little towards copper. */
static double
warmer_in_the_dark (double hue)
{
    return hue > 40 && hue < 100 ? hue - 16 : hue;
}

static void
init_hue (PvPalette *palette, unsigned hue, const PvHueSpec *spec, int shade)
{
    bool dark = palette->is_dark, strong = palette->is_high_contrast;
    double lightness = dark ? (strong ? 0.36 : 0.492) : (strong ? 0.885 : 0.855);
    double chroma = spec->chroma * (strong ? 0.8 : dark ? 0.88 : 0.95);
    double hue_angle = dark ? warmer_in_the_dark (spec->hue) : spec->hue;
    double step = shade * (dark ? 0.012 : 0.013);
    lightness += spec->lighter * (dark ? 0.9 : 1.0) + step;
    double tint = dark ? 0.038 : 0.050;

    PvColor fill = pv_color_from_oklch (lightness, chroma, hue_angle);
    palette->fills[PV_SHADE_NORMAL][hue] = fill;
    palette->fills[PV_SHADE_INLINED][hue] = pv_color_from_oklch (
        MIN (lightness + tint, dark ? 0.547 : 0.96), chroma * (dark ? 0.85 : 0.66), hue_angle);
    palette->fills[PV_SHADE_DIMMED][hue] =
        strong ? fill
               : pv_color_mix (pv_color_from_oklch (lightness, chroma * 0.7, hue_angle),
                               palette->background, dark ? 0.38 : 0.42);
    double pale = dark ? MIN (lightness, 0.5) : MAX (lightness, 0.81); /* their text is faint */
    palette->fills[PV_SHADE_FADED][hue] = pv_color_mix (
        pv_color_from_oklch (pale, chroma * 0.6, hue_angle), palette->background, 0.72);
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
    for (unsigned family = 0; family < PV_N_FAMILIES; family++) {
        const PvHueSpec *spec =
            is_heap && family < G_N_ELEMENTS (heap_hues) ? &heap_hues[family] : &time_hues[family];
        for (unsigned shade = 0; shade < PV_N_SHADES; shade++)
            init_hue (palette, family * PV_N_SHADES + shade, spec, (int)shade - PV_N_SHADES / 2);
    }
}

void
pv_palette_update (PvPalette *palette, bool is_dark, bool is_high_contrast, bool is_heap)
{
    if (!palette->has_fills || palette->is_dark != is_dark ||
        palette->is_high_contrast != is_high_contrast || palette->is_heap != is_heap)
        pv_palette_init (palette, is_dark, is_high_contrast, is_heap);
}

static uint64_t
hash_string (const char *text, size_t len, uint64_t seed)
{
    return pv_hash_bytes (text, len, seed).a;
}

static unsigned
choose (unsigned family, unsigned n, uint64_t hash)
{
    return family + (unsigned)(hash % n);
}

static unsigned
family_of_module (const PvModule *module)
{
    const char *name = module->name != NULL ? module->name : "";
    uint64_t hash = hash_string (name, strlen (name), 1);

    if (module->section_kind > PV_SECTION_NONE && module->section_kind < PV_N_SECTION_KINDS)
        return PV_FAMILY_SECTION + module->section_kind - 1u;
    switch (module->kind) {
    case PV_MODULE_UNKNOWN:
        return PV_FAMILY_UNKNOWN;
    case PV_MODULE_KERNEL:
        return PV_FAMILY_KERNEL;
    case PV_MODULE_KERNEL_MODULE:
        return choose (PV_FAMILY_KERNEL + 1, 2, hash);
    case PV_MODULE_JIT:
        return choose (PV_FAMILY_JIT, 2, hash);
    case PV_MODULE_VDSO:
        return PV_FAMILY_SYSTEM;
    case PV_MODULE_FILE:
        break;
    }
    if (module->is_kernel)
        return choose (PV_FAMILY_KERNEL + 1, 2, hash);
    if (module->is_main)
        return choose (PV_FAMILY_OWN, PV_FAMILY_LIBRARY - PV_FAMILY_OWN, hash);
    if (pv_module_is_system (module))
        return choose (PV_FAMILY_SYSTEM, PV_FAMILY_JIT - PV_FAMILY_SYSTEM, hash);
    return choose (PV_FAMILY_LIBRARY, PV_FAMILY_SYSTEM - PV_FAMILY_LIBRARY, hash);
}

uint8_t
pv_palette_module_hue (const PvModule *module)
{
    g_assert (module != NULL);

    return (uint8_t)(family_of_module (module) * PV_N_SHADES + PV_N_SHADES / 2);
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

size_t
pv_palette_get_package (const char *name)
{
    g_assert (name != NULL);

    size_t len = strcspn (name, ":./(<");
    return name[len] != '\0' ? len : 0;
}

/* Profiles of bare names (folded stacks) have no modules: the package takes their place. */
static unsigned
family_of_bare_name (const char *name)
{
    size_t len = pv_palette_get_package (name);
    if (len == 0)
        return PV_FAMILY_OWN;
    return choose (PV_FAMILY_HASH, PV_FAMILY_SECTION - PV_FAMILY_HASH, hash_string (name, len, 2));
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

uint8_t
pv_palette_hue (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function_id,
                PvColorScheme scheme)
{
    if (function_id == 0 || function_id >= symbols->n_functions)
        return PV_FAMILY_NEUTRAL * PV_N_SHADES + PV_N_SHADES / 2;

    const PvFunction *function = &symbols->functions[function_id];
    const char *name = function->name != NULL ? function->name : "";
    const PvModule *module = function->module != 0 && function->module < profile->n_modules
                                 ? &profile->modules[function->module]
                                 : NULL;
    uint64_t hash = hash_string (name, strlen (name), 3);
    size_t package_len = 0;
    const char *package =
        scheme == PV_COLOR_BY_PACKAGE ? pv_function_find_package (function, &package_len) : NULL;
    unsigned family;

    if (scheme == PV_COLOR_BY_KIND)
        family = family_by_kind (module, function);
    else if (scheme == PV_COLOR_BY_HASH)
        family = choose (PV_FAMILY_HASH, PV_FAMILY_SECTION - PV_FAMILY_HASH, hash >> 8);
    else if (package_len > 0)
        family = choose (PV_FAMILY_HASH, PV_FAMILY_SECTION - PV_FAMILY_HASH,
                         hash_string (package, package_len, 3));
    else if (module != NULL && module->kind != PV_MODULE_UNKNOWN)
        family = family_of_module (module);
    else
        family = is_unknown (function) ? PV_FAMILY_UNKNOWN : family_of_bare_name (name);
    return (uint8_t)(family * PV_N_SHADES + hash % PV_N_SHADES);
}

uint8_t
pv_palette_hue_by_module (const PvProfile *profile, const PvSymbolTable *symbols,
                          PvFunctionId function)
{
    return pv_palette_hue (profile, symbols, function, PV_COLOR_BY_MODULE);
}
