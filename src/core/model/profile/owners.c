/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/profile/owners.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/package.h"
#include "core/model/profile/system-modules.h"

enum { MOST_COLUMNS = 4 }; /* of a sample set: further measures tell little more */

#define LEAST_DOMINANT 0.8 /* share of a module that tells nothing by its name alone */
#define LEAST_PACKAGED 0.1 /* share of it that is in packages */

/* The kinds of modules and packages, which like different numbers. */
typedef enum { OWN, SYSTEM, LIBRARY } Kind;

typedef struct {
    const char *name;
    size_t len;
    uint64_t hash;
    Kind kind;
    double weight;
    uint8_t owner;
} Candidate;

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    double *weight_of_function; /* of its boxes in a flame graph */
    double *self_of_function;
    PvHashMap ids; /* of candidates, + 1 */
    PV_ARRAY (Candidate) candidates;
} Search;

/* Weights */

/* Adds the shares that stacks have of a measure, times how many of all samples it has. */
static void
add_measure (const PvProfile *profile, const PvMeasure *measure, double n_all, double *own)
{
    const PvSampleSet *set = &profile->sets[measure->set];
    double unit = measure->total > 0 ? set->n_samples / n_all / (double)measure->total : 0;
    for (uint32_t i = 0; i < set->n_samples && unit > 0; i++)
        own[set->stack[i]] += unit * (double)pv_sample_set_weight (set, measure->column, i);
}

static void
add_heap (const PvHeap *heap, double *own)
{
    g_autofree int64_t *peak = g_new0 (int64_t, MAX (heap->n_sites, 1));
    double of_peak = (double)MAX (heap->peak_bytes, 1);
    double of_all = (double)MAX (heap->allocated_bytes, 1);
    pv_heap_weigh_sites (heap, PV_HEAP_PEAK, 0, heap->n_bins, peak, NULL);
    for (uint32_t site = 0; site < heap->n_sites; site++) {
        double allocated = 0;
        for (uint32_t i = heap->first_size_of_site[site]; i < heap->first_size_of_site[site + 1];
             i++)
            allocated += (double)heap->bytes_of_size[i];
        own[heap->stack_of_site[site]] += (double)MAX (peak[site], 0) / of_peak;
        own[heap->stack_of_site[site]] += allocated / of_all;
    }
}

static double *
weigh_stacks (const PvProfile *profile)
{
    double *own = g_new0 (double, MAX (profile->n_stacks, 1));
    double n_all = (double)pv_profile_count_all_samples (profile);
    for (PvMeasureId m = 0; m < profile->n_measures; m++)
        if (profile->measures[m].set != PV_NO_SET && profile->measures[m].column < MOST_COLUMNS)
            add_measure (profile, &profile->measures[m], n_all, own);
    if (profile->heap != NULL)
        add_heap (profile->heap, own);
    return own;
}

static void
weigh_functions (Search *self)
{
    const PvProfile *profile = self->profile;
    const PvSymbolTable *symbols = self->symbols;
    g_autofree double *own = weigh_stacks (profile);
    g_autofree double *own_of_location = g_new0 (double, symbols->n_locations + 1);
    g_autofree double *weight_of_location = g_new0 (double, symbols->n_locations + 1);
    for (PvStackId s = 1; s < profile->n_stacks; s++)
        own_of_location[profile->location_of_stack[s]] += own[s];
    for (PvStackId s = profile->n_stacks; s-- > 1;) {
        own[profile->parent_of_stack[s]] += own[s];
        weight_of_location[profile->location_of_stack[s]] += own[s];
    }
    for (PvLocationId l = 1; l < profile->n_locations; l++) {
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (symbols, l, &n_frames);
        for (uint32_t i = 0; i < n_frames; i++)
            self->weight_of_function[frames[i].function] += weight_of_location[l];
        if (n_frames > 0)
            self->self_of_function[frames[0].function] += own_of_location[l];
    }
}

/* Candidates */

/* NULL: it is not known which module has the function. */
static const PvModule *
find_module (const Search *self, const PvFunction *function)
{
    const PvModule *module = &self->profile->modules[function->module];
    return function->module != 0 && function->module < self->profile->n_modules &&
                   module->kind != PV_MODULE_UNKNOWN
               ? module
               : NULL;
}

/* The groups without numbers; PV_OWNER_OTHER: it may have one. A name in brackets, "[no stack
 * recorded]", says why there is no other. */
static PvOwner
find_group (const PvModule *module, const PvFunction *function)
{
    if (module == NULL)
        return function->kind != PV_FUNCTION_NAMED || function->name[0] == '[' ? PV_OWNER_UNKNOWN
                                                                               : PV_OWNER_OTHER;
    if (module->is_kernel || module->kind == PV_MODULE_KERNEL ||
        module->kind == PV_MODULE_KERNEL_MODULE)
        return PV_OWNER_KERNEL;
    return PV_OWNER_OTHER;
}

static bool
is_word (const char *text, size_t len, const char *word)
{
    return strncmp (text, word, len) == 0 && word[len] == '\0';
}

/* True for the crate, the package or the namespace that is called like the program. */
static bool
is_package_of_program (const char *name, size_t len, const PvModule *module)
{
    if (is_word (name, len, "main"))
        return true;
    if (module == NULL || !module->is_main || module->name == NULL || strlen (module->name) != len)
        return false;
    for (size_t i = 0; i < len; i++)
        if (name[i] != (module->name[i] == '-' ? '_' : module->name[i]))
            return false;
    return true;
}

static Kind
find_package_kind (const char *name, size_t len, const PvModule *module)
{
    static const char *const standard[] = {"std", "core", "alloc", "runtime", "__gnu_cxx"};
    for (size_t i = 0; i < G_N_ELEMENTS (standard); i++)
        if (is_word (name, len, standard[i]))
            return SYSTEM;
    return is_package_of_program (name, len, module) ? OWN : LIBRARY;
}

static Kind
find_module_kind (const PvModule *module)
{
    if (module == NULL || module->is_main)
        return OWN;
    bool is_file = module->kind == PV_MODULE_FILE;
    return module->kind == PV_MODULE_VDSO || (is_file && pv_module_is_system (module)) ? SYSTEM
                                                                                       : LIBRARY;
}

/* The module or package of a function that is in none of the other groups. */
static Candidate
find_candidate (const PvFunction *function, const PvModule *module, PvOwnedBy by)
{
    Candidate found = {.name = "", .owner = PV_OWNER_OTHER};
    bool is_whole_module = module != NULL && function->name == module->name;
    if ((by == PV_OWNED_BY_PACKAGE && !is_whole_module) || module == NULL)
        found.name = pv_function_find_package (function, &found.len);
    if (found.len > 0) {
        found.kind = find_package_kind (found.name, found.len, module);
        return found;
    }
    found.name = module != NULL && module->name != NULL ? module->name : "";
    found.len = strlen (found.name);
    found.kind = find_module_kind (module);
    if (module != NULL && module->section_kind != PV_SECTION_NONE)
        found.owner =
            (uint8_t)(PV_OWNER_SECTIONS + MIN (module->section_kind, PV_SECTION_REST) - 1);
    else if (found.kind == SYSTEM)
        found.owner = PV_OWNER_SYSTEM;
    return found;
}

/* Its id, from 1 on. */
static uint32_t
add_candidate (Search *self, const Candidate *candidate, double weight)
{
    PvHash hash = pv_hash_bytes (candidate->name, candidate->len, 1);
    uint32_t *id = pv_hash_map_slot (&self->ids, hash);
    if (*id == 0) {
        pv_array_push (&self->candidates, *candidate);
        *id = (uint32_t)self->candidates.len;
        self->candidates.data[*id - 1].hash = hash.a;
    }
    self->candidates.data[*id - 1].weight += weight;
    return *id;
}

/* Numbers */

static int
compare_candidates (const void *a, const void *b)
{
    const Candidate *x = *(Candidate *const *)a, *y = *(Candidate *const *)b;
    if (x->weight != y->weight)
        return pv_order (y->weight, x->weight);
    int order = strncmp (x->name, y->name, MIN (x->len, y->len));
    return order != 0 ? order : pv_order (x->len, y->len);
}

/* The program has the first number, the system's libraries like the next ones. Names choose among
 * those, so that most have the same number in other profiles too. */
static uint8_t
choose_number (const Candidate *candidate, unsigned taken)
{
    static const struct {
        unsigned first, n;
    } liked[] = {[OWN] = {0, 1}, [SYSTEM] = {1, 3}, [LIBRARY] = {4, 4}};
    unsigned first = liked[candidate->kind].first, n = liked[candidate->kind].n;
    for (unsigned i = 0; i < n; i++) {
        unsigned number = first + (unsigned)((candidate->hash + i) % n);
        if ((taken >> number & 1) == 0)
            return (uint8_t)number;
    }
    for (unsigned number = PV_N_OWNERS; number-- > 0;)
        if ((taken >> number & 1) == 0)
            return (uint8_t)number;
    g_assert_not_reached ();
}

/* names gets copies, which are appended to text. */
static void
give_numbers (Search *self, const char *names[PV_N_OWNERS], GString *text)
{
    size_t n = self->candidates.len;
    g_autofree Candidate **sorted = g_new (Candidate *, n + 1);
    unsigned taken = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = &self->candidates.data[i];
    qsort (sorted, n, sizeof *sorted, compare_candidates);
    for (size_t i = 0, given = 0; i < n && given < PV_N_OWNERS && sorted[i]->weight > 0; i++) {
        if (sorted[i]->owner >= PV_OWNER_SECTIONS)
            continue;
        sorted[i]->owner = choose_number (sorted[i], taken);
        taken |= 1u << sorted[i]->owner;
        names[sorted[i]->owner] = GSIZE_TO_POINTER (text->len + 1);
        g_string_append_len (text, sorted[i]->name, (gssize)sorted[i]->len);
        g_string_append_c (text, '\0');
        given++;
    }
}

static void
find_owners (Search *self, PvOwnedBy by, uint8_t *owners, const char *names[PV_N_OWNERS],
             GString *text)
{
    const PvSymbolTable *symbols = self->symbols;
    g_autofree uint32_t *ids = g_new0 (uint32_t, symbols->n_functions);
    self->candidates.len = 0;
    pv_hash_map_clear (&self->ids);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++) {
        const PvFunction *function = &symbols->functions[f];
        const PvModule *module = find_module (self, function);
        owners[f] = (uint8_t)find_group (module, function);
        if (owners[f] != PV_OWNER_OTHER)
            continue;
        Candidate candidate = find_candidate (function, module, by);
        ids[f] = add_candidate (self, &candidate, self->weight_of_function[f]);
    }
    give_numbers (self, names, text);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (ids[f] != 0)
            owners[f] = self->candidates.data[ids[f] - 1].owner;
}

/* True if one module has nearly all but the kernel's, and has packages. owners: by module. */
static bool
find_dominant (const Search *self, const uint8_t *owners)
{
    double self_of_owner[PV_N_OWNERS] = {0}, packaged[PV_N_OWNERS] = {0}, whole = 0;
    for (PvFunctionId f = 1; f < self->symbols->n_functions; f++) {
        const PvFunction *function = &self->symbols->functions[f];
        size_t len;
        if (owners[f] == PV_OWNER_KERNEL)
            continue;
        whole += self->self_of_function[f];
        if (owners[f] >= PV_N_OWNERS || find_module (self, function) == NULL)
            continue;
        self_of_owner[owners[f]] += self->self_of_function[f];
        pv_function_find_package (function, &len);
        if (len > 0)
            packaged[owners[f]] += self->self_of_function[f];
    }
    for (unsigned i = 0; i < PV_N_OWNERS; i++)
        if (self_of_owner[i] > 0 && self_of_owner[i] >= LEAST_DOMINANT * whole)
            return packaged[i] >= LEAST_PACKAGED * self_of_owner[i];
    return false;
}

/* In one block of memory: functions' numbers and names follow. */
static PvOwners *
build_owners (const PvSymbolTable *symbols, const PvProfile *profile)
{
    Search self = {.profile = profile, .symbols = symbols};
    uint32_t n = symbols->n_functions;
    g_autoptr (GString) text = g_string_new (NULL);
    g_autofree uint8_t *numbers = g_new (uint8_t, n * PV_N_OWNED_BY);
    PvOwners owners = {.n_functions = n};
    memset (numbers, PV_OWNER_UNKNOWN, n * PV_N_OWNED_BY);
    self.weight_of_function = g_new0 (double, n);
    self.self_of_function = g_new0 (double, n);
    weigh_functions (&self);
    for (unsigned by = 0; by < PV_N_OWNED_BY; by++)
        find_owners (&self, by, numbers + (size_t)by * n, owners.names[by], text);
    owners.is_of_packages = find_dominant (&self, numbers);
    g_free (self.weight_of_function);
    g_free (self.self_of_function);
    pv_array_clear (&self.candidates);
    pv_hash_map_clear (&self.ids);

    uint8_t *block = g_malloc (sizeof owners + (size_t)n * PV_N_OWNED_BY + text->len);
    uint8_t *its_numbers = block + sizeof owners;
    char *its_text = (char *)its_numbers + (size_t)n * PV_N_OWNED_BY;
    memcpy (its_numbers, numbers, (size_t)n * PV_N_OWNED_BY);
    memcpy (its_text, text->str, text->len);
    for (unsigned by = 0; by < PV_N_OWNED_BY; by++) {
        owners.owner_of_function[by] = its_numbers + (size_t)by * n;
        for (unsigned i = 0; i < PV_N_OWNERS; i++)
            if (owners.names[by][i] != NULL)
                owners.names[by][i] = its_text + GPOINTER_TO_SIZE (owners.names[by][i]) - 1;
    }
    memcpy (block, &owners, sizeof owners);
    return (PvOwners *)(void *)block;
}

const PvOwners *
pv_symbol_table_get_owners (const PvSymbolTable *symbols, const PvProfile *profile)
{
    g_assert (symbols != NULL && profile != NULL && symbols->n_functions > 0);
    g_assert (symbols->n_locations >= profile->n_locations);
    PvOwners **place = &((PvSymbolTable *)symbols)->owners;
    PvOwners *known = __atomic_load_n (place, __ATOMIC_ACQUIRE);
    if (known != NULL)
        return known;
    PvOwners *made = build_owners (symbols, profile);
    if (__atomic_compare_exchange_n (place, &known, made, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE))
        return made;
    g_free (made); /* another thread was faster */
    return known;
}
