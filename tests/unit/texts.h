/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdint.h>

/* For arrays of strings. */
int compare_texts (const void *a, const void *b);

/* Sorts lines, each of which ends; takes the pointers. */
char *join_sorted (GPtrArray *lines);
/* The lines of a text that are not empty, sorted. */
char *sort_lines (const char *text);

/* Sums by a text; or a set of texts. */
GHashTable *new_sums (void);
void add_to_sums (GHashTable *sums, const char *key, uint64_t weight);
/* 0: not found. */
uint64_t get_sum (GHashTable *sums, const char *key);
/* Lines of "SUM KEY", sorted by key. */
char *spell_sums (GHashTable *sums);
