/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/table.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/write/escape.h"

typedef struct {
    union {
        const char *text;
        uint64_t number;
    };
    const char *label; /* replaces a text that is too wide for people; or NULL */
} Cell;

struct PvTable {
    PvArena *arena;
    PvTableColumn *columns; /* once the format is known, those that it has */
    unsigned n_columns;
    bool *is_left_out; /* of the columns as given; NULL: none is */
    unsigned n_given;
    unsigned next;         /* of the columns as given: that of the next cell */
    unsigned first_column; /* see find_first_column () */
    unsigned max_width;
    size_t n_cells;         /* cells added */
    PV_ARRAY (Cell) cells;  /* row by row, if kept */
    const PvTextSink *sink; /* NULL: not streaming */
    PvFormat format;
};

bool
pv_format_has_cells (PvFormat format)
{
    return format == PV_FORMAT_TSV || format == PV_FORMAT_CSV;
}

static char
get_separator (PvFormat format)
{
    return format == PV_FORMAT_CSV ? ',' : '\t';
}

void
pv_format_append_cell (PvFormat format, GString *out, bool is_first, const char *text)
{
    g_assert (pv_format_has_cells (format) && out != NULL && text != NULL);
    if (!is_first)
        g_string_append_c (out, get_separator (format));
    if (format == PV_FORMAT_CSV)
        pv_csv_append_cell (out, text);
    else
        pv_tsv_append_cell (out, text);
}

/* The first column that is not only for people. */
static unsigned
find_first_column (const PvTable *table)
{
    unsigned c = 0;
    while (c < table->n_columns && table->columns[c].kind == PV_CELL_PERCENT)
        c++;
    return c;
}

PvTable *
pv_table_new (const PvTableColumn *columns, unsigned n_columns)
{
    g_assert (columns != NULL && n_columns > 0);
    PvTable *table = g_new0 (PvTable, 1);
    table->arena = pv_arena_new ();
    table->columns = g_memdup2 (columns, n_columns * sizeof *columns);
    table->n_columns = table->n_given = n_columns;
    table->first_column = find_first_column (table);
    return table;
}

void
pv_table_free (PvTable *table)
{
    if (table == NULL)
        return;
    pv_arena_free (table->arena);
    g_free (table->columns);
    g_free (table->is_left_out);
    pv_array_clear (&table->cells);
    g_free (table);
}

static const PvTableColumn *
next_column (const PvTable *table)
{
    return &table->columns[table->n_cells % table->n_columns];
}

uint32_t
pv_table_get_n_rows (const PvTable *table)
{
    return (uint32_t)(table->n_cells / table->n_columns);
}

void
pv_table_set_max_width (PvTable *table, unsigned max_width)
{
    table->max_width = max_width;
}

/* True if the cell has no value: an empty cell in tsv and csv, null in json. */
static bool
is_empty (const PvTableColumn *column, Cell cell)
{
    switch (column->kind) {
    case PV_CELL_TEXT:
    case PV_CELL_FIGURE:
        return cell.text == NULL;
    case PV_CELL_LINE:
        return cell.number == 0;
    case PV_CELL_TIME:
        return cell.number == UINT64_MAX;
    default:
        return false;
    }
}

static char *
cell_for_people (const PvTableColumn *column, Cell cell)
{
    if (is_empty (column, cell))
        return g_strdup ("");
    switch (column->kind) {
    case PV_CELL_TEXT:
    case PV_CELL_FIGURE:
        return g_strdup (cell.text);
    case PV_CELL_AMOUNT:
        return pv_format_amount (cell.number, column->unit);
    case PV_CELL_PERCENT:
        return pv_format_percent (cell.number, column->whole);
    case PV_CELL_TIME:
        if (cell.number == 0)
            return g_strdup ("0 ms");
        return pv_format_amount (MIN (cell.number, UINT64_MAX / 1000000) * 1000000, PV_UNIT_NS);
    case PV_CELL_LINE:
    case PV_CELL_NUMBER:
        break;
    }
    return g_strdup_printf ("%" G_GUINT64_FORMAT, cell.number);
}

/* The terminal columns of a character. */
static size_t
width_of (const char *character)
{
    gunichar c = g_utf8_get_char (character);
    return g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
}

static size_t
display_width (const char *text)
{
    size_t width = 0;
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p))
        width += width_of (p);
    return width;
}

/* A name with many template arguments would push all other columns off the screen. On a terminal,
 * where the name and its label are wider than this, cut the middle, which has the arguments;
 * elsewhere no column is wider, and what follows a longer name stands further right. */
enum { WIDEST_TEXT = 96, NARROWEST_TEXT = 10 };

static char *
cut_middle (char *text, size_t max_width)
{
    size_t width = display_width (text);
    if (width <= max_width)
        return text;
    size_t head_width = max_width * 2 / 3, tail_width = max_width - head_width - 1;
    const char *head_end = text, *tail = text;
    for (size_t taken = 0; (taken += width_of (head_end)) <= head_width;)
        head_end = g_utf8_next_char (head_end);
    for (; width > tail_width; tail = g_utf8_next_char (tail))
        width -= width_of (tail);
    char *cut = g_strdup_printf ("%.*s…%s", (int)(head_end - text), text, tail);
    g_free (text);
    return cut;
}

static char *
fit_text (char *text, const char *label, size_t max_width)
{
    if (label != NULL && display_width (text) > max_width) {
        g_free (text);
        text = g_strdup (label);
    }
    return cut_middle (text, max_width);
}

/* The last column has no limit. */
static char *
text_of_cell (const PvTable *table, unsigned c, Cell cell)
{
    char *text = cell_for_people (&table->columns[c], cell);
    return table->max_width > 0 && c + 1 < table->n_columns
               ? fit_text (text, cell.label, WIDEST_TEXT)
               : text;
}

static void
append_padding (GString *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_string_append_c (out, ' ');
}

#define PIECE_BYTES ((size_t)64 << 10)

static void
hand_on (const PvTextSink *sink)
{
    if (sink->hand_on != NULL && sink->text->len >= PIECE_BYTES)
        sink->hand_on (sink->text, sink->user);
}

/* Right-aligns numbers, left-aligns text, and removes trailing spaces. */
static void
append_aligned (const PvTable *table, char **texts, const size_t *widths, const PvTextSink *sink)
{
    GString *out = sink->text;
    for (unsigned c = 0; c < table->n_columns; c++) {
        size_t width = display_width (texts[c]);
        size_t padding = widths[c] > width ? widths[c] - width : 0;
        bool is_text = table->columns[c].kind == PV_CELL_TEXT;
        if (c > 0)
            g_string_append (out, "  ");
        if (!is_text)
            append_padding (out, padding);
        g_string_append (out, texts[c]);
        if (is_text)
            append_padding (out, padding);
    }
    while (out->len > 0 && out->str[out->len - 1] == ' ')
        g_string_truncate (out, out->len - 1);
    g_string_append_c (out, '\n');
}

/* Narrows the widest text column until all fit. */
static void
narrow (const PvTable *table, size_t *widths)
{
    size_t total = 2 * (table->n_columns - 1);
    for (unsigned c = 0; c < table->n_columns; c++)
        total += widths[c];
    for (; table->max_width > 0 && total > table->max_width; total--) {
        size_t *widest = NULL;
        for (unsigned c = 0; c < table->n_columns; c++) {
            if (table->columns[c].kind == PV_CELL_TEXT && (widest == NULL || widths[c] > *widest))
                widest = &widths[c];
        }
        if (widest == NULL || *widest <= NARROWEST_TEXT)
            return;
        (*widest)--;
    }
}

static void
append_text (const PvTable *table, const PvTextSink *sink)
{
    unsigned n = table->n_columns;
    size_t n_texts = table->cells.len + n;
    g_autofree char **texts = g_new0 (char *, n_texts + 1);
    g_autofree size_t *widths = g_new0 (size_t, n);
    for (size_t i = 0; i < n_texts; i++) {
        unsigned c = (unsigned)(i % n);
        texts[i] = i < n ? g_strdup (table->columns[c].title)
                         : text_of_cell (table, c, table->cells.data[i - n]);
        size_t width = display_width (texts[i]);
        if (table->max_width == 0 && c + 1 < n)
            width = MIN (width, WIDEST_TEXT);
        widths[c] = MAX (widths[c], width);
    }
    narrow (table, widths);
    for (size_t i = 0; i < n_texts; i++) {
        if (table->max_width > 0 && table->columns[i % n].kind == PV_CELL_TEXT)
            texts[i] =
                fit_text (texts[i], i < n ? NULL : table->cells.data[i - n].label, widths[i % n]);
    }
    for (size_t i = 0; i < n_texts; i += n) {
        append_aligned (table, texts + i, widths, sink);
        for (size_t j = i; j < i + n; j++)
            g_free (texts[j]);
        hand_on (sink);
    }
}

/* For scripts and programs */

static void
append_value (const PvTableColumn *column, Cell cell, PvFormat format, GString *out)
{
    if (is_empty (column, cell))
        g_string_append (out, format == PV_FORMAT_JSON ? "null" : "");
    else if (column->kind == PV_CELL_FIGURE)
        g_string_append (out, cell.text);
    else if (column->kind != PV_CELL_TEXT)
        pv_append_number (out, cell.number);
    else if (format == PV_FORMAT_JSON)
        pv_json_append_string (out, cell.text);
    else
        pv_format_append_cell (format, out, true, cell.text);
}

/* Cell i of the whole table, with the syntax around it. */
static void
append_cell (const PvTable *table, PvFormat format, size_t i, Cell cell, GString *out)
{
    unsigned c = (unsigned)(i % table->n_columns);
    const PvTableColumn *column = &table->columns[c];
    bool is_json = format == PV_FORMAT_JSON;
    if (is_json && c == 0)
        g_string_append (out, i > 0 ? ",\n  {" : "\n  {");
    if (column->kind != PV_CELL_PERCENT) {
        if (c > table->first_column && !is_json)
            g_string_append_c (out, get_separator (format));
        else if (c > table->first_column)
            g_string_append (out, ", ");
        if (is_json) {
            pv_json_append_string (out, column->id);
            g_string_append (out, ": ");
        }
        append_value (column, cell, format, out);
    }
    if (c + 1 == table->n_columns)
        g_string_append_c (out, is_json ? '}' : '\n');
}

static void
append_head (const PvTable *table, PvFormat format, GString *out)
{
    if (format == PV_FORMAT_JSON) {
        g_string_append_c (out, '[');
        return;
    }
    for (unsigned c = table->first_column; c < table->n_columns; c++) {
        if (table->columns[c].kind == PV_CELL_PERCENT)
            continue;
        pv_format_append_cell (format, out, c == table->first_column, table->columns[c].id);
    }
    g_string_append_c (out, '\n');
}

static void
append_tail (const PvTable *table, PvFormat format, GString *out)
{
    if (format == PV_FORMAT_JSON)
        g_string_append (out, table->n_cells > 0 ? "\n]\n" : "]\n");
}

/* Adding rows */

static void
add_cell (PvTable *table, Cell cell)
{
    size_t i = table->n_cells++;
    if (table->sink == NULL || table->format == PV_FORMAT_TEXT) {
        pv_array_push (&table->cells, cell);
        return;
    }
    append_cell (table, table->format, i, cell, table->sink->text);
    if (table->n_cells % table->n_columns == 0)
        hand_on (table->sink);
}

/* False if the next cell's column is left out. */
static bool
step (PvTable *table)
{
    const unsigned column = table->next;
    table->next = (column + 1) % table->n_given;
    return table->is_left_out == NULL || !table->is_left_out[column];
}

/* Copies the text unless it is written at once. */
static const char *
keep_text (PvTable *table, const char *text)
{
    bool is_kept = table->sink == NULL || table->format == PV_FORMAT_TEXT;
    return is_kept && text != NULL ? pv_arena_strndup (table->arena, text, strlen (text)) : text;
}

void
pv_table_add_text (PvTable *table, const char *text)
{
    if (!step (table))
        return;
    g_assert (next_column (table)->kind == PV_CELL_TEXT ||
              next_column (table)->kind == PV_CELL_FIGURE);
    add_cell (table, (Cell){.text = keep_text (table, text)});
}

void
pv_table_add_name (PvTable *table, const char *name, const char *label)
{
    if (!step (table))
        return;
    g_assert (next_column (table)->kind == PV_CELL_TEXT);
    add_cell (table, (Cell){.text = keep_text (table, name), .label = keep_text (table, label)});
}

void
pv_table_add_number (PvTable *table, uint64_t number)
{
    if (!step (table))
        return;
    g_assert (next_column (table)->kind != PV_CELL_TEXT &&
              next_column (table)->kind != PV_CELL_FIGURE);
    add_cell (table, (Cell){.number = number});
}

/* Removes the columns that are only for other formats. */
static void
leave_out (PvTable *table, PvFormat format)
{
    unsigned n = 0;
    table->is_left_out = g_new (bool, table->n_given);
    for (unsigned c = 0; c < table->n_given; c++) {
        const PvTableColumn *column = &table->columns[c];
        table->is_left_out[c] = (format == PV_FORMAT_TEXT ? column->title : column->id) == NULL;
        if (!table->is_left_out[c])
            table->columns[n++] = *column;
    }
    table->n_columns = n;
    table->first_column = find_first_column (table);
}

void
pv_table_begin (PvTable *table, PvFormat format, const PvTextSink *sink)
{
    g_assert (sink != NULL);
    g_assert (table->n_cells == 0 && table->sink == NULL);
    table->format = format;
    table->sink = sink;
    leave_out (table, format);
    if (format != PV_FORMAT_TEXT)
        append_head (table, format, sink->text);
}

void
pv_table_end (PvTable *table)
{
    g_assert (table->n_cells % table->n_columns == 0);
    if (table->format == PV_FORMAT_TEXT)
        append_text (table, table->sink);
    else
        append_tail (table, table->format, table->sink->text);
    table->sink = NULL;
}

void
pv_table_append (const PvTable *table, PvFormat format, GString *out)
{
    g_assert (table->n_cells % table->n_columns == 0 && table->sink == NULL);
    if (format == PV_FORMAT_TEXT) {
        append_text (table, &(PvTextSink){.text = out});
        return;
    }
    append_head (table, format, out);
    for (size_t i = 0; i < table->cells.len; i++)
        append_cell (table, format, i, table->cells.data[i], out);
    append_tail (table, format, out);
}
