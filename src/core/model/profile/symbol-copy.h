/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Copies of symbol tables, and what is kept with them: for few. Tables are larger than their type:
 * only builders and pv_symbol_table_copy () make them. */
struct PvSymbolTable;
struct PvOwners;

/* A copy, but for the functions: the caller adds those, in memory that g_free () frees. */
struct PvSymbolTable *pv_symbol_table_copy (const struct PvSymbolTable *symbols);

/* Where the table keeps its owners (owners.h), in one block of memory that it frees with g_free ();
 * NULL there: they are not made yet. Read and written atomically. */
struct PvOwners **pv_symbol_table_place_owners (const struct PvSymbolTable *symbols);
