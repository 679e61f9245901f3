/* Names that came with the recording: they need no files, only their short forms, and to be made
 * readable where they are as in a symbol table. */
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/symbolize-work.h"

enum { NAMES_PER_CHUNK = 1 << 9 };

/* How many frames all stacks may have. A file may name thousands of inlined functions for one place
 * and have stacks of that place alone, so that their tree would fit nowhere. */
#define MIN_STACK_FRAMES ((uint64_t)1 << 23)
#define FRAMES_PER_STACK 16u

/* A function as it was given, and what workers make of its name. */
typedef struct {
    PvFunction function;
    const char *given; /* NULL: it has no name */
    char *full;        /* NULL: the same as given */
    char *shorter;     /* NULL: nothing to leave out */
} GivenFunction;

/* Strings of a profile are unique, so a name is known by its pointer. */
typedef struct {
    PvSymbolizing *s;
    PvArena *arena;
    PvDemangler *demangler; /* of heaptrack's names */
    PvIdMap name_ids;       /* of names; a name together with its module is a function */
    PvIdMap function_ids;   /* place in functions, from 1 on */
    PV_ARRAY (GivenFunction) functions;
    PV_ARRAY (uint32_t) function_of_frame; /* the same place, of all frames in their order */
    PvFunctionId *ids;                     /* of functions */
    PvIdMap file_ids;
    PV_ARRAY (const char *) files;
    PV_ARRAY (PvFrame) frames;
    uint32_t most_frames; /* of a location that are shown */
    bool has_left_out;
} Giving;

/* heaptrack takes old names of Rust, which are mangled in the way of C++, for such, and gives
 * "alloc::vec::Vec$LT$T$GT$::push::h0123456789abcdef". Gives the symbol it came from, or NULL. */
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

/* Demanglers that others use put the return type before functions made from templates, ours does
 * not: "void std::sort<int*>(int*, int*)". Gives where the name begins. */
static const char *
skip_return_type (const char *name)
{
    static const char unnamed[] = "(anonymous namespace)";
    const char *start = name;
    bool has_end = false; /* of the return type and the name */

    for (const char *s = name; *s != '\0' && !has_end;) {
        const char *close = strchr ("<([{", *s) != NULL ? pv_find_close_bracket (s) : NULL;
        bool is_first = s == name || s[-1] == ' ' || s[-1] == ':';
        if (s > name && s[-1] == ' ')
            start = s;
        /* Parameters are not the first of a word: "decltype (x) f<int>()". */
        has_end = is_first ? g_str_has_prefix (s, "operator") : *s == '(';
        s = close != NULL ? close : s + 1;
    }
    bool is_template = has_end && strchr (start, '<') != NULL;
    return is_template && (*start != '(' || g_str_has_prefix (start, unnamed)) ? start : name;
}

/* heaptrack demangles what it can, in its own way. */
static PvDemangled
get_heaptrack_names (Giving *giving, const char *name)
{
    static const char internal[] = "__GI_"; /* the C library's label for its own calls */
    if (giving->s->options->no_demangle)
        return pv_demangler_get (giving->demangler, name);
    if (g_str_has_prefix (name, internal) && name[strlen (internal)] != '\0')
        name += strlen (internal);
    g_autofree char *symbol = restore_rust_symbol (name);
    return pv_demangler_get (giving->demangler, symbol != NULL ? symbol : skip_return_type (name));
}

/* The one of both names that a frame goes by; NULL if it has none. */
static const char *
choose_name (const Giving *giving, const PvGivenFrame *frame)
{
    bool has_name = frame->name != NULL && *frame->name != '\0';
    bool has_raw_name = frame->raw_name != NULL && *frame->raw_name != '\0';
    if (has_raw_name && (!has_name || giving->s->options->no_demangle))
        return frame->raw_name;
    return has_name ? frame->name : NULL;
}

static void
add_function (Giving *giving, PvModuleId module, const PvGivenFrame *frame)
{
    bool has_symbol = frame->raw_name != NULL && *frame->raw_name != '\0';
    GivenFunction row = {.given = choose_name (giving, frame)};
    row.function = (PvFunction){.name = "??", .module = module, .kind = PV_FUNCTION_UNKNOWN};
    if (row.given != NULL) {
        row.function.kind = PV_FUNCTION_NAMED;
        row.function.file = frame->file;
        row.function.line = frame->start_line;
        row.function.raw_name = has_symbol ? frame->raw_name : row.given;
    }
    pv_array_push (&giving->functions, row);
}

static uint32_t
find_function (Giving *giving, PvModuleId module, const PvGivenFrame *frame)
{
    const char *name = choose_name (giving, frame);
    uint32_t name_id = 0;
    if (name != NULL) {
        uint32_t *slot = pv_id_map_slot (&giving->name_ids, (uint64_t)(uintptr_t)name);
        if (*slot == 0)
            *slot = giving->name_ids.len;
        name_id = *slot;
    }
    uint32_t *function = pv_id_map_slot (&giving->function_ids, (uint64_t)module << 32 | name_id);
    if (*function == 0) {
        add_function (giving, module, frame);
        *function = (uint32_t)giving->functions.len;
    }
    return *function - 1;
}

/* Symbols are made readable; everything else is what somebody wants to be shown. */
static void
make_names (const Giving *giving, GivenFunction *row)
{
    if (giving->s->options->no_demangle || row->given == NULL)
        return;
    bool is_symbol = strcmp (row->function.raw_name, row->given) == 0;
    row->full = is_symbol ? pv_demangle (row->given, true) : NULL;
    g_autofree char *plain = row->full != NULL ? pv_demangle (row->given, false) : NULL;
    const char *name = row->full != NULL ? row->full : row->given;
    row->shorter = pv_shorten_name (plain != NULL ? plain : name);
}

static void
make_chunk_of_names (void *data, size_t item, unsigned worker)
{
    Giving *giving = data;
    size_t end = MIN ((item + 1) * NAMES_PER_CHUNK, giving->functions.len);
    (void)worker;
    for (size_t i = item * NAMES_PER_CHUNK; i < end; i++)
        make_names (giving, &giving->functions.data[i]);
}

static PvFunctionId
build_function (Giving *giving, GivenFunction *row)
{
    PvFunction *function = &row->function;
    if (row->given == NULL)
        return pv_symbol_builder_function (giving->s->builder, function);
    if (giving->s->profile->heap != NULL) {
        PvDemangled names = get_heaptrack_names (giving, row->given);
        function->name = names.name;
        function->short_name = names.short_name;
    } else {
        function->name = row->full != NULL ? row->full : row->given;
        function->short_name = row->shorter;
    }
    if (g_strcmp0 (function->short_name, function->name) == 0)
        function->short_name = NULL;
    if (strcmp (function->raw_name, function->name) == 0)
        function->raw_name = NULL;
    return pv_symbol_builder_function (giving->s->builder, function);
}

/* Names are made by all workers, functions by one. */
static void
build_functions (Giving *giving)
{
    size_t n = giving->functions.len;
    if (giving->s->profile->heap == NULL)
        pv_pool_run (giving->s->pool, (n + NAMES_PER_CHUNK - 1) / NAMES_PER_CHUNK,
                     make_chunk_of_names, giving);
    giving->ids = g_new (PvFunctionId, MAX (n, 1));
    for (size_t i = 0; i < n; i++) {
        GivenFunction *row = &giving->functions.data[i];
        giving->ids[i] = build_function (giving, row);
        g_free (row->full);
        g_free (row->shorter);
    }
}

static const char *
get_file (Giving *giving, const char *file)
{
    if (file == NULL || *file == '\0')
        return NULL;
    uint32_t *slot = pv_id_map_slot (&giving->file_ids, (uint64_t)(uintptr_t)file);
    if (*slot == 0) {
        pv_array_push (&giving->files, pv_symbol_builder_string (giving->s->builder, file));
        *slot = (uint32_t)giving->files.len;
    }
    return giving->files.data[*slot - 1];
}

/* A module is what the best of its locations is. */
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

static void
find_functions (Giving *giving, PvLocationId location, uint8_t *state)
{
    const PvProfile *profile = giving->s->profile;
    const PvGivenFrame *given = &profile->given_frames[profile->given_of_location[location]];
    for (bool is_last = false; !is_last; given++) {
        is_last = given->is_last;
        uint32_t function = find_function (giving, profile->module_of_location[location], given);
        bool has_name = giving->functions.data[function].given != NULL;
        raise_state (state, given->line > 0 ? PV_MODULE_SYMBOLS_FULL
                            : has_name      ? PV_MODULE_SYMBOLS_NAMES
                                            : PV_MODULE_SYMBOLS_NONE);
        pv_array_push (&giving->function_of_frame, function);
    }
}

static uint32_t
count_given (const PvProfile *profile, PvLocationId location)
{
    const PvGivenFrame *given = &profile->given_frames[profile->given_of_location[location]];
    uint32_t n = 1;
    while (!given[n - 1].is_last)
        n++;
    return n;
}

/* How many frames of a location are shown, so that those of all stacks are not too many. */
static uint32_t
find_most_frames (const PvProfile *profile)
{
    g_autofree uint32_t *n_frames = g_new0 (uint32_t, MAX (profile->n_locations, 1));
    uint64_t limit = MAX (MIN_STACK_FRAMES, (uint64_t)profile->n_stacks * FRAMES_PER_STACK);
    uint32_t longest = 0, most = UINT16_MAX;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        n_frames[l] = has_given (profile, l) ? count_given (profile, l) : 1;
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

/* next is the place of the location's first frame in function_of_frame; gives that of the next. */
static size_t
give_frames (Giving *giving, PvLocationId location, size_t next)
{
    const PvProfile *profile = giving->s->profile;
    const PvGivenFrame *given = &profile->given_frames[profile->given_of_location[location]];
    giving->frames.len = 0;
    for (bool is_last = false; !is_last; given++) {
        is_last = given->is_last;
        PvFrame frame = {.function = giving->ids[giving->function_of_frame.data[next++]],
                         .line = given->line,
                         .file = get_file (giving, given->file),
                         .is_inlined = !is_last};
        pv_array_push (&giving->frames, frame);
    }
    /* The function that the others were inlined into is last. */
    uint32_t n_shown = (uint32_t)MIN (giving->frames.len, giving->most_frames);
    giving->has_left_out |= n_shown < giving->frames.len;
    pv_symbol_builder_set_frames (giving->s->builder, location,
                                  giving->frames.data + (giving->frames.len - n_shown), n_shown);
    return next;
}

static void
clear_giving (Giving *giving)
{
    pv_demangler_free (giving->demangler);
    pv_arena_free (giving->arena);
    pv_id_map_clear (&giving->name_ids);
    pv_id_map_clear (&giving->function_ids);
    pv_array_clear (&giving->functions);
    pv_array_clear (&giving->function_of_frame);
    g_free (giving->ids);
    pv_id_map_clear (&giving->file_ids);
    pv_array_clear (&giving->files);
    pv_array_clear (&giving->frames);
}

void
pv_symbolizing_take_given (PvSymbolizing *s)
{
    const PvProfile *profile = s->profile;
    Giving giving = {.s = s, .arena = pv_arena_new ()};
    uint8_t *states = s->given_of_module = g_new0 (uint8_t, profile->n_modules);
    giving.demangler = pv_demangler_new (giving.arena, s->options->no_demangle);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint8_t *state = &states[profile->module_of_location[l]];
        if (has_given (profile, l))
            find_functions (&giving, l, state);
        else if (profile->kind_of_location[l] == PV_LOCATION_NAMED)
            raise_state (state, PV_MODULE_SYMBOLS_MISSING); /* nothing to look up either */
    }
    build_functions (&giving);
    giving.most_frames = find_most_frames (profile);
    size_t next = 0;
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        if (has_given (profile, l))
            next = give_frames (&giving, l, next);
    }
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        if (states[m] != PV_MODULE_SYMBOLS_PENDING)
            pv_symbol_builder_set_module (s->builder, m, (PvModuleSymbols)states[m], NULL);
    if (giving.has_left_out)
        pv_symbol_builder_note (s->builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_STACKS, 0,
                                _ ("The profile names more inlined functions than can be shown: "
                                   "the innermost ones were left out."));
    clear_giving (&giving);
}
