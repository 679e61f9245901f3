/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/code/source-listing.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>

enum {
    CONTEXT = 3,                    /* lines around those with cost */
    MAX_GAP = 2 * CONTEXT + 1,      /* longest gap that is shown in full */
    ROWS_OF_LINE = 2 * CONTEXT + 2, /* at most, with the gap before it */
    ROWS_OF_HEADING = 3,
    LEAST_ROWS = 40, /* of the next function, rather than of those after it */
    MAX_TEXT_BYTES = 1000,
};

/* A function on its way into the listing. */
typedef struct {
    PvSourceListing *listing;
    const PvFunctionLines *function;
    const char *only_file;
    bool *is_kept;     /* of the function's lines */
    uint32_t *rank_of; /* the same */
    uint32_t n_others; /* lines of files that have no line that is kept */
    uint64_t max_total;
    PvListedSourceFunc find;
    void *user;
} Listing;

static void
push_row (PvSourceListing *listing, PvListedRow row)
{
    pv_array_push (&listing->rows, row);
}

static char *
format_line (const PvSourceText *text, uint32_t line)
{
    g_autofree char *whole =
        text != NULL && line > 0 ? pv_source_text_format_line (text, line) : NULL;
    return whole != NULL ? pv_format_cut (whole, MAX_TEXT_BYTES) : NULL;
}

/* Lines without cost, `to` excluded. */
static void
push_context (PvSourceListing *listing, const PvSourceText *text, uint32_t from, uint32_t to)
{
    for (uint32_t line = from; line < to && line <= text->n_lines; line++)
        push_row (listing, (PvListedRow){.line = line, .text = format_line (text, line)});
}

/* The lines between two that are shown; `last` is 0 at the beginning. Some may have a cost. */
static void
push_between (PvSourceListing *listing, const PvSourceText *text, uint32_t last, uint32_t next,
              uint32_t n_with_cost)
{
    const uint32_t n = next - last - 1;
    if (text == NULL && n_with_cost == 0)
        return;
    if (last == 0 && text != NULL && n_with_cost == 0) {
        push_context (listing, text, next > CONTEXT ? next - CONTEXT : 1, next);
        return;
    }
    if (n <= MAX_GAP && n_with_cost == 0) {
        push_context (listing, text, last + 1, next);
        return;
    }
    /* No context if left-out lines have a cost: it would be theirs. */
    const bool has_context = n_with_cost == 0;
    const uint32_t n_context = has_context ? CONTEXT : 0;
    if (has_context)
        push_context (listing, text, last + 1, last + 1 + CONTEXT);
    push_row (listing, (PvListedRow){.n_left_out =
                                         text != NULL && last > 0 ? n - 2 * n_context : n_with_cost,
                                     .n_with_cost = n_with_cost});
    if (has_context)
        push_context (listing, text, next - CONTEXT, next);
}

/* The function's lines of one file, from the first to the one before `end`. */
static void
push_file (Listing *state, uint32_t first, uint32_t end)
{
    PvSourceListing *listing = state->listing;
    const char *file = state->function->lines[first].file;
    PvListedFile listed = {.function = state->function, .max_total = state->max_total};
    const size_t before = listing->rows.len;
    const PvSourceText *text = state->find (state->user, state->function, file, &listed.heading);
    uint32_t last = 0, n_skipped = 0;

    for (uint32_t i = first; i < end; i++) {
        const PvLineCost *line = &state->function->lines[i];
        const bool is_there = text != NULL && line->line > 0 && line->line <= text->n_lines;
        if (!state->is_kept[i]) {
            n_skipped++;
            continue;
        }
        if (is_there || n_skipped > 0)
            push_between (listing, is_there ? text : NULL, last, line->line, n_skipped);
        push_row (listing, (PvListedRow){.line = line->line,
                                         .rank = state->rank_of[i],
                                         .text = format_line (text, line->line),
                                         .costs = line->costs});
        last = line->line;
        n_skipped = 0;
    }
    if (n_skipped > 0)
        push_row (listing, (PvListedRow){.n_left_out = n_skipped, .n_with_cost = n_skipped});
    else if (text != NULL && last > 0 && last <= text->n_lines)
        push_context (listing, text, last + 1, last + 1 + CONTEXT);
    listed.n_rows = (uint32_t)(listing->rows.len - before);
    pv_array_push (&listing->files, listed);
}

static bool
has_kept (const Listing *state, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++)
        if (state->is_kept[i])
            return true;
    return false;
}

static bool
is_shown (const Listing *state, uint32_t line)
{
    return state->only_file == NULL ||
           g_strcmp0 (state->function->lines[line].file, state->only_file) == 0;
}

static void
push_files (Listing *state)
{
    const PvFunctionLines *function = state->function;
    PvSourceListing *listing = state->listing;
    const size_t before = listing->files.len;

    for (uint32_t first = 0, end; first < function->n_lines; first = end) {
        for (end = first + 1; end < function->n_lines; end++)
            if (g_strcmp0 (function->lines[end].file, function->lines[first].file) != 0)
                break;
        if (has_kept (state, first, end))
            push_file (state, first, end);
        else if (is_shown (state, first))
            state->n_others += end - first;
    }
    if (state->n_others == 0 || listing->files.len == before)
        return;
    push_row (listing,
              (PvListedRow){.n_left_out = state->n_others, .n_with_cost = state->n_others});
    listing->files.data[listing->files.len - 1].n_rows++;
}

/* --- which lines are shown --- */

typedef struct {
    const PvCostColumns *columns;
    const PvFunctionLines *function;
} HeatOrder;

static int
compare_heat (const void *a, const void *b, void *user)
{
    const HeatOrder *order = user;
    return pv_cost_columns_compare_heat (order->columns,
                                         &order->function->lines[*(const uint32_t *)a],
                                         &order->function->lines[*(const uint32_t *)b]);
}

static bool
has_amount (const PvCostColumns *columns, const PvCost *costs)
{
    return pv_cost_columns_get_amount (columns, costs, 0, true) != 0 ||
           pv_cost_columns_get_amount (columns, costs, 0, false) != 0;
}

/* Keeps the hottest lines, no more than n. */
static void
choose_lines (Listing *state, uint32_t n)
{
    const PvFunctionLines *function = state->function;
    const PvCostColumns *columns = state->listing->columns;
    g_autofree uint32_t *by_heat = g_new (uint32_t, function->n_lines);
    HeatOrder order = {columns, function};
    uint32_t n_lines = 0;

    for (uint32_t i = 0; i < function->n_lines; i++)
        if (is_shown (state, i))
            by_heat[n_lines++] = i;
    qsort_r (by_heat, n_lines, sizeof (uint32_t), compare_heat, &order);
    for (uint32_t i = 0; i < MIN (n, n_lines); i++) {
        const uint32_t line = by_heat[i];
        const PvCost *costs = function->lines[line].costs;
        state->is_kept[line] = true;
        if (i < PV_SOURCE_RANKS && has_amount (columns, costs))
            state->rank_of[line] = i + 1;
    }
}

static void
find_max_total (Listing *state)
{
    for (uint32_t i = 0; i < state->function->n_lines; i++) {
        const int64_t total = pv_cost_columns_get_amount (
            state->listing->columns, state->function->lines[i].costs, 0, false);
        if (is_shown (state, i))
            state->max_total = MAX (state->max_total, (uint64_t)ABS (total));
    }
}

static void
truncate_to (PvSourceListing *listing, size_t n_files, size_t n_rows)
{
    for (size_t i = n_files; i < listing->files.len; i++)
        g_free (listing->files.data[i].heading);
    for (size_t i = n_rows; i < listing->rows.len; i++)
        g_free (listing->rows.data[i].text);
    listing->files.len = n_files;
    listing->rows.len = n_rows;
}

/* All lines of the function if they fit, else the hottest. */
static void
push_function (Listing *state, uint32_t n_rows)
{
    PvSourceListing *listing = state->listing;
    const uint32_t n_lines = state->function->n_lines;
    const size_t n_files_before = listing->files.len, n_rows_before = listing->rows.len;
    uint32_t n_kept = MIN (n_lines, MAX (n_rows, 1));

    find_max_total (state);
    for (;;) {
        g_autofree bool *is_kept = g_new0 (bool, n_lines);
        g_autofree uint32_t *rank_of = g_new0 (uint32_t, n_lines);
        state->is_kept = is_kept;
        state->rank_of = rank_of;
        state->n_others = 0;
        choose_lines (state, n_kept);
        push_files (state);
        const size_t n = listing->rows.len - n_rows_before +
                         ROWS_OF_HEADING * (listing->files.len - n_files_before);
        if (n <= n_rows || n_kept <= MAX (n_rows / (ROWS_OF_LINE + ROWS_OF_HEADING), 1))
            return;
        truncate_to (listing, n_files_before, n_rows_before);
        n_kept = MAX (n_kept / 2, MAX (n_rows / (ROWS_OF_LINE + ROWS_OF_HEADING), 1));
    }
}

PvSourceListing *
pv_source_listing_new (const PvCallTree *tree, const PvLineCosts *costs,
                       const PvCostColumns *columns, uint32_t n_functions, const char *only_file,
                       uint32_t max_rows, PvListedSourceFunc find, void *user)
{
    g_assert (tree != NULL && costs != NULL && columns != NULL && columns->n_columns > 0);
    g_assert (find != NULL);
    PvSourceListing *listing = g_new0 (PvSourceListing, 1);
    listing->tree = tree;
    listing->columns = columns;
    listing->n_all_functions = costs->n_functions;
    n_functions = MIN (n_functions, costs->n_functions);
    for (uint32_t f = 0; f < n_functions; f++) {
        const size_t n_used = listing->rows.len + ROWS_OF_HEADING * listing->files.len;
        if (f > 0 && n_used + ROWS_OF_LINE + ROWS_OF_HEADING > max_rows)
            break;
        const uint32_t left = n_used < max_rows ? (uint32_t)(max_rows - n_used) : 0;
        Listing state = {
            .listing = listing,
            .function = &costs->functions[f],
            .only_file = only_file,
            .find = find,
            .user = user,
        };
        push_function (&state, n_functions - f > 1 ? MAX (left / 2, MIN (left, LEAST_ROWS)) : left);
        listing->n_functions++;
    }
    return listing;
}

void
pv_source_listing_free (PvSourceListing *listing)
{
    if (listing == NULL)
        return;
    truncate_to (listing, 0, 0);
    pv_array_clear (&listing->files);
    pv_array_clear (&listing->rows);
    g_free (listing);
}

char *
pv_source_listing_describe_gap (const PvListedRow *row)
{
    g_assert (row != NULL && row->n_left_out > 0);
    if (row->n_with_cost == 0)
        /* Translators: a number of lines of source that are left out */
        return g_strdup_printf (
            ngettext ("… %u line without cost", "… %u lines without cost", row->n_left_out),
            row->n_left_out);
    if (row->n_with_cost >= row->n_left_out)
        return g_strdup_printf (
            ngettext ("… %u line with less cost", "… %u lines with less cost", row->n_left_out),
            row->n_left_out);
    /* Translators: lines of source that are left out, and how many of them cost something */
    return g_strdup_printf (
        ngettext ("… %u line, %u with less cost", "… %u lines, %u with less cost", row->n_left_out),
        row->n_left_out, row->n_with_cost);
}
