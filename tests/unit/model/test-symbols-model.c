/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "core/model/build/builder.h"
#include "core/model/profile/symbols.h"

static PvProfile *
make_profile (uint32_t n_locations)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvModule module = {.path = "/bin/a", .kind = PV_MODULE_FILE};
    PvModuleId a = pv_profile_builder_add_module (builder, &module);
    module.path = "/bin/b";
    PvModuleId b = pv_profile_builder_add_module (builder, &module);
    for (uint32_t i = 0; i < n_locations; i++)
        pv_profile_builder_location (builder, i % 2 == 0 ? a : b, i, PV_LOCATION_EXACT);
    return pv_profile_builder_snapshot (builder);
}

TEST (tables)
{
    g_autoptr (PvProfile) profile = make_profile (100);
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    g_autoptr (PvSymbolTable) first = pv_symbol_builder_publish (builder, false);
    uint32_t n_frames;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        const PvFrame *frames = pv_symbol_table_frames (first, l, &n_frames);
        g_assert_cmpuint (n_frames, ==, 1);
        const PvFunction *function = &first->functions[frames[0].function];
        g_assert_cmpstr (function->name, ==, "??");
        g_assert_cmpuint (function->module, ==, profile->module_of_location[l]);
        g_assert_cmpint (function->kind, ==, PV_FUNCTION_UNKNOWN);
    }

    PvFunction f = {.name = "ns::f<int>(int)", .short_name = "ns::f", .module = 1};
    PvFunctionId id = pv_symbol_builder_function (builder, &f);
    for (int i = 0; i < 5000; i++) {
        g_autofree char *name = g_strdup_printf ("g%d", i);
        PvFunction g = {.name = name, .short_name = "", .module = 1};
        PvFrame frames[2] = {
            {.function = pv_symbol_builder_function (builder, &g), .line = 3, .is_inlined = true},
            {.function = id, .line = 4}};
        pv_symbol_builder_set_frames (builder, (PvLocationId)(i % 100) + 1, frames, 2);
    }
    f.file = "f.cc";
    f.line = 12;
    g_assert_cmpuint (pv_symbol_builder_function (builder, &f), ==, id);
    f.module = 2;
    g_assert_cmpuint (pv_symbol_builder_function (builder, &f), !=, id);
    pv_symbol_builder_set_module (builder, 1, PV_MODULE_SYMBOLS_FULL, "/x");
    pv_symbol_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 1, "hello");
    g_autoptr (PvSymbolTable) second = pv_symbol_builder_publish (builder, true);
    g_clear_pointer (&builder, pv_symbol_builder_free);

    g_assert_cmpuint (second->version, ==, 2);
    const PvFrame *frames = pv_symbol_table_frames (second, 100, &n_frames);
    g_assert_cmpuint (n_frames, ==, 2);
    g_assert_true (frames[0].is_inlined);
    g_assert_cmpstr (second->functions[frames[0].function].name, ==, "g4999");
    g_assert_cmpstr (second->functions[frames[0].function].short_name, ==, "g4999");
    g_assert_cmpstr (second->functions[frames[1].function].short_name, ==, "ns::f");
    g_assert_cmpstr (second->functions[id].file, ==, "f.cc");
    g_assert_cmpint (second->symbols_of_module[1], ==, PV_MODULE_SYMBOLS_FULL);
    g_assert_cmpuint (second->n_notes, ==, 1);

    /* The first table still shows what it showed. */
    g_assert_cmpuint (first->n_functions, ==, 3);
    pv_symbol_table_frames (first, 100, &n_frames);
    g_assert_cmpuint (n_frames, ==, 1);
}
