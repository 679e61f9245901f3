/* SPDX-License-Identifier: GPL-3.0-or-later */

#include <string.h>

#include "core/symbolize/dwarf/dwarf-index-private.h"

#define MAX_PATH_BYTES 4096u

/*
 * One thread's view of units. The root DIE gives the bases of the unit's parts of the other
 * sections (DWARF 5, section 3.1.1). These may come after the attributes that need them, so values
 * are stored and interpreted later.
 *
 * Split DWARF (section 3.1.2): the skeleton in the main file names a .dwo file that contains the
 * actual unit. Addresses and lines stay in the main file.
 */
static void
take_root_attr (PvDwarfView *view, uint16_t name, const PvDwarfValue *value, PvDwarfValue *comp_dir,
                PvDwarfValue *dwo_name, PvDwarfValue *unit_name)
{
    switch (name) {
    case DW_AT_name:
        *unit_name = *value;
        break;
    case DW_AT_low_pc:
        view->low_pc = *value;
        break;
    case DW_AT_high_pc:
        view->high_pc = *value;
        break;
    case DW_AT_ranges:
        view->ranges = *value;
        break;
    case DW_AT_stmt_list:
        view->stmt_list = *value;
        break;
    case DW_AT_language:
        view->language = *value;
        break;
    case DW_AT_comp_dir:
        *comp_dir = *value;
        break;
    case DW_AT_dwo_name:
    case DW_AT_GNU_dwo_name:
        *dwo_name = *value;
        break;
    case DW_AT_GNU_dwo_id:
        view->dwo_id = value->number;
        break;
    case DW_AT_str_offsets_base:
        view->str_offsets_base = value->number;
        break;
    case DW_AT_addr_base:
    case DW_AT_GNU_addr_base:
        view->addr_base = value->number;
        break;
    case DW_AT_rnglists_base:
        view->rnglists_base = value->number;
        break;
    case DW_AT_GNU_ranges_base:
        view->gnu_ranges_base = value->number;
        break;
    default:
        break;
    }
}

/* A split unit has no base attributes: its part starts after the header. */
static void
set_default_bases (PvDwarfView *view)
{
    if (view->unit->version < 5)
        return;
    uint64_t wide = view->unit->offset_size == 8 ? 8 : 0;
    view->str_offsets_base = 8 + wide;
    view->addr_base = 8 + wide;
    view->rnglists_base = 12 + wide;
}

/* Does not initialise found, which is large. */
static void
begin_die (PvDwarfDie *die, const PvDwarfUnit *unit, const PvDwarfAbbrevs *abbrevs,
           const PvDwarfAbbrev *abbrev, PvCursor cursor)
{
    die->unit = unit;
    die->tag = abbrev->tag;
    die->n_attrs = abbrev->n_attrs;
    die->next = 0;
    die->attrs = abbrev->n_attrs > 0 ? &abbrevs->attrs[abbrev->first_attr] : NULL;
    die->cursor = cursor;
}

/* Nim compiles to files of C that are named after its own: "@mhttp.nim.c". */
static bool
is_of_nim (const PvDwarfView *view, const PvDwarfValue *unit_name)
{
    static const char suffix[] = ".nim.c";
    const char *name = pv_dwarf_value_string (view, unit_name);
    size_t len = name != NULL ? strnlen (name, MAX_PATH_BYTES) : 0;
    return len > strlen (suffix) && len < MAX_PATH_BYTES &&
           strcmp (name + len - strlen (suffix), suffix) == 0;
}

/* The manglings of names that the unit declares. Those of assembler, which compilers of other
 * languages write, too, have the language of the symbol. */
static PvNameSource
find_name_source (const PvDwarfView *view, const PvDwarfValue *unit_name)
{
    enum { NONE, C_2017 = 0x2c, FORTRAN_2018, ADA_2005, ADA_2012, C_2023 = 0x3e };
    switch (pv_dwarf_value_number (&view->language)) {
    case NONE:
    case DW_LANG_Mips_Assembler:
    case DW_LANG_OCaml:
        return PV_NAME_SYMBOL;
    case DW_LANG_Ada83:
    case DW_LANG_Ada95:
    case ADA_2005:
    case ADA_2012:
        return PV_NAME_ADA;
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
    case FORTRAN_2018:
        return PV_NAME_FORTRAN;
    case DW_LANG_Pascal83:
        return PV_NAME_PASCAL;
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case C_2017:
    case C_2023:
        return is_of_nim (view, unit_name) ? PV_NAME_NIM : PV_NAME_WRITTEN;
    default:
        return PV_NAME_WRITTEN;
    }
}

static void
take_root (PvDwarfView *view, PvDwarfDie *die)
{
    const PvDwarfFile *file = view->file;
    PvDwarfValue comp_dir = {0}, dwo_name = {0}, unit_name = {0}, value;
    uint16_t name;
    while (pv_dwarf_die_next (die, &name, &value))
        take_root_attr (view, name, &value, &comp_dir, &dwo_name, &unit_name);
    view->name_source = find_name_source (view, &unit_name);
    view->comp_dir = pv_dwarf_value_string (view, &comp_dir);
    view->dwo_name = pv_dwarf_value_string (view, &dwo_name);
    /* In a .dwo, this attribute is the name of the file itself, not a reference to another one. */
    if (file->is_dwo)
        view->dwo_name = NULL;
    if (!file->is_dwo)
        pv_dwarf_value_addr (view, &view->low_pc, &view->base_addr);
}

/* Reads the root DIE without libdw. */
static bool
read_root (PvDwarfView *view, bool *ret_is_refused)
{
    const PvDwarfFile *file = view->file;
    const PvDwarfUnit *unit = view->unit;
    PvCursor cursor = pv_dwarf_section_cursor (file, PV_DWARF_INFO, unit->first_die);
    cursor = pv_cursor_sub (&cursor, (size_t)(unit->end - unit->first_die));
    uint64_t code = pv_dwarf_uleb (&cursor);
    if (code == 0 || cursor.failed)
        return false;
    PvDwarfAbbrevs *abbrevs = pv_dwarf_abbrevs_new (file, unit, code);
    const PvDwarfAbbrev *abbrev = abbrevs != NULL ? pv_dwarf_abbrevs_find (abbrevs, code) : NULL;
    bool is_good = abbrev != NULL;
    view->abbrev_bytes =
        abbrevs != NULL ? abbrevs->n_read_bytes : file->sections[PV_DWARF_ABBREV].size;
    *ret_is_refused = !is_good && abbrevs != NULL && abbrevs->is_refused;
    if (is_good) {
        PvDwarfDie die;
        begin_die (&die, unit, abbrevs, abbrev, cursor);
        take_root (view, &die);
        is_good = die.next == die.n_attrs;
    }
    pv_dwarf_abbrevs_free (abbrevs);
    return is_good;
}

bool
pv_dwarf_view_init (PvDwarfView *view, const PvDwarfFile *file, const PvDwarfUnit *unit)
{
    PvDwarfDie die;
    bool is_refused = unit->is_foreign;
    *view = (PvDwarfView){.file = file, .unit = unit, .dwo_id = unit->dwo_id};
    set_default_bases (view);
    if (!is_refused && read_root (view, &is_refused))
        return true;
    if (!is_refused || file->fallback == NULL ||
        !pv_dwarf_fallback_get_die (file->fallback, unit, unit->first_die, &die))
        return false;
    view->is_foreign = true;
    take_root (view, &die);
    return true;
}

void
pv_dwarf_cache_init (PvDwarfCache *cache)
{
    *cache = (PvDwarfCache){.arena = pv_arena_new ()};
}

static void
clear_abbrevs (PvDwarfCache *cache)
{
    for (size_t i = 0; i < cache->n_abbrevs; i++)
        pv_dwarf_abbrevs_free (cache->abbrevs[i].abbrevs);
    cache->n_abbrevs = 0;
    cache->abbrevs_bytes = 0;
    pv_id_map_clear (&cache->abbrevs_of_key);
}

void
pv_dwarf_cache_reset (PvDwarfCache *cache)
{
    for (size_t i = 0; i < cache->views.len; i++)
        pv_array_clear (&cache->views.data[i]->containers);
    pv_array_clear (&cache->views);
    pv_id_map_clear (&cache->view_of_unit);
    /* Free the tables of split files with the file. Keep those of the main file while they are
     * small: units of a link-time-optimised object share a table. */
    if (cache->split_files.len > 0 || cache->abbrevs_bytes > 4 << 20)
        clear_abbrevs (cache);
    for (size_t i = 0; i < cache->split_files.len; i++) {
        pv_dwarf_file_clear (cache->split_files.data[i]);
        g_free (cache->split_files.data[i]);
    }
    pv_array_clear (&cache->split_files);
    pv_arena_free (cache->arena);
    cache->arena = pv_arena_new ();
}

void
pv_dwarf_cache_clear (PvDwarfCache *cache)
{
    pv_dwarf_cache_reset (cache);
    clear_abbrevs (cache);
    g_free (cache->abbrevs);
    g_clear_pointer (&cache->arena, pv_arena_free);
}

PvDwarfView *
pv_dwarf_cache_get_view (PvDwarfCache *cache, const PvDwarfFile *file, const PvDwarfUnit *unit)
{
    uint64_t key = (uint64_t)(uintptr_t)unit;
    uint32_t id = pv_id_map_find (&cache->view_of_unit, key);
    if (id != 0)
        return cache->views.data[id - 1]->file != NULL ? cache->views.data[id - 1] : NULL;
    PvDwarfView *view = pv_arena_alloc0 (cache->arena, sizeof *view);
    if (!pv_dwarf_view_init (view, file, unit))
        view->file = NULL;
    pv_array_push (&cache->views, view);
    *pv_id_map_slot (&cache->view_of_unit, key) = (uint32_t)cache->views.len;
    return view->file != NULL ? view : NULL;
}

const PvDwarfAbbrevs *
pv_dwarf_cache_get_abbrevs (PvDwarfCache *cache, PvDwarfView *view)
{
    if (view->abbrevs != NULL)
        return view->abbrevs;
    const PvDwarfUnit *unit = view->unit;
    if (unit->is_foreign)
        return NULL;
    uint32_t sizes =
        (uint32_t)unit->version << 16 | (uint32_t)unit->address_size << 8 | unit->offset_size;
    uint64_t key =
        pv_hash_mix ((uint64_t)(uintptr_t)view->file ^ pv_hash_mix (unit->abbrev_offset)) ^ sizes;
    uint32_t id = pv_id_map_find (&cache->abbrevs_of_key, key);
    if (id != 0) {
        const struct PvDwarfCachedAbbrevs *known = &cache->abbrevs[id - 1];
        if (known->file == view->file && known->offset == unit->abbrev_offset &&
            known->sizes == sizes)
            return view->abbrevs = known->abbrevs;
    }
    PvDwarfAbbrevs *abbrevs = pv_dwarf_abbrevs_new (view->file, unit, 0);
    if (abbrevs == NULL)
        return NULL;
    if (cache->n_abbrevs == cache->cap_abbrevs)
        cache->abbrevs = pv_array_grow (cache->abbrevs, &cache->cap_abbrevs, cache->n_abbrevs + 1,
                                        sizeof *cache->abbrevs);
    cache->abbrevs[cache->n_abbrevs++] = (struct PvDwarfCachedAbbrevs){
        .file = view->file, .offset = unit->abbrev_offset, .sizes = sizes, .abbrevs = abbrevs};
    *pv_id_map_slot (&cache->abbrevs_of_key, key) = (uint32_t)cache->n_abbrevs;
    cache->abbrevs_bytes += abbrevs->size_bytes;
    return view->abbrevs = abbrevs;
}

bool
pv_dwarf_cache_get_die (PvDwarfCache *cache, PvDwarfView *view, uint64_t offset, PvDwarfDie *die)
{
    const PvDwarfUnit *unit = view->unit;
    PvDwarfFallback *fallback = view->file->fallback;
    if (offset < unit->first_die || offset >= unit->end)
        return false;
    if (view->is_foreign)
        return fallback != NULL && pv_dwarf_fallback_get_die (fallback, unit, offset, die);
    const PvDwarfAbbrevs *abbrevs = pv_dwarf_cache_get_abbrevs (cache, view);
    if (abbrevs == NULL)
        return false;
    PvCursor cursor = pv_dwarf_section_cursor (view->file, PV_DWARF_INFO, offset);
    cursor = pv_cursor_sub (&cursor, (size_t)(unit->end - offset));
    const PvDwarfAbbrev *abbrev = pv_dwarf_abbrevs_find (abbrevs, pv_dwarf_uleb (&cursor));
    if (cursor.failed)
        return false;
    if (abbrev == NULL)
        return abbrevs->is_refused && fallback != NULL &&
               pv_dwarf_fallback_get_die (fallback, unit, offset, die);
    begin_die (die, unit, abbrevs, abbrev, cursor);
    return true;
}

bool
pv_dwarf_die_next (PvDwarfDie *die, uint16_t *ret_name, PvDwarfValue *ret_value)
{
    if (die->next == die->n_attrs)
        return false;
    if (die->attrs == NULL) {
        *ret_name = die->found[die->next].name;
        *ret_value = die->found[die->next].value;
    } else {
        const PvDwarfAttr *attr = &die->attrs[die->next];
        *ret_name = attr->name;
        if (!pv_dwarf_read_value (&die->cursor, die->unit, attr->form, attr->implicit_value,
                                  ret_value))
            return false;
    }
    die->next++;
    return true;
}

/* The unit in file with that id. Before version 5, the id is in the root DIE. */
static PvDwarfView *
find_split_unit (PvDwarfCache *cache, const PvDwarfFile *file, uint64_t dwo_id)
{
    for (size_t i = 0; i < file->n_units; i++) {
        const PvDwarfUnit *unit = &file->units[i];
        if (unit->type == DW_UT_split_type || unit->type == DW_UT_type)
            continue;
        PvDwarfView *view = pv_dwarf_cache_get_view (cache, file, unit);
        if (view != NULL && view->dwo_id == dwo_id)
            return view;
    }
    return NULL;
}

/* Takes ownership of the opened file, which the cache clears. */
static PvDwarfView *
adopt_split_file (PvDwarfCache *cache, PvDwarfFile *file, PvDwarfView *skeleton)
{
    PvDwarfView *view = find_split_unit (cache, file, skeleton->dwo_id);
    pv_array_push (&cache->split_files, file);
    if (view == NULL)
        return NULL;
    view->skeleton = skeleton;
    view->base_addr = skeleton->base_addr;
    if (view->comp_dir == NULL)
        view->comp_dir = skeleton->comp_dir;
    if (view->unit->version < 5)
        view->gnu_ranges_base = skeleton->gnu_ranges_base;
    return view;
}

static PvDwarfView *
open_split_file (PvDwarfCache *cache, const char *path, PvDwarfView *skeleton)
{
    g_autoptr (PvMappedFile) mapped = pv_mapped_file_open (path, NULL);
    g_autoptr (PvElfImage) image = mapped != NULL ? pv_elf_image_new (mapped, path, NULL) : NULL;
    if (image == NULL)
        return NULL;
    PvDwarfFile *file = g_new0 (PvDwarfFile, 1);
    if (pv_dwarf_file_init (file, image, true))
        return adopt_split_file (cache, file, skeleton);
    pv_dwarf_file_clear (file);
    g_free (file);
    return NULL;
}

static PvDwarfView *
open_packaged (PvDwarfCache *cache, PvElfImage *package, PvDwarfView *skeleton)
{
    PvDwarfFile *file = g_new0 (PvDwarfFile, 1);
    if (pv_dwarf_file_init_from_package (file, package, skeleton->dwo_id))
        return adopt_split_file (cache, file, skeleton);
    pv_dwarf_file_clear (file);
    g_free (file);
    return NULL;
}

/* Looks for the file where it was relative to the folder of the build, and under its name alone. */
static PvDwarfView *
open_in_folder (PvDwarfCache *cache, const char *folder, PvDwarfView *skeleton)
{
    const char *name = skeleton->dwo_name;
    g_autofree char *base_name = g_path_get_basename (name);
    g_autofree char *below = g_build_filename (folder, name, NULL);
    g_autofree char *beside = g_build_filename (folder, base_name, NULL);
    PvDwarfView *view = NULL;
    if (!g_path_is_absolute (name) && strcmp (below, beside) != 0)
        view = open_split_file (cache, below, skeleton);
    return view != NULL ? view : open_split_file (cache, beside, skeleton);
}

PvDwarfView *
pv_dwarf_cache_get_split (PvDwarfCache *cache, const PvDwarfUnits *units, PvDwarfView *skeleton)
{
    PvDwarfView *view = NULL;
    if (units->package != NULL)
        view = open_packaged (cache, units->package, skeleton);
    if (view != NULL || skeleton->dwo_name == NULL)
        return view;
    g_autofree char *from_comp_dir =
        g_path_is_absolute (skeleton->dwo_name) || skeleton->comp_dir == NULL
            ? g_strdup (skeleton->dwo_name)
            : g_build_filename (skeleton->comp_dir, skeleton->dwo_name, NULL);
    g_autofree char *folder = g_path_get_dirname (pv_elf_image_get_path (units->binary));
    if (g_path_is_absolute (from_comp_dir))
        view = open_split_file (cache, from_comp_dir, skeleton);
    if (view == NULL)
        view = open_in_folder (cache, folder, skeleton);
    for (char **more = units->split_folders; view == NULL && more != NULL && *more != NULL; more++)
        view = open_in_folder (cache, *more, skeleton);
    return view;
}
