/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first step: names from symbol tables. */
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "core/base/array.h"
#include "core/elf/address-claims.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/go/go-pclntab.h"
#include "core/symbolize/names/jit-symbols.h"
#include "core/symbolize/symbolizer-private.h"

static bool
has_files (const PvModule *module)
{
    return module->kind != PV_MODULE_UNKNOWN && module->kind != PV_MODULE_JIT &&
           module->address_kind != PV_ADDRESS_ORDINAL;
}

/* Go's table calls all instances of a generic function "F[...]"; the symbol identifies the
 * instance. */
static void
name_instance (const PvFrameChain *chain, const PvSymbolHit *hit)
{
    PvChainFrame *frame = (PvChainFrame *)&chain->frames[chain->n_frames - 1];

    if (hit->kind == PV_SYMBOL_NAMED && strstr (frame->name, "[...]") != NULL)
        frame->name = hit->name;
}

/* Looks up ELF symbols and the function table that is in every Go program. */
static void
find_in_files (PvModuleWork *work)
{
    PvSymbolHit *found = g_new (PvSymbolHit, work->n_addrs);
    const PvModuleFile *file = work->file;

    work->has_full_table =
        pv_elf_symbols_find (file, work->addrs, work->n_addrs, found, work->arena);
    for (size_t i = 0; i < work->n_addrs; i++)
        if (work->hits[i].kind == PV_SYMBOL_NONE)
            work->hits[i] = found[i];
    g_free (found);
    if (file->debug != NULL)
        work->names_path = pv_elf_image_get_path (file->debug);
    if (file->binary == NULL)
        return;
    g_autoptr (PvGoTable) table = pv_go_table_new (file->binary, work->arena);
    if (table == NULL)
        return;
    work->has_lines = true;
    for (size_t i = 0; i < work->n_addrs; i++)
        if (pv_go_table_find (table, work->addrs[i], &work->chains[i]))
            name_instance (&work->chains[i], &work->hits[i]);
}

/* Every kernel has its own vdso; without a build-id, only the release shows that it is the vdso of
 * the running kernel. */
static bool
is_foreign_vdso (const PvProfile *profile, const PvModuleWork *work)
{
    const char *release = profile->facts.kernel_release;
    struct utsname here;

    return work->module->kind == PV_MODULE_VDSO && work->file->is_unverified &&
           (release == NULL || uname (&here) != 0 || strcmp (release, here.release) != 0);
}

static void
start_work (PvSymbolizing *s, PvModuleWork *work)
{
    static const PvModuleFile no_file;

    if (has_files (work->module))
        work->file = pv_module_files_get (s->files, work->module);
    if (is_foreign_vdso (s->profile, work))
        work->file = &no_file;
    pv_module_work_prepare (work, s->profile);
    work->arena = pv_arena_new ();
    work->hits = pv_arena_alloc0 (work->arena, work->n_addrs * sizeof *work->hits);
    work->chains = pv_arena_alloc0 (work->arena, work->n_addrs * sizeof *work->chains);
    if (work->module->n_named_ranges > 0)
        pv_named_ranges_find (work->module, work->addrs, work->n_addrs, work->hits, work->chains,
                              work->arena);
}

static void
finish_work (PvSymbolizing *s, PvModuleWork *work)
{
    g_autoptr (PvDemangler) demangler = pv_demangler_new (work->arena, s->options->no_demangle);
    pv_named_chains_build (&work->named, demangler, work->module, work->chains, work->hits, NULL,
                           NULL, work->n_addrs, work->arena);
}

static void
find_module_names (PvSymbolizing *s, PvModuleWork *work)
{
    start_work (s, work);
    if (work->module->kind == PV_MODULE_JIT) {
        const char *problem;
        work->names_path = pv_jit_map_find (pv_module_files_get_roots (s->files), work->module,
                                            work->addrs, work->n_addrs, work->hits, work->arena,
                                            &work->is_map_reused, &problem);
        work->has_full_table = work->names_path != NULL;
        work->map_problem = work->has_full_table ? NULL : g_strdup (problem);
    } else if (work->is_link && (work->file->binary != NULL || work->file->debug != NULL)) {
        find_in_files (work);
    }
    finish_work (s, work);
}

/* True if the module's addresses can be those of kallsyms. */
static bool
is_for_kallsyms (const PvModuleWork *work)
{
    return pv_module_work_is_kernel (work) && !work->is_link &&
           work->module->address_kind != PV_ADDRESS_IMAGE;
}

/* Reading kallsyms is the slowest part of naming the kernel, so read it once for the kernel and all
 * of its modules without a file. */
static void
find_in_kallsyms (PvSymbolizing *s)
{
    PV_ARRAY (uint64_t) addrs = {0};
    const PvModule *kernel = NULL;
    const char *path = NULL;

    for (size_t w = 0; w < s->n_works; w++) {
        const PvModuleWork *work = &s->works[w];
        if (!is_for_kallsyms (work))
            continue;
        if (kernel == NULL || work->module->kind == PV_MODULE_KERNEL)
            kernel = work->module;
        pv_array_append (&addrs, work->addrs, work->n_addrs);
    }
    if (addrs.len == 0) {
        pv_array_clear (&addrs);
        return;
    }
    addrs.len = pv_sort_numbers (addrs.data, addrs.len);

    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, addrs.len);
    s->kallsyms = pv_kallsyms_find (pv_module_files_get_roots (s->files), kernel, addrs.data,
                                    addrs.len, hits, arena, &path);
    s->has_kallsyms_result = true;
    for (size_t w = 0; w < s->n_works; w++) {
        PvModuleWork *work = &s->works[w];
        if (!is_for_kallsyms (work))
            continue;
        for (size_t i = 0; i < work->n_addrs; i++) {
            const PvSymbolHit *hit =
                &hits[pv_addresses_find (addrs.data, addrs.len, work->addrs[i])];
            if (work->hits[i].kind != PV_SYMBOL_NONE || hit->kind == PV_SYMBOL_NONE)
                continue;
            work->hits[i] = *hit;
            work->hits[i].name = pv_arena_strndup (work->arena, hit->name, strlen (hit->name));
            work->has_full_table = true;
            work->names_path = pv_arena_strndup (work->arena, path, strlen (path));
        }
    }
    pv_array_clear (&addrs);
}

static void
find_kernel_names (PvSymbolizing *s)
{
    for (size_t w = 0; w < s->n_works; w++) {
        PvModuleWork *work = &s->works[w];
        if (!pv_module_work_is_kernel (work))
            continue;
        start_work (s, work);
        if (work->is_link)
            find_in_files (work);
    }
    find_in_kallsyms (s);
    for (size_t w = 0; w < s->n_works; w++)
        if (pv_module_work_is_kernel (&s->works[w]))
            finish_work (s, &s->works[w]);
}

/* The pool's items: first the kernel, as one item, then modules by number of locations, largest
 * first. */
typedef struct {
    PvSymbolizing *s;
    PvModuleWork **items; /* NULL: the kernel */
    size_t n_items;
} Batch;

static void
find_item_names (void *data, size_t item, unsigned worker)
{
    Batch *batch = data;
    PvSymbolizing *s = batch->s;

    if (pv_job_is_cancelled (s->job))
        return;
    if (batch->items[item] == NULL)
        find_kernel_names (s);
    else
        find_module_names (s, batch->items[item]);
    pv_job_add_done (s->job, 1);
}

static int
compare_works (const void *a_, const void *b_)
{
    const PvModuleWork *a = *(PvModuleWork *const *)a_;
    const PvModuleWork *b = *(PvModuleWork *const *)b_;

    if (a == NULL || b == NULL)
        return pv_order (a != NULL, b != NULL);
    return pv_order (b->n_locations, a->n_locations) ?: pv_order (a->id, b->id);
}

static PvModuleSymbols
get_state (const PvModuleWork *work)
{
    const PvModule *module = work->module;
    bool has_names = false;

    for (size_t i = 0; i < work->n_addrs && !has_names; i++)
        has_names = work->hits[i].kind == PV_SYMBOL_NAMED || work->chains[i].n_frames > 0;
    if (work->has_lines)
        return PV_MODULE_SYMBOLS_FULL;
    if (work->has_full_table ||
        (has_names && (module->kind != PV_MODULE_FILE || module->n_named_ranges > 0)))
        return PV_MODULE_SYMBOLS_NAMES;
    if (work->file->binary != NULL || work->file->debug != NULL)
        return PV_MODULE_SYMBOLS_NONE;
    return PV_MODULE_SYMBOLS_MISSING;
}

/* "libfoo.so+0x1234" with the link address, or with the offset in the file if that was not found;
 * "[JIT] at 0x1234" where nothing says from where to count; "[unknown]" for all that lies outside
 * of what was mapped. NULL: the location has no address. */
static char *
make_place_name (const PvModuleWork *work, uint64_t addr, bool is_mapped)
{
    const PvModule *module = work->module;
    bool is_runtime = module->address_kind == PV_ADDRESS_RUNTIME && !work->is_link;

    if (module->address_kind == PV_ADDRESS_ORDINAL)
        return NULL;
    if (module->kind == PV_MODULE_UNKNOWN && !module->is_kernel && is_mapped)
        return g_strdup (*module->name != '\0' ? module->name : "[unknown]");
    if (addr == 0)
        return NULL;
    if (module->kind == PV_MODULE_UNKNOWN)
        return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", addr);
    if (module->kind == PV_MODULE_JIT ||
        (is_runtime && (module->load_addr == 0 || addr < module->load_addr)))
        return g_strdup_printf ("%s at 0x%" G_GINT64_MODIFIER "x", module->name, addr);
    if (is_runtime)
        addr -= module->load_addr;
    return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", module->name, addr);
}

static void
name_by_place (PvSymbolizing *s, const PvModuleWork *work, const PvLocationId *locations,
               uint32_t n_locations, uint64_t addr)
{
    g_autofree char *name = make_place_name (work, addr, s->is_mapped);
    PvFunction function = {.name = name, .module = work->id, .kind = PV_FUNCTION_UNKNOWN};

    if (name == NULL)
        return;
    PvFrame frame = {.function = pv_symbol_builder_function (s->builder, &function)};
    for (uint32_t l = 0; l < n_locations; l++)
        pv_symbol_builder_set_frames (s->builder, locations[l], &frame, 1);
}

/* Names unknown locations by their places, so that they are not all one function. */
static void
name_unknown (PvSymbolizing *s, const PvModuleWork *work)
{
    const PvNamedChains *named = &work->named;

    for (size_t i = 0; i < work->n_addrs; i++) {
        uint32_t first = work->first_location[i];
        if (named->first_frame[i] == named->first_frame[i + 1])
            name_by_place (s, work, &work->locations[first], work->first_location[i + 1] - first,
                           work->addrs[i]);
    }
    /* Offsets in a file that was not found. */
    for (size_t l = work->first_location[work->n_addrs]; l < work->n_locations; l++)
        name_by_place (s, work, &work->locations[l], 1,
                       pv_profile_lookup_address (s->profile, work->locations[l]));
}

/* Adds the results to the builder. */
static void
merge_work (PvSymbolizing *s, PvModuleWork *work)
{
    if (work->arena == NULL) /* cancelled earlier */
        return;
    pv_symbolizing_set_frames (s, work, &work->named, NULL);
    name_unknown (s, work);
    pv_symbolizing_set_links (s, work->id, work->file);
    PvModuleSymbols given = (PvModuleSymbols)s->given_of_module[work->id];
    PvModuleSymbols found = get_state (work);
    bool is_given_better = given != PV_MODULE_SYMBOLS_PENDING && given < found;
    /* The new part of a module may have fewer names than the rest. */
    PvModuleSymbols before = pv_symbol_builder_get_module (s->builder, work->id);
    if (s->first_location == 1 || before == PV_MODULE_SYMBOLS_PENDING || found < before)
        pv_symbol_builder_set_module (s->builder, work->id, is_given_better ? given : found,
                                      work->names_path);
    /* The second step uses the names again, if it includes this module. */
    if (work->file->debug == NULL || !pv_elf_image_has_debug_info (work->file->debug))
        g_clear_pointer (&work->arena, pv_arena_free);
}

void
pv_symbolizing_find_names (PvSymbolizing *s)
{
    Batch batch = {.s = s, .items = g_new0 (PvModuleWork *, s->n_works + 1), .n_items = 1};

    for (size_t w = 0; w < s->n_works; w++)
        if (!pv_module_work_is_kernel (&s->works[w]))
            batch.items[batch.n_items++] = &s->works[w];
    qsort (batch.items, batch.n_items, sizeof *batch.items, compare_works);
    pv_job_set_stage (s->job, PV_STAGE_SYMBOLS, batch.n_items);
    pv_pool_run (s->pool, batch.n_items, find_item_names, &batch);
    for (size_t w = 0; w < s->n_works; w++)
        merge_work (s, &s->works[w]);
    g_free (batch.items);
}
