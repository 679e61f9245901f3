#include "core/write/table.h"

#include <string.h>

#include "core/base/arena.h"
#include "core/base/array.h"

typedef union {
    const char *text;
    uint64_t number;
} Cell;

struct PvTable {
    PvArena *arena;
    PvTableColumn *columns;
    unsigned n_columns;
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

/* Without a value: for scripts an empty cell, for programs null. */
static bool
is_empty (const PvTableColumn *column, Cell cell)
{
    return column->kind == PV_CELL_TEXT ? cell.text == NULL
                                        : column->kind == PV_CELL_LINE && cell.number == 0;
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
    case PV_CELL_LINE:
    case PV_CELL_NUMBER:
        break;
    }
    return g_strdup_printf ("%" G_GUINT64_FORMAT, cell.number);
}

/* Columns of a terminal that the text takes. */
static size_t
display_width (const char *text)
{
    size_t width = 0;
    for (const char *p = text; *p != '\0'; p = g_utf8_next_char (p)) {
        gunichar c = g_utf8_get_char (p);
        if (!g_unichar_iszerowidth (c))
            width += g_unichar_iswide (c) ? 2 : 1;
    }
    return width;
}

/* One name of many template arguments would push all the other columns off the screen: what is
 * wider than this loses its middle, where the arguments are. */
enum { WIDEST_TEXT = 96 };

static char *
cut_middle (char *text)
{
    if (display_width (text) <= WIDEST_TEXT)
        return text;
    const char *head_end = text, *tail = text + strlen (text);
    for (size_t width = 0; width < WIDEST_TEXT * 2 / 3; width++)
        head_end = g_utf8_next_char (head_end);
    for (size_t width = 0; width < WIDEST_TEXT / 3 - 1; width++)
        tail = g_utf8_prev_char (tail);
    char *cut = g_strdup_printf ("%.*s…%s", (int)(head_end - text), text, tail);
    g_free (text);
    return cut;
}

/* The last column may be as wide as it likes. */
static char *
text_of_cell (const PvTable *table, unsigned c, Cell cell)
{
    char *text = cell_for_people (&table->columns[c], cell);
    return c + 1 < table->n_columns ? cut_middle (text) : text;
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
