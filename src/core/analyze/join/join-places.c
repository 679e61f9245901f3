/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/join-places.h"

#include <string.h>

#include "core/analyze/join/join-modules.h"
#include "core/analyze/join/join-names.h"
#include "core/analyze/join/slide.h"
#include "core/base/idmap.h"

/* A function whose name is a number; or a place in one that is known by where it begins. */
typedef struct {
    PvFunctionId function;
    PvModuleId own_module; /* of the profile */
    PvModuleId module;     /* joined */
    uint64_t told; /* hash of the module that the name tells, if own_module is none; else 0 */
    uint64_t number;
    uint64_t start; /* of the function; the number itself, where that is not known */
} Row;

typedef PV_ARRAY (Row) Rows;

/* The code of one file. */
typedef struct {
    PvModuleId module; /* joined */
    uint64_t told;
    PvModule file;  /* as the first profile has it */
    char *suffix;   /* of its names; NULL: it is the first file of the module */
    char *prefix;   /* of its names, up to the number */
    bool has_start; /* numbers count from its start, or from where it was loaded */
    PvAddresses numbers;
    bool is_sorted;
    PvIdMap name_of_number; /* place in names + 1 */
    uint32_t next;          /* place in files + 1 of the next one of the module; 0: none */
} File;

/* So many files of a module are told apart, and so many addresses are looked at to tell them: of
 * what comes then, numbers are of files of their own. Recordings have far fewer. */
enum { MAX_FILES_OF_MODULE = 64, MAX_ADDRESSES = 20000000 };

struct PvJoinPlaces {
    bool are_same;
    PvModuleId no_module;
    PvInterner *strings; /* has copies of all strings; NULL: those of profiles live as long */
    PV_ARRAY (File) files;
    PvIdMap first_file; /* by joined module: place in files + 1 */
    uint64_t n_addresses;
    PV_ARRAY (const char *) names;
    PV_ARRAY (uint32_t *) names_of_profile; /* by function: place in names + 1; NULL: all are 0 */
    PV_ARRAY (PvModuleId *) modules_of_profile; /* joined, by function; NULL: as before */
    PvIdMap whole_of_module;                    /* by joined module: place in names + 1 */
    GPtrArray *made;                            /* of the names, those that are not of a profile */
};

PvJoinPlaces *
pv_join_places_new (bool are_same, PvModuleId no_module, PvInterner *strings)
{
    PvJoinPlaces *places = g_new0 (PvJoinPlaces, 1);
    places->are_same = are_same;
    places->no_module = no_module;
    places->strings = strings;
    places->made = g_ptr_array_new_with_free_func (g_free);
    return places;
}

void
pv_join_places_free (PvJoinPlaces *places)
{
    if (places == NULL)
        return;
    for (size_t f = 0; f < places->files.len; f++) {
        File *file = &places->files.data[f];
        g_free (file->suffix);
        g_free (file->prefix);
        pv_array_clear (&file->numbers);
        pv_id_map_clear (&file->name_of_number);
    }
    for (size_t p = 0; p < places->names_of_profile.len; p++)
        g_free (places->names_of_profile.data[p]);
    for (size_t p = 0; p < places->modules_of_profile.len; p++)
        g_free (places->modules_of_profile.data[p]);
    pv_array_clear (&places->modules_of_profile);
    pv_id_map_clear (&places->whole_of_module);
    pv_array_clear (&places->files);
    pv_id_map_clear (&places->first_file);
    pv_array_clear (&places->names);
    pv_array_clear (&places->names_of_profile);
    g_ptr_array_unref (places->made);
    g_free (places);
}

/* --- numbers --- */

/* The number at the end of a name, after "+", " at " or nothing; NULL: it is none. */
static const char *
find_number (const char *name, uint64_t *ret_number)
{
    enum { MAX_DIGITS = 16 };
    const char *zero = g_strrstr (name, "0x");
    if (zero == NULL || strlen (zero + 2) > MAX_DIGITS || zero[2] == '\0')
        return NULL;
    const bool is_behind =
        zero > name && (zero[-1] == '+' || (zero - name > 4 && memcmp (zero - 4, " at ", 4) == 0));
    if ((zero > name && !is_behind) || strspn (zero + 2, "0123456789abcdef") != strlen (zero + 2))
        return NULL;
    *ret_number = g_ascii_strtoull (zero + 2, NULL, 16);
    return zero + 2;
}

/* True for "libfoo.so+0x1234". */
static bool
counts_from_start (const char *name)
{
    uint64_t number = 0;
    const char *digits = find_number (name, &number);
    return digits != NULL && digits - name > 2 && digits[-3] == '+';
}

char *
pv_join_places_find_module (const char *name)
{
    g_assert (name != NULL);
    uint64_t number;
    const char *digits = find_number (name, &number);
    const size_t n_between = strlen (counts_from_start (name) ? "+0x" : " at 0x");
    const bool has_module = digits != NULL && (size_t)(digits - name) > n_between;
    return has_module ? g_strndup (name, (size_t)(digits - name) - n_between) : NULL;
}

char *
pv_join_places_find_whole (const char *name)
{
    g_assert (name != NULL);
    const size_t len = strlen (name);
    return len > 2 && name[0] == '[' && name[len - 1] == ']' ? g_strndup (name + 1, len - 2) : NULL;
}

static int
compare_rows (const void *a, const void *b)
{
    const Row *x = a, *y = b;
    if (x->own_module != y->own_module)
        return pv_order (x->own_module, y->own_module);
    if (x->module != y->module)
        return pv_order (x->module, y->module);
    return x->told != y->told ? pv_order (x->told, y->told) : pv_order (x->function, y->function);
}

/* Text without modules has names like "libfoo.so at 0x7f0012345234" instead. Other names may end
 * with a number too. */
static bool
is_number (const PvFunction *function, const char *module)
{
    return function->kind != PV_FUNCTION_NAMED ||
           (module != NULL && !counts_from_start (function->name));
}

/* Adds the places in functions of which only the start is known: other profiles may have these. */
static void
add_ranges (const PvProfile *profile, const PvSymbolTable *symbols, const PvModuleId *module_of,
            Rows *rows)
{
    for (PvLocationId l = 1; l < symbols->n_locations; l++) {
        uint32_t n;
        const PvFrame *chain = pv_symbol_table_frames (symbols, l, &n);
        const PvFunctionId f = n > 0 ? chain[n - 1].function : 0;
        const PvFunction *function = &symbols->functions[f];
        Row row = {.function = f, .own_module = function->module, .module = module_of[f]};
        if (function->kind != PV_FUNCTION_RANGE || row.module == 0 ||
            profile->kind_of_location[l] == PV_LOCATION_NAMED ||
            find_number (function->name, &row.start) == NULL)
            continue;
        /* The names of other profiles have the places of calls, not where these return to. */
        row.number = pv_symbol_table_get_address (symbols, profile, l) -
                     (profile->kind_of_location[l] == PV_LOCATION_RETURN);
        if (row.number > row.start)
            pv_array_push (rows, row);
    }
}

/* By module of the profile, and by what the names tell. */
static Rows
list_rows (const PvProfile *profile, const PvSymbolTable *symbols, const PvModuleId *module_of)
{
    g_autofree bool *is_used = pv_join_names_find_used (symbols);
    Rows rows = {0};
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        Row row = {.function = f, .own_module = function->module, .module = module_of[f]};
        if (!is_used[f] || row.module == 0 || find_number (function->name, &row.number) == NULL)
            continue;
        g_autofree char *module = pv_join_places_find_module (function->name);
        if (!is_number (function, module))
            continue;
        if (pv_compare_is_nowhere (&profile->modules[row.own_module])) {
            const char *told = module != NULL ? module : "";
            row.told = pv_hash_bytes (told, strlen (told), 0).a;
        }
        row.start = row.number;
        pv_array_push (&rows, row);
    }
    add_ranges (profile, symbols, module_of, &rows);
    pv_array_sort (&rows, compare_rows);
    return rows;
}

/* --- files --- */

/* True if two modules are one file for sure, with numbers from its start. Without build-ids, the
 * path decides: the names of both sides come from the file that is there now. */
static bool
are_one_file (const PvModule *a, const PvModule *b, bool are_from_start)
{
    if (!are_from_start || a->address_kind == PV_ADDRESS_RUNTIME ||
        b->address_kind == PV_ADDRESS_RUNTIME || a->build_id_size != b->build_id_size)
        return false;
    if (a->build_id_size == 0)
        return a->path != NULL && a->path[0] == '/' &&
               strcmp (a->path, b->path ? b->path : "") == 0;
    return pv_compare_is_same_build (a, b);
}

static bool
has_path (const PvModule *module)
{
    return module->path != NULL && module->path[0] == '/';
}

/* True if nothing says that two modules are different files. */
static bool
may_be_one_file (const PvModule *a, const PvModule *b)
{
    if (a->build_id_size > 0 && b->build_id_size > 0)
        return pv_compare_is_same_build (a, b);
    return a->kind != PV_MODULE_FILE || b->kind != PV_MODULE_FILE || !has_path (a) ||
           !has_path (b) || strcmp (a->path, b->path) == 0;
}

/* False where addresses may be anywhere, so that a few meet by chance. */
static bool
is_file (const PvModule *module)
{
    return module->is_kernel ||
           (module->kind != PV_MODULE_JIT && module->kind != PV_MODULE_UNKNOWN);
}

/* The same where one side has the addresses that calls return to, the other those of the calls. */
static bool
find_by_calls (const PvJoinPlaces *places, const File *file, const PvAddresses *numbers,
               uint64_t *ret_slide)
{
    static const uint64_t distances[] = {1, UINT64_MAX};
    PvAddresses others = {0};
    bool is_found = false;
    for (size_t d = 0; d < G_N_ELEMENTS (distances) && !is_found; d++) {
        others.len = 0;
        for (size_t i = 0; i < numbers->len; i++)
            pv_array_push (&others, numbers->data[i] - distances[d]);
        pv_addresses_sort (&others);
        is_found = pv_slide_find (&file->numbers, &others,
                                  places->are_same ? PV_SLIDE_LIKELY : PV_SLIDE_SURE, ret_slide);
        if (is_found)
            *ret_slide += distances[d];
    }
    pv_array_clear (&others);
    return is_found;
}

/* Finds the number to subtract from those of a module; false: it is of another file, or of one that
 * is not known to be the same. */
static bool
find_slide (PvJoinPlaces *places, File *file, const PvModule *module, const PvAddresses *numbers,
            bool are_from_start, uint64_t *ret_slide)
{
    const bool is_one = are_one_file (&file->file, module, file->has_start && are_from_start);
    if (is_one) {
        *ret_slide = 0;
        if (file->file.address_kind == module->address_kind)
            return true;
    }
    if (places->n_addresses > MAX_ADDRESSES)
        return is_one;
    places->n_addresses += file->numbers.len + numbers->len;
    if (!file->is_sorted)
        pv_addresses_sort (&file->numbers);
    file->is_sorted = true;
    /* Offsets in the file, and addresses as it was linked. */
    if (is_one)
        return pv_slide_find (&file->numbers, numbers, PV_SLIDE_SURE, ret_slide) || is_one;
    if (!places->are_same && !may_be_one_file (&file->file, module))
        return false;
    const bool are_files = is_file (&file->file) && is_file (module);
    if (pv_slide_find (&file->numbers, numbers, are_files ? PV_SLIDE_LIKELY : PV_SLIDE_SURE,
                       ret_slide))
        return true;
    return find_by_calls (places, file, numbers, ret_slide);
}

/* --- names --- */

/* Another name for numbers of a file that is not the first of its module. */
static char *
make_suffix (const PvModule *module, size_t n_earlier)
{
    if (module->build_id_size == 0 || module->address_kind == PV_ADDRESS_RUNTIME)
        return g_strdup_printf (" (%zu)", n_earlier + 1);
    return g_strdup_printf (" (%02x%02x%02x%02x)", module->build_id[0], module->build_id[1],
                            module->build_id[2], module->build_id[3]);
}

static const char *
keep (const PvJoinPlaces *places, const char *string)
{
    if (places->strings == NULL || string == NULL)
        return string;
    return pv_interner_get (places->strings, pv_interner_add (places->strings, string));
}

static File *
add_file (PvJoinPlaces *places, const Row *row, const PvModule *module, const char *name,
          size_t n_earlier)
{
    uint64_t number = 0;
    const char *digits = find_number (name, &number);
    uint32_t *first = pv_id_map_slot (&places->first_file, row->module);
    File file = {
        .module = row->module,
        .told = row->told,
        .file = *module,
        .has_start = counts_from_start (name),
        .prefix = g_strndup (name, (size_t)(digits - name)),
        .suffix = n_earlier > 0 ? make_suffix (module, n_earlier) : NULL,
        .next = *first,
    };
    file.file.path = keep (places, module->path);
    pv_array_push (&places->files, file);
    *first = (uint32_t)places->files.len;
    return &places->files.data[places->files.len - 1];
}

static uint32_t
add_name (PvJoinPlaces *places, const char *name)
{
    pv_array_push (&places->names, name);
    return (uint32_t)places->names.len;
}

/* The slot for the name of a number of the file; 0 in it: there is none yet, and the caller must
 * write it. */
static uint32_t *
find_number_slot (File *file, uint64_t number)
{
    uint32_t *slot = pv_id_map_slot (&file->name_of_number, number);
    if (*slot == 0) {
        pv_array_push (&file->numbers, number);
        file->is_sorted = false;
    }
    return slot;
}

/* The name of a number of the file; one that is not known yet gets the one given, but for the
 * file's suffix, or if that is NULL, one like others of the file. */
static uint32_t
find_name (PvJoinPlaces *places, File *file, uint64_t number, const char *given)
{
    uint32_t *slot = find_number_slot (file, number);
    if (*slot != 0)
        return *slot;
    char *made = NULL;
    if (given == NULL)
        made = g_strdup_printf ("%s%" G_GINT64_MODIFIER "x%s", file->prefix, number,
                                file->suffix != NULL ? file->suffix : "");
    else if (file->suffix != NULL)
        made = g_strconcat (given, file->suffix, NULL);
    *slot = add_name (places, keep (places, made != NULL ? made : given));
    if (made != NULL && places->strings == NULL)
        g_ptr_array_add (places->made, made);
    else
        g_free (made);
    return *slot;
}

/* Gives a place in a function, of which other profiles may know only that, the function's name. */
static void
name_place (PvJoinPlaces *places, File *file, uint64_t number, uint32_t function)
{
    if (function == 0)
        return;
    uint32_t *slot = find_number_slot (file, number);
    if (*slot == 0)
        *slot = function;
    else
        places->names.data[*slot - 1] = places->names.data[function - 1];
}

/* Finds the file of a module's code, and names all its places. */
static void
add_module (PvJoinPlaces *places, const PvModule *module, const PvSymbolTable *symbols,
            const Row *rows, size_t n_rows, uint32_t *name_of_function)
{
    PvAddresses numbers = {0};
    File *file = NULL, *first = NULL;
    const char *first_name = symbols->functions[rows->function].name;
    const bool are_from_start = counts_from_start (first_name);
    size_t n = 0, n_earlier = 0;
    uint64_t slide = 0;
    for (size_t i = 0; i < n_rows; i++)
        pv_array_push (&numbers, rows[i].number);
    pv_addresses_sort (&numbers);
    uint32_t f = pv_id_map_find (&places->first_file, rows->module);
    for (; f != 0 && file == NULL && n < MAX_FILES_OF_MODULE; f = places->files.data[f - 1].next) {
        File *known = &places->files.data[f - 1];
        n_earlier += known->told == rows->told;
        n++;
        if (known->told != rows->told && known->told != 0 && rows->told != 0)
            continue;
        first = known;
        if (find_slide (places, known, module, &numbers, are_from_start, &slide))
            file = known;
    }
    const bool is_found = file != NULL;
    if (file == NULL && places->are_same)
        file = first;
    if (n == MAX_FILES_OF_MODULE)
        n_earlier = places->files.len; /* not all were counted */
    if (file == NULL)
        file = add_file (places, rows, module, first_name, n_earlier);
    /* Numbers from the start say more than those of a run. */
    const bool is_better = are_from_start && !file->has_start;
    const bool is_moved = is_found && slide != 0 && !is_better;
    for (size_t i = 0; i < n_rows; i++) {
        if (rows[i].number != rows[i].start)
            continue;
        const char *own = symbols->functions[rows[i].function].name;
        const uint32_t name =
            find_name (places, file, rows[i].number - slide, is_moved ? NULL : own);
        if (is_better && file->suffix == NULL)
            places->names.data[name - 1] = keep (places, own);
        name_of_function[rows[i].function] = name;
    }
    for (size_t i = 0; i < n_rows; i++)
        if (rows[i].number != rows[i].start)
            name_place (places, file, rows[i].number - slide, name_of_function[rows[i].function]);
    pv_array_clear (&numbers);
}

/* Notes the modules whose unnamed code is one function in the profile, "[libfoo.so]". */
static void
note_wholes (PvJoinPlaces *places, const PvProfile *profile, const PvSymbolTable *symbols,
             const PvModuleId *placed)
{
    g_autofree bool *is_used = pv_join_names_find_used (symbols);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        const PvModuleId module = placed[f];
        if (!is_used[f] || *function->name != '[' || module == 0 || module == places->no_module ||
            !pv_compare_is_nowhere (&profile->modules[function->module]))
            continue;
        g_autofree char *whole = pv_join_places_find_whole (function->name);
        if (whole == NULL || strcmp (function->name, PV_COMPARE_NAMELESS) == 0)
            continue;
        pv_array_push (&places->names, function->name);
        *pv_id_map_slot (&places->whole_of_module, module) = (uint32_t)places->names.len;
    }
}

void
pv_join_places_add (PvJoinPlaces *places, const PvProfile *profile, const PvSymbolTable *symbols,
                    const PvModuleId *module_of, const PvModuleId *placed, PvJob *job)
{
    g_assert (places != NULL && profile != NULL && symbols != NULL && module_of != NULL);
    Rows rows = list_rows (profile, symbols, module_of);
    uint32_t *name_of_function = rows.len > 0 ? g_new0 (uint32_t, symbols->n_functions) : NULL;
    for (size_t i = 0, end; i < rows.len && pv_job_check (job, NULL); i = end) {
        const Row *first = &rows.data[i];
        for (end = i + 1; end < rows.len && rows.data[end].own_module == first->own_module &&
                          rows.data[end].module == first->module &&
                          rows.data[end].told == first->told;)
            end++;
        add_module (places, &profile->modules[first->own_module], symbols, &rows.data[i], end - i,
                    name_of_function);
    }
    PvModuleId *modules =
        rows.len > 0 ? g_memdup2 (module_of, symbols->n_functions * sizeof *module_of) : NULL;
    if (placed != NULL)
        note_wholes (places, profile, symbols, placed);
    pv_array_push (&places->names_of_profile, name_of_function);
    pv_array_push (&places->modules_of_profile, modules);
    pv_array_clear (&rows);
}

void
pv_join_places_forget (PvJoinPlaces *places, size_t place)
{
    g_assert (places != NULL && place < places->names_of_profile.len);
    g_clear_pointer (&places->names_of_profile.data[place], g_free);
    g_clear_pointer (&places->modules_of_profile.data[place], g_free);
}

const char *
pv_join_places_get_name (const PvJoinPlaces *places, size_t place, PvFunctionId function)
{
    g_assert (places != NULL && place < places->names_of_profile.len);
    const uint32_t *names = places->names_of_profile.data[place];
    if (names == NULL || names[function] == 0)
        return NULL;
    const uint32_t whole =
        pv_id_map_find (&places->whole_of_module, places->modules_of_profile.data[place][function]);
    return places->names.data[(whole != 0 ? whole : names[function]) - 1];
}
