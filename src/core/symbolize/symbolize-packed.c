/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that came with a pack as a symbol table had them: they are taken as they are. */
#include "core/symbolize/symbolizer-private.h"

bool
pv_symbolizing_has_packed (const PvSymbolizing *s)
{
    return s->profile->packed_names != NULL && s->first_location == 1 && !s->options->no_demangle;
}

static PvFunctionId *
add_functions (PvSymbolizing *s, const PvSymbolTable *names)
{
    PvFunctionId *ids = g_new0 (PvFunctionId, MAX (names->n_functions, 1));
    for (PvFunctionId f = 1; f < names->n_functions; f++) {
        PvFunction function = names->functions[f];
        if (function.raw_name == function.name)
            function.raw_name = NULL;
        ids[f] = pv_symbol_builder_given_function (s->builder, &function);
        pv_symbol_builder_set_label (s->builder, ids[f], function.label);
    }
    return ids;
}

void
pv_symbolizing_take_packed (PvSymbolizing *s)
{
    const PvSymbolTable *names = s->profile->packed_names;
    g_autofree PvFunctionId *ids = add_functions (s, names);
    g_autofree PvFrame *frames = g_new (PvFrame, UINT16_MAX);
    for (PvLocationId l = 1; l < names->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *packed = pv_symbol_table_frames (names, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++) {
            frames[i] = packed[i];
            frames[i].function = ids[packed[i].function];
            frames[i].file = pv_symbol_builder_string (s->builder, packed[i].file);
        }
        pv_symbol_builder_set_frames (s->builder, l, frames, n_frames);
    }
    for (PvModuleId m = 0; m < names->n_modules; m++) {
        pv_symbol_builder_set_module (s->builder, m, (PvModuleSymbols)names->symbols_of_module[m],
                                      names->file_of_module[m]);
        pv_symbol_builder_set_links (s->builder, m, &names->links_of_module[m]);
    }
    for (uint32_t i = 0; i < names->n_notes; i++)
        pv_symbol_builder_note (s->builder, names->notes[i].severity, names->notes[i].kind,
                                names->notes[i].module, "%s", names->notes[i].text);
}
