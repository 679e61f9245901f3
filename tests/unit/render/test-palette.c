/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "../cases.h"
#include "app/widgets/amount-style.h"
#include "render/draw/palette.h"
#include "render/draw/stripes.h"

/* WCAG 2.1, level AA for small text; level AAA in high contrast. */
TEST (contrast)
{
    for (int variant = 0; variant < 8; variant++) {
        PvPalette palette;
        bool strong = (variant & 2) != 0;
        double least = strong ? 7 : 4.5;
        pv_palette_init (&palette, (variant & 1) != 0, strong, (variant & 4) != 0);
        for (int state = 0; state < PV_N_SHADE_STATES; state++)
            for (int hue = 0; hue < PV_N_HUES; hue++) {
                double contrast =
                    pv_color_contrast (palette.fills[state][hue], palette.texts[state]);
                if (contrast < least)
                    g_error ("variant %d state %d hue %d: %.2f", variant, state, hue, contrast);
            }
        g_assert_cmpfloat (pv_color_contrast (palette.hatch.ground, palette.texts[0]), >=, least);
        g_assert_cmpfloat (pv_color_contrast (palette.hatch.stripe, palette.texts[0]), >=, least);
        g_assert_cmpfloat (pv_color_contrast (palette.hatch.stripe, palette.hatch.ground), >, 1.4);
        g_assert_cmpfloat (pv_color_contrast (palette.foreground, palette.background), >=, least);
        g_assert_cmpfloat (pv_color_contrast (palette.faint, palette.background), >=, least);
        /* Non-text: outlines need 3:1. */
        for (int hue = 0; hue < PV_N_HUES; hue++)
            g_assert_cmpfloat (
                pv_color_contrast (palette.fills[PV_SHADE_NORMAL][hue], palette.selection), >=, 3);
    }
}

/* Figures of tables in libadwaita's colours, on rows that are selected or not, on their bars or
 * not. Amounts are text, 4.5:1; zeros are meant to be faint, 3:1. */
TEST (amounts)
{
    static const struct {
        PvColor background, text;
        double text_opacity, bar_opacity;
    } themes[] = {
        {{1, 1, 1}, {0, 0, 0}, 0.8, PV_BAR_OPACITY_LIGHT},
        {{30 / 255.0, 30 / 255.0, 30 / 255.0}, {1, 1, 1}, 1, PV_BAR_OPACITY_DARK},
        /* high contrast */
        {{1, 1, 1}, {0, 0, 0}, 1, PV_BAR_OPACITY_LIGHT},
        {{30 / 255.0, 30 / 255.0, 30 / 255.0}, {1, 1, 1}, 1, PV_BAR_OPACITY_DARK},
    };
    static const double rows[] = {0, 0.1, 0.13}; /* plain, selected, selected and hovered */
    static const PvColor accent = {0x35 / 255.0, 0x84 / 255.0, 0xe4 / 255.0};
    for (size_t i = 0; i < G_N_ELEMENTS (themes); i++)
        for (size_t r = 0; r < G_N_ELEMENTS (rows); r++) {
            PvColor text = themes[i].text;
            PvColor row = pv_color_mix (themes[i].background, text, rows[r]);
            PvColor bar = pv_color_mix (row, accent, themes[i].bar_opacity);
            double amount = themes[i].text_opacity * (double)PV_AMOUNT_OPACITY;
            double zero = amount * (double)PV_ZERO_OPACITY;
            g_assert_cmpfloat (pv_color_contrast (row, pv_color_mix (row, text, amount)), >=, 4.5);
            g_assert_cmpfloat (pv_color_contrast (bar, pv_color_mix (bar, text, amount)), >=, 4.5);
            g_assert_cmpfloat (pv_color_contrast (row, pv_color_mix (row, text, zero)), >=, 3);
        }
}

static double
distance (PvColor a, PvColor b)
{
    return ABS (a.red - b.red) + ABS (a.green - b.green) + ABS (a.blue - b.blue);
}

TEST (states_differ)
{
    for (int variant = 0; variant < 4; variant++) {
        PvPalette palette;
        pv_palette_init (&palette, (variant & 1) != 0, (variant & 2) != 0, false);
        for (int hue = 0; hue < PV_N_HUES; hue++) {
            PvColor normal = palette.fills[PV_SHADE_NORMAL][hue];
            g_assert_cmpfloat (distance (normal, palette.fills[PV_SHADE_MATCH][hue]), >, 0.1);
            g_assert_cmpfloat (distance (normal, palette.fills[PV_SHADE_FADED][hue]), >, 0.05);
            g_assert_cmpfloat (distance (normal, palette.fills[PV_SHADE_INLINED][hue]), >, 0.03);
            /* Inlined is lighter in either theme. */
            g_assert_cmpfloat (pv_color_luminance (palette.fills[PV_SHADE_INLINED][hue]), >,
                               pv_color_luminance (normal));
        }
    }
}

static unsigned
family (PvModuleKind kind, const char *path, bool is_main)
{
    g_autofree char *name = g_path_get_basename (path);
    PvModule module = {.path = path, .name = name, .kind = kind, .is_main = is_main};
    return pv_palette_module_hue (&module) / PV_N_SHADES;
}

static void
assert_between (unsigned value, unsigned low, unsigned high)
{
    g_assert_cmpuint (value, >=, low);
    g_assert_cmpuint (value, <, high);
}

TEST (families)
{
    assert_between (family (PV_MODULE_FILE, "/home/me/server", true), PV_FAMILY_OWN,
                    PV_FAMILY_LIBRARY);
    assert_between (family (PV_MODULE_FILE, "/usr/bin/python3", true), PV_FAMILY_OWN,
                    PV_FAMILY_LIBRARY);
    assert_between (family (PV_MODULE_FILE, "/home/me/libx.so", false), PV_FAMILY_LIBRARY,
                    PV_FAMILY_SYSTEM);
    assert_between (family (PV_MODULE_FILE, "/usr/local/lib/libx.so", false), PV_FAMILY_LIBRARY,
                    PV_FAMILY_SYSTEM);
    assert_between (family (PV_MODULE_FILE, "/usr/lib/libc.so.6", false), PV_FAMILY_SYSTEM,
                    PV_FAMILY_JIT);
    assert_between (family (PV_MODULE_FILE, "/lib/x86_64-linux-gnu/libm.so.6", false),
                    PV_FAMILY_SYSTEM, PV_FAMILY_JIT);
    assert_between (family (PV_MODULE_KERNEL_MODULE, "[ext4]", false), PV_FAMILY_KERNEL,
                    PV_FAMILY_OWN);
    assert_between (family (PV_MODULE_FILE, "libc.so.6", false), PV_FAMILY_SYSTEM, PV_FAMILY_JIT);
    assert_between (family (PV_MODULE_FILE, "libmine.so", false), PV_FAMILY_LIBRARY,
                    PV_FAMILY_SYSTEM);
    g_assert_cmpuint (family (PV_MODULE_KERNEL, "[kernel.kallsyms]", false), ==, PV_FAMILY_KERNEL);
    g_assert_cmpuint (family (PV_MODULE_UNKNOWN, "", false), ==, PV_FAMILY_UNKNOWN);
    /* Whatever it is called. */
    for (unsigned i = PV_SECTION_NONE + 1; i < PV_N_SECTION_KINDS; i++) {
        PvModule module = {.path = "[x]", .name = "[x]", .kind = PV_MODULE_FILE};
        module.section_kind = (uint8_t)i;
        g_assert_cmpuint (pv_palette_module_hue (&module) / PV_N_SHADES, ==,
                          PV_FAMILY_SECTION + i - 1);
    }
    /* By name, wherever it is installed. */
    g_assert_cmpuint (family (PV_MODULE_FILE, "/usr/lib/libz.so.1", false), ==,
                      family (PV_MODULE_FILE, "/lib/x86_64-linux-gnu/libz.so.1", false));
}

static unsigned
function_family (const char *name, PvFunctionKind kind, PvColorScheme scheme)
{
    PvProfile profile = {0};
    PvFunction functions[] = {{0}, {.name = name, .kind = kind}};
    PvSymbolTable symbols = {.functions = functions, .n_functions = G_N_ELEMENTS (functions)};
    return pv_palette_hue (&profile, &symbols, 1, scheme) / PV_N_SHADES;
}

TEST (unknown_functions)
{
    enum { UNKNOWN_KIND = PV_FAMILY_HASH - 1, OWN_KIND = PV_FAMILY_KIND };
    static const struct {
        const char *name;
        PvFunctionKind kind;
        unsigned by_module, by_kind;
    } cases[] = {
        {"main", PV_FUNCTION_NAMED, PV_FAMILY_OWN, OWN_KIND},
        {"??", PV_FUNCTION_UNKNOWN, PV_FAMILY_UNKNOWN, UNKNOWN_KIND},
        {"[no stack recorded]", PV_FUNCTION_NAMED, PV_FAMILY_UNKNOWN, UNKNOWN_KIND},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_assert_cmpuint (function_family (cases[i].name, cases[i].kind, PV_COLOR_BY_MODULE), ==,
                          cases[i].by_module);
        g_assert_cmpuint (function_family (cases[i].name, cases[i].kind, PV_COLOR_BY_KIND), ==,
                          cases[i].by_kind);
    }
}

/* Functions of a package have one hue, whatever they are called; those without have their module's.
 */
TEST (packages)
{
    static const char *const of_one[] = {"tokio::park", "tokio::runtime::run", "tokio::wake"};
    unsigned family = function_family (of_one[0], PV_FUNCTION_NAMED, PV_COLOR_BY_PACKAGE);
    bool is_another_there = false;
    g_assert_cmpuint (family, >=, PV_FAMILY_HASH);
    for (size_t i = 0; i < G_N_ELEMENTS (of_one); i++)
        g_assert_cmpuint (function_family (of_one[i], PV_FUNCTION_NAMED, PV_COLOR_BY_PACKAGE), ==,
                          family);
    for (char name[] = "a::run"; name[0] <= 'z'; name[0]++)
        is_another_there |=
            function_family (name, PV_FUNCTION_NAMED, PV_COLOR_BY_PACKAGE) != family;
    g_assert_true (is_another_there);
    g_assert_cmpuint (function_family ("main", PV_FUNCTION_NAMED, PV_COLOR_BY_PACKAGE), ==,
                      PV_FAMILY_OWN);
    g_assert_cmpuint (function_family ("a::b", PV_FUNCTION_UNKNOWN, PV_COLOR_BY_PACKAGE), ==,
                      PV_FAMILY_UNKNOWN);
}

/* How colours look without one kind of cones: Machado, Oliveira and Fernandes, "A
 * Physiologically-based Model for Simulation of Color Vision Deficiency", 2009, severity 1, for
 * linear RGB; the first is for eyes that see all. */
static const double visions[][3][3] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0.152286, 1.052583, -0.204868},
     {0.114503, 0.786281, 0.099216},
     {-0.003882, -0.048116, 1.051998}},
    {{0.367322, 0.860646, -0.227968},
     {0.280085, 0.672501, 0.047413},
     {-0.011820, 0.042940, 0.968881}},
    {{1.255528, -0.076749, -0.178779},
     {-0.078411, 0.930809, 0.147602},
     {0.004733, 0.691367, 0.303900}},
};

static double
decode (double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : pow ((channel + 0.055) / 1.055, 2.4);
}

/* In Oklab (Ottosson, 2020), where equal distances look about equally different. */
static void
see (PvColor color, const double vision[3][3], double lab[3])
{
    static const double to_cones[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                          {0.2119034982, 0.6806995451, 0.1073969566},
                                          {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    const double linear[3] = {decode (color.red), decode (color.green), decode (color.blue)};
    double seen[3], cones[3];
    for (int i = 0; i < 3; i++)
        seen[i] = CLAMP (
            vision[i][0] * linear[0] + vision[i][1] * linear[1] + vision[i][2] * linear[2], 0, 1);
    for (int i = 0; i < 3; i++)
        cones[i] =
            cbrt (to_cones[i][0] * seen[0] + to_cones[i][1] * seen[1] + to_cones[i][2] * seen[2]);
    for (int i = 0; i < 3; i++)
        lab[i] = to_lab[i][0] * cones[0] + to_lab[i][1] * cones[1] + to_lab[i][2] * cones[2];
}

/* The least distance, for all eyes, between colours of two groups of families. */
static double
see_distance (const PvPalette *palette, const unsigned a[2], const unsigned b[2])
{
    double least = INFINITY;
    for (size_t v = 0; v < G_N_ELEMENTS (visions); v++)
        for (unsigned i = a[0]; i < a[1]; i++)
            for (unsigned j = b[0]; j < b[1]; j++) {
                double x[3], y[3];
                unsigned middle = PV_N_SHADES / 2;
                see (palette->fills[PV_SHADE_NORMAL][i * PV_N_SHADES + middle], visions[v], x);
                see (palette->fills[PV_SHADE_NORMAL][j * PV_N_SHADES + middle], visions[v], y);
                double d = sqrt ((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
                                 (x[2] - y[2]) * (x[2] - y[2]));
                least = MIN (least, d);
            }
    return least;
}

static void
check_groups (const unsigned groups[][2], size_t n, bool is_heap, double least)
{
    for (int variant = 0; variant < 4; variant++) {
        PvPalette palette;
        pv_palette_init (&palette, (variant & 1) != 0, (variant & 2) != 0, is_heap);
        for (size_t a = 0; a < n; a++)
            for (size_t b = a + 1; b < n; b++) {
                double d = see_distance (&palette, groups[a], groups[b]);
                if (d < least)
                    g_error ("variant %d heap %d, groups %zu and %zu: %.3f", variant, is_heap, a, b,
                             d);
            }
    }
}

/* Whose code a box is can be seen with every kind of cones missing: 0.02 is what most people just
 * notice between swatches. The simulation is right: without red or green cones these two hues, of
 * one lightness, are nearly the same. */
TEST (color_blindness)
{
    static const unsigned kinds[][2] = {
        {PV_FAMILY_KIND, PV_FAMILY_KIND + 1},     {PV_FAMILY_KIND + 1, PV_FAMILY_KIND + 2},
        {PV_FAMILY_KIND + 2, PV_FAMILY_KIND + 3}, {PV_FAMILY_KIND + 3, PV_FAMILY_KIND + 4},
        {PV_FAMILY_KIND + 4, PV_FAMILY_KIND + 5},
    };
    static const unsigned groups[][2] = {
        {PV_FAMILY_UNKNOWN, PV_FAMILY_KERNEL}, {PV_FAMILY_KERNEL, PV_FAMILY_OWN},
        {PV_FAMILY_OWN, PV_FAMILY_LIBRARY},    {PV_FAMILY_LIBRARY, PV_FAMILY_SYSTEM},
        {PV_FAMILY_SYSTEM, PV_FAMILY_JIT},     {PV_FAMILY_JIT, PV_FAMILY_KIND},
    };
    unsigned sections[PV_N_SECTION_KINDS - 1][2];
    for (unsigned i = 0; i < G_N_ELEMENTS (sections); i++) {
        sections[i][0] = PV_FAMILY_SECTION + i;
        sections[i][1] = sections[i][0] + 1;
    }
    check_groups (sections, G_N_ELEMENTS (sections), false, 0.05);
    check_groups (sections, G_N_ELEMENTS (sections), true, 0.05);
    check_groups (kinds, G_N_ELEMENTS (kinds), false, 0.05);
    check_groups (groups, G_N_ELEMENTS (groups), false, 0.03);
    /* Nothing compiled at run time allocates in the traces there are. */
    check_groups (groups, G_N_ELEMENTS (groups) - 1, true, 0.03);

    double red[3], green[3];
    for (size_t v = 0; v < 3; v++) {
        see (pv_color_from_oklch (0.7, 0.09, 40), visions[v], red);
        see (pv_color_from_oklch (0.7, 0.09, 118), visions[v], green);
        double d = hypot (red[1] - green[1], red[2] - green[2]);
        g_assert_true (v == 0 ? d > 0.1 : d < 0.06);
    }
}

/* Steps of the square root of two, from a fourth to four times, each with a hue of its own. */
TEST (values)
{
    static const struct {
        double ratio;
        unsigned family;
    } cases[] = {
        {1, PV_FAMILY_VALUE + 4},        {1.1, PV_FAMILY_VALUE + 4}, {0.5, PV_FAMILY_VALUE + 2},
        {2, PV_FAMILY_VALUE + 6},        {4, PV_FAMILY_VALUE + 8},   {1e30, PV_FAMILY_VALUE + 8},
        {0.25, PV_FAMILY_VALUE},         {0, PV_FAMILY_VALUE},       {-3, PV_FAMILY_VALUE},
        {INFINITY, PV_FAMILY_VALUE + 8}, {NAN, PV_FAMILY_NEUTRAL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpuint (pv_palette_value_hue (cases[i].ratio) / PV_N_SHADES, ==, cases[i].family);
    for (unsigned family = PV_FAMILY_VALUE; family < PV_N_FAMILIES; family++)
        g_assert_cmpuint (pv_palette_value_hue (pv_palette_value_ratio (family)) / PV_N_SHADES, ==,
                          family);
}

/* Less and more than everything's value can be told by every eye, and so can the legend's entries.
 */
TEST (value_color_blindness)
{
    static const unsigned entries[][2] = {
        {PV_FAMILY_VALUE, PV_FAMILY_VALUE + 1},     {PV_FAMILY_VALUE + 2, PV_FAMILY_VALUE + 3},
        {PV_FAMILY_VALUE + 4, PV_FAMILY_VALUE + 5}, {PV_FAMILY_VALUE + 6, PV_FAMILY_VALUE + 7},
        {PV_FAMILY_VALUE + 8, PV_FAMILY_VALUE + 9},
    };
    static const unsigned sides[][2] = {
        {PV_FAMILY_VALUE, PV_FAMILY_VALUE + 3},
        {PV_FAMILY_VALUE + 6, PV_FAMILY_VALUE + 9},
    };
    check_groups (entries, G_N_ELEMENTS (entries), false, 0.03);
    check_groups (entries, G_N_ELEMENTS (entries), true, 0.03);
    check_groups (sides, G_N_ELEMENTS (sides), false, 0.06);
}

/* The least distance of two colours, for all eyes. */
static double
see_apart (PvColor a, PvColor b)
{
    double least = INFINITY;
    for (size_t v = 0; v < G_N_ELEMENTS (visions); v++) {
        double x[3], y[3], sum = 0;
        see (a, visions[v], x);
        see (b, visions[v], y);
        for (int i = 0; i < 3; i++)
            sum += (x[i] - y[i]) * (x[i] - y[i]);
        least = MIN (least, sqrt (sum));
    }
    return least;
}

/* In a comparison every eye can tell less, more, unchanged and striped. */
TEST (change_color_blindness)
{
    static const double balances[] = {-1, 0, 1};
    for (int variant = 0; variant < 4; variant++) {
        PvPalette palette;
        pv_palette_init (&palette, (variant & 1) != 0, (variant & 2) != 0, false);
        for (size_t i = 0; i < G_N_ELEMENTS (balances); i++) {
            const PvColor *fills = palette.fills[PV_SHADE_NORMAL];
            PvColor fill = fills[pv_palette_change_hue (balances[i])];
            PvColor lines = pv_stripes_get_color (fill, palette.texts[PV_SHADE_NORMAL]);
            g_assert_cmpfloat (see_apart (fill, lines), >=, 0.1);
            for (size_t j = 0; j < i; j++)
                g_assert_cmpfloat (see_apart (fill, fills[pv_palette_change_hue (balances[j])]), >=,
                                   0.06);
        }
    }
}
