/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/symbolize/dwarf/dwarf-index-private.h"

/* Builds frame chains for the addresses of one unit: walks its DIEs, runs its line program, then
 * finds names for the scopes that were hit. */
#define MIN_RELEASED_BYTES (256 << 10)

struct PvDwarfWorker {
    const PvDwarfUnits *units;
    PvDwarfCache cache;
};

PvDwarfWorker *
pv_dwarf_worker_new (const PvDwarfUnits *units)
{
    g_assert (units != NULL);
    PvDwarfWorker *worker = g_new0 (PvDwarfWorker, 1);
    worker->units = units;
    pv_dwarf_cache_init (&worker->cache);
    return worker;
}

void
pv_dwarf_worker_free (PvDwarfWorker *worker)
{
    if (worker == NULL)
        return;
    pv_dwarf_cache_clear (&worker->cache);
    g_free (worker);
}

typedef struct {
    PvDwarfWalk walk;
    PvDwarfLineTable *lines;
    PvDwarfRow *rows;
    PvDwarfNames names;
    PvDwarfName **name_of_scope;
    PvArena *out;
} Resolve;

static const PvDwarfName *
get_scope_name (Resolve *resolve, PvArena *scratch, uint32_t scope)
{
    if (resolve->name_of_scope[scope] == NULL) {
        PvDwarfName name = pv_dwarf_names_get (&resolve->names, resolve->walk.view,
                                               resolve->walk.scopes.data[scope].offset);
        resolve->name_of_scope[scope] = pv_arena_memdup (scratch, &name, sizeof name);
    }
    return resolve->name_of_scope[scope];
}

static PvFrameChain
build_chain (Resolve *resolve, PvArena *scratch, size_t i)
{
    const PvDwarfRow *row = &resolve->rows[i];
    uint32_t scope = resolve->walk.scope_of_addr[i];
    /* Assembler code has lines but may have no functions. */
    uint32_t n = scope != 0 ? resolve->walk.scopes.data[scope].depth : row->is_found ? 1 : 0;
    if (n == 0)
        return (PvFrameChain){NULL, 0};
    PvChainFrame *frames = pv_arena_alloc0 (resolve->out, n * sizeof *frames);
    const char *file = NULL;
    uint32_t line = 0;
    if (row->is_found) {
        file = pv_dwarf_lines_get_path (resolve->lines, row->file, resolve->out);
        line = row->line;
    }
    for (uint32_t k = 0; k < n; k++) {
        PvChainFrame *frame = &frames[k];
        frame->file = file;
        frame->line = line;
        if (scope == 0)
            break;
        const PvDwarfName *name = get_scope_name (resolve, scratch, scope);
        scope = resolve->walk.scopes.data[scope].parent;
        frame->linkage_name = name->linkage_name;
        frame->name = name->linkage_name == NULL ? name->name : NULL;
        frame->decl_file = name->decl_file;
        frame->decl_line = name->decl_line;
        frame->source = name->root_view->name_source;
        frame->is_inlined = scope != 0;
        file = name->call_file;
        line = name->call_line;
    }
    return (PvFrameChain){frames, n};
}

/* Successive addresses in the same row and scope share their frames. */
static bool
is_like_previous (const Resolve *resolve, size_t i)
{
    const PvDwarfRow *row = &resolve->rows[i], *previous = &resolve->rows[i - 1];
    return resolve->walk.scope_of_addr[i] == resolve->walk.scope_of_addr[i - 1] &&
           row->is_found == previous->is_found && row->file == previous->file &&
           row->line == previous->line;
}

static void
build_chains (Resolve *resolve, PvArena *scratch, PvFrameChain *ret_chains)
{
    resolve->name_of_scope =
        pv_arena_alloc0 (scratch, resolve->walk.scopes.len * sizeof *resolve->name_of_scope);
    for (size_t i = 0; i < resolve->walk.n_addrs; i++)
        ret_chains[i] = i > 0 && is_like_previous (resolve, i) ? ret_chains[i - 1]
                                                               : build_chain (resolve, scratch, i);
}

/* Small units are not worth the call. */
void
pv_dwarf_view_release_pages (const PvDwarfView *view)
{
    PvMappedFile *file = pv_elf_image_get_file (view->file->image);
    const uint8_t *start = view->file->sections[PV_DWARF_INFO].data + view->unit->offset;
    const uint8_t *data = pv_mapped_file_get_data (file);
    uint64_t size = view->unit->end - view->unit->offset;
    if (size >= MIN_RELEASED_BYTES && start >= data &&
        start < data + pv_mapped_file_get_size (file))
        pv_mapped_file_release (file, (size_t)(start - data), (size_t)size);
}

void
pv_dwarf_worker_resolve (PvDwarfWorker *worker, uint32_t unit, const uint64_t *link_addrs, size_t n,
                         PvFrameChain *ret_chains, PvArena *arena, PvJob *job)
{
    g_assert (worker != NULL && arena != NULL);
    g_assert (n == 0 || (link_addrs != NULL && ret_chains != NULL));
    const PvDwarfFile *file = &worker->units->main;
    PvDwarfCache *cache = &worker->cache;
    memset (ret_chains, 0, n * sizeof *ret_chains);
    PvDwarfView *view =
        unit < file->n_units ? pv_dwarf_cache_get_view (cache, file, &file->units[unit]) : NULL;
    if (view == NULL || n == 0)
        return;
    PvDwarfView *split =
        view->dwo_name != NULL ? pv_dwarf_cache_get_split (cache, worker->units, view) : NULL;
    PvDwarfView *code = split != NULL ? split : view;
    uint64_t size = code->unit->end - code->unit->offset;
    Resolve resolve = {
        .walk = {.units = worker->units, .view = code, .addrs = link_addrs, .n_addrs = n},
        .names = {.cache = cache, .out = arena, .job = job, .walk_budget = 8 * size + (64 << 20)},
        .out = arena,
    };
    resolve.names.text_budget = 64 * size + (16 << 10);
    resolve.walk.budget = 16 * size + 1000 * (uint64_t)n + 1000000;
    resolve.walk.scope_of_addr =
        pv_arena_alloc0 (cache->arena, n * sizeof *resolve.walk.scope_of_addr);
    resolve.rows = pv_arena_alloc0 (cache->arena, n * sizeof *resolve.rows);
    resolve.lines = pv_dwarf_cache_get_lines (cache, view);
    if (pv_dwarf_walk_run (&resolve.walk, cache, job)) {
        if (resolve.lines != NULL)
            pv_dwarf_lines_find_rows (resolve.lines, worker->units, link_addrs, n, resolve.rows,
                                      job);
        build_chains (&resolve, cache->arena, ret_chains);
    }
    if (file->fallback != NULL && (code->is_foreign || resolve.walk.is_refused))
        pv_dwarf_fallback_count (file->fallback, !resolve.walk.is_refused);
    pv_dwarf_names_clear (&resolve.names);
    pv_array_clear (&resolve.walk.scopes);
    pv_dwarf_view_release_pages (code);
    pv_dwarf_cache_reset (cache);
}
