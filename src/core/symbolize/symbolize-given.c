/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that came with the recording: they need no files, only short forms, and demangling if they
 * are mangled. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/symbolizer-private.h"

enum { NAMES_PER_CHUNK = 1 << 9, NAMES_PER_BATCH = 1 << 13 };

#define NO_FUNCTION UINT32_MAX

/* Limits on the frames of all stacks together. A file may have thousands of inlined functions for
 * one location and stacks full of these: their tree would not fit into memory. */
#define MIN_STACK_FRAMES ((uint64_t)1 << 23)
#define FRAMES_PER_STACK 16u

/* A function named in the file, and its readable name once a worker has made it. */
typedef struct {
    const PvGivenFrame *frame; /* its first frame, if there is one in its own file */
    PvModuleId module;
    char *full;    /* NULL: same as given, or not made yet */
    char *shorter; /* NULL: nothing to leave out, not needed, or not made yet */
} GivenFunction;

/* A profile's strings are unique, so the pointer identifies a name. */
typedef struct {
    PvSymbolizing *s;
    PvArena *arena;
    PvDemangler *demangler; /* for heaptrack's names */
    PvIdMap first_of_name;  /* name -> index in functions + 1 */
    PvIdMap others_of_name; /* for other modules: module << 32 | first -> the same */
    PV_ARRAY (GivenFunction) functions;
    PvFunctionId *ids; /* per function */
    /* The frames of the locations are those given in [first, end). Locations may share the outer
     * ones. */
    uint32_t first, end;
    uint32_t *function_of_frame; /* index in functions; NO_FUNCTION: not known yet */
    uint32_t *n_frames;          /* from this one to the last one of its chain */
    PvIdMap file_ids;
    PV_ARRAY (const char *) files;
    bool has_left_out;
} Giving;

/* heaptrack mistakes legacy Rust names for C++ names and writes
 * "alloc::vec::Vec$LT$T$GT$::push::h0123456789abcdef". Returns the original symbol, or NULL. */
static char *
restore_rust_symbol (const char *name)
{
    static const size_t hash_len = sizeof "::h0123456789abcdef" - 1;
    size_t len = strlen (name);
    const char *hash = len > hash_len ? name + len - hash_len : NULL;
    if (hash == NULL || strncmp (hash, "::h", 3) != 0 ||
        strspn (hash + 3, "0123456789abcdef") != 16)
        return NULL;
    GString *symbol = g_string_new ("_ZN");
    for (const char *part = name, *next; part != NULL; part = next != NULL ? next + 2 : NULL) {
        next = strstr (part, "::");
        size_t part_len = next != NULL ? (size_t)(next - part) : strlen (part);
        g_string_append_printf (symbol, "%zu%.*s", part_len, (int)part_len, part);
    }
    g_string_append_c (symbol, 'E');
    return g_string_free (symbol, FALSE);
}

/* heaptrack has already demangled some names, in a different style. */
static PvDemangled
get_heaptrack_names (Giving *giving, const char *name)
{
    static const char internal[] = "__GI_"; /* prefix of the C library's internal labels */
    if (giving->s->options->no_demangle)
        return pv_demangler_get (giving->demangler, name);
    if (g_str_has_prefix (name, internal) && name[strlen (internal)] != '\0')
        name += strlen (internal);
    g_autofree char *symbol = restore_rust_symbol (name);
    return pv_demangler_get (giving->demangler,
                             symbol != NULL ? symbol : pv_skip_return_type (name));
}

/* The one of its two names that a frame uses; NULL if it has no name. */
static const char *
choose_name (const Giving *giving, const PvGivenFrame *frame)
{
    bool is_raw = frame->name == NULL || giving->s->options->no_demangle;
    return is_raw && frame->raw_name != NULL ? frame->raw_name : frame->name;
}

/* Most names occur in only one module. */
static uint32_t *
find_place (Giving *giving, PvModuleId module, const char *name)
{
    uint32_t *first = pv_id_map_slot (&giving->first_of_name, (uint64_t)(uintptr_t)name);
    if (*first == 0 || giving->functions.data[*first - 1].module == module)
        return first;
    return pv_id_map_slot (&giving->others_of_name, (uint64_t)module << 32 | *first);
}

static uint32_t
find_function (Giving *giving, PvModuleId module, const PvGivenFrame *frame)
{
    uint32_t *place = find_place (giving, module, choose_name (giving, frame));
    if (*place == 0) {
        GivenFunction row = {.frame = frame, .module = module};
        pv_array_push (&giving->functions, row);
        *place = (uint32_t)giving->functions.len;
    }
    GivenFunction *row = &giving->functions.data[*place - 1];
    if (G_UNLIKELY (row->frame->is_elsewhere) && !frame->is_elsewhere)
        row->frame = frame;
    return *place - 1;
}

/* Demangles mangled names; keeps others. */
static void
make_names (const Giving *giving, GivenFunction *row)
{
    const char *given = choose_name (giving, row->frame), *symbol = row->frame->raw_name;
    if (giving->s->options->no_demangle || given == NULL)
        return;
    bool is_symbol = symbol == NULL || strcmp (symbol, given) == 0;
    row->full = is_symbol ? pv_demangle_from (given, row->frame->source) : NULL;
    if (!pv_symbolizing_has_only_full_names (giving->s))
        row->shorter =
            row->full != NULL ? pv_demangle_short (given, row->full) : pv_shorten_name (given);
}

static PvFunctionId
build_function (Giving *giving, const GivenFunction *row)
{
    PvSymbolBuilder *builder = giving->s->builder;
    const PvGivenFrame *frame = row->frame;
    const char *given = choose_name (giving, frame);
    PvFunction function = {.name = "??", .module = row->module, .kind = PV_FUNCTION_UNKNOWN};
    if (given == NULL)
        return pv_symbol_builder_function (builder, &function);
    bool is_heap = giving->s->profile->heap != NULL;
    function.kind = frame->is_unknown ? PV_FUNCTION_UNKNOWN : PV_FUNCTION_NAMED;
    function.name = row->full != NULL ? row->full : given;
    function.short_name = row->shorter;
    function.raw_name = frame->raw_name != NULL ? frame->raw_name : given;
    function.file = frame->is_elsewhere ? NULL : frame->file;
    function.line = frame->start_line;
    if (is_heap) {
        PvDemangled names = get_heaptrack_names (giving, given);
        function.name = names.name;
        function.short_name = names.short_name;
    }
    if (g_strcmp0 (function.short_name, function.name) == 0)
        function.short_name = NULL;
    if (strcmp (function.raw_name, function.name) == 0)
        function.raw_name = NULL;
    if (is_heap)
        return pv_symbol_builder_function (builder, &function);
    return row->full != NULL ? pv_symbol_builder_demangled_function (builder, &function)
                             : pv_symbol_builder_given_function (builder, &function);
}

static void
add_functions (Giving *giving, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        GivenFunction *row = &giving->functions.data[i];
        giving->ids[i] = build_function (giving, row);
        g_free (row->full);
        g_free (row->shorter);
    }
}

/* Two batches of functions: names of one are ready, those of the next are being made. */
typedef struct {
    Giving *giving;
    size_t ready, first, end; /* [ready, first) and [first, end) */
} Batches;

/* Item 0 adds what is ready; it is the only one that uses the builder. */
static void
work_on_batches (void *data, size_t item, unsigned worker)
{
    const Batches *batches = data;
    Giving *giving = batches->giving;
    (void)worker;
    if (item == 0) {
        add_functions (giving, batches->ready, batches->first);
        return;
    }
    size_t first = batches->first + (item - 1) * NAMES_PER_CHUNK;
    size_t end = MIN (first + NAMES_PER_CHUNK, batches->end);
    for (size_t i = first; i < end; i++)
        make_names (giving, &giving->functions.data[i]);
}

/* All workers make names, one at a time adds the functions; in batches, because the names are
 * copied. */
static void
build_functions (Giving *giving)
{
    size_t n = giving->functions.len;
    bool is_heap = giving->s->profile->heap != NULL;
    giving->ids = g_new (PvFunctionId, MAX (n, 1));
    Batches batches = {.giving = giving};
    while (batches.ready < n && !is_heap) {
        batches.end = MIN (batches.first + NAMES_PER_BATCH, n);
        size_t n_chunks = (batches.end - batches.first + NAMES_PER_CHUNK - 1) / NAMES_PER_CHUNK;
        pv_pool_run (giving->s->pool, 1 + n_chunks, work_on_batches, &batches);
        batches.ready = batches.first;
        batches.first = batches.end;
    }
    if (is_heap)
        add_functions (giving, 0, n);
}

static const char *
get_file (Giving *giving, const char *file)
{
    if (file == NULL)
        return NULL;
    uint32_t *slot = pv_id_map_slot (&giving->file_ids, (uint64_t)(uintptr_t)file);
    if (*slot == 0) {
        pv_array_push (&giving->files, pv_symbol_builder_string (giving->s->builder, file));
        *slot = (uint32_t)giving->files.len;
    }
    return giving->files.data[*slot - 1];
}

/* The state of a module is that of its best location. */
static void
raise_state (uint8_t *state, PvModuleSymbols symbols)
{
    if (*state == PV_MODULE_SYMBOLS_PENDING || symbols < *state)
        *state = (uint8_t)symbols;
}

static bool
has_given (const PvProfile *profile, PvLocationId location)
{
    return profile->given_of_location != NULL && profile->given_of_location[location] != UINT32_MAX;
}

/* Finds the frames of the locations that are to be named, and how long the chains are. */
static void
find_frames (Giving *giving)
{
    const PvProfile *profile = giving->s->profile;
    uint32_t last = 0; /* start of the last chain: no other one ends behind it */
    giving->first = UINT32_MAX;
    for (PvLocationId l = giving->s->first_location; l < profile->n_locations; l++) {
        if (!has_given (profile, l))
            continue;
        giving->first = MIN (giving->first, profile->given_of_location[l]);
        last = MAX (last, profile->given_of_location[l]);
    }
    if (giving->first == UINT32_MAX) {
        giving->first = 0;
        return;
    }
    for (giving->end = last + 1; !profile->given_frames[giving->end - 1].is_last;)
        giving->end++;
    uint32_t n = giving->end - giving->first;
    giving->function_of_frame = g_new (uint32_t, n);
    memset (giving->function_of_frame, 0xff, n * sizeof *giving->function_of_frame);
    giving->n_frames = g_new (uint32_t, n);
    for (uint32_t i = n; i-- > 0;) {
        bool is_last = profile->given_frames[giving->first + i].is_last;
        giving->n_frames[i] = is_last ? 1 : giving->n_frames[i + 1] + 1;
    }
}

static void
find_functions (Giving *giving, PvLocationId location, uint8_t *state)
{
    const PvProfile *profile = giving->s->profile;
    bool is_last = false;
    for (uint32_t i = profile->given_of_location[location] - giving->first; !is_last; i++) {
        const PvGivenFrame *given = &profile->given_frames[giving->first + i];
        if (giving->function_of_frame[i] != NO_FUNCTION)
            return; /* another location of this module has these frames too */
        is_last = given->is_last;
        bool has_name = choose_name (giving, given) != NULL && !given->is_unknown;
        raise_state (state, given->line > 0 ? PV_MODULE_SYMBOLS_FULL
                            : has_name      ? PV_MODULE_SYMBOLS_NAMES
                                            : PV_MODULE_SYMBOLS_NONE);
        giving->function_of_frame[i] =
            find_function (giving, profile->module_of_location[location], given);
    }
}

static uint32_t
count_given (const Giving *giving, PvLocationId location)
{
    const PvProfile *profile = giving->s->profile;
    uint32_t start = profile->given_of_location[location], n = 1;
    if (start >= giving->first && start < giving->end)
        return giving->n_frames[start - giving->first];
    while (!profile->given_frames[start + n - 1].is_last)
        n++;
    return n;
}

/* The maximum number of frames per location that keeps the total of all stacks within its limit. */
static uint32_t
find_most_frames (const Giving *giving)
{
    const PvProfile *profile = giving->s->profile;
    g_autofree uint32_t *n_frames = g_new0 (uint32_t, MAX (profile->n_locations, 1));
    uint64_t limit = MAX (MIN_STACK_FRAMES, (uint64_t)profile->n_stacks * FRAMES_PER_STACK);
    uint32_t longest = 0, most = UINT16_MAX;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        n_frames[l] = has_given (profile, l) ? count_given (giving, l) : 1;
        longest = MAX (longest, n_frames[l]);
    }
    for (bool is_fine = longest <= FRAMES_PER_STACK; !is_fine;) {
        uint64_t n = 0;
        for (PvStackId s = 1; s < profile->n_stacks; s++)
            n += MIN (n_frames[profile->location_of_stack[s]], most);
        is_fine = n <= limit;
        most = is_fine ? most : most / 2;
    }
    return most;
}

/* All frames, in the order in which they are given. */
static uint32_t
add_frames (Giving *giving)
{
    const PvGivenFrame *given = giving->s->profile->given_frames + giving->first;
    uint32_t n = giving->end - giving->first, first;
    PvFrame *frames = pv_symbol_builder_add_frames (giving->s->builder, n, &first);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t function = giving->function_of_frame[i];
        frames[i] = (PvFrame){
            .function = function != NO_FUNCTION ? giving->ids[function] : 0,
            .line = given[i].line,
            .file = get_file (giving, given[i].file),
            .is_inlined = !given[i].is_last,
        };
    }
    return first;
}

static void
give_frames (Giving *giving)
{
    const PvProfile *profile = giving->s->profile;
    if (giving->end == giving->first)
        return;
    uint32_t first = add_frames (giving);
    uint32_t most_frames = find_most_frames (giving);
    for (PvLocationId l = giving->s->first_location; l < profile->n_locations; l++) {
        if (!has_given (profile, l))
            continue;
        uint32_t start = profile->given_of_location[l] - giving->first;
        uint32_t n = giving->n_frames[start], n_shown = MIN (n, most_frames);
        giving->has_left_out |= n_shown < n;
        /* The last frame is the function that the others were inlined into. */
        pv_symbol_builder_use_frames (giving->s->builder, l, first + start + (n - n_shown),
                                      n_shown);
    }
}

static void
clear_giving (Giving *giving)
{
    pv_demangler_free (giving->demangler);
    pv_arena_free (giving->arena);
    pv_id_map_clear (&giving->first_of_name);
    pv_id_map_clear (&giving->others_of_name);
    pv_array_clear (&giving->functions);
    g_free (giving->ids);
    g_free (giving->function_of_frame);
    g_free (giving->n_frames);
    pv_id_map_clear (&giving->file_ids);
    pv_array_clear (&giving->files);
}

/* Names need no file, addresses do. A crafted file can have any number of modules. */
static void
find_links (PvSymbolizing *s)
{
    enum { MAX_FILES = 1000 };
    unsigned n_files = 0;
    for (PvModuleId m = 0; m < s->profile->n_modules && n_files < MAX_FILES; m++) {
        const PvModule *module = &s->profile->modules[m];
        if (s->given_of_module[m] == PV_MODULE_SYMBOLS_PENDING || module->kind != PV_MODULE_FILE ||
            module->address_kind != PV_ADDRESS_FILE_OFFSET)
            continue;
        if (pv_job_is_cancelled (s->job))
            return;
        pv_symbolizing_set_links (s, m, pv_module_files_get (s->files, module));
        n_files++;
    }
}

void
pv_symbolizing_take_given (PvSymbolizing *s)
{
    const PvProfile *profile = s->profile;
    Giving giving = {.s = s, .arena = pv_arena_new ()};
    uint8_t *states = s->given_of_module = g_new0 (uint8_t, profile->n_modules);
    giving.demangler = pv_demangler_new (giving.arena, s->options->no_demangle);
    find_frames (&giving);
    for (PvLocationId l = s->first_location; l < profile->n_locations; l++) {
        uint8_t *state = &states[profile->module_of_location[l]];
        if (has_given (profile, l))
            find_functions (&giving, l, state);
        else if (profile->kind_of_location[l] == PV_LOCATION_NAMED)
            raise_state (state, PV_MODULE_SYMBOLS_MISSING); /* has nothing to look up either */
    }
    build_functions (&giving);
    give_frames (&giving);
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        if (states[m] != PV_MODULE_SYMBOLS_PENDING)
            pv_symbol_builder_set_module (s->builder, m, (PvModuleSymbols)states[m], NULL);
    find_links (s);
    if (giving.has_left_out)
        pv_symbol_builder_note (s->builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_STACKS, 0,
                                _ ("The profile names more inlined functions than can be shown: "
                                   "the innermost ones were left out."));
    clear_giving (&giving);
}
