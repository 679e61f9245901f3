/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/base/search.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * Names of functions. The DIE of an inlined call or of an out-of-line instance has few attributes
 * of its own. It refers to its abstract origin, which refers to the declaration in its class
 * (specification), possibly in other units or in dwz's supplementary file. If one of them lacks an
 * attribute, the next one provides it.
 *
 * Without a linkage name (C++, Rust and Fortran compilers omit some) the name is qualified by the
 * namespaces and classes around the declaration. DWARF does not store parents, but the walk over
 * the unit has recorded the extents of all containers.
 */
#define MAX_ORIGINS    16
#define MAX_CONTAINERS 32
#define MAX_NAME_BYTES (64 << 10)

typedef struct {
    const PvDwarfFile *file; /* NULL: none */
    uint64_t offset;
} Origin;

/* NULL if the name is empty or implausibly long. */
static const char *
copy (PvDwarfNames *names, const char *string)
{
    size_t size = string != NULL ? strnlen (string, MAX_NAME_BYTES) : 0;
    if (size == 0 || size == MAX_NAME_BYTES || size > names->text_budget)
        return NULL;
    names->text_budget -= size;
    return pv_arena_strndup (names->out, string, size);
}

static const char *
get_path (PvDwarfNames *names, PvDwarfView *view, const PvDwarfValue *index)
{
    PvDwarfLineTable *lines = pv_dwarf_cache_get_lines (names->cache, view);
    return lines != NULL && index->form != 0
               ? pv_dwarf_lines_get_path (lines, pv_dwarf_value_number (index), names->out)
               : NULL;
}

static uint32_t
get_line (const PvDwarfValue *value)
{
    uint64_t line = pv_dwarf_value_number (value);
    return line <= UINT32_MAX ? (uint32_t)line : 0;
}

/* Reads the attributes of one DIE, without its origins. */
static bool
read_die (PvDwarfNames *names, PvDwarfView *view, uint64_t offset, PvDwarfName *name,
          Origin *origin)
{
    PvDwarfDie die;
    PvDwarfValue linkage_name = {0}, own_name = {0}, decl_file = {0}, decl_line = {0};
    PvDwarfValue call_file = {0}, call_line = {0};
    *name = (PvDwarfName){.root_view = view, .root_offset = offset};
    *origin = (Origin){0};
    if (!pv_dwarf_cache_get_die (names->cache, view, offset, &die))
        return false;
    PvDwarfValue value;
    uint16_t attr;
    while (pv_dwarf_die_next (&die, &attr, &value)) {
        switch (attr) {
        case DW_AT_linkage_name:
        case DW_AT_MIPS_linkage_name:
            linkage_name = value;
            break;
        case DW_AT_name:
            own_name = value;
            break;
        case DW_AT_decl_file:
            decl_file = value;
            break;
        case DW_AT_decl_line:
            decl_line = value;
            break;
        case DW_AT_call_file:
            call_file = value;
            break;
        case DW_AT_call_line:
            call_line = value;
            break;
        case DW_AT_abstract_origin:
        case DW_AT_specification:
            if (!pv_dwarf_value_ref (view, &value, &origin->file, &origin->offset))
                origin->file = NULL;
            break;
        default:
            break;
        }
    }
    name->linkage_name = copy (names, pv_dwarf_value_string (view, &linkage_name));
    name->name = copy (names, pv_dwarf_value_string (view, &own_name));
    name->decl_file = get_path (names, view, &decl_file);
    name->decl_line = get_line (&decl_line);
    name->call_file = get_path (names, view, &call_file);
    name->call_line = get_line (&call_line);
    return true;
}

static void
fill_gaps (PvDwarfName *name, const PvDwarfName *origin)
{
    if (name->linkage_name == NULL)
        name->linkage_name = origin->linkage_name;
    if (name->name == NULL)
        name->name = origin->name;
    if (name->decl_file == NULL)
        name->decl_file = origin->decl_file;
    if (name->decl_line == 0)
        name->decl_line = origin->decl_line;
    name->root_view = origin->root_view;
    name->root_offset = origin->root_offset;
}

/* The key of a DIE: the address of its bytes. */
static uint64_t
get_key (const PvDwarfFile *file, uint64_t offset)
{
    return (uint64_t)(uintptr_t)file->sections[PV_DWARF_INFO].data + offset;
}

/* Reads a DIE with its origins; n_left stops cycles. */
static bool
read_chain (PvDwarfNames *names, Origin at, unsigned n_left, PvDwarfName *ret_name)
{
    const PvDwarfUnit *unit = pv_dwarf_file_find_unit (at.file, at.offset);
    PvDwarfView *view = unit != NULL ? pv_dwarf_cache_get_view (names->cache, at.file, unit) : NULL;
    Origin origin;
    if (view == NULL || n_left == 0)
        return false;
    uint64_t key = get_key (at.file, at.offset);
    uint32_t id = pv_id_map_find (&names->name_of_die, key);
    if (id != 0) {
        *ret_name = names->names.data[id - 1];
        return true;
    }
    if (!read_die (names, view, at.offset, ret_name, &origin))
        return false;
    PvDwarfName inner;
    if (origin.file != NULL && read_chain (names, origin, n_left - 1, &inner))
        fill_gaps (ret_name, &inner);
    pv_array_push (&names->names, *ret_name);
    *pv_id_map_slot (&names->name_of_die, key) = (uint32_t)names->names.len;
    return true;
}

/* Qualified names */

static bool
has_qualified_names (const PvDwarfView *view)
{
    switch (pv_dwarf_value_number (&view->language)) {
    case DW_LANG_C:
    case DW_LANG_C89:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case DW_LANG_Go:
    case DW_LANG_Mips_Assembler:
        return false;
    default:
        return true;
    }
}

/* The innermost container around an offset; index + 1, or 0. */
static uint32_t
find_container (const PvDwarfView *view, uint64_t offset)
{
    size_t low = pv_bisect (0, view->containers.len, i, view->containers.data[i].start < offset);
    uint32_t id = (uint32_t)low;
    while (id != 0 && view->containers.data[id - 1].end <= offset)
        id = view->containers.data[id - 1].parent;
    return id;
}

static const char *
get_container_name (PvDwarfNames *names, PvDwarfView *view, uint64_t offset, bool is_call)
{
    PvDwarfDie die;
    if (!pv_dwarf_cache_get_die (names->cache, view, offset, &die))
        return "?";
    PvDwarfValue value;
    uint16_t attr;
    while (pv_dwarf_die_next (&die, &attr, &value)) {
        const char *name = attr == DW_AT_name ? pv_dwarf_value_string (view, &value) : NULL;
        if (name != NULL && *name != '\0')
            return name;
    }
    if (die.tag == DW_TAG_namespace)
        return "(anonymous namespace)";
    return is_call ? "{lambda}" : "(anonymous class)";
}

/* Walks a unit to find its containers, unless it has been walked already. */
static void
walk_containers (PvDwarfNames *names, PvDwarfView *view)
{
    uint64_t size = view->unit->end - view->unit->offset;
    if (view->has_walked || size > names->walk_budget)
        return;
    names->walk_budget -= size;
    PvDwarfWalk walk = {.view = view};
    pv_dwarf_walk_run (&walk, names->cache, names->job);
    pv_array_clear (&walk.scopes);
}

/* "outer::inner::name" from parts, innermost first. */
static const char *
join (PvDwarfNames *names, const char *const *parts, size_t n, const char *name)
{
    size_t size = strlen (name) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen (parts[i]) + 2;
    if (n == 0 || size > MAX_NAME_BYTES || size > names->text_budget)
        return name;
    names->text_budget -= size;
    char *text = pv_arena_alloc (names->out, size);
    char *end = text;
    while (n > 0)
        end = stpcpy (stpcpy (end, parts[--n]), "::");
    strcpy (end, name);
    return text;
}

static const char *
qualify (PvDwarfNames *names, const PvDwarfName *name)
{
    PvDwarfView *view = name->root_view;
    if (name->name == NULL || !has_qualified_names (view))
        return name->name;
    uint64_t key = get_key (view->file, name->root_offset);
    uint32_t id = pv_id_map_find (&names->qualified_of_die, key);
    if (id != 0)
        return names->qualified.data[id - 1];
    walk_containers (names, view);
    const char *parts[MAX_CONTAINERS];
    size_t n = 0;
    bool is_call = strncmp (name->name, "operator()", 10) == 0;
    for (uint32_t at = find_container (view, name->root_offset); at != 0 && n < MAX_CONTAINERS;
         at = view->containers.data[at - 1].parent) {
        parts[n++] = get_container_name (names, view, view->containers.data[at - 1].start, is_call);
        is_call = false;
    }
    const char *qualified = join (names, parts, n, name->name);
    pv_array_push (&names->qualified, qualified);
    *pv_id_map_slot (&names->qualified_of_die, key) = (uint32_t)names->qualified.len;
    return qualified;
}

PvDwarfName
pv_dwarf_names_get (PvDwarfNames *names, PvDwarfView *view, uint64_t offset)
{
    PvDwarfName name, inner;
    Origin origin;
    if (!read_die (names, view, offset, &name, &origin))
        return (PvDwarfName){.root_view = view};
    if (origin.file != NULL && read_chain (names, origin, MAX_ORIGINS, &inner))
        fill_gaps (&name, &inner);
    if (name.linkage_name == NULL)
        name.name = qualify (names, &name);
    return name;
}

void
pv_dwarf_names_clear (PvDwarfNames *names)
{
    pv_id_map_clear (&names->name_of_die);
    pv_array_clear (&names->names);
    pv_id_map_clear (&names->qualified_of_die);
    pv_array_clear (&names->qualified);
}
