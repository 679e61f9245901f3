/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/analyze/tree/call-tree.h"
#include "core/load/page/page-colors.h"

/*
 * The names in a page: strings, functions and frames, each with its number, in the order in which
 * they are first requested. Trees are all of one query but for its measure. Not thread-safe.
 *
 * A frame is a function, inlined or not, and its line or address if the query tells these apart.
 * Frame 0 is the root, frame 1 stands for folded children.
 */
typedef struct PvPageNames PvPageNames;

enum { PV_PAGE_ROOT, PV_PAGE_FOLDED };

/* Borrows all. */
PvPageNames *pv_page_names_new (const PvProfile *profile, const PvQuery *query,
                                const PvPageColors *colors);
void pv_page_names_free (PvPageNames *names);

uint32_t pv_page_names_string (PvPageNames *names, const char *string);
uint32_t pv_page_names_function (PvPageNames *names, const PvSymbolTable *symbols,
                                 PvFunctionId function);
/* The frame of a node of a tree. */
uint32_t pv_page_names_frame (PvPageNames *names, const PvCallTree *tree, PvNodeId node);
/* The frame of a row of functions; frame may be NULL. */
uint32_t pv_page_names_row (PvPageNames *names, const PvSymbolTable *symbols, PvFunctionId function,
                            const PvFrame *frame, PvLocationId location);

/* Appends the members strings, functions and frames of a JSON object. */
void pv_page_names_append (const PvPageNames *names, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PvPageNames, pv_page_names_free)
