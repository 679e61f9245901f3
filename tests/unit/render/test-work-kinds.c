/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kinds of work of a small profile, and the time line that has them as classes. */
#include <string.h>

#include "../cases.h"
#include "../made.h"
#include "../new-query.h"
#include "core/analyze/time/time-bins.h"
#include "core/model/build/builder.h"
#include "render/draw/work-kinds.h"

/* Two functions of each module, and two modules of each kind but one. */
static const struct {
    PvModule module;
    unsigned family; /* by value: the kind of code */
} places[] = {
    {{.path = "/opt/app/bin/main", .kind = PV_MODULE_FILE, .is_main = true}, PV_FAMILY_KIND},
    {{.path = "/opt/app/bin/helper", .kind = PV_MODULE_FILE, .is_main = true}, PV_FAMILY_KIND},
    {{.path = "/opt/app/lib/liba.so", .kind = PV_MODULE_FILE}, PV_FAMILY_KIND + 1},
    {{.path = "/opt/app/lib/libb.so", .kind = PV_MODULE_FILE}, PV_FAMILY_KIND + 1},
    {{.path = "/usr/lib/x86_64-linux-gnu/libc.so.6", .kind = PV_MODULE_FILE}, PV_FAMILY_KIND + 1},
    {{.path = "[vdso]", .kind = PV_MODULE_VDSO}, PV_FAMILY_KIND + 1},
    {{.path = "[kernel.kallsyms]", .kind = PV_MODULE_KERNEL, .is_kernel = true},
     PV_FAMILY_KIND + 2},
    {{.path = "[xfs]", .kind = PV_MODULE_KERNEL_MODULE, .is_kernel = true}, PV_FAMILY_KIND + 2},
    {{.path = "//anon", .kind = PV_MODULE_JIT}, PV_FAMILY_KIND},
};

enum { N_PLACES = G_N_ELEMENTS (places), PER_PLACE = 2 };

typedef struct {
    PvProfile *profile;
    PvSymbolTable *symbols;
    PvFunctionId function[N_PLACES * PER_PLACE];
} Made;

/* Sample i has the weight 1 << i. */
static Made
make (void)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModuleId modules[N_PLACES];
    PvLocationId locations[N_PLACES * PER_PLACE];
    PvProcessId process = pv_profile_builder_add_process (builder, 1, "p", 0);
    PvThreadId thread = pv_profile_builder_add_thread (builder, process, 1, "t", 0);
    made_set (builder, "cycles", false, PV_UNIT_COUNT);
    for (unsigned i = 0; i < N_PLACES * PER_PLACE; i++) {
        if (i % PER_PLACE == 0)
            modules[i / PER_PLACE] =
                pv_profile_builder_add_module (builder, &places[i / PER_PLACE].module);
        locations[i] =
            pv_profile_builder_location (builder, modules[i / PER_PLACE], i, PV_LOCATION_EXACT);
        PvNewSample sample = {.time_ns = 1 + i,
                              .thread = thread,
                              .stack = pv_profile_builder_stack (builder, 0, locations[i])};
        uint64_t weight = (uint64_t)1 << i;
        pv_profile_builder_add_sample (builder, 0, &sample, &weight);
    }
    Made made = {.profile = pv_profile_builder_snapshot (builder)};
    g_autoptr (PvSymbolBuilder) names = pv_symbol_builder_new (made.profile);
    for (unsigned i = 0; i < N_PLACES * PER_PLACE; i++) {
        g_autofree char *name = g_strdup_printf ("package%u::f", i % 3);
        PvFunction function = {.name = name, .module = modules[i / PER_PLACE]};
        PvFrame frame = {.function = pv_symbol_builder_function (names, &function)};
        pv_symbol_builder_set_frames (names, locations[i], &frame, 1);
        made.function[i] = frame.function;
    }
    made.symbols = pv_symbol_builder_publish (names, true);
    return made;
}

static void
clear (Made *made)
{
    pv_symbol_table_free (made->symbols);
    pv_profile_free (made->profile);
}

static unsigned
family_of (const PvWorkKinds *kinds, PvFunctionId function)
{
    return kinds->hue_of_kind[kinds->kind_of_function[function]] / (unsigned)PV_N_SHADES;
}

static void
check_order (const PvWorkKinds *kinds)
{
    for (uint32_t k = 1; k < kinds->n_kinds; k++)
        g_assert_cmpuint (kinds->hue_of_kind[k - 1], <, kinds->hue_of_kind[k]);
    for (uint32_t k = 0; k < kinds->n_kinds; k++)
        g_assert_cmpuint (pv_palette_get_middle (kinds->hue_of_kind[k]), ==, kinds->hue_of_kind[k]);
}

/* Values are of nodes: functions have the kinds of code then. */
TEST (values)
{
    Made made = make ();
    g_autoptr (PvWorkKinds) kinds =
        pv_work_kinds_new (made.profile, made.symbols, PV_COLOR_BY_VALUE);
    check_order (kinds);
    g_assert_cmpuint (family_of (kinds, 0), ==, PV_FAMILY_NEUTRAL);
    for (unsigned i = 0; i < N_PLACES * PER_PLACE; i++)
        g_assert_cmpuint (family_of (kinds, made.function[i]), ==, places[i / PER_PLACE].family);
    g_assert_cmpuint (kinds->n_kinds, ==, 4);
    clear (&made);
}

/* Other schemes have a kind for each of their hues, which is that of the flame graph's legend. */
TEST (schemes)
{
    static const PvColorScheme schemes[] = {PV_COLOR_BY_MODULE, PV_COLOR_BY_KIND, PV_COLOR_BY_HASH,
                                            PV_COLOR_BY_PACKAGE};
    Made made = make ();
    for (size_t s = 0; s < G_N_ELEMENTS (schemes); s++) {
        g_autoptr (PvWorkKinds) kinds = pv_work_kinds_new (made.profile, made.symbols, schemes[s]);
        check_order (kinds);
        for (unsigned i = 0; i < N_PLACES * PER_PLACE; i++) {
            unsigned hue =
                pv_palette_hue (made.profile, made.symbols, made.function[i], schemes[s]);
            g_assert_cmpuint (family_of (kinds, made.function[i]), ==, hue / PV_N_SHADES);
        }
    }
    clear (&made);
}

/* A bin has the weights of all kinds. */
TEST (time_line)
{
    Made made = make ();
    g_auto (PvQuery) query = new_query ();
    g_autoptr (PvCallTree) tree =
        pv_call_tree_build_stacks (made.profile, made.symbols, &query, NULL, NULL, NULL);
    g_autoptr (PvWorkKinds) kinds =
        pv_work_kinds_new (made.profile, tree->symbols, PV_COLOR_BY_VALUE);
    g_autoptr (PvTimeIndex) index =
        pv_time_index_build (tree, PV_TIME_THREADS, kinds->kind_of_function, kinds->n_kinds, NULL);
    const PvTimeView view = {.end_ns = index->end_ns, .n_bins = 1};
    g_autoptr (PvTimeBins) bins = pv_time_bins_build (index, &view, NULL);
    for (uint32_t k = 0; k < kinds->n_kinds; k++) {
        uint64_t wanted = 0;
        for (unsigned i = 0; i < N_PLACES * PER_PLACE; i++)
            if (places[i / PER_PLACE].family == kinds->hue_of_kind[k] / (unsigned)PV_N_SHADES)
                wanted |= (uint64_t)1 << i;
        g_assert_cmpuint (pv_time_bins_get (bins, 0, 0)[k], ==, wanted);
    }
    g_assert_cmpuint (pv_time_bins_sum (bins, 0, 0), ==, ((uint64_t)1 << N_PLACES * PER_PLACE) - 1);
    clear (&made);
}
