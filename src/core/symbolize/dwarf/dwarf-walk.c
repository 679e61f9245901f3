/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "core/symbolize/dwarf/dwarf-index-private.h"

#include "core/base/search.h"

/*
 * The walk over a unit's DIEs. DIEs are in preorder, and a null code ends each list of children, so
 * a scope's children come before its next sibling:
 *
 *   subprogram  work            scope 1, addresses a b c d
 *     inlined     make            scope 2 in 1: b c
 *       inlined     name            scope 3 in 2: c
 *     inlined     sort            scope 4 in 1: d
 *
 * No full index is built. Each requested address has its innermost scope so far, and a DIE takes
 * those addresses of its enclosing scope that are in its ranges. So a child is clipped to its
 * parent, and if siblings overlap, the first one keeps the address (whose innermost scope is no
 * longer the parent). Both occur in real programs.
 */

/* Deeper than any compiler nests inlined calls. */
#define MAX_SCOPE_DEPTH 500

typedef struct {
    size_t depth;       /* of its DIE; its children are one level deeper */
    uint32_t container; /* index + 1, or 0 for a function or inlined call */
    uint32_t scope;     /* 0: contains no address */
    size_t first, last; /* range of indices that contains the scope's addresses */
} Level;

typedef struct {
    PvDwarfWalk *walk;
    const PvDwarfAbbrevs *abbrevs;
    const uint8_t *base, *end;
    PV_ARRAY (Level) levels;
    size_t depth;
    uint32_t container; /* innermost open one, index + 1 */
} State;

static const uint8_t *
skip_leb (const uint8_t *p, const uint8_t *end)
{
    while (p < end)
        if ((*p++ & 0x80) == 0)
            return p;
    return NULL;
}

/* Skips the item of variable size at p. Returns its end, or NULL if the bytes end too early. */
static const uint8_t *
skip_variable (const State *state, const uint8_t *p, PvDwarfSkip kind)
{
    PvCursor cursor = {p, state->end, state->walk->view->file->swap, false};
    switch (kind) {
    case PV_DWARF_SKIP_STRING:
        pv_cursor_string (&cursor, NULL);
        break;
    case PV_DWARF_SKIP_BLOCK1:
        pv_cursor_skip (&cursor, pv_cursor_u8 (&cursor));
        break;
    case PV_DWARF_SKIP_BLOCK2:
        pv_cursor_skip (&cursor, pv_cursor_u16 (&cursor));
        break;
    case PV_DWARF_SKIP_BLOCK4:
        pv_cursor_skip (&cursor, pv_cursor_u32 (&cursor));
        break;
    case PV_DWARF_SKIP_BLOCK:
        pv_cursor_skip (&cursor, (size_t)pv_dwarf_uleb (&cursor));
        break;
    case PV_DWARF_SKIP_INDIRECT: {
        PvDwarfValue value;
        if (!pv_dwarf_read_value (&cursor, state->walk->view->unit, DW_FORM_indirect, 0, &value))
            return NULL;
        break;
    }
    default:
        break;
    }
    return cursor.failed ? NULL : cursor.pos;
}

/* Reads the length only once, because the file may change meanwhile. */
static inline const uint8_t *
skip_block (const State *state, const uint8_t *p, const uint8_t *end)
{
    size_t size = p < end ? *(const volatile uint8_t *)p : UINT8_MAX;
    if (G_LIKELY (size < 0x80 && size < (size_t)(end - p)))
        return p + 1 + size;
    return skip_variable (state, p, PV_DWARF_SKIP_BLOCK);
}

static inline const uint8_t *
skip_attrs (const State *state, const PvDwarfAbbrev *abbrev, const uint8_t *p)
{
    const uint16_t *op = state->abbrevs->ops + abbrev->first_op;
    const uint8_t *end = state->end;
    for (;;) {
        size_t fixed = *op >> PV_DWARF_SKIP_BITS;
        PvDwarfSkip kind = *op++ & ((1 << PV_DWARF_SKIP_BITS) - 1);
        if (G_UNLIKELY (fixed > (size_t)(end - p)))
            return NULL;
        p += fixed;
        if (kind == PV_DWARF_SKIP_END)
            return p;
        if (kind == PV_DWARF_SKIP_LEB)
            p = skip_leb (p, end);
        else if (kind == PV_DWARF_SKIP_BLOCK)
            p = skip_block (state, p, end);
        else
            p = skip_variable (state, p, kind);
        if (p == NULL)
            return NULL;
    }
}

/* The target of DW_AT_sibling of a DIE whose attributes end at p; NULL if it is not after p. */
static const uint8_t *
get_sibling (const State *state, const PvDwarfAbbrev *abbrev, const uint8_t *p)
{
    const PvDwarfView *view = state->walk->view;
    if (abbrev->sibling_back == 0)
        return NULL;
    PvCursor cursor = pv_cursor (p - abbrev->sibling_back, 4, view->file->swap);
    uint64_t offset = view->unit->offset + pv_cursor_u32 (&cursor);
    if (offset > view->unit->end || offset <= (uint64_t)(p - state->base))
        return NULL;
    return state->base + offset;
}

/* Moves the addresses in [low, high) from the scope of outer to a new scope. */
static void
take_addrs (PvDwarfWalk *walk, const Level *outer, Level *inner, uint64_t low, uint64_t high,
            uint32_t scope)
{
    size_t i = pv_bisect (outer->first, outer->last, at, walk->addrs[at] < low);
    for (; i < outer->last && walk->addrs[i] < high && walk->budget > 0; i++, walk->budget--) {
        if (walk->scope_of_addr[i] != outer->scope)
            continue;
        walk->scope_of_addr[i] = scope;
        if (inner->scope == 0)
            inner->first = i;
        inner->first = MIN (inner->first, i);
        inner->last = MAX (inner->last, i + 1);
        inner->scope = scope;
    }
}

/* The attributes of a DIE that give its code ranges. */
typedef struct {
    PvDwarfValue low_pc, high_pc, list;
} Extent;

static inline void
take_extent (Extent *extent, uint16_t name, const PvDwarfValue *value)
{
    if (name == DW_AT_low_pc)
        extent->low_pc = *value;
    else if (name == DW_AT_high_pc)
        extent->high_pc = *value;
    else if (name == DW_AT_ranges)
        extent->list = *value;
}

/* Fills in the level that the DIE at offset opens, with the addresses in its ranges. */
static void
enter_extent (PvDwarfWalk *walk, const Extent *extent, uint64_t offset, const Level *outer,
              Level *inner)
{
    PvDwarfRanges ranges;
    uint64_t low, high;
    uint32_t scope = (uint32_t)walk->scopes.len;
    if (!pv_dwarf_ranges_init (&ranges, walk->view, &extent->low_pc, &extent->high_pc,
                               &extent->list))
        return;
    while (pv_dwarf_ranges_next (&ranges, &low, &high, &walk->budget)) {
        if (outer->scope == 0 && !pv_dwarf_units_is_code (walk->units, low))
            continue;
        if (walk->wants_ranges) {
            pv_array_push (&walk->func_ranges, low);
            pv_array_push (&walk->func_ranges, high);
            inner->scope = walk->wants_inlined ? scope : 0;
        } else {
            take_addrs (walk, outer, inner, low, high, scope);
        }
    }
    if (inner->scope != 0) {
        PvDwarfScope row = {.offset = offset,
                            .parent = outer->scope,
                            .depth = walk->scopes.data[outer->scope].depth + 1};
        pv_array_push (&walk->scopes, row);
    }
}

/* Reads the ranges of a function or inlined call and fills in the level it opens. */
static void
enter_scope (State *state, const PvDwarfAbbrev *abbrev, const uint8_t *start, const uint8_t *p,
             const Level *outer, Level *inner)
{
    PvDwarfWalk *walk = state->walk;
    const PvDwarfView *view = walk->view;
    PvCursor cursor = {p, state->end, view->file->swap, false};
    Extent extent = {0};
    for (uint32_t i = 0; i < abbrev->n_attrs; i++) {
        const PvDwarfAttr *attr = &state->abbrevs->attrs[abbrev->first_attr + i];
        PvDwarfValue value;
        if (!pv_dwarf_read_value (&cursor, view->unit, attr->form, attr->implicit_value, &value))
            return;
        take_extent (&extent, attr->name, &value);
    }
    enter_extent (walk, &extent, (uint64_t)(start - state->base), outer, inner);
}

/* The level whose addresses a function (all addresses) or an inlined call (those of the innermost
 * scope) may take; NULL if there is none. */
static const Level *
find_outer (const State *state, bool is_inlined, const Level *all)
{
    if (!is_inlined)
        return all;
    const Level *outer = state->levels.len > 0 ? &state->levels.data[state->levels.len - 1] : NULL;
    return outer != NULL && outer->scope != 0 &&
                   state->walk->scopes.data[outer->scope].depth < MAX_SCOPE_DEPTH
               ? outer
               : NULL;
}

/* Visits a function or inlined call. Returns where to continue, or NULL if damaged. */
static const uint8_t *
visit_scope (State *state, const PvDwarfAbbrev *abbrev, const uint8_t *start, const uint8_t *p)
{
    PvDwarfWalk *walk = state->walk;
    Level all = {.first = 0, .last = walk->n_addrs};
    Level inner = {.depth = state->depth};
    const Level *outer = find_outer (state, abbrev->walk == PV_DWARF_WALK_INLINE, &all);
    if (outer != NULL)
        enter_scope (state, abbrev, start, p, outer, &inner);
    p = skip_attrs (state, abbrev, p);
    if (p == NULL || !abbrev->has_children)
        return p;
    /* Other functions only occur below abstract or plain functions, not below instances. */
    if (inner.scope == 0 && (abbrev->walk == PV_DWARF_WALK_INLINE || abbrev->has_origin)) {
        const uint8_t *sibling = get_sibling (state, abbrev, p);
        if (sibling != NULL)
            return sibling;
    }
    pv_array_push (&state->levels, inner);
    state->depth++;
    return p;
}

static void
open_container (State *state, uint64_t offset)
{
    PvDwarfView *view = state->walk->view;
    PvDwarfContainer container = {
        .start = offset, .end = view->unit->end, .parent = state->container};
    pv_array_push (&view->containers, container);
    state->container = (uint32_t)view->containers.len;
    pv_array_push (&state->levels, ((Level){.depth = state->depth, .container = state->container}));
}

/* Leaves the innermost level; offset is the end of its children. */
static void
pop_level (State *state, uint64_t offset)
{
    uint32_t index = state->levels.data[--state->levels.len].container;
    if (index == 0)
        return;
    PvDwarfContainer *container = &state->walk->view->containers.data[index - 1];
    container->end = offset;
    state->container = container->parent;
}

/* Handles a null entry: leaves the DIE whose children end at p. */
static void
close_children (State *state, const uint8_t *p)
{
    state->depth--;
    if (state->levels.len > 0 && state->levels.data[state->levels.len - 1].depth == state->depth)
        pop_level (state, (uint64_t)(p - state->base));
}

/* Visits one DIE. Returns the start of the next one, or NULL if damaged. */
static inline const uint8_t *
visit (State *state, const uint8_t *p)
{
    const uint8_t *start = p;
    uint64_t code = *p++;
    if (G_UNLIKELY (code >= 0x80)) {
        PvCursor cursor = {start, state->end, false, false};
        code = pv_dwarf_uleb (&cursor);
        if (cursor.failed)
            return NULL;
        p = cursor.pos;
    }
    if (code == 0) {
        close_children (state, p);
        return p;
    }
    const PvDwarfAbbrev *abbrev = pv_dwarf_abbrevs_find (state->abbrevs, code);
    if (G_UNLIKELY (abbrev == NULL))
        return NULL;
    if (abbrev->walk == PV_DWARF_WALK_FUNCTION || abbrev->walk == PV_DWARF_WALK_INLINE)
        return visit_scope (state, abbrev, start, p);
    p = skip_attrs (state, abbrev, p);
    if (p == NULL || !abbrev->has_children)
        return p;
    if (abbrev->walk == PV_DWARF_WALK_SKIP) {
        const uint8_t *sibling = get_sibling (state, abbrev, p);
        if (sibling != NULL)
            return sibling;
    } else if (abbrev->walk == PV_DWARF_WALK_CONTAINER) {
        open_container (state, (uint64_t)(start - state->base));
    }
    state->depth++;
    return p;
}

/* Visits a DIE that libdw has read. */
static void
visit_foreign (PvDwarfDie *die, uint64_t offset, size_t depth, void *user)
{
    State *state = user;
    Level all = {.first = 0, .last = state->walk->n_addrs};
    Level inner = {.depth = depth};
    Extent extent = {0};
    PvDwarfValue value;
    uint16_t name;
    while (state->levels.len > 0 && state->levels.data[state->levels.len - 1].depth >= depth)
        pop_level (state, offset);
    state->depth = depth;
    if (pv_dwarf_tag_is_container (die->tag)) {
        open_container (state, offset);
        return;
    }
    while (pv_dwarf_die_next (die, &name, &value))
        take_extent (&extent, name, &value);
    if (extent.low_pc.form == 0 && extent.list.form == 0)
        return;
    const Level *outer = find_outer (state, die->tag == DW_TAG_inlined_subroutine, &all);
    if (outer != NULL)
        enter_extent (state->walk, &extent, offset, outer, &inner);
    pv_array_push (&state->levels, inner);
}

/* Starts again with libdw, if it may read the unit; drops what the walk has found so far. */
static bool
run_foreign (PvDwarfWalk *walk, const PvDwarfAbbrevs *abbrevs, PvJob *job)
{
    PvDwarfView *view = walk->view;
    State state = {.walk = walk};
    walk->is_refused = !pv_dwarf_fallback_takes (view->file->fallback, view->unit, abbrevs);
    if (walk->is_refused)
        return true;
    view->is_foreign = true;
    view->containers.len = 0;
    walk->scopes.len = 1;
    walk->func_ranges.len = 0;
    for (size_t i = 0; i < walk->n_addrs; i++)
        walk->scope_of_addr[i] = 0;
    bool is_done =
        pv_dwarf_fallback_walk (view->file->fallback, view->unit, visit_foreign, &state, job);
    pv_array_clear (&state.levels);
    return is_done;
}

bool
pv_dwarf_walk_run (PvDwarfWalk *walk, PvDwarfCache *cache, PvJob *job)
{
    PvDwarfView *view = walk->view;
    const PvDwarfUnit *unit = view->unit;
    State state = {.walk = walk, .abbrevs = pv_dwarf_cache_get_abbrevs (cache, view)};
    if (walk->scopes.len == 0)
        pv_array_push (&walk->scopes, (PvDwarfScope){0});
    if (view->is_foreign) {
        view->has_walked = true;
        return run_foreign (walk, state.abbrevs, job);
    }
    if (state.abbrevs == NULL)
        return true;
    view->containers.len = 0;
    state.base = view->file->sections[PV_DWARF_INFO].data;
    state.end = state.base + unit->end;
    const uint8_t *p = state.base + unit->first_die;
    bool is_cancelled = false;
    for (uint32_t n = 1; p != NULL && p < state.end; n++) {
        p = visit (&state, p);
        /* The root's children have ended; the rest is padding. */
        if (state.depth == 0)
            break;
        if (n % 65536 == 0 && pv_job_is_cancelled (job)) {
            is_cancelled = true;
            break;
        }
    }
    view->has_walked = true;
    pv_array_clear (&state.levels);
    if (p == NULL && !is_cancelled && state.abbrevs->is_refused)
        return run_foreign (walk, state.abbrevs, job);
    return !is_cancelled;
}
