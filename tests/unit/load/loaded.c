/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "loaded.h"

#include "../cases.h"

static void
take_profile (PvProfile *profile, void *user)
{
    Loaded *loaded = user;
    g_assert_null (loaded->profile);
    loaded->profile = profile;
}

static void
take_symbols (PvSymbolTable *symbols, void *user)
{
    Loaded *loaded = user;
    pv_symbol_table_free (loaded->symbols);
    loaded->symbols = symbols;
}

PvLoadEvents
loaded_events (Loaded *loaded)
{
    return (PvLoadEvents){
        .profile_ready = take_profile, .symbols_ready = take_symbols, .user = loaded};
}

Loaded
load_file (const char *path, const PvLoadOptions *options)
{
    Loaded loaded = {0};
    PvLoadEvents events = loaded_events (&loaded);
    assert_ok (error, pv_load (path, options, &events, NULL, &error));
    return loaded;
}

void
loaded_clear (Loaded *loaded)
{
    g_clear_pointer (&loaded->symbols, pv_symbol_table_free);
    g_clear_pointer (&loaded->profile, pv_profile_free);
}

PvFunctionId
loaded_find_function (const Loaded *loaded, const char *name)
{
    for (PvFunctionId f = 1; f < loaded->symbols->n_functions; f++)
        if (g_strcmp0 (loaded->symbols->functions[f].name, name) == 0)
            return f;
    g_assert_not_reached ();
}
