/* Names that came with the recording: they need no files, only their short forms. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/symbolize-work.h"

/* Strings of a profile are unique, so a name is known by its pointer. */
typedef struct {
    PvSymbolizing *s;
    PvArena *arena;
    PvDemangler *demangler;
    PvIdMap name_ids; /* of names; a name together with its module is a function */
    PvIdMap functions;
    PvIdMap file_ids;
    PV_ARRAY (const char *) files;
    PV_ARRAY (PvFrame) frames;
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

static PvDemangled
get_names (Giving *giving, const char *name)
{
    static const char internal[] = "__GI_"; /* the C library's label for its own calls */
    if (giving->s->options->no_demangle)
        return pv_demangler_get (giving->demangler, name);
    if (g_str_has_prefix (name, internal) && name[strlen (internal)] != '\0')
        name += strlen (internal);
    g_autofree char *symbol = restore_rust_symbol (name);
    return pv_demangler_get (giving->demangler, symbol != NULL ? symbol : skip_return_type (name));
}

static PvFunctionId
add_function (Giving *giving, PvModuleId module, const PvGivenFrame *frame)
{
    PvFunction function = {.name = "??", .module = module, .kind = PV_FUNCTION_UNKNOWN};
    if (frame->name != NULL && *frame->name != '\0') {
        PvDemangled names = get_names (giving, frame->name);
        function = (PvFunction){
            .name = names.name,
            .short_name = names.short_name,
            .raw_name = strcmp (names.name, frame->name) != 0 ? frame->name : NULL,
            .file = frame->file,
            .module = module,
            .kind = PV_FUNCTION_NAMED,
        };
    }
    return pv_symbol_builder_function (giving->s->builder, &function);
}

static PvFunctionId
get_function (Giving *giving, PvModuleId module, const PvGivenFrame *frame)
{
    uint32_t name_id = 0;
    if (frame->name != NULL) {
        uint32_t *slot = pv_id_map_slot (&giving->name_ids, (uint64_t)(uintptr_t)frame->name);
        if (*slot == 0)
            *slot = giving->name_ids.len;
        name_id = *slot;
    }
    uint32_t *function = pv_id_map_slot (&giving->functions, (uint64_t)module << 32 | name_id);
    if (*function == 0)
        *function = add_function (giving, module, frame);
    return *function;
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

static void
give_frames (Giving *giving, PvLocationId location, uint8_t *state)
{
    const PvProfile *profile = giving->s->profile;
    PvModuleId module = profile->module_of_location[location];
    const PvGivenFrame *given = &profile->given_frames[profile->given_of_location[location]];

    giving->frames.len = 0;
    for (bool is_last = false; !is_last; given++) {
        is_last = given->is_last;
        raise_state (state, given->line > 0       ? PV_MODULE_SYMBOLS_FULL
                            : given->name != NULL ? PV_MODULE_SYMBOLS_NAMES
                                                  : PV_MODULE_SYMBOLS_NONE);
        PvFrame frame = {.function = get_function (giving, module, given),
                         .line = given->line,
                         .file = get_file (giving, given->file),
                         .is_inlined = !is_last};
        pv_array_push (&giving->frames, frame);
    }
    pv_symbol_builder_set_frames (giving->s->builder, location, giving->frames.data,
                                  (uint32_t)giving->frames.len);
}

void
pv_symbolizing_take_given (PvSymbolizing *s)
{
    const PvProfile *profile = s->profile;
    Giving giving = {.s = s, .arena = pv_arena_new ()};
    g_autofree uint8_t *states = g_new0 (uint8_t, profile->n_modules);
    giving.demangler = pv_demangler_new (giving.arena, s->options->no_demangle);
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint8_t *state = &states[profile->module_of_location[l]];
        if (profile->given_of_location != NULL && profile->given_of_location[l] != UINT32_MAX)
            give_frames (&giving, l, state);
        else if (profile->kind_of_location[l] == PV_LOCATION_NAMED)
            raise_state (state, PV_MODULE_SYMBOLS_MISSING); /* nothing to look up either */
    }
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        if (states[m] != PV_MODULE_SYMBOLS_PENDING)
            pv_symbol_builder_set_module (s->builder, m, (PvModuleSymbols)states[m], NULL);
    pv_demangler_free (giving.demangler);
    pv_arena_free (giving.arena);
    pv_id_map_clear (&giving.name_ids);
    pv_id_map_clear (&giving.functions);
    pv_id_map_clear (&giving.file_ids);
    pv_array_clear (&giving.files);
    pv_array_clear (&giving.frames);
}
