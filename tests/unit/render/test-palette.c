/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "../cases.h"
#include "app/widgets/amount-style.h"
#include "core/model/build/builder.h"
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
        for (int state = 0; state < PV_SHADE_THIN; state++)
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
        /* Non-text, outlines and what is too narrow for them, needs 3:1. */
        for (int hue = 0; hue < PV_N_HUES; hue++) {
            g_assert_cmpfloat (
                pv_color_contrast (palette.fills[PV_SHADE_NORMAL][hue], palette.selection), >=, 3);
            for (int state = PV_SHADE_THIN; state <= PV_SHADE_FADED_THIN; state++)
                g_assert_cmpfloat (
                    pv_color_contrast (palette.fills[state][hue], palette.background), >=, 3);
        }
        g_assert_cmpfloat (pv_color_contrast (palette.border, palette.background), >=, 7);
        g_assert_cmpfloat (pv_color_contrast (palette.faded_border, palette.background), >=, 3);
        g_assert_cmpfloat (pv_color_contrast (palette.faded_border, palette.background), <, 4);
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
function_family (const char *name, PvFunctionKind kind, PvColorScheme scheme)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (profile);
    const PvFunction function = {.name = name, .kind = kind};
    PvFunctionId id = pv_symbol_builder_function (names, &function);
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (names, true);
    return pv_palette_hue (profile, symbols, id, scheme) / PV_N_SHADES;
}

TEST (unknown_functions)
{
    enum { UNKNOWN_KIND = PV_FAMILY_HASH - 1, OWN_KIND = PV_FAMILY_KIND };
    static const struct {
        const char *name;
        PvFunctionKind kind;
        unsigned by_module, by_kind;
    } cases[] = {
        {"main", PV_FUNCTION_NAMED, PV_FAMILY_OTHER, OWN_KIND},
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

/* A function without a module has the hue of its package, whatever it is called. */
TEST (packages)
{
    static const PvColorScheme schemes[] = {PV_COLOR_BY_MODULE, PV_COLOR_BY_PACKAGE};
    for (size_t i = 0; i < G_N_ELEMENTS (schemes); i++) {
        g_assert_cmpuint (function_family ("a::b", PV_FUNCTION_NAMED, schemes[i]), ==,
                          PV_FAMILY_OTHER);
        g_assert_cmpuint (function_family ("a::b", PV_FUNCTION_UNKNOWN, schemes[i]), ==,
                          PV_FAMILY_UNKNOWN);
    }
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
    unsigned sections[PV_N_SECTION_KINDS - 1][2];
    for (unsigned i = 0; i < G_N_ELEMENTS (sections); i++) {
        sections[i][0] = PV_FAMILY_SECTION + i;
        sections[i][1] = sections[i][0] + 1;
    }
    check_groups (sections, G_N_ELEMENTS (sections), false, 0.05);
    check_groups (sections, G_N_ELEMENTS (sections), true, 0.05);
    check_groups (kinds, G_N_ELEMENTS (kinds), false, 0.05);

    double red[3], green[3];
    for (size_t v = 0; v < 3; v++) {
        see (pv_color_from_oklch (0.7, 0.09, 40), visions[v], red);
        see (pv_color_from_oklch (0.7, 0.09, 118), visions[v], green);
        double d = hypot (red[1] - green[1], red[2] - green[2]);
        g_assert_true (v == 0 ? d > 0.1 : d < 0.06);
    }
}

/* CIE 1976 L*a*b*, for D65. */
static void
find_lab (PvColor color, const double vision[3][3], double lab[3])
{
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1, 1.08883};
    const double linear[3] = {decode (color.red), decode (color.green), decode (color.blue)};
    double seen[3], f[3];
    for (int i = 0; i < 3; i++)
        seen[i] = CLAMP (
            vision[i][0] * linear[0] + vision[i][1] * linear[1] + vision[i][2] * linear[2], 0, 1);
    for (int i = 0; i < 3; i++) {
        double t =
            (to_xyz[i][0] * seen[0] + to_xyz[i][1] * seen[1] + to_xyz[i][2] * seen[2]) / white[i];
        f[i] = t > 216.0 / 24389 ? cbrt (t) : (24389.0 / 27 * t + 16) / 116;
    }
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static double
find_angle (double y, double x)
{
    double degrees = x == 0 && y == 0 ? 0 : atan2 (y, x) * 180 / G_PI;
    return degrees < 0 ? degrees + 360 : degrees;
}

static double
cos_degrees (double degrees)
{
    return cos (degrees * G_PI / 180);
}

/* CIEDE2000: Sharma, Wu and Dalal, "The CIEDE2000 Color-Difference Formula", 2005. */
static double
find_difference (const double a[3], const double b[3])
{
    double mean = (hypot (a[1], a[2]) + hypot (b[1], b[2])) / 2;
    double g = 0.5 * (1 - sqrt (pow (mean, 7) / (pow (mean, 7) + pow (25, 7))));
    double a1 = a[1] * (1 + g), b1 = b[1] * (1 + g);
    double chroma_a = hypot (a1, a[2]), chroma_b = hypot (b1, b[2]);
    double hue_a = find_angle (a[2], a1), hue_b = find_angle (b[2], b1);
    bool is_grey = chroma_a * chroma_b == 0;
    double turn = is_grey ? 0 : hue_b - hue_a;
    turn += turn > 180 ? -360 : turn < -180 ? 360 : 0;
    double hue = is_grey ? hue_a + hue_b : hue_a + turn / 2;
    double dl = b[0] - a[0], dc = chroma_b - chroma_a;
    double dh = 2 * sqrt (chroma_a * chroma_b) * sin (turn * G_PI / 360);
    double light = (a[0] + b[0]) / 2 - 50, chroma = (chroma_a + chroma_b) / 2;
    double t = 1 - 0.17 * cos_degrees (hue - 30) + 0.24 * cos_degrees (2 * hue) +
               0.32 * cos_degrees (3 * hue + 6) - 0.2 * cos_degrees (4 * hue - 63);
    hue += hue < 0 ? 360 : 0;
    double spread = 30 * exp (-pow ((hue - 275) / 25, 2));
    double rc = 2 * sqrt (pow (chroma, 7) / (pow (chroma, 7) + pow (25, 7)));
    double l = dl / (1 + 0.015 * light * light / sqrt (20 + light * light));
    double c = dc / (1 + 0.045 * chroma), h = dh / (1 + 0.015 * chroma * t);
    return sqrt (l * l + c * c + h * h - sin (2 * spread * G_PI / 180) * rc * c * h);
}

/* Pairs of the paper, so that the test below measures what it says. */
TEST (difference)
{
    static const struct {
        double a[3], b[3], difference;
    } cases[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {61, -5, 29}, 22.8977},
        {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
        g_assert_cmpfloat (fabs (find_difference (cases[i].a, cases[i].b) - cases[i].difference), <,
                           1e-4);
}

/* The least difference of two families that are not the same, in any shade and in either state. */
static double
find_least (const PvPalette *palette, size_t vision, unsigned first, unsigned end,
            PvShadeState state_a, PvShadeState state_b)
{
    double least = INFINITY;
    for (unsigned a = first; a < end; a++)
        for (unsigned b = first; b < end; b++)
            for (unsigned shades = 0; a != b && shades < PV_N_SHADES * PV_N_SHADES; shades++) {
                double x[3], y[3];
                find_lab (palette->fills[state_a][a * PV_N_SHADES + shades % PV_N_SHADES],
                          visions[vision], x);
                find_lab (palette->fills[state_b][b * PV_N_SHADES + shades / PV_N_SHADES],
                          visions[vision], y);
                least = MIN (least, find_difference (x, y));
            }
    return least;
}

/* Modules or packages with numbers can be told from each other and from the groups beside them, as
 * they are painted; without one kind of cones from each other. */
TEST (owners_differ)
{
    static const struct {
        bool is_dark, is_high_contrast, is_heap;
        double all, inlined, color_blind;
    } least[] = {
        {false, false, false, 12, 10, 12},   {true, false, false, 12, 9.5, 12},
        {false, false, true, 12, 9, 12},     {true, false, true, 12, 10, 12},
        {false, true, false, 12, 8.5, 11},   {true, true, false, 11.5, 9, 8.5},
        {false, true, true, 10.5, 7.5, 8.5}, {true, true, true, 10.5, 9.5, 3},
    };
    for (size_t i = 0; i < G_N_ELEMENTS (least); i++) {
        PvPalette palette;
        double color_blind = INFINITY;
        pv_palette_init (&palette, least[i].is_dark, least[i].is_high_contrast, least[i].is_heap);
        double all = find_least (&palette, 0, PV_FAMILY_OWNER, PV_FAMILY_SECTION, PV_SHADE_NORMAL,
                                 PV_SHADE_NORMAL);
        double inlined = find_least (&palette, 0, PV_FAMILY_OWNER, PV_FAMILY_SECTION,
                                     PV_SHADE_INLINED, PV_SHADE_INLINED);
        inlined = MIN (inlined, find_least (&palette, 0, PV_FAMILY_OWNER, PV_FAMILY_SECTION,
                                            PV_SHADE_NORMAL, PV_SHADE_INLINED));
        for (size_t v = 1; v < G_N_ELEMENTS (visions); v++)
            color_blind =
                MIN (color_blind, find_least (&palette, v, PV_FAMILY_OWNER, PV_FAMILY_OTHER,
                                              PV_SHADE_NORMAL, PV_SHADE_NORMAL));
        g_test_message ("variant %zu: %.2f, inlined %.2f, color-blind %.2f", i, all, inlined,
                        color_blind);
        g_assert_cmpfloat (all, >=, least[i].all);
        g_assert_cmpfloat (inlined, >=, least[i].inlined);
        g_assert_cmpfloat (color_blind, >=, least[i].color_blind);
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
