/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/join/compare-join.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/analyze/join/join-modules.h"
#include "core/analyze/join/join-names.h"
#include "core/analyze/join/join-places.h"
#include "core/model/profile/short-name.h"

#define NOT_YET UINT32_MAX

enum { ROWS_PER_CHECK = 65536 };

/* --- modules --- */

/* Not all formats say which file is the program; it is the first one that is no library. Some have
 * no files at all. */
static bool
may_be_main (const PvModule *module)
{
    return module->kind == PV_MODULE_FILE && !module->is_kernel &&
           strstr (module->name, ".so") == NULL && *module->name != '[';
}

/* One bool per module: something was recorded in it. What launched the program may not have that.
 */
static bool *
find_seen_modules (const PvProfile *profile)
{
    bool *is_seen = g_new0 (bool, MAX (profile->n_modules, 1));
    for (PvLocationId l = 1; l < profile->n_locations; l++)
        is_seen[profile->module_of_location[l]] = true;
    return is_seen;
}

static const PvModule *
find_first_main (const PvProfile *profile, const bool *is_seen)
{
    const PvModule *first = NULL, *unknown = NULL;
    bool has_any = false;
    for (PvModuleId m = 1; m < profile->n_modules; m++) {
        const PvModule *module = &profile->modules[m];
        if (module->is_main && module->kind == PV_MODULE_FILE && is_seen[m])
            return module;
        if (module->kind == PV_MODULE_UNKNOWN && !module->is_kernel)
            unknown = module;
        else
            has_any = true;
        if (first == NULL && may_be_main (module))
            first = module;
    }
    return has_any ? first : unknown;
}

/* The name of the side's recorded program; NULL if there are several, or none is known. */
static char *
find_main_name (const PvCompareRun *runs, uint32_t n_runs)
{
    g_autofree char *found = NULL;
    for (uint32_t r = 0; r < n_runs; r++) {
        g_autofree bool *is_seen = find_seen_modules (runs[r].profile);
        const PvModule *first = find_first_main (runs[r].profile, is_seen);
        for (PvModuleId m = 1; m < runs[r].profile->n_modules; m++) {
            const PvModule *module = &runs[r].profile->modules[m];
            if (module != first &&
                (!module->is_main || module->kind != PV_MODULE_FILE || !is_seen[m]))
                continue;
            g_autofree char *name = pv_compare_make_module_name (module);
            if (found != NULL && strcmp (found, name) != 0)
                return NULL;
            if (found == NULL)
                found = g_steal_pointer (&name);
        }
    }
    return g_steal_pointer (&found);
}

char *
pv_compare_find_main_name (const PvProfile *profile)
{
    g_assert (profile != NULL);
    const PvCompareRun only = {.profile = profile};
    return find_main_name (&only, 1);
}

/* True for "https://example.org/app.js", which is a file in some formats, and code that was made at
 * run time in others. */
static bool
is_script (const PvModule *module)
{
    return strcmp (module->name, "JavaScript") == 0 ||
           (module->path != NULL && strstr (module->path, "://") != NULL) ||
           strstr (module->name, "://") != NULL;
}

static bool
has_scripts (const PvProfile *profile)
{
    for (PvModuleId m = 1; m < profile->n_modules; m++)
        if (profile->modules[m].kind == PV_MODULE_JIT && is_script (&profile->modules[m]))
            return true;
    return false;
}

PvModuleId
pv_compare_join_module (PvCompareJoin *join, PvJoinedProfile *joined, PvModuleId module)
{
    PvModuleId *id = &joined->module_of[module];
    if (*id != NOT_YET)
        return *id;
    PvModule copy = joined->profile->modules[module];
    g_autofree char *name = pv_compare_make_module_name (&copy);
    if (copy.section_kind == PV_SECTION_CODE && joined->program != NULL) {
        g_autofree char *base = g_path_get_basename (joined->program);
        g_free (name);
        name = pv_compare_make_module_name (&(PvModule){.name = base, .kind = PV_MODULE_FILE});
    }
    if (join->has_scripts && copy.kind == PV_MODULE_FILE && is_script (&copy)) {
        g_free (name);
        name = pv_compare_make_module_name (&(PvModule){.name = "[jit]", .kind = PV_MODULE_JIT});
    }
    const bool is_nameless = strcmp (name, PV_COMPARE_NAMELESS) == 0;
    if (g_strcmp0 (name, join->other_main_name) == 0 &&
        !(is_nameless && pv_compare_has_files (joined->profile))) {
        g_free (name);
        name = g_strdup (join->main_name);
    }
    gpointer known = g_hash_table_lookup (join->modules, name);
    if (known == NULL) {
        copy.named_ranges = NULL;
        copy.n_named_ranges = 0;
        known = GUINT_TO_POINTER (pv_profile_builder_add_module (join->builder, &copy));
        g_hash_table_insert (join->modules, g_steal_pointer (&name), known);
    }
    *id = GPOINTER_TO_UINT (known);
    PvModule *into = pv_profile_builder_module (join->builder, *id);
    /* The kernel says more than that addresses are of some kernel. */
    if (into->kind == PV_MODULE_UNKNOWN && copy.kind == PV_MODULE_KERNEL) {
        into->name = pv_profile_builder_string (join->builder, copy.name);
        into->path = pv_profile_builder_string (join->builder, copy.path);
        into->kind = copy.kind;
    }
    return *id;
}

/* The module of a location: where it is not known, that of the function it is in. */
static PvModuleId
join_place (PvCompareJoin *join, PvJoinedProfile *joined, PvLocationId location)
{
    const PvModuleId module = joined->profile->module_of_location[location];
    PvModuleId own = pv_compare_join_module (join, joined, module);
    if (joined->module_of_function == NULL ||
        !pv_compare_is_nowhere (&joined->profile->modules[module]))
        return own;
    uint32_t n;
    const PvFrame *chain = pv_symbol_table_frames (joined->symbols, location, &n);
    PvModuleId of_function = n > 0 ? joined->module_of_function[chain[n - 1].function] : 0;
    return of_function != 0 ? of_function : own;
}

/* --- locations and stacks --- */

/* Joins places in the same file; those in different files stay apart, as their lines may differ. */
static PvLocationId
join_location (PvCompareJoin *join, PvJoinedProfile *joined, PvLocationId location)
{
    PvLocationId *id = &joined->location_of[location];
    if (*id != NOT_YET)
        return *id;
    if (joined->twin_of != NULL && joined->twin_of[location] != 0)
        return *id = join_location (join, &join->profiles.data[joined->twin_place],
                                    joined->twin_of[location]);
    const PvProfile *profile = joined->profile;
    const PvModule *module = &profile->modules[profile->module_of_location[location]];
    PvModuleId into = join_place (join, joined, location);
    uint64_t address = profile->address_of_location[location];
    PvLocationKind kind = profile->kind_of_location[location];
    bool is_other =
        joined->is_other != NULL && joined->is_other[profile->module_of_location[location]];
    bool is_fixed = module->build_id_size > 0 && module->address_kind != PV_ADDRESS_RUNTIME &&
                    kind != PV_LOCATION_NAMED && !is_other;
    if (!is_fixed)
        return *id = pv_profile_builder_add_location (join->builder, into, address, kind);
    uint64_t words[4] = {address, kind, into, module->address_kind};
    PvHash hash = pv_hash_bytes (words, sizeof words, 0);
    uint32_t *slot =
        pv_hash_map_slot (&join->location_ids,
                          pv_hash_bytes (module->build_id, module->build_id_size, hash.a ^ hash.b));
    if (*slot == 0)
        *slot = pv_profile_builder_add_location (join->builder, into, address, kind);
    return *id = *slot;
}

bool
pv_compare_join_hide (PvCompareJoin *join, size_t place, const PvQuery *query, GError **error)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    g_assert (joined->filter == NULL);
    for (uint32_t i = 0; i < query->n_transforms; i++) {
        const PvTransform *transform = &query->transforms[i];
        bool is_default =
            transform->kind == PV_TRANSFORM_HIDE_ALLOCATORS || transform->kind == PV_TRANSFORM_DROP;
        if (is_default && !transform->is_off)
            pv_query_add_copy (&joined->hidden, transform);
    }
    if (joined->hidden.n_transforms == 0)
        return true;
    joined->filter = pv_stack_filter_new (joined->profile, joined->symbols, &joined->hidden, error);
    joined->state_of_stack = g_new0 (uint32_t, MAX (joined->profile->n_stacks, 1));
    return joined->filter != NULL;
}

/* A location with some of the frames of another one. */
static PvLocationId
join_part (PvCompareJoin *join, size_t place, PvLocationId location, const bool *is_kept,
           uint32_t n_frames)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    const PvProfile *profile = joined->profile;
    PvHash key =
        pv_hash_bytes (is_kept, n_frames * sizeof *is_kept, (uint64_t)place << 32 | location);
    uint32_t *slot = pv_hash_map_slot (&join->part_ids, key);
    if (*slot == 0) {
        PvModuleId module = join_place (join, joined, location);
        PvJoinedPart part = {
            .place = place,
            .location = location,
            .into = pv_profile_builder_add_location (join->builder, module,
                                                     profile->address_of_location[location],
                                                     profile->kind_of_location[location]),
            .is_kept = g_memdup2 (is_kept, n_frames * sizeof *is_kept),
        };
        pv_array_push (&join->parts, part);
        *slot = (uint32_t)join->parts.len;
    }
    return join->parts.data[*slot - 1].into;
}

/* True if the function runs before main, or before the function of a thread: in the C library or in
 * code of the compiler. */
static bool
is_start_name (const char *name)
{
    static const char *const names[] = {"_start",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "__libc_start_call_main",
                                        "_start_c",
                                        "__clone",
                                        "clone",
                                        "__clone3",
                                        "clone3",
                                        "start_thread",
                                        "__GI___clone",
                                        "__GI___clone3"};
    size_t len = strcspn (name, "@");
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (strlen (names[i]) == len && strncmp (names[i], name, len) == 0)
            return true;
    return false;
}

void
pv_compare_join_cut_start (PvCompareJoin *join, size_t place)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    const PvSymbolTable *symbols = joined->symbols;
    g_assert (joined->is_start == NULL);
    joined->is_start = g_new0 (bool, MAX (symbols->n_functions, 1));
    joined->is_at_start = g_new0 (bool, MAX (joined->profile->n_stacks, 1));
    joined->is_at_start[0] = true;
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        joined->is_start[f] = is_start_name (symbols->functions[f].name);
}

/* Finds the frames of a stack's location that are left, with the filter's state after them. */
static void
filter_frames (PvJoinedProfile *joined, PvStackId stack, const PvFrame *chain, uint32_t n_frames,
               bool *ret_is_kept)
{
    PvStackId parent = joined->profile->parent_of_stack[stack];
    for (uint32_t i = 0; i < n_frames; i++)
        ret_is_kept[i] = true;
    if (joined->filter == NULL)
        return;
    uint32_t state = joined->state_of_stack[parent];
    for (uint32_t i = n_frames; i-- > 0;) {
        PvFunctionId function;
        ret_is_kept[i] = pv_stack_filter_step (joined->filter, &state, &chain[i], &function);
    }
    joined->state_of_stack[stack] = state;
}

/* Takes away what only starts others. Where there are no others, the innermost stays. */
static void
cut_frames (PvJoinedProfile *joined, PvStackId stack, const PvFrame *chain, uint32_t n_frames,
            bool *is_kept)
{
    uint32_t last = n_frames; /* the innermost that was taken away */
    bool is_at_start =
        joined->is_start != NULL && joined->is_at_start[joined->profile->parent_of_stack[stack]];
    for (uint32_t i = n_frames; i-- > 0 && is_at_start;) {
        if (!is_kept[i])
            continue;
        is_at_start = joined->is_start[chain[i].function];
        is_kept[i] = !is_at_start;
        last = is_at_start ? i : last;
    }
    if (joined->is_start != NULL)
        joined->is_at_start[stack] = is_at_start;
    if (is_at_start && last < n_frames && !joined->has_only_start)
        is_kept[last] = true;
}

static PvStackId
join_stack (PvCompareJoin *join, size_t place, PvStackId stack)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    PvStackId parent = joined->profile->parent_of_stack[stack];
    PvLocationId location = joined->profile->location_of_stack[stack], into;
    PvStackId below = joined->stack_of[parent];
    if (joined->filter == NULL && joined->is_start == NULL)
        return pv_profile_builder_stack (join->builder, below,
                                         join_location (join, joined, location));
    uint32_t n, n_kept = 0;
    const PvFrame *chain = pv_symbol_table_frames (joined->symbols, location, &n);
    g_autofree bool *is_kept = g_new (bool, MAX (n, 1));
    filter_frames (joined, stack, chain, n, is_kept);
    cut_frames (joined, stack, chain, n, is_kept);
    for (uint32_t i = 0; i < n; i++)
        n_kept += is_kept[i];
    if (n > 0 && n_kept == 0)
        return below;
    into = n_kept == n ? join_location (join, joined, location)
                       : join_part (join, place, location, is_kept, n);
    bool is_root = joined->is_start != NULL && joined->is_at_start[parent];
    return pv_profile_builder_stack (join->builder, is_root ? 0 : below, into);
}

bool
pv_compare_join_stacks (PvCompareJoin *join, size_t place, const bool *is_wanted, PvJob *job,
                        GError **error)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    const PvProfile *profile = joined->profile;
    g_autofree bool *is_needed = g_memdup2 (is_wanted, MAX (profile->n_stacks, 1));
    for (PvStackId s = profile->n_stacks; s-- > 1;)
        if (is_needed[s])
            is_needed[profile->parent_of_stack[s]] = true;
    for (PvStackId s = 1; s < profile->n_stacks; s++) {
        if (!is_needed[s] || joined->stack_of[s] != NOT_YET)
            continue;
        joined->stack_of[s] = join_stack (join, place, s);
        if (s % ROWS_PER_CHECK == 0 && !pv_job_check (job, error))
            return false;
    }
    return pv_query_check_complete (&joined->hidden, error) && pv_job_check (job, error);
}

/* --- threads and labels --- */

static PvHash
hash_name (const char *name, uint64_t owner)
{
    return pv_hash_bytes (name != NULL ? name : "", name != NULL ? strlen (name) : 0, owner);
}

static PvProcessId
join_process (PvCompareJoin *join, const PvProcess *process)
{
    uint32_t *slot = pv_hash_map_slot (&join->process_ids, hash_name (process->name, 0));
    if (*slot == 0)
        *slot = pv_profile_builder_add_process (join->builder, -1, process->name, 0);
    return *slot;
}

PvThreadId
pv_compare_join_thread (PvCompareJoin *join, size_t place, PvThreadId thread)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    PvThreadId *id = &joined->thread_of[thread];
    if (*id != NOT_YET)
        return *id;
    const PvThread *row = &joined->profile->threads[thread];
    PvProcessId process = join_process (join, &joined->profile->processes[row->process]);
    uint32_t *slot = pv_hash_map_slot (&join->thread_ids, hash_name (row->name, process + 1ull));
    if (*slot == 0)
        *slot = pv_profile_builder_add_thread (join->builder, process, -1, row->name, 0);
    return *id = *slot;
}

uint32_t
pv_compare_join_label_set (PvCompareJoin *join, size_t place, uint32_t label_set)
{
    PvJoinedProfile *joined = &join->profiles.data[place];
    uint32_t *id = &joined->label_set_of[label_set];
    if (*id != NOT_YET)
        return *id;
    const PvProfile *profile = joined->profile;
    uint32_t first = profile->first_label_of_set[label_set];
    uint32_t end = profile->first_label_of_set[label_set + 1];
    g_autofree PvLabel *labels = g_new0 (PvLabel, MAX (end - first, 1));
    for (uint32_t i = first; i < end; i++) {
        PvLabel *label = &labels[i - first];
        *label = profile->labels[i];
        label->key = pv_profile_builder_string (join->builder, label->key);
        label->text = pv_profile_builder_string (join->builder, label->text);
        label->unit = pv_profile_builder_string (join->builder, label->unit);
    }
    return *id = pv_profile_builder_label_set (join->builder, labels, end - first);
}

/* --- names --- */

/* The name of what stands for addresses without code: one for all where a side has one for all. */
static const char *
name_unmapped (const PvCompareJoin *join, const PvFunction *function)
{
    if (join->has_unmapped)
        return PV_COMPARE_NAMELESS;
    return strcmp (function->name, "???") == 0 ? "??" : function->name;
}

static PvFunctionId
add_function (PvSymbolBuilder *builder, const PvCompareJoin *join, size_t place, PvFunctionId id,
              const PvJoinNames *names, const PvJoinPlaces *places)
{
    const PvFunction *function = &join->profiles.data[place].symbols->functions[id];
    g_autofree char *made = NULL;
    PvFunction copy = *function;
    copy.module = pv_compare_join_get_function_module (&join->profiles.data[place], id);
    const char *number = pv_join_places_get_name (places, place, id);
    if (number != NULL && strcmp (number, copy.name) != 0) {
        copy.name = number;
        copy.short_name = copy.raw_name = NULL;
    } else if (function->kind == PV_FUNCTION_NAMED &&
               pv_join_names_apply (names, place, id, &copy) && copy.short_name == NULL)
        copy.short_name = made = pv_shorten_name (copy.name);
    if ((number == NULL || join->has_unmapped) &&
        pv_compare_is_nowhere (pv_profile_builder_module (join->builder, copy.module)) &&
        pv_compare_is_unmapped (function, join->profiles.data[place].profile)) {
        copy.name = name_unmapped (join, function);
        copy.short_name = copy.raw_name = NULL;
        copy.kind = PV_FUNCTION_UNKNOWN;
    }
    return pv_symbol_builder_function (builder, &copy);
}

/* Copies the label, unless the function was renamed or got another name to be distinct. */
static void
copy_label (PvSymbolBuilder *builder, PvFunctionId into, const PvFunction *function)
{
    uint32_t n_functions;
    const PvFunction *functions = pv_symbol_builder_get_functions (builder, &n_functions);
    if (into != 0 && function->label != function->short_name &&
        strcmp (functions[into].name, function->name) == 0)
        pv_symbol_builder_set_label (builder, into, function->label);
}

/* Conversion of the names of a profile to joined ones. */
typedef struct {
    PvSymbolBuilder *builder;
    const PvCompareJoin *join;
    size_t place;
    const PvJoinNames *names;
    const PvJoinPlaces *places;
    const bool *is_flat; /* by joined module; NULL: none is */
    bool *has_flattened;
    PvFunctionId *function_of;
    PV_ARRAY (PvFrame) frames; /* of one location */
} Naming;

/* True if inlined frames of the location count as the function that they are inlined into. */
static bool
is_flat_location (const Naming *self, PvLocationId location)
{
    const PvJoinedProfile *joined = &self->join->profiles.data[self->place];
    if (self->is_flat == NULL || !self->is_flat[pv_compare_join_get_module (
                                     joined, joined->profile->module_of_location[location])])
        return false;
    *self->has_flattened = true;
    return true;
}

/* is_kept: by frame; NULL: all. */
static void
name_location (Naming *self, PvLocationId location, PvLocationId into, const bool *is_kept)
{
    const PvSymbolTable *symbols = self->join->profiles.data[self->place].symbols;
    uint32_t n;
    const PvFrame *chain = pv_symbol_table_frames (symbols, location, &n);
    const bool is_flat = n > 1 && is_flat_location (self, location);
    self->frames.len = 0;
    for (uint32_t i = 0; i < n; i++) {
        PvFrame frame = chain[i];
        PvFunctionId *id = &self->function_of[frame.function];
        if ((is_kept != NULL && !is_kept[i]) || (is_flat && frame.is_inlined && i + 1 < n))
            continue;
        if (*id == 0 && frame.function != 0)
            *id = add_function (self->builder, self->join, self->place, frame.function, self->names,
                                self->places);
        frame.function = *id;
        frame.file = pv_symbol_builder_string (self->builder, frame.file);
        pv_array_push (&self->frames, frame);
    }
    if (n > 0)
        pv_symbol_builder_set_frames (self->builder, into, self->frames.data, self->frames.len);
}

static bool
add_frames (PvSymbolBuilder *builder, const PvCompareJoin *join, size_t place, bool *is_named,
            const PvJoinNames *names, const PvJoinPlaces *places, const bool *is_flat,
            bool *has_flattened, PvJob *job, GError **error)
{
    const PvJoinedProfile *joined = &join->profiles.data[place];
    bool is_done = true;
    const PvSymbolTable *symbols = joined->symbols;
    g_autofree PvFunctionId *function_of = g_new0 (PvFunctionId, symbols->n_functions);
    Naming naming = {builder, join, place, names, places, is_flat, has_flattened, function_of, {0}};
    for (PvLocationId l = 1; l < symbols->n_locations && is_done; l++) {
        PvLocationId into = joined->location_of[l];
        if (l % ROWS_PER_CHECK == 0)
            is_done = pv_job_check (job, error);
        const bool is_twin = joined->twin_of != NULL && joined->twin_of[l] != 0;
        if (into == NOT_YET || is_named[into] || is_twin)
            continue;
        name_location (&naming, l, into, NULL);
        is_named[into] = true;
    }
    for (size_t i = 0; i < join->parts.len; i++) {
        const PvJoinedPart *part = &join->parts.data[i];
        if (part->place == place)
            name_location (&naming, part->location, part->into, part->is_kept);
    }
    for (PvFunctionId f = 1; f < symbols->n_functions && is_done; f++)
        copy_label (builder, function_of[f], &symbols->functions[f]);
    pv_array_clear (&naming.frames);
    return is_done;
}

static void
add_module_symbols (PvSymbolBuilder *builder, const PvJoinedProfile *joined)
{
    for (PvModuleId m = 1; m < joined->profile->n_modules; m++) {
        PvModuleId into = joined->module_of[m];
        if (into == NOT_YET ||
            pv_symbol_builder_get_module (builder, into) != PV_MODULE_SYMBOLS_PENDING)
            continue;
        pv_symbol_builder_set_module (builder, into, joined->symbols->symbols_of_module[m],
                                      joined->symbols->file_of_module[m]);
        if (joined->symbols->links_of_module != NULL)
            pv_symbol_builder_set_links (builder, into, &joined->symbols->links_of_module[m]);
    }
}

PvSymbolTable *
pv_compare_join_symbols (const PvCompareJoin *join, const PvProfile *joined,
                         const char *const *renames, PvJob *job, GError **error)
{
    bool has_folded = false;
    for (size_t p = 0; p < join->profiles.len; p++)
        has_folded |= pv_compare_is_folded (join->profiles.data[p].profile);
    g_autoptr (PvJoinNames) names = pv_join_names_new (renames, has_folded, error);
    if (names == NULL)
        return NULL;
    g_autoptr (PvJoinPlaces) places = pv_join_places_new (
        join->is_of_one_recording || join->is_of_one_build, join->no_module, NULL);
    for (size_t p = 0; p < join->profiles.len; p++) {
        const PvJoinedProfile *added = &join->profiles.data[p];
        g_autofree PvModuleId *module_of =
            g_new0 (PvModuleId, MAX (added->symbols->n_functions, 1));
        for (PvFunctionId f = 1; f < added->symbols->n_functions; f++)
            module_of[f] = pv_compare_join_get_function_module (added, f);
        pv_join_names_add (names, added->symbols, module_of, added->program != NULL);
        pv_join_places_add (places, added->profile, added->symbols, module_of,
                            added->module_of_function, job);
    }
    if (!pv_join_names_decide (names, job, error))
        return NULL;
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (joined);
    g_autofree bool *is_flat = pv_compare_join_find_flat (join, joined);
    bool has_flattened = false;
    g_autofree bool *is_named = g_new0 (bool, MAX (joined->n_locations, 1));
    for (size_t p = 0; p < join->profiles.len; p++) {
        if (!add_frames (builder, join, p, is_named, names, places, is_flat, &has_flattened, job,
                         error))
            return NULL;
        add_module_symbols (builder, &join->profiles.data[p]);
    }
    pv_compare_join_note_nameless (join, builder, joined);
    uint32_t n_sums = pv_join_names_count_sums (names);
    if (has_flattened)
        pv_symbol_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                _ ("One side does not tell inlined functions. Those of the other "
                                   "side count as the functions that they are inlined into."));
    if (n_sums > 0)
        pv_symbol_builder_note (
            builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
            ngettext ("One side has names without parameters. %u function is there the sum of "
                      "several that differ only in these.",
                      "One side has names without parameters. %u functions are there the sums of "
                      "several that differ only in these.",
                      n_sums),
            n_sums);
    return pv_symbol_builder_publish (builder, true);
}

/* --- the whole --- */

/* True if a run of the side has code in a file of this name. */
static bool
has_module (const PvCompareInput *input, PvSide side, const char *wanted)
{
    if (strcmp (wanted, PV_COMPARE_NAMELESS) == 0)
        return false;
    for (uint32_t r = 0; r < input->n_runs[side]; r++) {
        const PvProfile *profile = input->runs[side][r].profile;
        g_autofree bool *is_seen = find_seen_modules (profile);
        for (PvModuleId m = 1; m < profile->n_modules; m++) {
            g_autofree char *name = pv_compare_make_module_name (&profile->modules[m]);
            if (is_seen[m] && strcmp (name, wanted) == 0)
                return true;
        }
    }
    return false;
}

void
pv_compare_join_init (PvCompareJoin *join, const PvCompareInput *input)
{
    *join = (PvCompareJoin){.builder = pv_profile_builder_new ()};
    join->modules = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    if (input == NULL)
        return;
    g_autofree char *base = find_main_name (input->runs[PV_SIDE_BASE], input->n_runs[PV_SIDE_BASE]);
    g_autofree char *newer = find_main_name (input->runs[PV_SIDE_NEW], input->n_runs[PV_SIDE_NEW]);
    if (base != NULL && newer != NULL && strcmp (base, newer) != 0 &&
        !has_module (input, PV_SIDE_BASE, newer) && !has_module (input, PV_SIDE_NEW, base)) {
        /* A program is known by its name only. */
        const bool is_swapped = strcmp (newer, PV_COMPARE_NAMELESS) == 0;
        join->main_name = is_swapped ? g_steal_pointer (&base) : g_steal_pointer (&newer);
        join->other_main_name = is_swapped ? g_steal_pointer (&newer) : g_steal_pointer (&base);
    }
}

void
pv_compare_join_clear (PvCompareJoin *join)
{
    for (size_t p = 0; p < join->profiles.len; p++) {
        g_free (join->profiles.data[p].module_of);
        g_free (join->profiles.data[p].is_other);
        g_free (join->profiles.data[p].module_of_function);
        g_free (join->profiles.data[p].location_of);
        g_free (join->profiles.data[p].twin_of);
        g_free (join->profiles.data[p].stack_of);
        g_free (join->profiles.data[p].thread_of);
        g_free (join->profiles.data[p].label_set_of);
        pv_query_clear (&join->profiles.data[p].hidden);
        if (join->profiles.data[p].filter != NULL)
            pv_stack_filter_unref (join->profiles.data[p].filter);
        g_free (join->profiles.data[p].state_of_stack);
        g_free (join->profiles.data[p].is_start);
        g_free (join->profiles.data[p].is_at_start);
    }
    pv_array_clear (&join->profiles);
    for (size_t i = 0; i < join->parts.len; i++)
        g_free (join->parts.data[i].is_kept);
    pv_array_clear (&join->parts);
    pv_hash_map_clear (&join->part_ids);
    g_hash_table_unref (join->modules);
    pv_hash_map_clear (&join->location_ids);
    pv_hash_map_clear (&join->process_ids);
    pv_hash_map_clear (&join->thread_ids);
    g_free ((char *)join->main_name);
    g_free ((char *)join->other_main_name);
    pv_profile_builder_free (join->builder);
}

/* True if addresses of a profile at which there was no code are one function. */
static bool
has_unmapped (const PvProfile *profile, const PvSymbolTable *symbols)
{
    g_autofree bool *is_used = pv_join_names_find_used (symbols);
    for (PvFunctionId f = 1; f < symbols->n_functions; f++)
        if (is_used[f] && pv_compare_is_unmapped (&symbols->functions[f], profile) &&
            strcmp (symbols->functions[f].name, PV_COMPARE_NAMELESS) == 0)
            return true;
    return false;
}

static uint32_t *
new_map (uint32_t n)
{
    uint32_t *map = g_new (uint32_t, MAX (n, 1));
    memset (map, 0xff, MAX (n, 1) * sizeof *map);
    map[0] = 0; /* none */
    return map;
}

size_t
pv_compare_join_find (PvCompareJoin *join, const PvProfile *profile, const PvSymbolTable *symbols)
{
    for (size_t p = 0; p < join->profiles.len; p++)
        if (join->profiles.data[p].profile == profile && join->profiles.data[p].symbols == symbols)
            return p;
    PvJoinedProfile joined = {
        .profile = profile,
        .symbols = symbols,
        .module_of = new_map (profile->n_modules),
        .is_other = pv_symbol_table_find_other_files (symbols),
        .location_of = new_map (profile->n_locations),
        .stack_of = new_map (profile->n_stacks),
        .thread_of = new_map (profile->n_threads),
        .label_set_of = new_map (profile->n_label_sets),
    };
    pv_query_init (&joined.hidden);
    pv_array_push (&join->profiles, joined);
    join->has_scripts = join->has_scripts || has_scripts (profile);
    join->has_unmapped = join->has_unmapped || has_unmapped (profile, symbols);
    if (profile->n_counters > 0)
        pv_profile_builder_note (join->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("Counters such as memory are not shown here. To see them, open "
                                    "each file by itself."));
    return join->profiles.len - 1;
}
