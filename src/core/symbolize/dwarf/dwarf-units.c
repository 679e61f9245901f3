/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gi18n-lib.h>

#include "core/base/search.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * The unit map: which unit covers an address. The root DIE of a unit lists its code (DW_AT_ranges,
 * or low and high pc), so normally only one DIE per unit is read. Some compilers write root DIEs
 * without ranges. Those units are looked up in .debug_aranges (DWARF 5, section 6.1.2); units
 * missing there are walked if they can have functions.
 */
typedef struct {
    PvDwarfUnits *units;
    PvJob *job;
    PV_ARRAY (PvDwarfSpan) spans;
    PV_ARRAY (uint32_t) without_ranges;
    uint64_t range_budget;
    uint64_t abbrev_budget;
    char **packages; /* paths where a .dwp may be; NULL: nowhere */
    bool has_split;
    bool is_split_missing;
} Builder;

static bool
is_cancelled (const Builder *builder, size_t step)
{
    return step % 256 == 0 && pv_job_is_cancelled (builder->job);
}

static void
add_span (Builder *builder, uint64_t start, uint64_t end, uint32_t unit)
{
    if (start < end && pv_dwarf_units_is_code (builder->units, start))
        pv_array_push (&builder->spans, ((PvDwarfSpan){start, end, unit}));
}

static void
read_code_segments (PvDwarfUnits *units, const PvElfImage *image)
{
    const PvElfSegment *segments;
    size_t n = pv_elf_image_get_segments (image, &segments);
    PvDwarfSpan placed = {0};
    if (pv_elf_image_get_placed (image, &placed.start, &placed.end)) {
        pv_array_push (&units->code, placed);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        if (!segments[i].is_executable)
            continue;
        PvDwarfSpan span = {.start = segments[i].link_addr,
                            .end = segments[i].link_addr + segments[i].mem_size_bytes};
        if (span.start < span.end)
            pv_array_push (&units->code, span);
    }
}

/* True if the .dwo of a skeleton can be opened; only checked for the first one, for the note. */
static bool
has_split_file (Builder *builder, const PvDwarfView *view)
{
    PvDwarfCache cache;
    pv_dwarf_cache_init (&cache);
    PvDwarfView *skeleton = pv_dwarf_cache_get_view (&cache, view->file, view->unit);
    bool is_there =
        skeleton != NULL && pv_dwarf_cache_get_split (&cache, builder->units, skeleton) != NULL;
    pv_dwarf_cache_clear (&cache);
    return is_there;
}

/* True if the package has the unit of a skeleton: a package may be of another build. */
static bool
has_unit (PvElfImage *package, const PvDwarfView *skeleton)
{
    PvDwarfFile file = {0};
    bool is_there = pv_dwarf_file_init_from_package (&file, package, skeleton->dwo_id);
    pv_dwarf_file_clear (&file);
    return is_there;
}

/* Opens the first package that has the unit; if none has it, the first one there is. */
static void
open_package (Builder *builder, const PvDwarfView *skeleton)
{
    PvDwarfUnits *units = builder->units;
    for (char **path = builder->packages; path != NULL && *path != NULL; path++) {
        g_autoptr (PvMappedFile) file = pv_mapped_file_open (*path, NULL);
        g_autoptr (PvElfImage) image = file != NULL ? pv_elf_image_new (file, *path, NULL) : NULL;
        bool is_right = image != NULL && has_unit (image, skeleton);
        if (is_right)
            g_clear_pointer (&units->package, pv_elf_image_unref);
        if (image != NULL && units->package == NULL)
            units->package = g_steal_pointer (&image);
        if (is_right)
            return;
    }
}

static void
add_unit (Builder *builder, uint32_t index)
{
    const PvDwarfUnits *units = builder->units;
    const PvDwarfUnit *unit = &units->main.units[index];
    PvDwarfView view;
    if (unit->type == DW_UT_type || unit->type == DW_UT_partial || builder->abbrev_budget == 0 ||
        !pv_dwarf_view_init (&view, &units->main, unit))
        return;
    builder->abbrev_budget -= MIN (builder->abbrev_budget, view.abbrev_bytes);
    if (view.dwo_name != NULL && !builder->has_split) {
        builder->has_split = true;
        open_package (builder, &view);
        builder->is_split_missing = !has_split_file (builder, &view);
    }
    PvDwarfRanges ranges;
    uint64_t low, high;
    if (!pv_dwarf_ranges_init (&ranges, &view, &view.low_pc, &view.high_pc, &view.ranges)) {
        pv_array_push (&builder->without_ranges, index);
        return;
    }
    while (pv_dwarf_ranges_next (&ranges, &low, &high, &builder->range_budget))
        add_span (builder, low, high, index);
}

/* Reads one set of .debug_aranges for a unit in is_known, and clears its flag. */
static void
read_arange_set (Builder *builder, PvCursor *cursor, bool *is_known)
{
    const PvDwarfFile *file = &builder->units->main;
    unsigned offset_size = 4;
    const uint8_t *start = cursor->pos;
    uint64_t length = pv_cursor_u32 (cursor);
    if (length == 0xffffffff) {
        offset_size = 8;
        length = pv_cursor_u64 (cursor);
    }
    if (length > pv_cursor_left (cursor)) {
        cursor->failed = true;
        return;
    }
    PvCursor set = pv_cursor_sub (cursor, (size_t)length);
    pv_cursor_u16 (&set); /* version */
    uint64_t unit_offset = pv_dwarf_read_uint (&set, offset_size);
    unsigned address_size = pv_cursor_u8 (&set);
    unsigned segment_size = pv_cursor_u8 (&set);
    const PvDwarfUnit *unit = NULL;
    if (!set.failed && unit_offset < file->sections[PV_DWARF_INFO].size)
        unit = pv_dwarf_file_find_unit (file, unit_offset + (offset_size == 8 ? 24 : 12));
    if (unit == NULL || unit->offset != unit_offset || segment_size != 0 ||
        (address_size != 4 && address_size != 8))
        return;
    size_t used = (size_t)(set.pos - start) % (2 * address_size);
    pv_cursor_skip (&set, used > 0 ? 2 * address_size - used : 0);
    uint32_t index = (uint32_t)(unit - file->units);
    while (pv_cursor_left (&set) >= 2 * address_size) {
        uint64_t low = pv_dwarf_read_uint (&set, address_size);
        uint64_t size = pv_dwarf_read_uint (&set, address_size);
        if (low == 0 && size == 0)
            break;
        if (is_known[index] && builder->range_budget > 0) {
            builder->range_budget--;
            add_span (builder, low, low + size, index);
        }
    }
    is_known[index] = false;
}

/* Looks up units without ranges of their own. On return, is_wanted has only those not found. */
static void
read_aranges (Builder *builder, bool *is_wanted)
{
    PvElfImage *image = builder->units->main.image;
    size_t size = 0;
    const PvElfSection *section = pv_elf_image_find_section (image, ".debug_aranges");
    const uint8_t *data =
        section != NULL ? pv_elf_image_get_section_data (image, section, &size) : NULL;
    PvCursor cursor = pv_cursor (data, data != NULL ? size : 0, builder->units->main.swap);
    while (pv_cursor_left (&cursor) > 12 && !cursor.failed)
        read_arange_set (builder, &cursor, is_wanted);
}

static void
walk_functions (Builder *builder, PvDwarfCache *cache, uint32_t index)
{
    const PvDwarfFile *file = &builder->units->main;
    PvDwarfView *view = pv_dwarf_cache_get_view (cache, file, &file->units[index]);
    if (view == NULL || builder->abbrev_budget == 0)
        return;
    const PvDwarfAbbrevs *abbrevs = pv_dwarf_cache_get_abbrevs (cache, view);
    if (abbrevs != NULL)
        builder->abbrev_budget -= MIN (builder->abbrev_budget, abbrevs->n_read_bytes);
    if (abbrevs == NULL ? !view->is_foreign : !abbrevs->has_code && !abbrevs->is_refused)
        return;
    PvDwarfWalk walk = {.units = builder->units,
                        .view = view,
                        .wants_ranges = true,
                        .budget = builder->range_budget};
    pv_dwarf_walk_run (&walk, cache, builder->job);
    builder->range_budget = walk.budget;
    for (size_t i = 0; i + 1 < walk.func_ranges.len; i += 2)
        add_span (builder, walk.func_ranges.data[i], walk.func_ranges.data[i + 1], index);
    pv_array_clear (&walk.func_ranges);
    pv_array_clear (&walk.scopes);
}

static void
add_units_without_ranges (Builder *builder)
{
    const PvDwarfFile *file = &builder->units->main;
    if (builder->without_ranges.len == 0)
        return;
    g_autofree bool *is_wanted = g_new0 (bool, file->n_units);
    for (size_t i = 0; i < builder->without_ranges.len; i++)
        is_wanted[builder->without_ranges.data[i]] = true;
    read_aranges (builder, is_wanted);
    PvDwarfCache cache;
    pv_dwarf_cache_init (&cache);
    for (size_t i = 0; i < builder->without_ranges.len && !is_cancelled (builder, i); i++) {
        if (!is_wanted[builder->without_ranges.data[i]])
            continue;
        walk_functions (builder, &cache, builder->without_ranges.data[i]);
        pv_dwarf_cache_reset (&cache);
    }
    pv_dwarf_cache_clear (&cache);
}

static int
compare_spans (const void *a, const void *b)
{
    const PvDwarfSpan *first = a, *second = b;
    return pv_order (first->start, second->start) ?: pv_order (second->end, first->end) ?:
           pv_order (first->unit, second->unit);
}

typedef struct {
    PV_ARRAY (PvDwarfSpan) disjoint;
    PV_ARRAY (PvDwarfSpan) open;
    uint64_t position;
} Sweep;

static void
emit_top (Sweep *sweep, uint64_t end)
{
    PvDwarfSpan top = sweep->open.data[sweep->open.len - 1];
    if (end > sweep->position) {
        pv_array_push (&sweep->disjoint, ((PvDwarfSpan){sweep->position, end, top.unit}));
        sweep->position = end;
    }
}

/* Makes the spans disjoint: if spans overlap, the one that starts last wins. */
static void
flatten (Builder *builder)
{
    Sweep sweep = {0};
    pv_array_sort (&builder->spans, compare_spans);
    for (size_t i = 0; i <= builder->spans.len; i++) {
        bool is_last = i == builder->spans.len;
        uint64_t start = is_last ? UINT64_MAX : builder->spans.data[i].start;
        while (sweep.open.len > 0 && sweep.open.data[sweep.open.len - 1].end <= start) {
            emit_top (&sweep, sweep.open.data[sweep.open.len - 1].end);
            sweep.open.len--;
        }
        if (is_last)
            break;
        if (sweep.open.len > 0)
            emit_top (&sweep, start);
        sweep.position = MAX (sweep.position, start);
        pv_array_push (&sweep.open, builder->spans.data[i]);
    }
    pv_array_clear (&sweep.open);
    pv_array_clear (&builder->spans);
    builder->units->n_spans = sweep.disjoint.len;
    builder->units->spans = pv_array_steal (&sweep.disjoint);
}

static const char *
find_problem (const Builder *builder)
{
    if (builder->abbrev_budget == 0 || builder->range_budget == 0 ||
        builder->units->main.is_damaged)
        return _ ("The debug information is damaged; its readable part is used");
    if (builder->is_split_missing)
        return _ ("The split debug information (.dwo or .dwp files) was not found");
    if (builder->units->main.alternate == NULL &&
        pv_elf_image_find_section (builder->units->main.image, ".gnu_debugaltlink") != NULL)
        return _ ("The supplementary debug file (dwz) was not found; some names are missing");
    return NULL;
}

static bool
open_files (PvDwarfUnits *units, const PvModuleFile *file, const char **ret_problem)
{
    PvElfImage *images[] = {file->debug, file->binary};
    for (size_t i = 0; i < G_N_ELEMENTS (images); i++) {
        if (images[i] == NULL || (i > 0 && images[i] == images[0]))
            continue;
        if (pv_dwarf_file_init (&units->main, images[i], false))
            break;
        pv_dwarf_file_clear (&units->main);
    }
    if (units->main.n_units == 0)
        return false;
    uint64_t start, end;
    if (pv_elf_image_get_type (units->main.image) == 1 /* ET_REL */ &&
        !pv_elf_image_get_placed (units->main.image, &start, &end)) {
        *ret_problem = _ ("Debug information in object files that are not linked cannot be used");
        return false;
    }
    PvElfImage *binary = file->binary != NULL ? file->binary : units->main.image;
    units->binary = pv_elf_image_ref (binary);
    read_code_segments (units, binary);
    if (file->alternate != NULL && pv_dwarf_file_init (&units->alternate, file->alternate, false))
        units->main.alternate = &units->alternate;
    return true;
}

PvDwarfUnits *
pv_dwarf_units_new (const PvModuleFile *file, PvJob *job, const char **ret_problem)
{
    g_assert (file != NULL && ret_problem != NULL);
    g_autoptr (PvDwarfUnits) units = g_new0 (PvDwarfUnits, 1);
    *ret_problem = NULL;
    if (!open_files (units, file, ret_problem))
        return NULL;
    units->split_folders = g_strdupv (file->split_folders);
    const PvDwarfFile *main = &units->main;
    units->main.fallback = pv_dwarf_fallback_new (main);
    Builder builder = {.units = units, .job = job, .packages = file->packages};
    builder.abbrev_budget = 16 * (uint64_t)main->sections[PV_DWARF_ABBREV].size + (256 << 20);
    builder.range_budget =
        4 * (uint64_t)(main->sections[PV_DWARF_INFO].size + main->sections[PV_DWARF_RANGES].size +
                       main->sections[PV_DWARF_RNGLISTS].size);
    for (size_t i = 0; i < main->n_units && !is_cancelled (&builder, i); i++)
        add_unit (&builder, (uint32_t)i);
    add_units_without_ranges (&builder);
    flatten (&builder);
    *ret_problem = find_problem (&builder);
    /* The file was crafted to take long: do not use libdw, which has no such budgets. */
    if (builder.abbrev_budget == 0 || builder.range_budget == 0)
        g_clear_pointer (&units->main.fallback, pv_dwarf_fallback_free);
    pv_array_clear (&builder.without_ranges);
    return units->n_spans > 0 ? g_steal_pointer (&units) : NULL;
}

void
pv_dwarf_units_free (PvDwarfUnits *units)
{
    if (units == NULL)
        return;
    pv_dwarf_fallback_free (units->main.fallback);
    pv_dwarf_file_clear (&units->main);
    pv_dwarf_file_clear (&units->alternate);
    g_clear_pointer (&units->package, pv_elf_image_unref);
    g_clear_pointer (&units->binary, pv_elf_image_unref);
    g_strfreev (units->split_folders);
    pv_array_clear (&units->code);
    g_free (units->spans);
    g_free (units);
}

uint32_t
pv_dwarf_units_find (const PvDwarfUnits *units, uint64_t link_addr)
{
    size_t low = pv_bisect (0, units->n_spans, i, units->spans[i].end <= link_addr);
    if (low == units->n_spans || units->spans[low].start > link_addr)
        return UINT32_MAX;
    return units->spans[low].unit;
}

size_t
pv_dwarf_units_get_n_foreign (const PvDwarfUnits *units, size_t *ret_n_unread)
{
    g_assert (units != NULL && ret_n_unread != NULL);
    size_t n_answered = 0;
    *ret_n_unread = 0;
    if (units->main.fallback != NULL)
        pv_dwarf_fallback_get_counts (units->main.fallback, &n_answered, ret_n_unread);
    return n_answered;
}

uint64_t
pv_dwarf_units_get_size (const PvDwarfUnits *units, uint32_t unit)
{
    g_assert (units != NULL);
    if (unit >= units->main.n_units)
        return 0;
    return units->main.units[unit].end - units->main.units[unit].offset;
}
