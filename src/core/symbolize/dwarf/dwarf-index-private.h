/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <dwarf.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/idmap.h"
#include "core/base/job.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/dwarf/dwarf-index.h"

/*
 * Private to dwarf-*.c. The reader works on the bytes of the sections: functions, inlined calls,
 * ranges and names are a small part of a unit, and most of the time is spent skipping the rest,
 * which needs only the abbreviations.
 *
 *   PvDwarfFile   sections and unit headers of one ELF file (main, dwz supplement, .dwo)
 *   PvDwarfView   one unit with the attributes of its root DIE; made and used by one thread
 *   PvDwarfCache  a worker's views and abbreviation tables
 */
typedef struct {
    const uint8_t *data;
    size_t size;
} PvDwarfBytes;

typedef enum {
    PV_DWARF_INFO,
    PV_DWARF_ABBREV,
    PV_DWARF_STR,
    PV_DWARF_STR_OFFSETS,
    PV_DWARF_LINE,
    PV_DWARF_LINE_STR,
    PV_DWARF_ADDR,
    PV_DWARF_RANGES,
    PV_DWARF_RNGLISTS,
    PV_DWARF_N_SECTIONS,
} PvDwarfSectionId;

/* The header of a unit. Offsets are from the start of .debug_info. */
typedef struct {
    uint64_t offset;
    uint64_t end;
    uint64_t first_die;
    uint64_t abbrev_offset;
    uint64_t dwo_id;
    uint16_t version;
    uint8_t type; /* DW_UT_*; DW_UT_compile before version 5 */
    uint8_t address_size;
    uint8_t offset_size;
    bool is_foreign; /* unknown version: only libdw may read it */
} PvDwarfUnit;

typedef struct PvDwarfFallback PvDwarfFallback;

typedef struct PvDwarfFile {
    PvElfImage *image;
    PvDwarfBytes sections[PV_DWARF_N_SECTIONS];
    const struct PvDwarfFile *alternate; /* dwz supplement, or NULL */
    PvDwarfFallback *fallback;           /* libdw, for the main file; or NULL */
    PvDwarfUnit *units;                  /* sorted by offset */
    size_t n_units;
    size_t n_skipped; /* units skipped because of unsupported versions */
    bool swap;
    bool is_dwo;
    bool is_damaged; /* the chain of unit headers broke before the end */
} PvDwarfFile;

extern const char *const pv_dwarf_section_names[PV_DWARF_N_SECTIONS];

/* Reads the unit headers; file must be zeroed. False if there is no .debug_info. */
bool pv_dwarf_file_init (PvDwarfFile *file, PvElfImage *image, bool is_dwo);
void pv_dwarf_file_clear (PvDwarfFile *file);
/* The unit that contains an offset in .debug_info, or NULL. */
const PvDwarfUnit *pv_dwarf_file_find_unit (const PvDwarfFile *file, uint64_t offset);

/* Presents the unit dwo_id of a .dwp as a file that shares the package's bytes. */
bool pv_dwarf_file_init_from_package (PvDwarfFile *file, PvElfImage *package, uint64_t dwo_id);

/* Fast path: nearly all numbers take one byte. */
static inline uint64_t
pv_dwarf_uleb (PvCursor *cursor)
{
    if (G_LIKELY (cursor->pos < cursor->end && *cursor->pos < 0x80))
        return *cursor->pos++;
    return pv_cursor_uleb (cursor);
}

static inline int64_t
pv_dwarf_sleb (PvCursor *cursor)
{
    if (G_LIKELY (cursor->pos < cursor->end && *cursor->pos < 0x80)) {
        uint8_t byte = *cursor->pos++;
        return byte < 0x40 ? byte : byte - 0x80;
    }
    return pv_cursor_sleb (cursor);
}

/* Abbreviations */

typedef enum {
    PV_DWARF_WALK_PLAIN,     /* step over the attributes, into the children */
    PV_DWARF_WALK_FUNCTION,  /* a subprogram with code */
    PV_DWARF_WALK_INLINE,    /* an inlined subroutine with code */
    PV_DWARF_WALK_CONTAINER, /* a namespace or class: qualifies names */
    PV_DWARF_WALK_SKIP,      /* no code below: go to the sibling */
} PvDwarfWalkKind;

typedef struct {
    uint16_t name;
    uint16_t form;
    int64_t implicit_value;
} PvDwarfAttr;

typedef struct {
    uint64_t code;
    uint32_t first_attr;
    uint32_t n_attrs;
    uint32_t first_op;
    uint16_t tag; /* 0: not defined */
    uint8_t walk; /* PvDwarfWalkKind */
    bool has_children;
    bool has_origin;      /* DW_AT_abstract_origin: a concrete instance */
    uint8_t sibling_back; /* bytes from DW_AT_sibling (ref4) to the end of the attributes, or 0 */
} PvDwarfAbbrev;

/*
 * To step over a DIE: 16-bit ops, each a fixed number of bytes followed by one item that contains
 * its own size.
 */
typedef enum {
    PV_DWARF_SKIP_END,
    PV_DWARF_SKIP_NOTHING,
    PV_DWARF_SKIP_LEB,
    PV_DWARF_SKIP_STRING,
    PV_DWARF_SKIP_BLOCK1,
    PV_DWARF_SKIP_BLOCK2,
    PV_DWARF_SKIP_BLOCK4,
    PV_DWARF_SKIP_BLOCK,
    PV_DWARF_SKIP_INDIRECT,
} PvDwarfSkip;

#define PV_DWARF_SKIP_BITS 4
#define PV_DWARF_SKIP_MAX  0xfff

typedef struct {
    PvDwarfAbbrev *dense; /* indexed by code, if codes are small */
    size_t n_dense;
    PvDwarfAbbrev *sorted; /* otherwise, for binary search */
    size_t n_sorted;
    PvDwarfAttr *attrs;
    uint16_t *ops;
    size_t size_bytes;
    size_t n_read_bytes; /* bytes of the section read */
    bool has_code;       /* an abbreviation is a subprogram with code */
    bool is_whole;       /* read to its end: every attribute has a valid number and form */
    bool is_refused;     /* has an abbreviation with an unknown form or attribute */
    uint32_t max_attrs;
} PvDwarfAbbrevs;

/* True if values of the form can be read and skipped. */
bool pv_dwarf_form_is_known (uint16_t form);
/* A namespace or class: qualifies the names inside. */
bool pv_dwarf_tag_is_container (uint16_t tag);

/* Reads the whole table, or only the abbreviation only_code if that is not 0. NULL if nothing was
 * found and nothing refused. */
PvDwarfAbbrevs *pv_dwarf_abbrevs_new (const PvDwarfFile *file, const PvDwarfUnit *unit,
                                      uint64_t only_code);
void pv_dwarf_abbrevs_free (PvDwarfAbbrevs *abbrevs);
const PvDwarfAbbrev *pv_dwarf_abbrevs_bisect (const PvDwarfAbbrevs *abbrevs, uint64_t code);

static inline const PvDwarfAbbrev *
pv_dwarf_abbrevs_find (const PvDwarfAbbrevs *abbrevs, uint64_t code)
{
    if (G_LIKELY (code < abbrevs->n_dense))
        return abbrevs->dense[code].tag != 0 ? &abbrevs->dense[code] : NULL;
    return abbrevs->n_sorted > 0 ? pv_dwarf_abbrevs_bisect (abbrevs, code) : NULL;
}

/* Views of units */

typedef struct {
    uint16_t form;       /* never DW_FORM_indirect; 0: absent */
    uint64_t number;     /* constant, offset, index or address */
    const uint8_t *data; /* blocks and DW_FORM_string */
    size_t size;
} PvDwarfValue;

typedef struct PvDwarfLineTable PvDwarfLineTable;

typedef struct {
    uint64_t start;  /* offset of the DIE */
    uint64_t end;    /* after its children */
    uint32_t parent; /* index + 1; 0: none */
} PvDwarfContainer;

typedef struct PvDwarfView {
    const PvDwarfFile *file;
    const PvDwarfUnit *unit;
    const PvDwarfAbbrevs *abbrevs;          /* on demand: pv_dwarf_view_get_abbrevs () */
    struct PvDwarfView *skeleton;           /* of a split unit: has its addresses and lines */
    PvDwarfLineTable *lines;                /* on demand */
    PV_ARRAY (PvDwarfContainer) containers; /* filled by a walk, in preorder */
    bool has_walked;
    bool has_looked_for_lines;
    bool is_foreign; /* refused by this reader: DIEs come from libdw */
    PvDwarfValue low_pc, high_pc, ranges, stmt_list, language;
    uint64_t base_addr; /* for range lists */
    uint64_t str_offsets_base, addr_base, rnglists_base, gnu_ranges_base;
    uint64_t dwo_id;
    uint64_t abbrev_bytes; /* bytes read to find the root's abbreviation */
    const char *comp_dir;  /* this and the others may be NULL */
    const char *dwo_name;
    PvNameSource name_source;
} PvDwarfView;

typedef struct {
    PvArena *arena; /* views, line tables; lives for one resolve */
    PvIdMap view_of_unit;
    PV_ARRAY (PvDwarfView *) views;
    PV_ARRAY (PvDwarfFile *) split_files;
    struct PvDwarfCachedAbbrevs {
        const PvDwarfFile *file;
        uint64_t offset;
        uint32_t sizes;
        PvDwarfAbbrevs *abbrevs;
    } * abbrevs;
    size_t n_abbrevs, cap_abbrevs;
    PvIdMap abbrevs_of_key;
    size_t abbrevs_bytes;
} PvDwarfCache;

void pv_dwarf_cache_init (PvDwarfCache *cache);
/* Drops everything that belongs to the last unit. */
void pv_dwarf_cache_reset (PvDwarfCache *cache);
void pv_dwarf_cache_clear (PvDwarfCache *cache);

/* The unit's view; NULL if its root DIE cannot be read. */
PvDwarfView *pv_dwarf_cache_get_view (PvDwarfCache *cache, const PvDwarfFile *file,
                                      const PvDwarfUnit *unit);
/* Lets the system take back the memory of a large unit's DIEs: otherwise the whole mapped debug
 * file would end up in resident memory. */
void pv_dwarf_view_release_pages (const PvDwarfView *view);

/* NULL if damaged or of an unknown version. */
const PvDwarfAbbrevs *pv_dwarf_cache_get_abbrevs (PvDwarfCache *cache, PvDwarfView *view);

/* Fills the view from the root DIE without a cache. */
bool pv_dwarf_view_init (PvDwarfView *view, const PvDwarfFile *file, const PvDwarfUnit *unit);

/* The view of the skeleton's unit in its .dwo or .dwp; NULL if not found. */
PvDwarfView *pv_dwarf_cache_get_split (PvDwarfCache *cache, const PvDwarfUnits *units,
                                       PvDwarfView *skeleton);

/* Values */

/* Reads one attribute's value; false if the bytes end or the form is unknown. */
bool pv_dwarf_read_value (PvCursor *cursor, const PvDwarfUnit *unit, uint16_t form,
                          int64_t implicit_value, PvDwarfValue *ret_value);
/* NULL if it is not a string, or not terminated within its section. */
const char *pv_dwarf_value_string (const PvDwarfView *view, const PvDwarfValue *value);
bool pv_dwarf_value_addr (const PvDwarfView *view, const PvDwarfValue *value, uint64_t *ret_addr);
bool pv_dwarf_value_ref (const PvDwarfView *view, const PvDwarfValue *value,
                         const PvDwarfFile **ret_file, uint64_t *ret_offset);
/* Constants of any width; 0 for anything else. */
uint64_t pv_dwarf_value_number (const PvDwarfValue *value);
/* Looks up an index in .debug_addr. */
bool pv_dwarf_view_addr_at (const PvDwarfView *view, uint64_t index, uint64_t *ret_addr);

/* A number of size bytes (1 to 8) at the cursor. */
uint64_t pv_dwarf_read_uint (PvCursor *cursor, unsigned size);
/* A cursor from offset to the end of a section; failed if offset is out of range. */
PvCursor pv_dwarf_section_cursor (const PvDwarfFile *file, PvDwarfSectionId section,
                                  uint64_t offset);

/* An attribute that libdw found. */
typedef struct {
    uint16_t name;
    PvDwarfValue value;
} PvDwarfFound;

#define PV_DWARF_MAX_FOUND 32

/* A DIE; reads its attributes one by one. */
typedef struct {
    const PvDwarfUnit *unit;
    uint16_t tag;
    uint32_t n_attrs;
    uint32_t next;
    const PvDwarfAttr *attrs; /* NULL: libdw read it; its attributes are in found */
    PvCursor cursor;          /* at the next attribute */
    PvDwarfFound found[PV_DWARF_MAX_FOUND];
} PvDwarfDie;

/* The DIE at an offset of view's .debug_info; false: no DIE. */
bool pv_dwarf_cache_get_die (PvDwarfCache *cache, PvDwarfView *view, uint64_t offset,
                             PvDwarfDie *ret_die);
/* The next attribute; false at the end or if the bytes are damaged. */
bool pv_dwarf_die_next (PvDwarfDie *die, uint16_t *ret_name, PvDwarfValue *ret_value);

/* Ranges */

typedef struct {
    const PvDwarfView *view; /* whose .debug_addr applies */
    PvCursor cursor;
    uint64_t base;
    uint64_t low, high; /* a single range instead of a list */
    uint8_t kind;
} PvDwarfRanges;

/* The ranges of a DIE from its DW_AT_ranges, or from its low and high pc; absent values have form
 * 0. False if the DIE has no code. */
bool pv_dwarf_ranges_init (PvDwarfRanges *ranges, const PvDwarfView *view,
                           const PvDwarfValue *low_pc, const PvDwarfValue *high_pc,
                           const PvDwarfValue *list);
/* The next range that is not empty; false at the end or when *budget is used up. Each entry read
 * costs one. */
bool pv_dwarf_ranges_next (PvDwarfRanges *ranges, uint64_t *ret_low, uint64_t *ret_high,
                           uint64_t *budget);

/* The walk over a unit's DIEs */

typedef struct {
    uint64_t offset; /* of the subprogram or inlined subroutine */
    uint32_t parent; /* the scope it is inlined into; 0: none, a function */
    uint32_t depth;
} PvDwarfScope;

/* Finds the chain of scopes around each of the sorted addresses. */
typedef struct {
    const PvDwarfUnits *units;
    PvDwarfView *view;
    const uint64_t *addrs;
    size_t n_addrs;
    bool is_refused;                 /* has DIEs that neither this reader nor libdw could read */
    uint32_t *scope_of_addr;         /* innermost; 0: none */
    PV_ARRAY (PvDwarfScope) scopes;  /* row 0: none */
    PV_ARRAY (uint64_t) func_ranges; /* pairs; filled instead of scopes when wants_ranges */
    bool wants_ranges;
    bool wants_inlined; /* ranges of inlined calls too */
    uint64_t budget;
} PvDwarfWalk;

/* False if cancelled; finds what comes before the damage in a damaged unit. */
bool pv_dwarf_walk_run (PvDwarfWalk *walk, PvDwarfCache *cache, PvJob *job);

/* Libdw */

/*
 * libdw reads the units that this reader refuses: it enumerates DIEs and attributes, and converts
 * values of unknown forms. This reader does the rest (ranges, line tables, names, budgets), because
 * libdw has no limits: its line reader joins every folder with every file, and it finds scopes by
 * recursion. One handle per module, made when the first unit is refused, used under a lock. Any
 * thread.
 */
PvDwarfFallback *pv_dwarf_fallback_new (const PvDwarfFile *file);
void pv_dwarf_fallback_free (PvDwarfFallback *fallback);

/* Reads one DIE; at most PV_DWARF_MAX_FOUND attributes. */
bool pv_dwarf_fallback_get_die (PvDwarfFallback *fallback, const PvDwarfUnit *unit, uint64_t offset,
                                PvDwarfDie *ret_die);

/* True if libdw may walk the unit; abbrevs is its whole table, or NULL if it was unreadable. */
bool pv_dwarf_fallback_takes (const PvDwarfFallback *fallback, const PvDwarfUnit *unit,
                              const PvDwarfAbbrevs *abbrevs);

/* Called for each DIE in preorder, the root at depth 0. die has attributes only if it is a
 * subprogram or inlined subroutine. */
typedef void (*PvDwarfVisitFunc) (PvDwarfDie *die, uint64_t offset, size_t depth, void *user);

/* False if cancelled. Stops early if libdw fails or takes too long. */
bool pv_dwarf_fallback_walk (PvDwarfFallback *fallback, const PvDwarfUnit *unit,
                             PvDwarfVisitFunc visit, void *user, PvJob *job);

/* Counts a unit that was left to libdw; is_answered: libdw could read it. */
void pv_dwarf_fallback_count (PvDwarfFallback *fallback, bool is_answered);
void pv_dwarf_fallback_get_counts (PvDwarfFallback *fallback, size_t *ret_n_answered,
                                   size_t *ret_n_unanswered);

/* Lines */

typedef struct {
    uint64_t start; /* of the row */
    uint32_t file;
    uint32_t line;
    bool is_found;
} PvDwarfRow;

/* NULL if the unit has no line table. */
PvDwarfLineTable *pv_dwarf_cache_get_lines (PvDwarfCache *cache, PvDwarfView *view);
/* The path for a file index as in DW_AT_call_file and the rows: absolute if the compiler's folder
 * is known; allocated in out once per file and table. NULL if there is none. */
const char *pv_dwarf_lines_get_path (PvDwarfLineTable *lines, uint64_t file, PvArena *out);
/* A compiler's path in its folder, which may be NULL; without "//", "." and what ".." undoes. Free
 * with g_free (). */
char *pv_dwarf_join_path (const char *comp_dir, const char *path);
/* Finds the row of each of the sorted addresses. */
void pv_dwarf_lines_find_rows (const PvDwarfLineTable *lines, const PvDwarfUnits *units,
                               const uint64_t *addrs, size_t n, PvDwarfRow *rows, PvJob *job);

/* Names */

/* The attributes of a DIE and its origins; strings are in the output arena. */
typedef struct {
    const char *linkage_name;
    const char *name; /* qualified if there is no linkage name */
    const char *decl_file;
    uint32_t decl_line;
    uint32_t call_line; /* of an inlined subroutine */
    const char *call_file;
    PvDwarfView *root_view; /* the end of the chain of origins: the first declaration */
    uint64_t root_offset;
} PvDwarfName;

typedef struct {
    PvDwarfCache *cache;
    PvArena *out;
    PvJob *job;
    PvIdMap name_of_die;
    PV_ARRAY (PvDwarfName) names;
    PvIdMap qualified_of_die;
    PV_ARRAY (const char *) qualified;
    uint64_t walk_budget; /* bytes of units that may still be walked just for qualified names */
    uint64_t text_budget; /* bytes of names left: many may point into one long string */
} PvDwarfNames;

/* Name, declaration and call site of a scope's DIE. */
PvDwarfName pv_dwarf_names_get (PvDwarfNames *names, PvDwarfView *view, uint64_t offset);
void pv_dwarf_names_clear (PvDwarfNames *names);

/* The unit map's data, also read by the other files */

typedef struct {
    uint64_t start, end;
    uint32_t unit;
} PvDwarfSpan;

struct PvDwarfUnits {
    PvDwarfFile main;
    PvDwarfFile alternate;
    PvElfImage *package;         /* .dwp, or NULL */
    PvElfImage *binary;          /* its folder is also searched for .dwo files, like ... */
    char **split_folders;        /* ... these; NULL: none */
    PV_ARRAY (PvDwarfSpan) code; /* executable segments; unit unused */
    PvDwarfSpan *spans;          /* sorted, disjoint */
    size_t n_spans;
};

/* True if there can be code at the address: code that the linker dropped still has debug
 * information, with address 0, 1 or -1. */
bool pv_dwarf_units_is_code (const PvDwarfUnits *units, uint64_t link_addr);
