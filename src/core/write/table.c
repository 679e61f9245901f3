#include "core/write/table.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"
#include "core/model/profile.h"

typedef struct {
    union {
        const char *text;
        uint64_t number;
    };
    const char *label; /* for people, in place of a text that is too wide; or NULL */
} Cell;

struct PvTable {
    PvArena *arena;
    PvTableColumn *columns;
    unsigned n_columns;
    unsigned max_width;
    PV_ARRAY (Cell) cells; /* row by row */
};

PvTable *
pv_table_new (const PvTableColumn *columns, unsigned n_columns)
{
    g_assert (n_columns > 0);
    PvTable *table = g_new0 (PvTable, 1);
    table->arena = pv_arena_new ();
    table->columns = g_memdup2 (columns, n_columns * sizeof *columns);
    table->n_columns = n_columns;
    return table;
}

void
pv_table_free (PvTable *table)
{
    if (table == NULL)
        return;
    pv_arena_free (table->arena);
    g_free (table->columns);
    pv_array_clear (&table->cells);
    g_free (table);
}

static const PvTableColumn *
next_column (const PvTable *table)
{
    return &table->columns[table->cells.len % table->n_columns];
}

void
pv_table_add_text (PvTable *table, const char *text)
{
    g_assert (next_column (table)->kind == PV_CELL_TEXT);
    Cell cell = {.text =
                     text != NULL ? pv_arena_strndup (table->arena, text, strlen (text)) : NULL};
    pv_array_push (&table->cells, cell);
}

void
pv_table_add_name (PvTable *table, const char *name, const char *label)
{
    pv_table_add_text (table, name);
    table->cells.data[table->cells.len - 1].label =
        pv_arena_strndup (table->arena, label, strlen (label));
}

void
pv_table_add_number (PvTable *table, uint64_t number)
{
    g_assert (next_column (table)->kind != PV_CELL_TEXT);
    Cell cell = {.number = number};
    pv_array_push (&table->cells, cell);
}

uint32_t
pv_table_get_n_rows (const PvTable *table)
{
    return (uint32_t)(table->cells.len / table->n_columns);
}

void
pv_table_set_max_width (PvTable *table, unsigned max_width)
{
    table->max_width = max_width;
}

/* Without a value: for scripts an empty cell, for programs null. */
static bool
is_empty (const PvTableColumn *column, Cell cell)
{
    switch (column->kind) {
    case PV_CELL_TEXT:
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

/* Columns of a terminal that a character takes. */
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

/* One name of many template arguments would push all the other columns off the screen: what is
 * wider than this, and so is its label, loses its middle, where the arguments are. */
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

/* The last column may be as wide as it likes. */
static char *
text_of_cell (const PvTable *table, unsigned c, Cell cell)
{
    char *text = cell_for_people (&table->columns[c], cell);
    return c + 1 < table->n_columns ? fit_text (text, cell.label, WIDEST_TEXT) : text;
}

static void
append_padding (GString *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        g_string_append_c (out, ' ');
}

/* Numbers to the right, text to the left, nothing after the last text. */
static void
append_aligned (const PvTable *table, char **texts, const size_t *widths, GString *out)
{
    for (unsigned c = 0; c < table->n_columns; c++) {
        size_t padding = widths[c] - display_width (texts[c]);
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

/* Takes from the widest column of text until all fit. */
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
append_text (const PvTable *table, GString *out)
{
    unsigned n = table->n_columns;
    size_t n_texts = table->cells.len + n;
    g_autofree char **texts = g_new0 (char *, n_texts + 1);
    g_autofree size_t *widths = g_new0 (size_t, n);
    for (size_t i = 0; i < n_texts; i++) {
        unsigned c = (unsigned)(i % n);
        texts[i] = i < n ? g_strdup (table->columns[c].title)
                         : text_of_cell (table, c, table->cells.data[i - n]);
        widths[i % n] = MAX (widths[i % n], display_width (texts[i]));
    }
    narrow (table, widths);
    for (size_t i = 0; i < n_texts; i++) {
        if (table->columns[i % n].kind == PV_CELL_TEXT)
            texts[i] =
                fit_text (texts[i], i < n ? NULL : table->cells.data[i - n].label, widths[i % n]);
    }
    for (size_t i = 0; i < n_texts; i += n)
        append_aligned (table, texts + i, widths, out);
    for (size_t i = 0; i < n_texts; i++)
        g_free (texts[i]);
}

static void
append_tsv (const PvTable *table, GString *out)
{
    const char *separator = "";
    for (unsigned c = 0; c < table->n_columns; c++) {
        if (table->columns[c].kind == PV_CELL_PERCENT)
            continue;
        g_string_append (out, separator);
        g_string_append (out, table->columns[c].id);
        separator = "\t";
    }
    g_string_append_c (out, '\n');
    for (size_t i = 0; i + table->n_columns <= table->cells.len; i += table->n_columns) {
        separator = "";
        for (unsigned c = 0; c < table->n_columns; c++) {
            Cell cell = table->cells.data[i + c];
            if (table->columns[c].kind == PV_CELL_PERCENT)
                continue;
            g_string_append (out, separator);
            separator = "\t";
            if (is_empty (&table->columns[c], cell))
                continue;
            if (table->columns[c].kind == PV_CELL_TEXT)
                pv_tsv_append_cell (out, cell.text);
            else
                g_string_append_printf (out, "%" G_GUINT64_FORMAT, cell.number);
        }
        g_string_append_c (out, '\n');
    }
}

static void
append_json (const PvTable *table, GString *out)
{
    g_string_append_c (out, '[');
    for (size_t i = 0; i + table->n_columns <= table->cells.len; i += table->n_columns) {
        g_string_append (out, i > 0 ? ",\n  {" : "\n  {");
        const char *separator = "";
        for (unsigned c = 0; c < table->n_columns; c++) {
            Cell cell = table->cells.data[i + c];
            if (table->columns[c].kind == PV_CELL_PERCENT)
                continue;
            g_string_append_printf (out, "%s\"%s\": ", separator, table->columns[c].id);
            separator = ", ";
            if (is_empty (&table->columns[c], cell))
                g_string_append (out, "null");
            else if (table->columns[c].kind == PV_CELL_TEXT)
                pv_json_append_string (out, cell.text);
            else
                g_string_append_printf (out, "%" G_GUINT64_FORMAT, cell.number);
        }
        g_string_append_c (out, '}');
    }
    g_string_append (out, table->cells.len > 0 ? "\n]\n" : "]\n");
}

void
pv_table_append (const PvTable *table, PvFormat format, GString *out)
{
    g_assert (table->cells.len % table->n_columns == 0);
    switch (format) {
    case PV_FORMAT_TEXT:
        append_text (table, out);
        break;
    case PV_FORMAT_TSV:
        append_tsv (table, out);
        break;
    case PV_FORMAT_JSON:
        append_json (table, out);
        break;
    }
}
