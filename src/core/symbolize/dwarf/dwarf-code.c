/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each unit is walked twice. The first walk collects where ranges of functions and inlined calls
 * begin and end; between two neighbours of these addresses the innermost scope is the same. The
 * second walk finds the scope of each of them, as for addresses of a profile.
 */
#include "core/symbolize/dwarf/dwarf-code.h"

#include <stdatomic.h>
#include <string.h>

#include "core/base/pool.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

enum { MAX_NAME_BYTES = 4096, DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS };

/* Results of a worker: rows of all units that it read, one after the other. */
typedef struct {
    PvDwarfCache cache;
    PvArena *strings;
    PV_ARRAY (PvCodeScope) scopes; /* parents are rows of the unit, from 1 */
    PV_ARRAY (PvCodeSpan) spans;   /* rows too */
    PV_ARRAY (uint64_t) addrs;
    size_t counted_bytes; /* bytes added to the sum of all so far */
} Worker;

/* Where the rows of a unit are. */
typedef struct {
    const char *file;
    size_t first_scope, first_span;
    uint32_t n_scopes, n_spans;
    uint32_t worker;
    uint32_t first_row;        /* of its scopes in the map */
    uint32_t first_own, n_own; /* its spans in the unit map: in of_units */
} Unit;

typedef struct {
    const PvDwarfUnits *units;
    PvJob *job;
    Worker *workers;
    Unit *rows;                   /* one for each unit */
    PvCodeSpan *of_units;         /* the unit map, by unit */
    uint64_t max_bytes;           /* of the result */
    _Atomic uint64_t used_bytes;  /* of it so far */
    _Atomic uint64_t steps_left;  /* of walks, of all units */
    _Atomic uint64_t abbrev_left; /* bytes of abbreviations */
    atomic_bool is_cut;
} Reading;

/* Takes an amount from what all workers share, as far as there is that much. */
static uint64_t
take_from (_Atomic uint64_t *left, uint64_t amount)
{
    uint64_t now = atomic_load (left), taken;
    do
        taken = MIN (now, amount);
    while (!atomic_compare_exchange_weak (left, &now, now - taken));
    return taken;
}

/* --- the source file of a unit --- */

static const char *
find_unit_name (PvDwarfCache *cache, PvDwarfView *view)
{
    PvDwarfDie die;
    PvDwarfValue value;
    uint16_t name;
    if (!pv_dwarf_cache_get_die (cache, view, view->unit->first_die, &die))
        return NULL;
    while (pv_dwarf_die_next (&die, &name, &value))
        if (name == DW_AT_name)
            return pv_dwarf_value_string (view, &value);
    return NULL;
}

/* Go names a package instead. Rust adds the part of a crate: "src/main.rs/@/main.1234-cgu.0". */
static const char *
find_unit_file (Worker *worker, PvDwarfView *view)
{
    const char *name = find_unit_name (&worker->cache, view);
    size_t len = name != NULL ? strnlen (name, MAX_NAME_BYTES) : 0;
    if (len == 0 || len == MAX_NAME_BYTES || pv_dwarf_value_number (&view->language) == DW_LANG_Go)
        return NULL;
    const char *part = strstr (name, "/@/");
    g_autofree char *own = g_strndup (name, part != NULL ? (size_t)(part - name) : len);
    const char *folder = view->comp_dir;
    if (folder != NULL && strnlen (folder, MAX_NAME_BYTES) == MAX_NAME_BYTES)
        folder = NULL;
    g_autofree char *path = pv_dwarf_join_path (folder, own);
    return pv_arena_strndup (worker->strings, path, strlen (path));
}

/* --- one unit --- */

/* Sorts addresses by their digits: those of a unit differ in few. spare has room for as many. */
static void
sort_addrs (uint64_t *addrs, uint64_t *spare, size_t n)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = MIN (least, addrs[i]);
        most = MAX (most, addrs[i]);
    }
    uint64_t *from = addrs, *to = spare;
    for (unsigned shift = 0; shift < 64 && n > 0 && (most - least) >> shift > 0;
         shift += DIGIT_BITS) {
        size_t starts[N_DIGITS] = {0}, at = 0;
        for (size_t i = 0; i < n; i++)
            starts[(from[i] - least) >> shift & (N_DIGITS - 1)]++;
        for (size_t d = 0; d < N_DIGITS; d++) {
            size_t n_here = starts[d];
            starts[d] = at;
            at += n_here;
        }
        for (size_t i = 0; i < n; i++)
            to[starts[(from[i] - least) >> shift & (N_DIGITS - 1)]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != addrs)
        memcpy (addrs, from, n * sizeof *addrs);
}

/* Where ranges of functions and inlined calls begin and end, and those of the unit. */
static bool
collect_addrs (Reading *reading, Worker *worker, PvDwarfWalk *walk, const Unit *row)
{
    walk->wants_ranges = walk->wants_inlined = true;
    bool is_done = pv_dwarf_walk_run (walk, &worker->cache, reading->job);
    worker->addrs.len = 0;
    for (uint32_t i = 0; i < row->n_own && walk->func_ranges.len > 0; i++) {
        const PvCodeSpan *own = &reading->of_units[row->first_own + i];
        pv_array_push (&walk->func_ranges, own->start);
        pv_array_push (&walk->func_ranges, own->end);
    }
    uint64_t *addrs = walk->func_ranges.data;
    size_t n = walk->func_ranges.len;
    pv_array_reserve (&worker->addrs, n);
    sort_addrs (addrs, worker->addrs.data, n);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || addrs[i] != addrs[i - 1])
            pv_array_push (&worker->addrs, addrs[i]);
    pv_array_clear (&walk->func_ranges);
    pv_array_clear (&walk->scopes);
    walk->wants_ranges = walk->wants_inlined = false;
    walk->addrs = worker->addrs.data;
    walk->n_addrs = worker->addrs.len;
    return is_done && walk->n_addrs > 0;
}

/* Keeps the spans that the unit map gives to the unit. */
static void
take_spans (Reading *reading, Worker *worker, const PvDwarfWalk *walk, Unit *row)
{
    uint32_t own = 0;
    row->first_span = worker->spans.len;
    for (size_t i = 0; i + 1 < walk->n_addrs; i++) {
        uint64_t start = walk->addrs[i], end = walk->addrs[i + 1];
        uint32_t scope = walk->scope_of_addr[i];
        while (own < row->n_own && reading->of_units[row->first_own + own].end <= start)
            own++;
        if (own == row->n_own)
            break;
        if (scope == 0 || reading->of_units[row->first_own + own].start > start)
            continue;
        PvCodeSpan *last =
            worker->spans.len > row->first_span ? &worker->spans.data[worker->spans.len - 1] : NULL;
        if (last != NULL && last->end == start && last->row == scope)
            last->end = end;
        else
            pv_array_push (&worker->spans, ((PvCodeSpan){start, end, scope}));
    }
    row->n_spans = (uint32_t)(worker->spans.len - row->first_span);
}

static void
take_scopes (Reading *reading, Worker *worker, const PvDwarfWalk *walk, Unit *row)
{
    uint64_t size = walk->view->unit->end - walk->view->unit->offset;
    uint64_t used = atomic_load (&reading->used_bytes);
    PvDwarfNames names = {.cache = &worker->cache,
                          .out = worker->strings,
                          .job = reading->job,
                          .walk_budget = 8 * size + (64 << 20)};
    names.text_budget =
        MIN (64 * size + (16 << 10), reading->max_bytes - MIN (used, reading->max_bytes));
    row->first_scope = worker->scopes.len;
    for (size_t i = 1; i < walk->scopes.len; i++) {
        PvDwarfName name = pv_dwarf_names_get (&names, walk->view, walk->scopes.data[i].offset);
        PvCodeScope scope = {
            .name = name.linkage_name != NULL ? name.linkage_name : name.name,
            .file = name.decl_file,
            .line = name.decl_file != NULL ? name.decl_line : 0,
            .parent = walk->scopes.data[i].parent,
            .source = name.root_view->name_source,
        };
        pv_array_push (&worker->scopes, scope);
    }
    row->n_scopes = (uint32_t)(worker->scopes.len - row->first_scope);
    pv_dwarf_names_clear (&names);
}

static bool
may_use_abbrevs (Reading *reading, Worker *worker, PvDwarfView *view)
{
    size_t n_before = worker->cache.n_abbrevs;
    const PvDwarfAbbrevs *abbrevs = pv_dwarf_cache_get_abbrevs (&worker->cache, view);
    if (abbrevs != NULL && worker->cache.n_abbrevs > n_before &&
        take_from (&reading->abbrev_left, abbrevs->n_read_bytes) < abbrevs->n_read_bytes)
        return false;
    return abbrevs != NULL ? abbrevs->has_code || abbrevs->is_refused : view->is_foreign;
}

static void
count_bytes (Reading *reading, Worker *worker)
{
    size_t now = pv_arena_count_bytes (worker->strings) +
                 worker->scopes.cap * sizeof (PvCodeScope) +
                 worker->spans.cap * sizeof (PvCodeSpan);
    atomic_fetch_add (&reading->used_bytes, now - worker->counted_bytes);
    worker->counted_bytes = now;
}

static void
read_unit (Reading *reading, Worker *worker, Unit *row, PvDwarfView *view)
{
    PvDwarfView *split = view->dwo_name != NULL
                             ? pv_dwarf_cache_get_split (&worker->cache, reading->units, view)
                             : NULL;
    PvDwarfView *code = split != NULL ? split : view;
    row->file = find_unit_file (worker, code);
    if (!may_use_abbrevs (reading, worker, code))
        return;
    PvDwarfWalk walk = {.units = reading->units, .view = code};
    uint64_t size = code->unit->end - code->unit->offset;
    walk.budget = take_from (&reading->steps_left, 4 * size + 4096);
    if (collect_addrs (reading, worker, &walk, row)) {
        walk.scope_of_addr =
            pv_arena_alloc0 (worker->cache.arena, walk.n_addrs * sizeof *walk.scope_of_addr);
        walk.budget += take_from (&reading->steps_left, 16 * size + 64 * (uint64_t)walk.n_addrs);
        if (pv_dwarf_walk_run (&walk, &worker->cache, reading->job) && walk.scopes.len > 1) {
            take_spans (reading, worker, &walk, row);
            take_scopes (reading, worker, &walk, row);
        }
    }
    if (walk.budget == 0)
        atomic_store (&reading->is_cut, true);
    atomic_fetch_add (&reading->steps_left, walk.budget);
    pv_array_clear (&walk.func_ranges);
    pv_array_clear (&walk.scopes);
    pv_dwarf_view_release_pages (code);
}

static void
read_one (void *data, size_t item, unsigned worker_index)
{
    Reading *reading = data;
    Worker *worker = &reading->workers[worker_index];
    Unit *row = &reading->rows[item];
    const PvDwarfFile *file = &reading->units->main;
    if (row->n_own == 0 || pv_job_is_cancelled (reading->job))
        return;
    if (atomic_load (&reading->used_bytes) >= reading->max_bytes) {
        atomic_store (&reading->is_cut, true);
        return;
    }
    row->worker = worker_index;
    PvDwarfView *view = pv_dwarf_cache_get_view (&worker->cache, file, &file->units[item]);
    if (view != NULL)
        read_unit (reading, worker, row, view);
    count_bytes (reading, worker);
    pv_dwarf_cache_reset (&worker->cache);
}

/* --- all units --- */

/* Sorts the unit map by unit, so that each unit has its spans together. */
static void
group_by_unit (Reading *reading)
{
    const PvDwarfUnits *units = reading->units;
    size_t n_units = units->main.n_units;
    uint32_t at = 0;
    reading->of_units = g_new (PvCodeSpan, MAX (units->n_spans, 1));
    for (size_t i = 0; i < units->n_spans; i++)
        reading->rows[units->spans[i].unit].n_own++;
    for (size_t u = 0; u < n_units; u++) {
        reading->rows[u].first_own = at;
        at += reading->rows[u].n_own;
        reading->rows[u].n_own = 0;
    }
    for (size_t i = 0; i < units->n_spans; i++) {
        Unit *row = &reading->rows[units->spans[i].unit];
        reading->of_units[row->first_own + row->n_own++] =
            (PvCodeSpan){units->spans[i].start, units->spans[i].end, units->spans[i].unit};
    }
}

/* The spans of all units in the order of addresses: those of a unit are in order, and lie within
 * what the unit map gives it. */
static void
join_spans (Reading *reading, PvCodeMap *map)
{
    const PvDwarfUnits *units = reading->units;
    for (size_t i = 0; i < units->n_spans; i++) {
        Unit *row = &reading->rows[units->spans[i].unit];
        const Worker *worker = &reading->workers[row->worker];
        for (; row->n_spans > 0; row->first_span++, row->n_spans--) {
            PvCodeSpan span = worker->spans.data[row->first_span];
            if (span.start >= units->spans[i].end)
                break;
            span.row += row->first_row - 1;
            map->spans[map->n_spans++] = span;
        }
    }
}

/* Joins what the workers found in the order of units, whoever read them. */
static void
join (Reading *reading, PvCodeMap *map)
{
    size_t n_units = reading->units->main.n_units, n_scopes = 1, n_spans = 0;
    for (size_t u = 0; u < n_units; u++) {
        n_scopes += reading->rows[u].n_scopes;
        n_spans += reading->rows[u].n_spans;
    }
    if (n_scopes >= UINT32_MAX) {
        map->is_cut = true;
        return;
    }
    map->scopes = g_new0 (PvCodeScope, n_scopes);
    map->spans = g_new (PvCodeSpan, MAX (n_spans, 1));
    map->n_scopes = 1;
    for (size_t u = 0; u < n_units; u++) {
        Unit *row = &reading->rows[u];
        const Worker *worker = &reading->workers[row->worker];
        uint32_t before = map->n_scopes - 1;
        row->first_row = map->n_scopes;
        for (uint32_t i = 0; i < row->n_scopes; i++) {
            PvCodeScope scope = worker->scopes.data[row->first_scope + i];
            scope.parent += scope.parent != 0 ? before : 0;
            map->scopes[map->n_scopes++] = scope;
        }
    }
    join_spans (reading, map);
}

static void
take_units (const Reading *reading, PvCodeMap *map)
{
    const PvDwarfUnits *units = reading->units;
    map->n_units = (uint32_t)units->main.n_units;
    map->file_of_unit = g_new0 (const char *, MAX (map->n_units, 1));
    for (uint32_t u = 0; u < map->n_units; u++)
        map->file_of_unit[u] = reading->rows[u].file;
    map->n_unit_spans = units->n_spans;
    map->unit_spans = g_new (PvCodeSpan, MAX (units->n_spans, 1));
    for (size_t i = 0; i < units->n_spans; i++)
        map->unit_spans[i] =
            (PvCodeSpan){units->spans[i].start, units->spans[i].end, units->spans[i].unit};
}

PvCodeMap *
pv_dwarf_read_code (const PvModuleFile *file, unsigned n_workers, uint64_t max_bytes, PvJob *job)
{
    g_assert (file != NULL);
    PvCodeMap *map = g_new0 (PvCodeMap, 1);
    map->debug = file->debug != NULL ? pv_elf_image_ref (file->debug) : NULL;
    g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (file, job, &map->problem);
    if (units == NULL)
        return map;
    g_autoptr (PvPool) pool = pv_pool_new (n_workers);
    const PvDwarfBytes *sections = units->main.sections;
    Reading reading = {.units = units, .job = job, .max_bytes = max_bytes};
    atomic_init (&reading.steps_left,
                 (UINT64_C (16) << 20) +
                     64 * (uint64_t)(sections[PV_DWARF_INFO].size + sections[PV_DWARF_RANGES].size +
                                     sections[PV_DWARF_RNGLISTS].size));
    atomic_init (&reading.abbrev_left,
                 16 * (uint64_t)sections[PV_DWARF_ABBREV].size + (UINT64_C (64) << 20));
    map->n_arenas = pv_pool_get_size (pool);
    map->arenas = g_new (PvArena *, map->n_arenas);
    reading.workers = g_new0 (Worker, map->n_arenas);
    reading.rows = g_new0 (Unit, units->main.n_units);
    group_by_unit (&reading);
    for (unsigned i = 0; i < map->n_arenas; i++) {
        pv_dwarf_cache_init (&reading.workers[i].cache);
        map->arenas[i] = reading.workers[i].strings = pv_arena_new ();
    }
    pv_pool_run (pool, units->main.n_units, read_one, &reading);
    map->is_cut = atomic_load (&reading.is_cut);
    join (&reading, map);
    take_units (&reading, map);
    for (unsigned i = 0; i < map->n_arenas; i++) {
        pv_dwarf_cache_clear (&reading.workers[i].cache);
        pv_array_clear (&reading.workers[i].scopes);
        pv_array_clear (&reading.workers[i].spans);
        pv_array_clear (&reading.workers[i].addrs);
    }
    g_free (reading.workers);
    g_free (reading.rows);
    g_free (reading.of_units);
    return map;
}
