/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/model/profile/profile.h"

/*
 * Names for the locations of one profile: location -> chain of frames, innermost (most inlined)
 * first, the physical function last. A table is immutable and may be read from any thread; a better
 * one replaces it as symbols become known. All tables of one builder share their memory and
 * function ids: an id is the same function in all of them.
 */
typedef uint32_t PvFunctionId;

/* Exports have this in place of a stack without frames, and readers take it for one. */
#define PV_NO_STACK "(no stack)"

typedef enum {
    PV_FUNCTION_NAMED,
    PV_FUNCTION_RANGE,   /* no name, but its start is known: "module+0x1234" */
    PV_FUNCTION_UNKNOWN, /* one address: "module+0x1234", "module at 0x1234" or "0x1234"; or "??" */
} PvFunctionKind;

/* One row per (module, full name). */
typedef struct {
    const char *name;       /* full, demangled */
    const char *short_name; /* without template arguments and parameters; never empty */
    const char *label; /* for lists: the short name, plus what distinguishes it from others of its
                          module with the same one; set by symbolize */
    const char *raw_name; /* as in the symbol table; the same pointer as name if not mangled */
    const char *file;     /* of its declaration; NULL if unknown */
    uint32_t line;        /* of its declaration; 0 if unknown */
    PvModuleId module;
    PvFunctionKind kind;
} PvFunction;

typedef struct {
    PvFunctionId function;
    uint32_t line;    /* line being executed (or calling the next inner frame); 0: unknown */
    const char *file; /* NULL: unknown */
    bool is_inlined;  /* into the next frame of the chain */
} PvFrame;

typedef enum {
    PV_MODULE_SYMBOLS_PENDING, /* not looked at yet */
    PV_MODULE_SYMBOLS_FULL,    /* names, lines and inlined frames */
    PV_MODULE_SYMBOLS_NAMES,   /* a symbol table, no debug information */
    PV_MODULE_SYMBOLS_NONE,    /* stripped */
    PV_MODULE_SYMBOLS_MISSING, /* no matching file found */
    /* Only in comparisons: the other side has names, so functions seem new or gone. */
    PV_MODULE_SYMBOLS_NOT_IN_BASE,
    PV_MODULE_SYMBOLS_NOT_IN_NEW,
} PvModuleSymbols;

static inline bool
pv_module_symbols_are_of_one_side (PvModuleSymbols state)
{
    return state == PV_MODULE_SYMBOLS_NOT_IN_BASE || state == PV_MODULE_SYMBOLS_NOT_IN_NEW;
}

/* Signs that a function of one side of a comparison is that of another name on the other side. */
typedef enum {
    PV_LIKE_NAME = 1 << 0, /* the last part of the name, or all but numbers of closures */
    PV_LIKE_CALLERS = 1 << 1,
    PV_LIKE_CALLEES = 1 << 2,
    PV_LIKE_FILE = 1 << 3,
    PV_LIKE_LINES = 1 << 4, /* the lines that cost, counted from the function's first */
    PV_LIKE_CODE = 1 << 5,  /* the distances of the instructions that cost */
} PvLikeness;

/* Ways by which a function of a comparison may have become part of another one, or the reverse. */
typedef enum {
    PV_MOVE_NONE,
    PV_MOVE_INLINED,     /* in the new side all of it is inlined, in the base nothing */
    PV_MOVE_NOT_INLINED, /* the other way round */
    PV_MOVE_INTO,        /* it is gone, and the other one's own amount grew by as much */
    PV_MOVE_OUT_OF,      /* it is new, and the other one's own amount fell by as much */
    PV_MOVE_TAKES,       /* the other one moved into this one; it may have no fate but this */
    PV_MOVE_GIVES,       /* the other one was part of this one */
} PvMove;

/* More about a function of a comparison than its two amounts; see core/analyze/renames. */
typedef struct {
    PvFunctionId function;
    PvFunctionId was;   /* the function with the name that the base has for it; 0: the same */
    unsigned likeness;  /* PvLikeness of the two; 0: their names are only written in two ways */
    PvMove move;        /* or PV_MOVE_NONE */
    PvFunctionId place; /* the function that the move is into or out of; 0: there are several */
} PvFate;

typedef struct PvSymbolTable {
    int ref_count; /* atomic */
    PvStore *store;
    uint32_t version; /* counts up from 1 */
    bool is_complete; /* no better one will follow automatically */

    uint32_t n_functions; /* row 0 is "none" */
    const PvFunction *functions;

    uint32_t n_locations; /* as many as the profile had */
    const uint32_t *first_frame_of_location;
    const uint16_t *n_frames_of_location; /* at least 1, except for location 0 */
    const PvFrame *frames;

    uint32_t n_modules;
    const uint8_t *symbols_of_module;  /* PvModuleSymbols */
    const char *const *file_of_module; /* file with its names, or NULL */
    const PvLinkMap *links_of_module;  /* empty ones where the file is not known */

    uint32_t n_notes;
    const PvNote *notes; /* what is missing and how to fix it */

    uint32_t n_fates; /* of a comparison: sorted by function */
    const PvFate *fates;

    /* The table with the names that this one's are pseudonyms of, with a reference; NULL: names
     * are what they are. Rows are the same. What filters looks at these, so that no figure is
     * another one because names are hidden. */
    struct PvSymbolTable *named;

    /* See owners.h; atomic, one block of memory. NULL: not asked for. */
    struct PvOwners *owners;
} PvSymbolTable;

PvSymbolTable *pv_symbol_table_ref (const PvSymbolTable *table);
void pv_symbol_table_free (PvSymbolTable *table); /* drops one reference */
/* A copy, but for the functions: the caller adds those, in memory that g_free () frees. */
PvSymbolTable *pv_symbol_table_copy (const PvSymbolTable *symbols);

/* True for what stands for addresses of a program at which there was no code: it is no function. */
static inline bool
pv_function_is_unmapped (const PvFunction *function, const PvProfile *profile)
{
    const PvModule *module = &profile->modules[function->module];
    return function->kind == PV_FUNCTION_UNKNOWN && module->kind == PV_MODULE_UNKNOWN &&
           !module->is_kernel;
}

/* Adds a note, whose text is copied, to a table that its builder has just published: in the
 * builder's thread, before anyone else has the table. */
void pv_symbol_table_add_note (PvSymbolTable *table, const PvNote *note);

/* Takes the fates of functions, sorted by these, and puts functions in the place of those that they
 * were in the base. As pv_symbol_table_add_note (), and only once. */
void pv_symbol_table_take_fates (PvSymbolTable *table, PvFate *fates, uint32_t n_fates);

/* More about a function of a comparison; NULL: nothing is known. */
const PvFate *pv_symbol_table_find_fate (const PvSymbolTable *table, PvFunctionId function);

/* The function of the base that the function of a comparison was, under another name; NULL: none.
 */
const PvFunction *pv_symbol_table_find_former (const PvSymbolTable *table, PvFunctionId function);

/* The table itself, unless its names are pseudonyms. */
static inline const PvSymbolTable *
pv_symbol_table_get_named (const PvSymbolTable *table)
{
    return table->named != NULL ? table->named : table;
}

static inline const PvFrame *
pv_symbol_table_frames (const PvSymbolTable *table, PvLocationId location, uint32_t *ret_n_frames)
{
    *ret_n_frames = table->n_frames_of_location[location];
    return table->frames + table->first_frame_of_location[location];
}

/* The address of a location as nm, objdump and perf annotate have it; without the module's file, as
 * the profile has it. */
uint64_t pv_symbol_table_get_address (const PvSymbolTable *table, const PvProfile *profile,
                                      PvLocationId location);

/* True for each module whose build-id may be that of another file, which is at its path: its names
 * are not the module's. NULL: there is none. g_free () it. */
bool *pv_symbol_table_find_other_files (const PvSymbolTable *table);

/*
 * Collects names and publishes tables. One thread at a time. Every location starts with one frame,
 * a PV_FUNCTION_UNKNOWN function of its module.
 */
typedef struct PvSymbolBuilder PvSymbolBuilder;

PvSymbolBuilder *pv_symbol_builder_new (const PvProfile *profile);
void pv_symbol_builder_free (PvSymbolBuilder *builder);

/* Continues with a later snapshot of the same profile; its new locations start with an unknown
 * function. */
void pv_symbol_builder_grow (PvSymbolBuilder *builder, const PvProfile *profile);

/* A copy that lives as long as any table; equal strings give the same pointer. NULL gives NULL. */
const char *pv_symbol_builder_string (PvSymbolBuilder *builder, const char *string);

/* The function's id, created on first use. Copies the strings; short_name and raw_name may be NULL
 * and default to name; label is ignored. A later call that knows file and line adds them. */
PvFunctionId pv_symbol_builder_function (PvSymbolBuilder *builder, const PvFunction *function);

/* The same if name, raw_name and file are strings of the profile: these are not copied. */
PvFunctionId pv_symbol_builder_given_function (PvSymbolBuilder *builder,
                                               const PvFunction *function);

/* The same if only raw_name and file are strings of the profile. */
PvFunctionId pv_symbol_builder_demangled_function (PvSymbolBuilder *builder,
                                                   const PvFunction *function);

/* All functions so far, including row 0; valid until the next function is created. Strings stay
 * valid, and equal ones are the same pointer, but for raw names. */
const PvFunction *pv_symbol_builder_get_functions (const PvSymbolBuilder *builder,
                                                   uint32_t *ret_n_functions);
void pv_symbol_builder_set_label (PvSymbolBuilder *builder, PvFunctionId function,
                                  const char *label);

/* Replaces a location's chain (innermost first, n_frames at least 1). file pointers must come from
 * pv_symbol_builder_string (). */
void pv_symbol_builder_set_frames (PvSymbolBuilder *builder, PvLocationId location,
                                   const PvFrame *frames, uint32_t n_frames);

/* The same for chains that share frames. The caller fills the frames that are added before it calls
 * anything else here; a chain is n_frames of them, from the one with the index first. */
PvFrame *pv_symbol_builder_add_frames (PvSymbolBuilder *builder, uint32_t n_frames,
                                       uint32_t *ret_first);
void pv_symbol_builder_use_frames (PvSymbolBuilder *builder, PvLocationId location, uint32_t first,
                                   uint32_t n_frames);

void pv_symbol_builder_set_module (PvSymbolBuilder *builder, PvModuleId module,
                                   PvModuleSymbols state, const char *file);
/* Copies the segments; of more than PV_MAX_LINK_SEGMENTS only the first ones. */
void pv_symbol_builder_set_links (PvSymbolBuilder *builder, PvModuleId module,
                                  const PvLinkMap *links);
PvModuleSymbols pv_symbol_builder_get_module (const PvSymbolBuilder *builder, PvModuleId module);
void pv_symbol_builder_note (PvSymbolBuilder *builder, PvNoteSeverity severity, PvNoteKind kind,
                             PvModuleId module, const char *format, ...) G_GNUC_PRINTF (5, 6);

/* The table as it is now. The builder can go on, unless the table is complete: that one takes the
 * builder's data, and the builder can only be freed. */
PvSymbolTable *pv_symbol_builder_publish (PvSymbolBuilder *builder, bool is_complete);

/* A complete table of a profile that grows: the builder can go on. */
PvSymbolTable *pv_symbol_builder_snapshot (PvSymbolBuilder *builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSymbolTable, pv_symbol_table_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvSymbolBuilder, pv_symbol_builder_free)
