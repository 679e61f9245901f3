#include "core/analyze/transducer.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/store.h"

enum { MATCH_UNKNOWN, MATCH_NO, MATCH_YES };

typedef struct {
    PvTransformKind kind;
    GRegex *regex;              /* NULL for collapse */
    uint8_t *match_of_function; /* looked up on first use, like the others */
    uint8_t *match_of_module;
    PvIdMap match_of_file; /* by pointer: strings of a symbol table are unique */
} Stage;

struct PvTransducer {
    const PvProfile *profile;
    PvSymbolTable *symbols;
    uint32_t n_stages;
    Stage *stages;
    PvFunctionId *merged_of_module; /* NULL unless modules are merged */

    /* The memory of state s is words[s * n_stages ...]. */
    PV_ARRAY (uint32_t) words;
    uint32_t n_states;
    PvHashMap state_ids; /* id + 1 */
    uint32_t *scratch;
};

static bool
matches_text (const Stage *stage, const char *text)
{
    return text != NULL && g_regex_match (stage->regex, text, 0, NULL);
}

static bool
matches_module (const PvTransducer *transducer, Stage *stage, PvModuleId module)
{
    uint8_t *known = &stage->match_of_module[module];
    if (*known == MATCH_UNKNOWN) {
        const PvModule *row = &transducer->profile->modules[module];
        *known = matches_text (stage, row->name) || matches_text (stage, row->path) ? MATCH_YES
                                                                                    : MATCH_NO;
    }
    return *known == MATCH_YES;
}

static bool
matches_file (Stage *stage, const char *file)
{
    uint32_t *known = pv_id_map_slot (&stage->match_of_file, (uint64_t)(uintptr_t)file);
    if (*known == MATCH_UNKNOWN)
        *known = matches_text (stage, file) ? MATCH_YES : MATCH_NO;
    return *known == MATCH_YES;
}

static bool
matches_function (const PvTransducer *transducer, Stage *stage, PvFunctionId function)
{
    uint8_t *known = &stage->match_of_function[function];
    if (*known == MATCH_UNKNOWN) {
        const PvFunction *row = &transducer->symbols->functions[function];
        *known = matches_text (stage, row->name) ||
                         (row->short_name != row->name && matches_text (stage, row->short_name)) ||
                         matches_text (stage, row->file) ||
                         matches_module (transducer, stage, row->module)
                     ? MATCH_YES
                     : MATCH_NO;
    }
    return *known == MATCH_YES;
}

/* function differs from the frame's own once a stage has merged its module. */
static bool
matches_frame (const PvTransducer *transducer, Stage *stage, const PvFrame *frame,
               PvFunctionId function)
{
    if (matches_function (transducer, stage, function))
        return true;
    return function == frame->function && frame->file != NULL &&
           frame->file != transducer->symbols->functions[function].file &&
           matches_file (stage, frame->file);
}

/* A table that has, beyond the given one, a function for each module that is merged. */
static PvSymbolTable *
extend_symbols (PvTransducer *transducer, const PvSymbolTable *symbols)
{
    const PvProfile *profile = transducer->profile;
    PV_ARRAY (PvFunction) functions = {0};
    pv_array_append (&functions, symbols->functions, symbols->n_functions);
    transducer->merged_of_module = g_new0 (PvFunctionId, profile->n_modules);
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        bool is_merged = false;
        for (uint32_t i = 0; i < transducer->n_stages && !is_merged; i++) {
            Stage *stage = &transducer->stages[i];
            is_merged =
                stage->kind == PV_TRANSFORM_MERGE_MODULE && matches_module (transducer, stage, m);
        }
        if (!is_merged)
            continue;
        const char *name = profile->modules[m].name;
        if (name == NULL || *name == '\0')
            name = "??";
        transducer->merged_of_module[m] = (PvFunctionId)functions.len;
        PvFunction row = {.name = name, .short_name = name, .raw_name = name, .module = m};
        pv_array_push (&functions, row);
    }
    PvSymbolTable *table = g_memdup2 (symbols, sizeof *symbols);
    table->ref_count = 1;
    table->store = pv_store_ref (symbols->store);
    table->n_functions = (uint32_t)functions.len;
    table->functions = functions.data;
    table->first_frame_of_location =
        g_memdup2 (symbols->first_frame_of_location, symbols->n_locations * sizeof (uint32_t));
    table->n_frames_of_location =
        g_memdup2 (symbols->n_frames_of_location, symbols->n_locations * sizeof (uint16_t));
    table->symbols_of_module = g_memdup2 (symbols->symbols_of_module, symbols->n_modules);
    table->file_of_module =
        g_memdup2 (symbols->file_of_module, symbols->n_modules * sizeof (const char *));
    table->notes = g_memdup2 (symbols->notes, symbols->n_notes * sizeof (PvNote));
    return table;
}

static bool
compile_stages (PvTransducer *transducer, const PvQuery *query, GError **error)
{
    transducer->stages = g_new0 (Stage, MAX (query->n_transforms, 1));
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        Stage *stage = &transducer->stages[i];
        stage->kind = query->transforms[i].kind;
        transducer->n_stages = i + 1;
        if (stage->kind == PV_TRANSFORM_COLLAPSE_RECURSION)
            continue;
        stage->regex = g_regex_new (query->transforms[i].expression, G_REGEX_OPTIMIZE, 0, error);
        if (stage->regex == NULL)
            return false;
        stage->match_of_module = g_new0 (uint8_t, MAX (transducer->profile->n_modules, 1));
    }
    return true;
}

PvTransducer *
pv_transducer_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                   GError **error)
{
    if (!pv_query_check (query, error))
        return NULL;
    g_autoptr (PvTransducer) transducer = g_new0 (PvTransducer, 1);
    transducer->profile = profile;
    if (!compile_stages (transducer, query, error))
        return NULL;
    bool merges = false;
    for (uint32_t i = 0; i < query->n_transforms; i++)
        merges |= query->transforms[i].kind == PV_TRANSFORM_MERGE_MODULE;
    transducer->symbols =
        merges ? extend_symbols (transducer, symbols) : pv_symbol_table_ref (symbols);
    for (uint32_t i = 0; i < transducer->n_stages; i++)
        transducer->stages[i].match_of_function =
            g_new0 (uint8_t, MAX (transducer->symbols->n_functions, 1));
    /* State 0: nothing seen yet. */
    transducer->n_states = 1;
    pv_array_resize (&transducer->words, MAX (transducer->n_stages, 1));
    transducer->scratch = g_new0 (uint32_t, MAX (transducer->n_stages, 1));
    PvHash key = pv_hash_bytes (transducer->scratch, transducer->n_stages * sizeof (uint32_t), 0);
    *pv_hash_map_slot (&transducer->state_ids, key) = 1;
    return g_steal_pointer (&transducer);
}

void
pv_transducer_free (PvTransducer *transducer)
{
    if (transducer == NULL)
        return;
    for (uint32_t i = 0; i < transducer->n_stages; i++) {
        Stage *stage = &transducer->stages[i];
        g_clear_pointer (&stage->regex, g_regex_unref);
        g_free (stage->match_of_function);
        g_free (stage->match_of_module);
        pv_id_map_clear (&stage->match_of_file);
    }
    g_free (transducer->stages);
    pv_symbol_table_free (transducer->symbols);
    g_free (transducer->merged_of_module);
    pv_array_clear (&transducer->words);
    pv_hash_map_clear (&transducer->state_ids);
    g_free (transducer->scratch);
    g_free (transducer);
}

const PvSymbolTable *
pv_transducer_get_symbols (const PvTransducer *transducer)
{
    return transducer->symbols;
}

bool
pv_transducer_is_identity (const PvTransducer *transducer)
{
    return transducer->n_stages == 0;
}

/* One stage's word for one frame; true if the frame goes on to the next stage. */
static bool
run_stage (PvTransducer *transducer, Stage *stage, uint32_t *word, const PvFrame *frame,
           PvFunctionId *function)
{
    switch (stage->kind) {
    case PV_TRANSFORM_FOCUS:
    case PV_TRANSFORM_IGNORE:
        *word = *word != 0 || matches_frame (transducer, stage, frame, *function);
        return true;
    case PV_TRANSFORM_HIDE:
        return !matches_frame (transducer, stage, frame, *function);
    case PV_TRANSFORM_SHOW:
        return matches_frame (transducer, stage, frame, *function);
    case PV_TRANSFORM_SHOW_FROM:
        *word = *word != 0 || matches_frame (transducer, stage, frame, *function);
        return *word != 0;
    case PV_TRANSFORM_COLLAPSE_RECURSION: {
        bool repeats = *word == *function;
        *word = *function;
        return !repeats;
    }
    case PV_TRANSFORM_MERGE_MODULE: {
        PvModuleId module = transducer->symbols->functions[*function].module;
        if (!matches_module (transducer, stage, module)) {
            *word = 0;
            return true;
        }
        bool repeats = *word == module + 1;
        *word = module + 1;
        *function = transducer->merged_of_module[module];
        return !repeats;
    }
    }
    return true;
}

static uint32_t
intern_state (PvTransducer *transducer)
{
    size_t size_bytes = transducer->n_stages * sizeof (uint32_t);
    PvHash key = pv_hash_bytes (transducer->scratch, size_bytes, 0);
    uint32_t *slot = pv_hash_map_slot (&transducer->state_ids, key);
    if (*slot == 0) {
        pv_array_append (&transducer->words, transducer->scratch, transducer->n_stages);
        *slot = ++transducer->n_states;
    }
    return *slot - 1;
}

bool
pv_transducer_step (PvTransducer *transducer, uint32_t *state, const PvFrame *frame,
                    PvFunctionId *ret_function)
{
    uint32_t n_stages = transducer->n_stages;
    const uint32_t *words = &transducer->words.data[(size_t)*state * n_stages];
    PvFunctionId function = frame->function;
    bool is_kept = true, is_changed = false;
    uint32_t i;
    for (i = 0; i < n_stages && is_kept; i++) {
        transducer->scratch[i] = words[i];
        is_kept = run_stage (transducer, &transducer->stages[i], &transducer->scratch[i], frame,
                             &function);
        is_changed |= transducer->scratch[i] != words[i];
    }
    if (is_changed) {
        /* Stages behind the one that took the frame out did not see it. */
        for (; i < n_stages; i++)
            transducer->scratch[i] = words[i];
        *state = intern_state (transducer);
    }
    *ret_function = function;
    return is_kept;
}

bool
pv_transducer_is_in_focus (const PvTransducer *transducer, uint32_t state)
{
    const uint32_t *words = &transducer->words.data[(size_t)state * transducer->n_stages];
    for (uint32_t i = 0; i < transducer->n_stages; i++) {
        PvTransformKind kind = transducer->stages[i].kind;
        if ((kind == PV_TRANSFORM_FOCUS && words[i] == 0) ||
            (kind == PV_TRANSFORM_IGNORE && words[i] != 0))
            return false;
    }
    return true;
}

bool
pv_transducer_keeps_empty (const PvTransducer *transducer, bool had_frames)
{
    for (uint32_t i = 0; i < transducer->n_stages; i++) {
        PvTransformKind kind = transducer->stages[i].kind;
        if (kind == PV_TRANSFORM_SHOW || kind == PV_TRANSFORM_SHOW_FROM ||
            (kind == PV_TRANSFORM_HIDE && had_frames))
            return false;
    }
    return true;
}
