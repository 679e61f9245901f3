/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* Copies of symbol tables: for few. */
struct PvSymbolTable;

/* A copy, but for the functions: the caller adds those, in memory that g_free () frees. */
struct PvSymbolTable *pv_symbol_table_copy (const struct PvSymbolTable *symbols);
