/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/report/peek-report.h"

#include <glib/gi18n.h>
#include <stdlib.h>

#include "core/analyze/compare/changes.h"
#include "core/analyze/compare/compare-text.h"
#include "core/analyze/tables/functions.h"
#include "core/analyze/tables/known-totals.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/model/profile/matcher.h"
#include "export/report/compare-report.h"
#include "export/report/print-parts.h"

enum { TEXT_ROWS = 50 };

/* Relation of a row to the function: above it, itself, below it. */
typedef enum { CALLER, FUNCTION, CALLEE } Relation;

/* How amounts are written: of one side alone, of both as a change, or of both beside each other. */
typedef enum { PLAIN, SIGNED, COMPARED } Amounts;

/* A caller, callee, or the function itself. A signed measure has an amount for each side, others
 * only for the new one. */
typedef struct {
    PvFunctionId function; /* 0: no caller */
    uint64_t of_side[PV_N_SIDES];
    uint64_t n_calls;
} Neighbour;

typedef PV_ARRAY (Neighbour) NeighbourArray;

typedef struct {
    const PvExportOptions *options;
    const PvCallTree *tree;
    PvFormat format;
    const PvTextSink *sink;
    Amounts amounts;
    const PvMeasure *measure;
    bool has_calls; /* there is a column of calls */
    uint64_t whole;
    uint64_t min_weight;
    uint32_t max_rows; /* of callers, and of callees */
    PvCallersCallees **of_side[PV_N_SIDES];
} Peek;

/* --- callers and callees of a function --- */

static uint64_t
sum_sides (const Neighbour *neighbour)
{
    return neighbour->of_side[PV_SIDE_BASE] + neighbour->of_side[PV_SIDE_NEW];
}

static uint64_t
get_change_size (const Neighbour *neighbour)
{
    return pv_change_get_size (
        (int64_t)(neighbour->of_side[PV_SIDE_NEW] - neighbour->of_side[PV_SIDE_BASE]));
}

/* The largest change comes first; with only one side, that is the heaviest. Calls are sorted
 * already. */
static int
compare_neighbours (const void *a, const void *b)
{
    uint64_t change_a = get_change_size (a), change_b = get_change_size (b);
    if (change_a != change_b)
        return change_a > change_b ? -1 : 1;
    uint64_t sum_a = sum_sides (a), sum_b = sum_sides (b);
    if (sum_a != sum_b)
        return sum_a > sum_b ? -1 : 1;
    PvFunctionId id_a = ((const Neighbour *)a)->function, id_b = ((const Neighbour *)b)->function;
    return (id_a > id_b) - (id_a < id_b);
}

static void
add_calls (NeighbourArray *neighbours, PvIdMap *places, const PvCaller *calls, uint32_t n,
           PvSide side)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *place = pv_id_map_slot (places, (uint64_t)calls[i].function + 1);
        if (*place == 0) {
            Neighbour neighbour = {.function = calls[i].function, .n_calls = calls[i].n_calls};
            pv_array_push (neighbours, neighbour);
            *place = (uint32_t)neighbours->len;
        }
        neighbours->data[*place - 1].of_side[side] = calls[i].weight;
    }
}

static NeighbourArray
list_neighbours (const Peek *peek, PvFunctionId function, Relation relation)
{
    NeighbourArray neighbours = {0};
    PvIdMap places = {0};
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const PvCallersCallees *both =
            peek->of_side[side] != NULL ? peek->of_side[side][function] : NULL;
        if (both == NULL)
            continue;
        bool is_above = relation == CALLER;
        add_calls (&neighbours, &places, is_above ? both->callers : both->callees,
                   is_above ? both->n_callers : both->n_callees, side);
    }
    pv_id_map_clear (&places);
    if (neighbours.len > 0 && peek->amounts != PLAIN)
        qsort (neighbours.data, neighbours.len, sizeof *neighbours.data, compare_neighbours);
    return neighbours;
}

/* The function itself, with its self amount or total. */
static Neighbour
describe_function (const Peek *peek, PvFunctionId function, bool is_self)
{
    Neighbour row = {.function = function, .n_calls = PV_AMOUNT_UNKNOWN};
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        const PvCallersCallees *both =
            peek->of_side[side] != NULL ? peek->of_side[side][function] : NULL;
        if (both != NULL)
            row.of_side[side] = is_self ? both->self : both->total;
    }
    return row;
}

/* --- rows --- */

static void
add_column (GArray *columns, const char *id, const char *title, PvCellKind kind, const Peek *peek,
            uint64_t whole)
{
    PvTableColumn column = {
        .id = id,
        .title = title,
        .kind = kind,
        .unit = peek->measure != NULL ? peek->measure->unit : PV_UNIT_COUNT,
        .whole = whole,
    };
    g_array_append_val (columns, column);
}

/* of_function: the amount that is 100 % in its column of text. */
static PvTable *
new_table (const Peek *peek, uint64_t of_function)
{
    g_autoptr (GArray) columns = g_array_new (FALSE, FALSE, sizeof (PvTableColumn));
    bool is_text = peek->format == PV_FORMAT_TEXT;
    if (!is_text)
        add_column (columns, "relation", "", PV_CELL_TEXT, peek, 0);
    if (peek->amounts == PLAIN) {
        if (is_text) {
            add_column (columns, "", _ ("Share"), PV_CELL_PERCENT, peek, peek->whole);
            /* Translators: the share of what the function has in all */
            add_column (columns, "", _ ("Of function"), PV_CELL_PERCENT, peek, of_function);
        }
        add_column (columns, "weight", _ ("Weight"), PV_CELL_AMOUNT, peek, 0);
    } else if (peek->amounts == SIGNED) {
        add_column (columns, "weight", _ ("Weight"), PV_CELL_FIGURE, peek, 0);
    } else {
        add_column (columns, "base", _ ("Base"), PV_CELL_AMOUNT, peek, 0);
        add_column (columns, "new", _ ("New"), PV_CELL_AMOUNT, peek, 0);
        add_column (columns, "delta", _ ("Change"), PV_CELL_FIGURE, peek, 0);
        if (is_text)
            add_column (columns, "", "%", PV_CELL_FIGURE, peek, 0);
    }
    add_column (columns, "self", _ ("Self"), PV_CELL_FIGURE, peek, 0);
    if (peek->has_calls)
        add_column (columns, "calls", _ ("Calls"), PV_CELL_FIGURE, peek, 0);
    add_column (columns, "function", _ ("Function"), PV_CELL_TEXT, peek, 0);
    add_column (columns, "module", _ ("Module"), PV_CELL_TEXT, peek, 0);
    if (!is_text) {
        add_column (columns, "of_function", "", PV_CELL_TEXT, peek, 0);
        add_column (columns, "of_module", "", PV_CELL_TEXT, peek, 0);
    }
    PvTable *table = pv_table_new ((const PvTableColumn *)(gpointer)columns->data, columns->len);
    if (is_text)
        pv_table_set_max_width (table, peek->options->terminal_width);
    pv_table_begin (table, peek->format, peek->sink);
    return table;
}

/* An amount as a figure, of one side or the change; free with g_free (). */
static char *
format_amount (const Peek *peek, const Neighbour *row)
{
    PvUnit unit = peek->measure != NULL ? peek->measure->unit : PV_UNIT_COUNT;
    uint64_t new_ = row->of_side[PV_SIDE_NEW];
    int64_t change = (int64_t)(new_ - row->of_side[PV_SIDE_BASE]);
    bool is_text = peek->format == PV_FORMAT_TEXT;
    if (peek->amounts == PLAIN)
        return is_text ? pv_format_amount (new_, unit)
                       : g_strdup_printf ("%" G_GUINT64_FORMAT, new_);
    return is_text ? pv_format_signed_amount (change, unit)
                   : g_strdup_printf ("%" G_GINT64_FORMAT, change);
}

static void
add_amounts (PvTable *table, const Peek *peek, const Neighbour *row)
{
    bool is_text = peek->format == PV_FORMAT_TEXT;
    g_autofree char *change = format_amount (peek, row);
    if (peek->amounts == PLAIN) {
        for (unsigned i = 0; i < (is_text ? 3 : 1); i++)
            pv_table_add_number (table, row->of_side[PV_SIDE_NEW]);
        return;
    }
    if (peek->amounts == COMPARED) {
        pv_table_add_number (table, row->of_side[PV_SIDE_BASE]);
        pv_table_add_number (table, row->of_side[PV_SIDE_NEW]);
    }
    pv_table_add_text (table, change);
    if (peek->amounts == COMPARED && is_text) {
        g_autofree char *percent =
            pv_compare_format_percent (row->of_side[PV_SIDE_BASE], row->of_side[PV_SIDE_NEW]);
        pv_table_add_text (table, percent);
    }
}

static void
add_number_of_calls (PvTable *table, const Peek *peek, const Neighbour *row)
{
    g_autofree char *text = NULL;
    if (!peek->has_calls)
        return;
    if (row->n_calls != PV_AMOUNT_UNKNOWN)
        text = peek->format == PV_FORMAT_TEXT
                   ? pv_format_count (row->n_calls)
                   : g_strdup_printf ("%" G_GUINT64_FORMAT, row->n_calls);
    pv_table_add_text (table, text);
}

static const char *
get_module (const Peek *peek, const PvFunction *function)
{
    return function->module != 0 ? peek->tree->profile->modules[function->module].name : "";
}

/* In text, callers and callees are indented, to make their function stand out. */
static void
add_name (PvTable *table, const Peek *peek, const Neighbour *row, Relation relation)
{
    const PvFunction *function = &peek->tree->symbols->functions[row->function];
    bool is_none = row->function == 0;
    if (peek->format != PV_FORMAT_TEXT) {
        pv_table_add_text (table, is_none ? NULL : function->name);
        pv_table_add_text (table, is_none ? NULL : get_module (peek, function));
        return;
    }
    const char *indent = relation == FUNCTION ? "" : "    ";
    g_autofree char *name =
        g_strconcat (indent, is_none ? _ ("(no caller)") : function->name, NULL);
    g_autofree char *label = is_none ? NULL : g_strconcat (indent, function->label, NULL);
    pv_table_add_name (table, name, label);
    pv_table_add_text (table, is_none ? "" : get_module (peek, function));
}

static void
add_row (PvTable *table, const Peek *peek, Relation relation, const Neighbour *row, PvFunctionId of)
{
    static const char *const relations[] = {
        [CALLER] = "caller", [FUNCTION] = "function", [CALLEE] = "callee"};
    const PvFunction *function = &peek->tree->symbols->functions[of];
    g_autofree char *self = NULL;
    bool is_text = peek->format == PV_FORMAT_TEXT;
    if (!is_text)
        pv_table_add_text (table, relations[relation]);
    add_amounts (table, peek, row);
    if (relation == FUNCTION) {
        Neighbour own = describe_function (peek, of, true);
        self = format_amount (peek, &own);
    }
    pv_table_add_text (table, self);
    add_number_of_calls (table, peek, row);
    add_name (table, peek, row, relation);
    if (!is_text) {
        pv_table_add_text (table, function->name);
        pv_table_add_text (table, get_module (peek, function));
    }
}

static void
add_neighbours (PvTable *table, const Peek *peek, PvFunctionId function, Relation relation)
{
    NeighbourArray neighbours = list_neighbours (peek, function, relation);
    for (size_t i = 0; i < neighbours.len && i < peek->max_rows; i++)
        if (sum_sides (&neighbours.data[i]) >= peek->min_weight)
            add_row (table, peek, relation, &neighbours.data[i], function);
    pv_array_clear (&neighbours);
}

static void
add_function (PvTable *table, const Peek *peek, PvFunctionId function, const Neighbour *itself)
{
    add_neighbours (table, peek, function, CALLER);
    add_row (table, peek, FUNCTION, itself, function);
    add_neighbours (table, peek, function, CALLEE);
}

/* --- the whole --- */

static void
init (Peek *peek, const PvExportOptions *options, const PvCallTree *tree)
{
    const PvProfile *profile = tree->profile;
    bool is_text = peek->format == PV_FORMAT_TEXT;
    double percent = options->min_percent == PV_MIN_PERCENT_DEFAULT ? 0 : options->min_percent;
    int limit = options->limit != PV_LIMIT_DEFAULT ? options->limit : is_text ? TEXT_ROWS : 0;
    peek->amounts = !pv_changes_can_sum (tree)  ? PLAIN
                    : profile->compared != NULL ? COMPARED
                                                : SIGNED;
    if (tree->query.measure < profile->n_measures)
        peek->measure = &profile->measures[tree->query.measure];
    peek->has_calls = peek->amounts == PLAIN && pv_known_calls_find (profile, &tree->query) != NULL;
    peek->whole = tree->total[0];
    peek->min_weight = (uint64_t)((double)peek->whole * percent / 100);
    peek->max_rows = limit == 0 ? UINT32_MAX : (uint32_t)limit;
}

/* Finds callers and callees; for a signed measure, those of each side in a tree of its own. */
static bool
build_calls (Peek *peek, const bool *is_wanted, GError **error)
{
    const PvCallTree *tree = peek->tree;
    if (peek->amounts == PLAIN) {
        peek->of_side[PV_SIDE_NEW] = pv_callers_callees_build_all (tree, is_wanted, NULL);
        return true;
    }
    const PvPair *pair = pv_profile_get_pair (tree->profile, tree->query.measure);
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        g_autoptr (PvCallTree) alone =
            pv_call_tree_build_measure (tree, pair->of_side[side], NULL, error);
        if (alone == NULL)
            return false;
        peek->of_side[side] = pv_callers_callees_build_all (alone, is_wanted, NULL);
    }
    return true;
}

static void
clear (Peek *peek)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++) {
        for (PvFunctionId f = 0;
             peek->of_side[side] != NULL && f < peek->tree->symbols->n_functions; f++)
            pv_callers_callees_free (peek->of_side[side][f]);
        g_free (peek->of_side[side]);
    }
}

/* Appends the text before the functions' tables, or before their common table. */
static void
append_start (const Peek *peek)
{
    GString *out = peek->sink->text;
    if (peek->amounts != PLAIN)
        pv_compare_report_begin (peek->options, peek->tree, peek->format, peek->sink);
    else if (pv_format_has_cells (peek->format) && peek->options->has_header)
        pv_print_append_header (peek->format, out, peek->measure, peek->whole);
    else if (peek->format == PV_FORMAT_JSON)
        pv_print_append_members (out, peek->measure, peek->whole);
    if (peek->format == PV_FORMAT_JSON)
        g_string_append (out, "\"peek\": ");
}

/* In text each function has a table of its own. */
static void
append_functions (const Peek *peek, const PvFunctionList *list, bool *is_wanted)
{
    bool is_text = peek->format == PV_FORMAT_TEXT, is_first = true;
    g_autoptr (PvTable) table = NULL;
    append_start (peek);
    if (!is_text)
        table = new_table (peek, 0);
    for (uint32_t i = 0; i < list->n_rows; i++) {
        PvFunctionId function = list->rows[i].function;
        if (!is_wanted[function])
            continue;
        is_wanted[function] = false; /* with --by=line it has several rows */
        Neighbour itself = describe_function (peek, function, false);
        if (is_text) {
            g_string_append (peek->sink->text, is_first ? "" : "\n");
            table = new_table (peek, itself.of_side[PV_SIDE_NEW]);
        }
        add_function (table, peek, function, &itself);
        if (is_text) {
            pv_table_end (table);
            g_clear_pointer (&table, pv_table_free);
        }
        is_first = false;
    }
    if (table != NULL)
        pv_table_end (table);
    if (peek->format == PV_FORMAT_JSON)
        g_string_append (peek->sink->text, "}\n");
}

bool
pv_peek_report_write (const PvExportOptions *options, const PvCallTree *tree, PvFormat format,
                      const PvTextSink *sink, GError **error)
{
    g_assert (options != NULL && options->function != NULL && tree != NULL && sink != NULL);
    Peek peek = {.options = options, .tree = tree, .format = format, .sink = sink};
    g_autoptr (PvMatcher) matcher = pv_matcher_new (options->function, false, error);
    if (matcher == NULL)
        return false;
    init (&peek, options, tree);
    g_autoptr (PvFunctionList) list = pv_function_list_build (tree, NULL);
    g_autofree bool *is_wanted = pv_print_match_functions (tree, list, matcher);
    bool has_any = false;
    for (uint32_t i = 0; i < list->n_rows; i++)
        has_any |= is_wanted[list->rows[i].function];
    bool is_done = false;
    if (pv_matcher_gave_up (matcher)) {
        pv_matcher_set_slow (options->function, error);
    } else if (!has_any) {
        pv_print_set_no_function (options->function, error);
    } else if (build_calls (&peek, is_wanted, error)) {
        append_functions (&peek, list, is_wanted);
        is_done = true;
    }
    clear (&peek);
    return is_done;
}
