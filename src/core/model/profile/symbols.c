/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/symbols.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/ref.h"
#include "core/base/search.h"
#include "core/model/profile/store.h"

enum { MAX_NOTES = 200 };

struct PvSymbolBuilder {
    PvStore *store;
    const PvProfile *profile;
    uint32_t version;

    PV_ARRAY (PvFunction) functions;
    PV_ARRAY (PvFunctionId) first_of_name; /* by name: the first function with it; 0: none */
    PvIdMap other_ids;                     /* further functions, by module << 32 | name */
    uint32_t *first_frame;
    uint16_t *n_frames;
    PvStoreColumn frames; /* shared with the tables; replaced chains stay in it */
    uint8_t *symbols_of_module;
    const char **file_of_module;
    PvLinkMap *links_of_module; /* segments in the store */
    PV_ARRAY (PvNote) notes;
};

PV_DEFINE_REF (pv_symbol_table_ref, PvSymbolTable, const PvSymbolTable)

void
pv_symbol_table_free (PvSymbolTable *table)
{
    if (!pv_ref_was_last (table))
        return;
    g_free ((void *)table->functions);
    g_free ((void *)table->first_frame_of_location);
    g_free ((void *)table->n_frames_of_location);
    g_free ((void *)table->symbols_of_module);
    g_free ((void *)table->file_of_module);
    g_free ((void *)table->links_of_module);
    g_free ((void *)table->notes);
    g_free ((void *)table->fates);
    g_free (table->owners);
    pv_store_unref (table->store);
    pv_symbol_table_free (table->named);
    g_free (table);
}

/* The map of the file that has the location's address; NULL: not known. */
static const PvLinkMap *
find_links (const PvSymbolTable *table, const PvProfile *profile, PvLocationId location)
{
    const PvCompared *compared = profile->compared;
    PvModuleId module = profile->module_of_location[location];
    if (compared != NULL && compared->recorded_of_location != NULL)
        return &compared->recorded[compared->recorded_of_location[location]].links;
    return table->links_of_module != NULL && module < table->n_modules
               ? &table->links_of_module[module]
               : NULL;
}

uint64_t
pv_symbol_table_get_address (const PvSymbolTable *table, const PvProfile *profile,
                             PvLocationId location)
{
    g_assert (table != NULL && profile != NULL && location < profile->n_locations);
    uint64_t address = profile->address_of_location[location];
    /* A return address may be the end of its segment. */
    uint64_t inside = pv_profile_lookup_address (profile, location);
    const PvLinkMap *links = profile->kind_of_location[location] != PV_LOCATION_NAMED
                                 ? find_links (table, profile, location)
                                 : NULL;
    for (uint32_t i = 0; links != NULL && i < links->n_segments; i++) {
        const PvLinkSegment *segment = &links->segments[i];
        if (inside >= segment->start && inside < segment->end)
            return address - segment->start + segment->link_addr;
    }
    return address;
}

bool *
pv_symbol_table_find_other_files (const PvSymbolTable *table)
{
    g_assert (table != NULL);
    bool *is_other = NULL;
    for (uint32_t n = 0; n < table->n_notes; n++) {
        const PvNote *note = &table->notes[n];
        if (note->kind != PV_NOTE_OTHER_FILE || note->module >= table->n_modules ||
            table->symbols_of_module[note->module] != PV_MODULE_SYMBOLS_MISSING)
            continue;
        if (is_other == NULL)
            is_other = g_new0 (bool, table->n_modules);
        is_other[note->module] = true;
    }
    return is_other;
}

static void
start_with_unknown (PvSymbolBuilder *builder, PvLocationId first)
{
    const PvProfile *profile = builder->profile;
    const bool is_mapped = pv_profile_has_mappings (profile);
    g_autofree uint32_t *frame_of_module = g_new0 (uint32_t, profile->n_modules);
    for (PvLocationId l = first; l < profile->n_locations; l++) {
        PvModuleId module = profile->module_of_location[l];
        if (frame_of_module[module] == 0) {
            const PvModule *row = &profile->modules[module];
            bool is_unmapped = is_mapped && row->kind == PV_MODULE_UNKNOWN && !row->is_kernel &&
                               row->address_kind != PV_ADDRESS_ORDINAL;
            PvFunction unknown = {.name = is_unmapped ? "[unknown]" : "??",
                                  .module = module,
                                  .kind = PV_FUNCTION_UNKNOWN};
            PvFrame frame = {.function = pv_symbol_builder_function (builder, &unknown)};
            frame_of_module[module] = builder->frames.len;
            pv_store_column_push (&builder->frames, PvFrame, frame);
        }
        builder->first_frame[l] = frame_of_module[module];
        builder->n_frames[l] = 1;
    }
}

PvSymbolBuilder *
pv_symbol_builder_new (const PvProfile *profile)
{
    g_assert (profile != NULL);
    PvSymbolBuilder *builder = g_new0 (PvSymbolBuilder, 1);
    builder->store = pv_store_new ();
    builder->store->lender = pv_store_ref (profile->store);
    builder->profile = pv_profile_ref (profile);
    builder->first_frame = g_new0 (uint32_t, profile->n_locations);
    builder->n_frames = g_new0 (uint16_t, profile->n_locations);
    builder->symbols_of_module = g_new0 (uint8_t, profile->n_modules);
    builder->file_of_module = g_new0 (const char *, profile->n_modules);
    builder->links_of_module = g_new0 (PvLinkMap, profile->n_modules);
    pv_store_column_init (&builder->frames, sizeof (PvFrame));
    /* Row 0 is "none" in both tables. */
    PvFunction no_function = {.name = "", .short_name = "", .label = "", .raw_name = ""};
    PvFrame no_frame = {0};
    pv_array_push (&builder->functions, no_function);
    pv_store_column_push (&builder->frames, PvFrame, no_frame);
    start_with_unknown (builder, 1);
    return builder;
}

void
pv_symbol_builder_grow (PvSymbolBuilder *builder, const PvProfile *profile)
{
    const PvProfile *old = builder->profile;
    g_assert (profile->store == old->store && profile->n_locations >= old->n_locations &&
              profile->n_modules >= old->n_modules);
    uint32_t n_old_modules = old->n_modules, n_new_modules = profile->n_modules - n_old_modules;
    PvLocationId first = MAX (old->n_locations, 1);
    builder->first_frame = g_renew (uint32_t, builder->first_frame, profile->n_locations);
    builder->n_frames = g_renew (uint16_t, builder->n_frames, profile->n_locations);
    builder->symbols_of_module = g_renew (uint8_t, builder->symbols_of_module, profile->n_modules);
    builder->file_of_module = g_renew (const char *, builder->file_of_module, profile->n_modules);
    memset (builder->symbols_of_module + n_old_modules, 0, n_new_modules);
    memset (builder->file_of_module + n_old_modules, 0, n_new_modules * sizeof (const char *));
    builder->links_of_module = g_renew (PvLinkMap, builder->links_of_module, profile->n_modules);
    memset (builder->links_of_module + n_old_modules, 0, n_new_modules * sizeof (PvLinkMap));
    builder->profile = pv_profile_ref (profile);
    pv_profile_free ((PvProfile *)old);
    start_with_unknown (builder, first);
}

void
pv_symbol_builder_free (PvSymbolBuilder *builder)
{
    if (builder == NULL)
        return;
    pv_array_clear (&builder->functions);
    pv_array_clear (&builder->first_of_name);
    pv_id_map_clear (&builder->other_ids);
    g_free (builder->first_frame);
    g_free (builder->n_frames);
    pv_store_column_clear (&builder->frames);
    g_free (builder->symbols_of_module);
    g_free (builder->file_of_module);
    g_free (builder->links_of_module);
    pv_array_clear (&builder->notes);
    pv_profile_free ((PvProfile *)builder->profile);
    pv_interner_seal (builder->store->strings); /* remaining tables only read them */
    pv_store_unref (builder->store);
    g_free (builder);
}

const char *
pv_symbol_builder_string (PvSymbolBuilder *builder, const char *string)
{
    if (string == NULL)
        return NULL;
    PvStringId id = pv_interner_add (builder->store->strings, string);
    return pv_interner_get (builder->store->strings, id);
}

/* Which strings of a function belong to the profile: they are not copied. */
typedef enum {
    LENT_NONE,
    LENT_ORIGINS, /* raw name and file */
    LENT_ALL,     /* these and the name */
} Lent;

static const char *
keep_string (PvSymbolBuilder *builder, bool is_lent, const char *string)
{
    PvInterner *strings = builder->store->strings;
    if (string == NULL)
        return NULL;
    return pv_interner_get (strings, is_lent ? pv_interner_lend (strings, string)
                                             : pv_interner_add (strings, string));
}

static PvFunction
keep_function (PvSymbolBuilder *builder, Lent lent, const PvFunction *function, PvStringId name)
{
    PvFunction kept = *function;
    const char *short_name = function->short_name;
    kept.name = pv_interner_get (builder->store->strings, name);
    kept.short_name = short_name != NULL && *short_name != '\0'
                          ? pv_symbol_builder_string (builder, short_name)
                          : kept.name;
    kept.label = kept.short_name;
    /* There are as many raw names as names, and nobody compares their pointers. */
    kept.raw_name = function->raw_name == NULL ? kept.name
                    : lent != LENT_NONE        ? function->raw_name
                                        : pv_symbol_builder_string (builder, function->raw_name);
    kept.file = keep_string (builder, lent != LENT_NONE, function->file);
    return kept;
}

/* The slot for the id of the module's function with this name. Most names belong to only one
 * function. */
static PvFunctionId *
find_id (PvSymbolBuilder *builder, PvModuleId module, PvStringId name)
{
    if (name >= builder->first_of_name.len)
        pv_array_resize (&builder->first_of_name, (size_t)name + 1);
    PvFunctionId *first = &builder->first_of_name.data[name];
    if (*first == 0 || builder->functions.data[*first].module == module)
        return first;
    return pv_id_map_slot (&builder->other_ids, (uint64_t)module << 32 | name);
}

static PvFunctionId
add_function (PvSymbolBuilder *builder, Lent lent, const PvFunction *function)
{
    PvInterner *strings = builder->store->strings;
    bool is_lent = lent == LENT_ALL && *function->name != '\0';
    PvStringId name =
        is_lent ? pv_interner_lend (strings, function->name)
                : pv_interner_add (strings, *function->name != '\0' ? function->name : "??");
    PvFunctionId *id = find_id (builder, function->module, name);
    if (*id == 0) {
        PvFunction kept = keep_function (builder, lent, function, name);
        *id = (PvFunctionId)builder->functions.len;
        pv_array_push (&builder->functions, kept);
    } else if (function->file != NULL && builder->functions.data[*id].file == NULL) {
        PvFunction *known = &builder->functions.data[*id];
        known->file = keep_string (builder, lent != LENT_NONE, function->file);
        known->line = function->line;
    }
    return *id;
}

PvFunctionId
pv_symbol_builder_function (PvSymbolBuilder *builder, const PvFunction *function)
{
    return add_function (builder, LENT_NONE, function);
}

PvFunctionId
pv_symbol_builder_given_function (PvSymbolBuilder *builder, const PvFunction *function)
{
    return add_function (builder, LENT_ALL, function);
}

PvFunctionId
pv_symbol_builder_demangled_function (PvSymbolBuilder *builder, const PvFunction *function)
{
    return add_function (builder, LENT_ORIGINS, function);
}

const PvFunction *
pv_symbol_builder_get_functions (const PvSymbolBuilder *builder, uint32_t *ret_n_functions)
{
    *ret_n_functions = (uint32_t)builder->functions.len;
    return builder->functions.data;
}

void
pv_symbol_builder_set_label (PvSymbolBuilder *builder, PvFunctionId function, const char *label)
{
    g_assert (function > 0 && function < builder->functions.len);
    builder->functions.data[function].label = pv_symbol_builder_string (builder, label);
}

PvFrame *
pv_symbol_builder_add_frames (PvSymbolBuilder *builder, uint32_t n_frames, uint32_t *ret_first)
{
    *ret_first = builder->frames.len;
    return pv_store_column_extend (&builder->frames, n_frames);
}

void
pv_symbol_builder_use_frames (PvSymbolBuilder *builder, PvLocationId location, uint32_t first,
                              uint32_t n_frames)
{
    g_assert (location > 0 && location < builder->profile->n_locations);
    g_assert (n_frames > 0 && first < builder->frames.len &&
              n_frames <= builder->frames.len - first);
    builder->first_frame[location] = first;
    builder->n_frames[location] = (uint16_t)MIN (n_frames, UINT16_MAX);
}

void
pv_symbol_builder_set_frames (PvSymbolBuilder *builder, PvLocationId location,
                              const PvFrame *frames, uint32_t n_frames)
{
    uint32_t first;

    g_assert (n_frames > 0);
    n_frames = MIN (n_frames, UINT16_MAX);
    memcpy (pv_symbol_builder_add_frames (builder, n_frames, &first), frames,
            n_frames * sizeof *frames);
    pv_symbol_builder_use_frames (builder, location, first, n_frames);
}

PvModuleSymbols
pv_symbol_builder_get_module (const PvSymbolBuilder *builder, PvModuleId module)
{
    g_assert (module < builder->profile->n_modules);
    return (PvModuleSymbols)builder->symbols_of_module[module];
}

void
pv_symbol_builder_set_module (PvSymbolBuilder *builder, PvModuleId module, PvModuleSymbols state,
                              const char *file)
{
    g_assert (module < builder->profile->n_modules);
    builder->symbols_of_module[module] = (uint8_t)state;
    builder->file_of_module[module] = pv_symbol_builder_string (builder, file);
}

void
pv_symbol_builder_set_links (PvSymbolBuilder *builder, PvModuleId module, const PvLinkMap *links)
{
    g_assert (module < builder->profile->n_modules && links != NULL);
    uint32_t n = MIN (links->n_segments, PV_MAX_LINK_SEGMENTS);
    PvLinkMap *known = &builder->links_of_module[module];
    size_t size_bytes = n * sizeof (PvLinkSegment);
    if (known->n_segments == n &&
        (n == 0 || memcmp (known->segments, links->segments, size_bytes) == 0))
        return;
    *known = (PvLinkMap){pv_arena_memdup (builder->store->arena, links->segments, size_bytes), n};
}

void
pv_symbol_builder_note (PvSymbolBuilder *builder, PvNoteSeverity severity, PvNoteKind kind,
                        PvModuleId module, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    g_autofree char *text = g_strdup_vprintf (format, args);
    va_end (args);
    g_autofree char *shown = pv_make_showable_sentence (text);
    for (size_t i = 0; i < builder->notes.len; i++) {
        if (strcmp (builder->notes.data[i].text, shown) == 0)
            return;
    }
    if (builder->notes.len >= MAX_NOTES)
        return;
    PvNote note = {severity, kind, module,
                   pv_arena_strndup (builder->store->arena, shown, strlen (shown))};
    pv_array_push (&builder->notes, note);
}

/* Moves the builder's block to the table, or copies size bytes of it. */
static void *
hand_over (void *block, size_t size, bool is_last)
{
    void **place = block;
    return is_last ? g_steal_pointer (place) : g_memdup2 (*place, size);
}

/* is_last: the builder will publish nothing more. */
static PvSymbolTable *
make_table (PvSymbolBuilder *builder, bool is_complete, bool is_last)
{
    const PvProfile *profile = builder->profile;
    PvSymbolTable *table = g_new0 (PvSymbolTable, 1);
    table->ref_count = 1;
    table->store = pv_store_ref (builder->store);
    table->version = ++builder->version;
    table->is_complete = is_complete;
    table->n_functions = (uint32_t)builder->functions.len;
    table->functions =
        hand_over (&builder->functions.data, builder->functions.len * sizeof (PvFunction), is_last);
    table->n_locations = profile->n_locations;
    table->first_frame_of_location =
        hand_over (&builder->first_frame, profile->n_locations * sizeof (uint32_t), is_last);
    table->n_frames_of_location =
        hand_over (&builder->n_frames, profile->n_locations * sizeof (uint16_t), is_last);
    table->frames = pv_store_column_publish (&builder->frames, builder->store);
    table->n_modules = profile->n_modules;
    table->symbols_of_module = g_memdup2 (builder->symbols_of_module, profile->n_modules);
    table->file_of_module =
        g_memdup2 (builder->file_of_module, profile->n_modules * sizeof (const char *));
    table->links_of_module =
        g_memdup2 (builder->links_of_module, profile->n_modules * sizeof (PvLinkMap));
    table->n_notes = (uint32_t)builder->notes.len;
    table->notes = g_memdup2 (builder->notes.data, builder->notes.len * sizeof (PvNote));
    return table;
}

PvSymbolTable *
pv_symbol_table_copy (const PvSymbolTable *symbols)
{
    g_assert (symbols != NULL);
    PvSymbolTable *table = g_new0 (PvSymbolTable, 1);
    *table = *symbols;
    table->ref_count = 1;
    table->store = pv_store_ref (symbols->store);
    table->n_functions = 0;
    table->functions = NULL;
    table->first_frame_of_location =
        g_memdup2 (symbols->first_frame_of_location, symbols->n_locations * sizeof (uint32_t));
    table->n_frames_of_location =
        g_memdup2 (symbols->n_frames_of_location, symbols->n_locations * sizeof (uint16_t));
    table->symbols_of_module = g_memdup2 (symbols->symbols_of_module, symbols->n_modules);
    table->file_of_module =
        g_memdup2 (symbols->file_of_module, symbols->n_modules * sizeof (const char *));
    table->links_of_module =
        g_memdup2 (symbols->links_of_module, symbols->n_modules * sizeof (PvLinkMap));
    table->notes = g_memdup2 (symbols->notes, symbols->n_notes * sizeof (PvNote));
    table->fates = g_memdup2 (symbols->fates, symbols->n_fates * sizeof (PvFate));
    table->named = NULL;
    table->owners = NULL;
    return table;
}

void
pv_symbol_table_add_note (PvSymbolTable *table, const PvNote *note)
{
    g_assert (table->ref_count == 1 && note->text != NULL);
    PvNote *notes = g_renew (PvNote, (PvNote *)table->notes, table->n_notes + 1);
    notes[table->n_notes] = *note;
    notes[table->n_notes++].text =
        pv_arena_strndup (table->store->arena, note->text, strlen (note->text));
    table->notes = notes;
}

void
pv_symbol_table_take_fates (PvSymbolTable *table, PvFate *fates, uint32_t n_fates)
{
    g_assert (table->ref_count == 1 && table->n_fates == 0);
    PvIdMap now_of = {0};
    for (uint32_t i = 0; i < n_fates; i++)
        if (fates[i].was != 0)
            *pv_id_map_slot (&now_of, fates[i].was) = fates[i].function;
    PvFrame *frames = (PvFrame *)table->frames;
    for (PvLocationId l = 1; l < table->n_locations && now_of.len > 0; l++) {
        PvFrame *chain = frames + table->first_frame_of_location[l];
        for (uint32_t i = 0; i < table->n_frames_of_location[l]; i++) {
            PvFunctionId now = pv_id_map_find (&now_of, chain[i].function);
            chain[i].function = now != 0 ? now : chain[i].function;
        }
    }
    pv_id_map_clear (&now_of);
    table->n_fates = n_fates;
    table->fates = fates;
}

const PvFate *
pv_symbol_table_find_fate (const PvSymbolTable *table, PvFunctionId function)
{
    g_assert (table != NULL);
    uint32_t first = pv_bisect (0u, table->n_fates, i, table->fates[i].function < function);
    return first < table->n_fates && table->fates[first].function == function ? &table->fates[first]
                                                                              : NULL;
}

const PvFunction *
pv_symbol_table_find_former (const PvSymbolTable *table, PvFunctionId function)
{
    const PvFate *fate = pv_symbol_table_find_fate (table, function);
    return fate != NULL && fate->was != 0 ? &table->functions[fate->was] : NULL;
}

PvSymbolTable *
pv_symbol_builder_publish (PvSymbolBuilder *builder, bool is_complete)
{
    g_assert (builder != NULL);
    return make_table (builder, is_complete, is_complete);
}

PvSymbolTable *
pv_symbol_builder_snapshot (PvSymbolBuilder *builder)
{
    return make_table (builder, true, false);
}
