/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/query/stack-filter.h"

#include <pthread.h>
#include <string.h>

#include "core/analyze/query/allocators.h"
#include "core/analyze/query/key-sort.h"
#include "core/analyze/query/my-code.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/base/ref.h"
#include "core/model/profile/drop-frames.h"
#include "core/model/profile/function-match.h"
#include "core/model/profile/matcher.h"
#include "core/model/profile/package.h"
#include "core/model/profile/store.h"

/* Matches are computed on first use. Two workers may do so at once, but get the same answer, so the
 * bytes need no lock. */
enum { MATCH_UNKNOWN, MATCH_NO, MATCH_YES };
enum { STATE_BITS = 32 };

/* The memory of PV_TRANSFORM_DROP, which works by location, including everything inlined there. At
 * first, a location with a match does not drop what comes after it; it only loses its own frames
 * from the match on, or none if its outermost frame matches. */
typedef enum {
    DROP_START, /* no frame yet; the first one is a location's outermost that is left */
    DROP_WAITS, /* no location without a match yet; keep this one */
    DROP_MAYBE, /* the same, and no frame of this location has matched so far */
    DROP_REST,  /* the same; drop the rest of this location */
    DROP_NEXT,  /* drop the next matching frame and everything below */
    DROP_ALL,
    DROP_STATES,
} DropState;

typedef struct {
    PvTransformKind kind;
    PvSubject subject;
    PvMatcher *matcher;      /* NULL if there is no expression; the query's, with a reference */
    uint8_t *match_of_frame; /* of the symbol table, with its own function */
    uint8_t *match_of_function;
    uint8_t *allocates_of_function; /* of PV_TRANSFORM_HIDE_ALLOCATORS; else NULL */
    uint8_t *match_of_module;
    PvIdMap match_of_file; /* by pointer: a symbol table's strings are unique; under the lock */
    /* The position of its word in a packed state. */
    unsigned shift;
    uint64_t mask;
} Stage;

struct PvStackFilter {
    int ref_count;            /* atomic */
    const PvProfile *profile; /* of the names */
    PvSymbolTable *names;     /* that expressions are matched with, */
    PvSymbolTable *symbols;   /* and those that are shown: the same, or pseudonyms */
    uint32_t n_stages;
    Stage *stages;
    PvFunctionId *merged_of_module; /* NULL unless modules are merged */
    pthread_mutex_t lock;

    /* The words of all stages fit into one state. Else states are numbered, and the memory of state
     * s is words[s * n_stages ...], all under the lock. */
    bool is_packed;
    PV_ARRAY (uint32_t) words;
    uint32_t n_states;
    PvHashMap state_ids; /* hash of words -> id + 1 */
    uint32_t *scratch;
};

static bool
matches_text (const Stage *stage, const char *text)
{
    return pv_matcher_match (stage->matcher, text);
}

static inline uint8_t
look_up (const uint8_t *known)
{
    return __atomic_load_n (known, __ATOMIC_RELAXED);
}

static bool
remember (uint8_t *known, bool is_match)
{
    __atomic_store_n (known, is_match ? MATCH_YES : MATCH_NO, __ATOMIC_RELAXED);
    return is_match;
}

static bool
matches_module (const PvStackFilter *filter, Stage *stage, PvModuleId module)
{
    uint8_t *known = &stage->match_of_module[module];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const PvModule *row = &filter->profile->modules[module];
    return remember (known, matches_text (stage, row->name) || matches_text (stage, row->path));
}

static bool
matches_file (PvStackFilter *filter, Stage *stage, const char *file)
{
    pthread_mutex_lock (&filter->lock);
    uint32_t *known = pv_id_map_slot (&stage->match_of_file, (uint64_t)(uintptr_t)file);
    if (*known == MATCH_UNKNOWN)
        *known = matches_text (stage, file) ? MATCH_YES : MATCH_NO;
    bool is_match = *known == MATCH_YES;
    pthread_mutex_unlock (&filter->lock);
    return is_match;
}

static bool
matches_package (const Stage *stage, const PvFunction *row)
{
    size_t len;
    const char *start = pv_function_find_package (row, &len);
    g_autofree char *package = g_strndup (start, len);
    return len > 0 && matches_text (stage, package);
}

static bool
matches_function (const PvStackFilter *filter, Stage *stage, PvFunctionId function)
{
    uint8_t *known = &stage->match_of_function[function];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const PvFunction *row = &filter->names->functions[function];
    bool is_any = stage->subject == PV_SUBJECT_ANY;
    bool is_match = false;
    /* A library's template is not the user's own for being used with what is. */
    if (is_any || stage->subject == PV_SUBJECT_FUNCTION)
        is_match = stage->kind == PV_TRANSFORM_MY_CODE
                       ? matches_text (stage, row->short_name)
                       : pv_function_matches (filter->names, function, stage->matcher);
    if (!is_match && (is_any || stage->subject == PV_SUBJECT_FILE))
        is_match = matches_text (stage, row->file);
    if (!is_match && (is_any || stage->subject == PV_SUBJECT_MODULE))
        is_match = matches_module (filter, stage, row->module);
    if (stage->subject == PV_SUBJECT_PACKAGE)
        is_match = matches_package (stage, row);
    return remember (known, is_match);
}

/* function differs from the frame's own once a stage has merged its module; then there are no
 * lines. */
static inline bool
matches_frame (PvStackFilter *filter, Stage *stage, const PvFrame *frame, PvFunctionId function)
{
    if (function != frame->function)
        return matches_function (filter, stage, function);
    uint8_t *known = &stage->match_of_frame[frame - filter->symbols->frames];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const char *file = filter->names->frames[frame - filter->symbols->frames].file;
    bool has_file = stage->subject == PV_SUBJECT_ANY || stage->subject == PV_SUBJECT_FILE;
    return remember (known, matches_function (filter, stage, function) ||
                                (has_file && file != NULL &&
                                 file != filter->names->functions[function].file &&
                                 matches_file (filter, stage, file)));
}

/* Demangled names also match by their short form, because expressions rarely expect parameters. */
static bool
wants_dropped (const PvStackFilter *filter, Stage *stage, PvFunctionId function)
{
    uint8_t *known = &stage->match_of_function[function];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const PvFunction *row = &filter->names->functions[function];
    if (row->kind != PV_FUNCTION_NAMED)
        return remember (known, false);
    g_autofree char *name = pv_drop_frames_simplify (row->name);
    g_autofree char *short_name =
        row->raw_name != row->name ? pv_drop_frames_simplify (row->short_name) : NULL;
    return remember (known, matches_text (stage, name) || matches_text (stage, short_name));
}

static bool
is_allocator (PvStackFilter *filter, Stage *stage, const PvFrame *frame, PvFunctionId function)
{
    if (stage->matcher != NULL && matches_frame (filter, stage, frame, function))
        return true;
    uint8_t *known = &stage->allocates_of_function[function];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const PvFunction *row = &filter->names->functions[function];
    return remember (known, pv_is_allocator (row, filter->profile->modules[row->module].name));
}

/* Words of the transform: a function of the user's was kept; so was one of the kernel that it
 * called, or an interrupt, which is none of its work, was left out. */
enum { IN_MINE = 1, IN_KERNEL };

static bool
is_mine (PvStackFilter *filter, Stage *stage, const PvFrame *frame, PvFunctionId function)
{
    if (stage->matcher != NULL)
        return matches_frame (filter, stage, frame, function);
    uint8_t *known = &stage->match_of_function[function];
    uint8_t match = look_up (known);
    if (match != MATCH_UNKNOWN)
        return match == MATCH_YES;
    const PvFunction *row = &filter->names->functions[function];
    return remember (
        known,
        pv_is_my_code (row, row->module != 0 ? &filter->profile->modules[row->module] : NULL));
}

static bool
keeps_mine (PvStackFilter *filter, Stage *stage, uint32_t *word, const PvFrame *frame,
            PvFunctionId function)
{
    if (is_mine (filter, stage, frame, function)) {
        *word = IN_MINE;
        return true;
    }
    const PvFunction *row = &filter->names->functions[function];
    if (row->module == 0 || !pv_is_kernel_code (&filter->profile->modules[row->module])) {
        *word = MIN (*word, IN_MINE);
        return false;
    }
    if (*word != IN_MINE || (pv_is_kernel_entry (row->name) && !pv_is_kernel_interrupt (row->name)))
        return false;
    *word = IN_KERNEL;
    return !pv_is_kernel_interrupt (row->name);
}

/* A copy of the table with one more function for each merged module, with the profile's names. */
static PvSymbolTable *
extend_symbols (PvStackFilter *filter, const PvProfile *profile, const PvSymbolTable *symbols)
{
    PV_ARRAY (PvFunction) functions = {0};
    pv_array_append (&functions, symbols->functions, symbols->n_functions);
    for (PvModuleId m = 0; m < profile->n_modules; m++) {
        bool is_merged = false;
        for (uint32_t i = 0; i < filter->n_stages && !is_merged; i++) {
            Stage *stage = &filter->stages[i];
            is_merged =
                stage->kind == PV_TRANSFORM_MERGE_MODULE && matches_module (filter, stage, m);
        }
        if (!is_merged)
            continue;
        const char *name = profile->modules[m].name;
        if (name == NULL || *name == '\0')
            name = "??";
        filter->merged_of_module[m] = (PvFunctionId)functions.len;
        PvFunction row = {
            .name = name, .short_name = name, .label = name, .raw_name = name, .module = m};
        pv_array_push (&functions, row);
    }
    PvSymbolTable *table = pv_symbol_table_copy (symbols);
    table->functions = functions.data;
    table->n_functions = (uint32_t)functions.len;
    return table;
}

/* The tables, with functions for merged modules. */
static void
take_symbols (PvStackFilter *filter, const PvProfile *profile, const PvSymbolTable *symbols)
{
    bool merges = false;
    for (uint32_t i = 0; i < filter->n_stages; i++)
        merges |= filter->stages[i].kind == PV_TRANSFORM_MERGE_MODULE;
    if (!merges) {
        filter->symbols = pv_symbol_table_ref (symbols);
        filter->names = pv_symbol_table_ref (pv_symbol_table_get_named (symbols));
        return;
    }
    filter->merged_of_module = g_new0 (PvFunctionId, profile->n_modules);
    filter->names = extend_symbols (filter, filter->profile, pv_symbol_table_get_named (symbols));
    if (symbols->named == NULL) {
        filter->symbols = pv_symbol_table_ref (filter->names);
    } else {
        filter->symbols = extend_symbols (filter, profile, symbols);
        filter->symbols->named = pv_symbol_table_ref (filter->names);
    }
}

static void
make_stages (PvStackFilter *filter, const PvQuery *query)
{
    filter->stages = g_new0 (Stage, MAX (query->n_transforms, 1));
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        Stage *stage = &filter->stages[i];
        stage->kind = query->transforms[i].kind;
        stage->subject = query->transforms[i].subject;
        filter->n_stages = i + 1;
        if (query->transforms[i].expression == NULL)
            continue;
        stage->matcher = pv_matcher_ref (query->transforms[i].matcher);
        stage->match_of_module = g_new0 (uint8_t, MAX (filter->profile->n_modules, 1));
    }
}

static size_t
count_frames (const PvSymbolTable *symbols)
{
    size_t n = 1;
    for (PvLocationId l = 1; l < symbols->n_locations; l++)
        n = MAX (n, (size_t)symbols->first_frame_of_location[l] + symbols->n_frames_of_location[l]);
    return n;
}

static unsigned
count_word_bits (const PvStackFilter *filter, PvTransformKind kind)
{
    switch (kind) {
    case PV_TRANSFORM_FOCUS:
    case PV_TRANSFORM_IGNORE:
    case PV_TRANSFORM_SHOW_FROM:
    case PV_TRANSFORM_HIDE_ALLOCATORS:
        return 1;
    case PV_TRANSFORM_MY_CODE:
        return pv_bits_for (IN_KERNEL + 1);
    case PV_TRANSFORM_DROP:
        return pv_bits_for (DROP_STATES);
    case PV_TRANSFORM_HIDE:
    case PV_TRANSFORM_SHOW:
        return 0;
    case PV_TRANSFORM_COLLAPSE_RECURSION:
        return pv_bits_for (filter->symbols->n_functions);
    case PV_TRANSFORM_MERGE_MODULE:
        return pv_bits_for (filter->profile->n_modules);
    case PV_N_TRANSFORMS:
        break;
    }
    return STATE_BITS;
}

/* State 0 means that no frame was read yet. */
static void
arrange_states (PvStackFilter *filter)
{
    unsigned n_bits = 0;
    for (uint32_t i = 0; i < filter->n_stages; i++) {
        Stage *stage = &filter->stages[i];
        unsigned n_word_bits = count_word_bits (filter, stage->kind);
        stage->shift = MIN (n_bits, STATE_BITS);
        stage->mask = ((uint64_t)1 << n_word_bits) - 1;
        n_bits = MIN (n_bits + n_word_bits, STATE_BITS + 1);
    }
    filter->is_packed = n_bits <= STATE_BITS;
    if (filter->is_packed)
        return;
    filter->n_states = 1;
    pv_array_resize (&filter->words, filter->n_stages);
    filter->scratch = g_new0 (uint32_t, filter->n_stages);
    PvHash key = pv_hash_bytes (filter->scratch, filter->n_stages * sizeof (uint32_t), 0);
    *pv_hash_map_slot (&filter->state_ids, key) = 1;
}

PvStackFilter *
pv_stack_filter_new (const PvProfile *profile, const PvSymbolTable *symbols, const PvQuery *query,
                     GError **error)
{
    g_assert (symbols->n_locations >= profile->n_locations);
    if (!pv_query_check (query, error))
        return NULL;
    g_autoptr (PvStackFilter) filter = g_new0 (PvStackFilter, 1);
    filter->ref_count = 1;
    filter->profile = pv_profile_get_named (profile);
    pthread_mutex_init (&filter->lock, NULL);
    make_stages (filter, query);
    take_symbols (filter, profile, symbols);
    size_t n_frames = count_frames (symbols);
    for (uint32_t i = 0; i < filter->n_stages; i++) {
        Stage *stage = &filter->stages[i];
        stage->match_of_frame = g_new0 (uint8_t, n_frames);
        stage->match_of_function = g_new0 (uint8_t, MAX (filter->symbols->n_functions, 1));
        if (stage->kind == PV_TRANSFORM_HIDE_ALLOCATORS)
            stage->allocates_of_function = g_new0 (uint8_t, MAX (filter->symbols->n_functions, 1));
    }
    arrange_states (filter);
    return g_steal_pointer (&filter);
}

uint32_t
pv_stack_filter_count_matches (PvStackFilter *filter, uint32_t transform)
{
    g_assert (filter != NULL && transform < filter->n_stages);
    Stage *stage = &filter->stages[transform];
    uint32_t n = 0;
    if (stage->matcher == NULL && stage->kind != PV_TRANSFORM_MY_CODE)
        return 0;
    if (stage->kind == PV_TRANSFORM_MERGE_MODULE) {
        for (PvModuleId m = 1; m < filter->profile->n_modules; m++)
            n += matches_module (filter, stage, m);
        return n;
    }
    g_autofree bool *is_counted = g_new0 (bool, MAX (filter->symbols->n_functions, 1));
    size_t n_frames = count_frames (filter->symbols);
    for (size_t f = 1; f < n_frames; f++) {
        const PvFrame *frame = &filter->symbols->frames[f];
        PvFunctionId function = frame->function;
        if (function == 0 || is_counted[function])
            continue;
        is_counted[function] =
            stage->kind == PV_TRANSFORM_DROP ? wants_dropped (filter, stage, function)
            : stage->kind == PV_TRANSFORM_HIDE_ALLOCATORS
                ? is_allocator (filter, stage, frame, function)
            : stage->kind == PV_TRANSFORM_MY_CODE ? is_mine (filter, stage, frame, function)
                                                  : matches_frame (filter, stage, frame, function);
        n += is_counted[function];
    }
    return n;
}

PV_DEFINE_REF (pv_stack_filter_ref, PvStackFilter, PvStackFilter)

void
pv_stack_filter_unref (PvStackFilter *filter)
{
    if (!pv_ref_was_last (filter))
        return;
    for (uint32_t i = 0; i < filter->n_stages; i++) {
        Stage *stage = &filter->stages[i];
        g_clear_pointer (&stage->matcher, pv_matcher_unref);
        g_free (stage->match_of_frame);
        g_free (stage->match_of_function);
        g_free (stage->allocates_of_function);
        g_free (stage->match_of_module);
        pv_id_map_clear (&stage->match_of_file);
    }
    g_free (filter->stages);
    pv_symbol_table_free (filter->symbols);
    pv_symbol_table_free (filter->names);
    g_free (filter->merged_of_module);
    pv_array_clear (&filter->words);
    pv_hash_map_clear (&filter->state_ids);
    g_free (filter->scratch);
    pthread_mutex_destroy (&filter->lock);
    g_free (filter);
}

const PvSymbolTable *
pv_stack_filter_get_symbols (const PvStackFilter *filter)
{
    return filter->symbols;
}

bool
pv_stack_filter_is_identity (const PvStackFilter *filter)
{
    return filter->n_stages == 0;
}

static DropState
drop_frame (DropState state, bool is_outermost, bool is_match)
{
    is_outermost |= state == DROP_START;
    if (is_outermost && state == DROP_MAYBE)
        state = DROP_NEXT;
    if (state == DROP_NEXT)
        return is_match ? DROP_ALL : DROP_NEXT;
    if (state == DROP_ALL)
        return DROP_ALL;
    if (is_outermost)
        return is_match ? DROP_WAITS : DROP_MAYBE;
    return state == DROP_MAYBE && is_match ? DROP_REST : state;
}

/* Updates one stage's word for one frame; true if the frame goes on to the next stage. */
static bool
run_stage (PvStackFilter *filter, Stage *stage, uint32_t *word, const PvFrame *frame,
           PvFunctionId *function)
{
    switch (stage->kind) {
    case PV_TRANSFORM_FOCUS:
    case PV_TRANSFORM_IGNORE:
        *word = *word != 0 || matches_frame (filter, stage, frame, *function);
        return true;
    case PV_TRANSFORM_HIDE:
        return !matches_frame (filter, stage, frame, *function);
    case PV_TRANSFORM_SHOW:
        return matches_frame (filter, stage, frame, *function);
    case PV_TRANSFORM_SHOW_FROM:
        *word = *word != 0 || matches_frame (filter, stage, frame, *function);
        return *word != 0;
    case PV_TRANSFORM_COLLAPSE_RECURSION: {
        bool repeats = *word == *function;
        *word = *function;
        return !repeats;
    }
    case PV_TRANSFORM_MERGE_MODULE: {
        PvModuleId module = filter->symbols->functions[*function].module;
        if (!matches_module (filter, stage, module)) {
            *word = 0;
            return true;
        }
        bool repeats = *word == module + 1;
        *word = module + 1;
        *function = filter->merged_of_module[module];
        return !repeats;
    }
    case PV_TRANSFORM_DROP:
        *word = drop_frame ((DropState)*word, !frame->is_inlined,
                            wants_dropped (filter, stage, *function));
        return *word != DROP_REST && *word != DROP_ALL;
    case PV_TRANSFORM_MY_CODE:
        return keeps_mine (filter, stage, word, frame, *function);
    case PV_TRANSFORM_HIDE_ALLOCATORS: {
        bool is_outermost = *word == 0;
        *word = 1;
        return is_outermost || !is_allocator (filter, stage, frame, *function);
    }
    case PV_N_TRANSFORMS:
        break;
    }
    return true;
}

static uint32_t
intern_state (PvStackFilter *filter)
{
    size_t size_bytes = filter->n_stages * sizeof (uint32_t);
    PvHash key = pv_hash_bytes (filter->scratch, size_bytes, 0);
    uint32_t *slot = pv_hash_map_slot (&filter->state_ids, key);
    if (*slot == 0) {
        pv_array_append (&filter->words, filter->scratch, filter->n_stages);
        *slot = ++filter->n_states;
    }
    return *slot - 1;
}

static bool
step_numbered (PvStackFilter *filter, uint32_t *state, const PvFrame *frame, PvFunctionId *function)
{
    uint32_t n_stages = filter->n_stages;
    memcpy (filter->scratch, &filter->words.data[(size_t)*state * n_stages],
            n_stages * sizeof (uint32_t));
    bool is_kept = true;
    for (uint32_t i = 0; i < n_stages && is_kept; i++)
        is_kept = run_stage (filter, &filter->stages[i], &filter->scratch[i], frame, function);
    *state = intern_state (filter);
    return is_kept;
}

/* Stages after the one that removes the frame do not see it. */
bool
pv_stack_filter_step (PvStackFilter *filter, uint32_t *state, const PvFrame *frame,
                      PvFunctionId *ret_function)
{
    bool is_kept = true;
    *ret_function = frame->function;
    if (!filter->is_packed) {
        /* matches_file () takes the lock: cache its results before taking it here. */
        for (uint32_t i = 0; i < filter->n_stages; i++) {
            Stage *stage = &filter->stages[i];
            if (stage->matcher != NULL && stage->kind != PV_TRANSFORM_DROP &&
                stage->kind != PV_TRANSFORM_MERGE_MODULE)
                matches_frame (filter, stage, frame, frame->function);
        }
        pthread_mutex_lock (&filter->lock);
        is_kept = step_numbered (filter, state, frame, ret_function);
        pthread_mutex_unlock (&filter->lock);
        return is_kept;
    }
    uint64_t packed = *state;
    for (uint32_t i = 0; i < filter->n_stages && is_kept; i++) {
        Stage *stage = &filter->stages[i];
        uint32_t word = (uint32_t)(packed >> stage->shift & stage->mask);
        is_kept = run_stage (filter, stage, &word, frame, ret_function);
        packed = (packed & ~(stage->mask << stage->shift)) | (uint64_t)word << stage->shift;
    }
    *state = (uint32_t)packed;
    return is_kept;
}

static uint32_t
get_word (PvStackFilter *filter, uint32_t state, uint32_t stage)
{
    if (filter->is_packed)
        return (uint32_t)((uint64_t)state >> filter->stages[stage].shift &
                          filter->stages[stage].mask);
    pthread_mutex_lock (&filter->lock);
    uint32_t word = filter->words.data[(size_t)state * filter->n_stages + stage];
    pthread_mutex_unlock (&filter->lock);
    return word;
}

bool
pv_stack_filter_is_in_focus (PvStackFilter *filter, uint32_t state)
{
    for (uint32_t i = 0; i < filter->n_stages; i++) {
        PvTransformKind kind = filter->stages[i].kind;
        if ((kind == PV_TRANSFORM_FOCUS && get_word (filter, state, i) == 0) ||
            (kind == PV_TRANSFORM_IGNORE && get_word (filter, state, i) != 0))
            return false;
    }
    return true;
}

bool
pv_stack_filter_keeps_empty (const PvStackFilter *filter, bool had_frames)
{
    for (uint32_t i = 0; i < filter->n_stages; i++) {
        PvTransformKind kind = filter->stages[i].kind;
        if (kind == PV_TRANSFORM_SHOW || kind == PV_TRANSFORM_SHOW_FROM ||
            ((kind == PV_TRANSFORM_HIDE || kind == PV_TRANSFORM_MY_CODE) && had_frames))
            return false;
    }
    return true;
}
