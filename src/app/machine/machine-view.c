/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/machine/machine-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "app/machine/jump-cell.h"
#include "app/machine/machine-rows.h"
#include "app/tables/row-table.h"
#include "app/widgets/actions.h"
#include "app/widgets/amount-cell.h"
#include "app/widgets/empty-page.h"
#include "app/widgets/help.h"
#include "app/widgets/setup.h"
#include "app/widgets/text-cell.h"

/* Approximate length of the longest instruction or line that is shown whole. */
enum { MIN_CHARS = 16, MAX_CHARS = 90, BYTES_CHARS = 24 };
/* Includes the lines of jumps. */
enum { LEAST_TEXT_PX = 230 };

struct _PvMachineView {
    PvView base;

    GtkStack *stack;
    AdwStatusPage *empty_page;
    GtkLabel *path_label;
    GtkToggleButton *bytes_button;
    GtkColumnView *view;
    GtkLabel *note_label;

    PvRowModel *model; /* keys are rows */
    PvRowTable *table;
    GtkColumnViewColumn *self_column;
    GtkColumnViewColumn *side_columns[PV_N_SIDES]; /* totals, of comparisons */
    GtkColumnViewColumn *total_column;
    GtkColumnViewColumn *address_column;
    GtkColumnViewColumn *text_column;
    PvTask *task;
    PvFunctionId unselected; /* shown while no function is selected; 0: none */
    PvSymbolTable *unselected_symbols;
    PvMachineRows *rows;    /* the shown ones; NULL: none yet */
    uint32_t *place_of_row; /* in the table; G_MAXUINT32: not there; NULL: same as the row */
    PvCodeFiles *files;     /* of the two below; NULL: none yet */
    PvProfile *files_profile;
    PvSymbolTable *files_symbols;
    guint rank;               /* of the next hot instruction to go to */
    gboolean is_selecting;    /* the selection changes, but not by the user */
    gboolean goes_to_hottest; /* once the table has all rows */
};

G_DEFINE_FINAL_TYPE (PvMachineView, pv_machine_view, PV_TYPE_VIEW)

enum { LINE_SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* --- cells --- */

static const PvInstruction *
get_instruction (PvMachineView *self, uint32_t row)
{
    return self->rows != NULL && row < self->rows->n_rows
               ? pv_machine_rows_get_instruction (self->rows, row)
               : NULL;
}

/* True if function ids of the rows have a meaning. */
static gboolean
is_current (PvMachineView *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;

    return self->rows != NULL && pv_answer_has_functions_of (answer, self->rows->symbols);
}

/* Place of a row in the table; G_MAXUINT32: not there. */
static guint
get_place (PvMachineView *self, uint32_t row)
{
    return self->place_of_row != NULL ? self->place_of_row[row] : row;
}

/* Goes where the instruction of a row leads: to another row, or to another function. */
static void
follow (PvMachineView *self, uint32_t row)
{
    const PvInstruction *instruction = get_instruction (self, row);
    if (instruction == NULL)
        return;
    const PvCallee *callee =
        &pv_machine_rows_get_code (self->rows, row)->callees[instruction->callee];
    if (instruction->target != 0) {
        guint place = get_place (self, pv_machine_rows_get_target (self->rows, row));
        if (place == G_MAXUINT32)
            return;
        pv_row_table_select (self->table, place);
        pv_row_table_scroll_to (self->table, place, TRUE);
    } else if (instruction->callee != 0 && callee->function != 0 && is_current (self)) {
        pv_document_select_function (self->base.document, callee->function);
    }
}

static gboolean
on_link (PvMachineView *self, const char *uri, GtkLabel *label)
{
    follow (self, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (label), "pv-row")));
    return TRUE;
}

static GtkWidget *
make_instruction (gpointer owner, GtkListItem *item)
{
    GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
    GtkWidget *text = pv_text_cell_new (MIN_CHARS);
    GtkWidget *link = gtk_label_new (NULL);

    pv_text_cell_set_max_chars (PV_TEXT_CELL (text), MAX_CHARS);
    pv_text_cell_show_cut_text (PV_TEXT_CELL (text));
    gtk_label_set_ellipsize (GTK_LABEL (link), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign (GTK_LABEL (link), 0);
    gtk_widget_set_hexpand (link, TRUE);
    gtk_widget_add_css_class (text, "monospace");
    gtk_box_append (GTK_BOX (box), pv_jump_cell_new ());
    gtk_box_append (GTK_BOX (box), text);
    gtk_box_append (GTK_BOX (box), link);
    g_signal_connect_data (link, "activate-link", G_CALLBACK (on_link), owner, NULL,
                           G_CONNECT_SWAPPED);
    return box;
}

/* True if a click on the target has an effect. */
static gboolean
can_follow (PvMachineView *self, uint32_t row)
{
    const PvInstruction *instruction = get_instruction (self, row);

    if (instruction == NULL)
        return FALSE;
    const PvMachineCode *code = pv_machine_rows_get_code (self->rows, row);
    return instruction->target != 0 ||
           (instruction->callee != 0 && code->callees[instruction->callee].function != 0);
}

static void
bind_link (PvMachineView *self, GtkLabel *label, uint32_t row)
{
    g_autofree char *target = get_instruction (self, row) != NULL
                                  ? pv_machine_rows_format_target (self->rows, row)
                                  : NULL;

    gtk_widget_set_visible (GTK_WIDGET (label), target != NULL);
    /* Without a target, the text has all the room. */
    gtk_widget_set_hexpand (gtk_widget_get_prev_sibling (GTK_WIDGET (label)), target == NULL);
    if (target == NULL)
        return;
    g_object_set_data (G_OBJECT (label), "pv-row", GUINT_TO_POINTER (row));
    g_autofree char *escaped = g_markup_escape_text (target, -1);
    g_autofree char *link = g_strdup_printf ("<a href=\"#\">%s</a>", escaped);
    gtk_label_set_markup (label, can_follow (self, row) ? link : escaped);
}

/* "f2 0f 5e c1            divsd …": longer ones push the text to the right. */
static char *
prepend_bytes (const PvInstruction *instruction, const char *text)
{
    GString *out = g_string_new (NULL);

    for (unsigned i = 0; i < instruction->size_bytes; i++)
        g_string_append_printf (out, "%02x ", instruction->bytes[i]);
    while (out->len < BYTES_CHARS)
        g_string_append_c (out, ' ');
    g_string_append (out, text);
    return g_string_free (out, FALSE);
}

static void
bind_text (gpointer owner, GtkWidget *cell, uint32_t row, guint number)
{
    PvMachineView *self = owner;
    GtkWidget *jumps = gtk_widget_get_first_child (cell);
    GtkWidget *text = gtk_widget_get_next_sibling (jumps);
    GtkWidget *link = gtk_widget_get_next_sibling (text);
    const gboolean is_known = self->rows != NULL && row < self->rows->n_rows;
    g_autofree char *plain = is_known ? pv_machine_rows_format (self->rows, row) : NULL;
    const PvInstruction *instruction = get_instruction (self, row);
    g_autofree char *shown =
        instruction != NULL && gtk_toggle_button_get_active (self->bytes_button)
            ? prepend_bytes (instruction, plain)
            : g_strdup (plain);
    gboolean is_descending = FALSE;
    GtkColumnViewColumn *sorted = pv_row_table_get_sorted (self->table, &is_descending);
    /* Lines of jumps fit only this order of rows. */
    const gboolean is_by_address =
        sorted == NULL || (sorted == self->address_column && !is_descending);

    pv_jump_cell_set (PV_JUMP_CELL (jumps),
                      is_known && is_by_address ? &self->rows->rows[row] : NULL);
    pv_text_cell_set_text (PV_TEXT_CELL (text), shown);
    const PvMachineRowKind kind =
        is_known ? self->rows->rows[row].kind : PV_MACHINE_ROW_INSTRUCTION;
    pv_set_css_class (text, "dim-label",
                      kind == PV_MACHINE_ROW_PLACE || kind == PV_MACHINE_ROW_LINE);
    pv_set_css_class (text, "heading", kind == PV_MACHINE_ROW_BASE);
    bind_link (self, GTK_LABEL (link), row);
}

static void
bind_amount (gpointer owner, GtkWidget *cell, uint32_t row, guint is_self)
{
    PvMachineView *self = owner;

    if (get_instruction (self, row) == NULL) {
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
        return;
    }
    const PvMachineAmounts amounts = pv_machine_rows_get_amounts (self->rows, row);
    const int64_t net =
        pv_machine_rows_get_net (self->rows, is_self ? amounts.self : amounts.total);
    if (net == 0) {
        pv_amount_cell_clear (PV_AMOUNT_CELL (cell));
    } else if (self->rows->sides != NULL) {
        /* A share would not show the sign. */
        g_autofree char *text = pv_format_signed_amount (net, self->rows->unit);
        pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text);
    } else {
        pv_amount_cell_set (PV_AMOUNT_CELL (cell), (uint64_t)net, self->rows->whole,
                            self->rows->unit);
    }
}

static void
bind_side (gpointer owner, GtkWidget *cell, uint32_t row, guint side)
{
    PvMachineView *self = owner;
    const gboolean has_sides = get_instruction (self, row) != NULL && self->rows->sides != NULL;
    const uint64_t amount =
        has_sides ? pv_machine_rows_get_amounts (self->rows, row).total[side] : 0;

    g_autofree char *text = amount > 0 ? pv_format_amount (amount, self->rows->unit) : NULL;
    pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
}

static void
bind_address (gpointer owner, GtkWidget *cell, uint32_t row, guint number)
{
    const PvInstruction *instruction = get_instruction (owner, row);
    g_autofree char *text = instruction != NULL
                                ? g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", instruction->addr)
                                : NULL;
    pv_amount_cell_set_plain (PV_AMOUNT_CELL (cell), text != NULL ? text : "");
}

/* --- rows --- */

/* Fills in the rows in an order other than ascending addresses. */
static void
fill_ordered (PvMachineView *self, gboolean is_by_address, const uint32_t *order, uint32_t n,
              gboolean is_reversed)
{
    g_autofree uint32_t *keys = g_new (uint32_t, MAX (n, 1));

    self->place_of_row = g_new (uint32_t, MAX (self->rows->n_rows, 1));
    memset (self->place_of_row, 0xff, self->rows->n_rows * sizeof (uint32_t));
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t from = is_reversed ? n - 1 - i : i;
        keys[i] = is_by_address ? from : order[from];
        self->place_of_row[keys[i]] = i;
    }
    pv_row_model_set (self->model, keys, n);
}

/* Sorted by cost, shows instructions with cost; else all, with their lines. */
static void
fill_rows (PvMachineView *self)
{
    gboolean is_descending = FALSE;
    GtkColumnViewColumn *sorted = pv_row_table_get_sorted (self->table, &is_descending);
    const gboolean is_by_address = sorted == NULL || sorted == self->address_column;

    self->is_selecting = TRUE;
    g_clear_pointer (&self->place_of_row, g_free);
    if (self->rows == NULL || self->rows->costs == NULL)
        pv_row_model_set (self->model, NULL, 0);
    else if (!is_by_address)
        fill_ordered (self, FALSE,
                      sorted == self->total_column ? self->rows->by_total : self->rows->by_self,
                      self->rows->n_with_cost, !is_descending);
    else if (sorted != NULL && is_descending)
        fill_ordered (self, TRUE, NULL, self->rows->n_rows, TRUE);
    else
        pv_row_model_set (self->model, NULL, self->rows->n_rows);
    self->is_selecting = FALSE;
}

static void
on_sort_changed (PvMachineView *self)
{
    fill_rows (self);
    if (pv_row_model_get_n_rows (self->model) > 0)
        pv_row_table_scroll_to (self->table, 0, FALSE);
}

static void
go_to_rank (PvMachineView *self, guint rank)
{
    guint place;

    if (self->rows == NULL || rank >= self->rows->n_with_cost)
        return;
    self->rank = rank + 1;
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "machine.cooler",
                                   self->rank < self->rows->n_with_cost);
    place = get_place (self, self->rows->by_self[rank]);
    if (place == G_MAXUINT32)
        return;
    pv_row_table_select (self->table, place);
    pv_row_table_scroll_to (self->table, place, FALSE);
}

/* Does nothing before the model has all rows, which it gets step by step. */
static void
go_to_hottest (PvMachineView *self)
{
    if (!self->goes_to_hottest || g_list_model_get_n_items (G_LIST_MODEL (self->model)) <
                                      pv_row_model_get_n_rows (self->model))
        return;
    self->goes_to_hottest = FALSE;
    self->is_selecting = TRUE;
    go_to_rank (self, 0);
    self->is_selecting = FALSE;
}

static void
go_cooler (PvMachineView *self)
{
    go_to_rank (self, self->rank);
}

/* --- display --- */

static void
show_empty (PvMachineView *self, const char *title, const char *description)
{
    pv_empty_page_set (self->empty_page, title, description);
    gtk_stack_set_visible_child_name (self->stack, "empty");
}

static void
set_rows (PvMachineView *self, PvMachineRows *rows)
{
    PvMachineRows *old = self->rows;

    self->rows = rows;
    self->rank = 0;
    fill_rows (self);
    pv_free_later (old, pv_machine_rows_unref);
    /* Going on starts from the hottest instruction, once the table is there. */
    gtk_widget_action_set_enabled (GTK_WIDGET (self), "machine.cooler", FALSE);
}

/* Addresses of a kernel, and of code that was generated at run time, are longer than a file's. */
static void
widen_address (PvMachineView *self)
{
    const PvMachineCode *code = self->rows->costs->code;
    const uint64_t addr = code->n_instructions > 0 ? code->instructions[0].addr : 0;
    const int needed = addr >> 48 != 0 ? 180 : addr >> 32 != 0 ? 145 : 0;

    if (gtk_column_view_column_get_visible (self->address_column) &&
        gtk_column_view_column_get_fixed_width (self->address_column) < needed)
        gtk_column_view_column_set_fixed_width (self->address_column, needed);
}

/* A comparison has columns for both sides and for changes. */
static void
show_columns (PvMachineView *self)
{
    const gboolean is_compared = self->rows->is_compared;

    widen_address (self);
    pv_row_table_set_needs (self->table, LEAST_TEXT_PX, is_compared);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_row_table_set_wanted (self->table, self->side_columns[side], is_compared);
    gtk_column_view_column_set_title (self->self_column,
                                      is_compared ? _ ("Self Change") : C_ ("column", "Self"));
    gtk_column_view_column_set_title (self->total_column, is_compared ? C_ ("column", "Change")
                                                                      : C_ ("column", "Total"));
}

static void
show_note (PvMachineView *self)
{
    const PvCodePlaces *places = self->rows->costs->places;
    g_autoptr (GString) text = g_string_new (self->rows->skid);
    const char *parts[5] = {0};
    unsigned n = 0;

    if (self->rows->sides != NULL && self->rows->sides->difference != NULL)
        parts[n++] = self->rows->sides->difference;
    if (self->rows->base != NULL)
        parts[n++] = _ ("The base’s own code is below.");
    if (places->file->is_unverified)
        parts[n++] = _ ("The binary may be from a different build than the one that was recorded.");
    if (self->rows->costs->n_left_out > 0)
        parts[n++] = _ ("The function is inlined into more functions than are shown.");
    for (unsigned i = 0; i < n; i++)
        g_string_append_printf (text, text->len > 0 ? " %s" : "%s", parts[i]);
    gtk_label_set_text (self->note_label, text->str);
    gtk_widget_set_visible (GTK_WIDGET (self->note_label), text->len > 0);
}

static void
on_rows (gpointer owner, gpointer result, const GError *error)
{
    PvMachineView *self = owner;
    PvMachineRows *rows = result;

    set_rows (self, rows);
    if (rows == NULL || rows->costs == NULL) {
        show_empty (self, _ ("No Machine Code"),
                    rows != NULL    ? rows->problem
                    : error != NULL ? error->message
                                    : NULL);
        return;
    }
    const char *path = pv_elf_image_get_path (rows->costs->code->binary);
    gtk_label_set_text (self->path_label, path);
    gtk_widget_set_tooltip_text (GTK_WIDGET (self->path_label), path);
    show_columns (self);
    show_note (self);
    gtk_stack_set_visible_child_name (self->stack, "code");
    self->goes_to_hottest = TRUE;
    go_to_hottest (self);
}

/* Reference to the open files, shared by all functions of a profile with the same symbols. */
static PvCodeFiles *
share_files (PvMachineView *self, const PvCallTree *tree)
{
    if (self->files == NULL || self->files_profile != tree->profile ||
        self->files_symbols != tree->symbols) {
        pv_clear_later (&self->files, (GDestroyNotify)pv_code_files_unref);
        pv_clear_later (&self->files_profile, (GDestroyNotify)pv_profile_free);
        pv_clear_later (&self->files_symbols, (GDestroyNotify)pv_symbol_table_free);
        self->files = pv_code_files_new (pv_document_get_symbol_options (self->base.document));
        self->files_profile = pv_profile_ref (tree->profile);
        self->files_symbols = pv_symbol_table_ref (tree->symbols);
    }
    return pv_code_files_ref (self->files);
}

/* The function to show; 0: not known yet. */
static PvFunctionId
get_function (PvMachineView *self)
{
    const PvDocumentData *data = pv_document_get (self->base.document);

    if (data->look.function != 0 || self->unselected == 0 || data->answer->tree == NULL ||
        !pv_answer_has_functions_of (data->answer, self->unselected_symbols) ||
        self->unselected >= data->answer->tree->symbols->n_functions)
        return data->look.function;
    return self->unselected;
}

static void
request (PvMachineView *self)
{
    const PvAnswer *answer = pv_document_get (self->base.document)->answer;
    const PvFunctionId function = get_function (self);
    PvMachineInput *input;

    pv_task_cancel (self->task);
    if (self->rows == NULL)
        show_empty (self, C_ ("progress", "Loading…"), NULL);
    if (answer->tree == NULL || function == 0)
        return;
    input = g_new0 (PvMachineInput, 1);
    input->tree = pv_call_tree_ref (answer->tree);
    input->function = function;
    input->options = pv_symbol_options_copy (pv_document_get_symbol_options (self->base.document));
    input->files = share_files (self, answer->tree);
    pv_task_start (self->task, input);
}

static void
pv_machine_view_changed (PvView *view, guint what)
{
    if (what & (PV_CHANGED_TREE | PV_CHANGED_SELECTION))
        request (PV_MACHINE_VIEW (view));
}

void
pv_machine_view_set_unselected (PvMachineView *self, PvFunctionId function,
                                const PvSymbolTable *symbols)
{
    g_assert (PV_IS_MACHINE_VIEW (self) && symbols != NULL);
    pv_clear_later (&self->unselected_symbols, pv_symbol_table_free);
    self->unselected = function;
    self->unselected_symbols = pv_symbol_table_ref (symbols);
    if (pv_document_get (self->base.document)->look.function == 0)
        pv_view_update (PV_VIEW (self), PV_CHANGED_SELECTION);
}

/* --- lines --- */

static void
on_selected (PvMachineView *self)
{
    uint32_t row = pv_row_table_get_selected_key (self->table);

    if (self->is_selecting || self->rows == NULL || row >= self->rows->n_rows)
        return;
    const PvInstructionFrame *line = pv_machine_rows_get_line (self->rows, row);
    if (line == NULL || line->line == 0)
        return;
    self->is_selecting = TRUE;
    g_signal_emit (self, signals[LINE_SELECTED], 0, line->file, line->line);
    self->is_selecting = FALSE;
}

/* Places of the rows in the table. Most follow one another, up or down. */
static GtkBitset *
list_places (PvMachineView *self, const uint32_t *rows, uint32_t n_rows)
{
    GtkBitset *places = gtk_bitset_new_empty ();
    guint first = 0, last = 0;
    gboolean has_range = FALSE;

    for (uint32_t i = 0; i < n_rows; i++) {
        const guint place = get_place (self, rows[i]);
        if (place == G_MAXUINT32)
            continue;
        if (has_range && place == last + 1) {
            last++;
        } else if (has_range && place + 1 == first) {
            first--;
        } else {
            if (has_range)
                gtk_bitset_add_range_closed (places, first, last);
            first = last = place;
            has_range = TRUE;
        }
    }
    if (has_range)
        gtk_bitset_add_range_closed (places, first, last);
    return places;
}

void
pv_machine_view_select_line (PvMachineView *self, const char *file, guint line)
{
    g_assert (PV_IS_MACHINE_VIEW (self) && file != NULL);
    uint32_t n_rows;

    if (self->is_selecting || self->rows == NULL)
        return;
    const uint32_t *rows = pv_machine_rows_find_line (self->rows, file, line, &n_rows);
    g_autoptr (GtkBitset) wanted = list_places (self, rows, n_rows);
    if (gtk_bitset_is_empty (wanted))
        return;
    self->is_selecting = TRUE;
    pv_row_table_select (self->table, gtk_bitset_get_minimum (wanted));
    pv_row_table_scroll_to (self->table, gtk_bitset_get_minimum (wanted), FALSE);
    g_autoptr (GtkBitset) all = gtk_bitset_new_range (0, pv_row_model_get_n_rows (self->model));
    gtk_selection_model_set_selection (GTK_SELECTION_MODEL (self->model), wanted, all);
    self->is_selecting = FALSE;
}

/* --- object --- */

static void
on_bytes (PvMachineView *self)
{
    pv_row_table_update_column (self->table, self->text_column);
}

static void
on_activated (PvMachineView *self, guint position)
{
    follow (self, pv_row_model_get_key (self->model, position));
}

static gboolean
pv_machine_view_grab_focus (GtkWidget *widget)
{
    return pv_row_table_grab_focus (PV_MACHINE_VIEW (widget)->table);
}

static void
pv_machine_view_end (PvView *view)
{
    PvMachineView *self = PV_MACHINE_VIEW (view);

    g_clear_pointer (&self->task, pv_task_close);
    pv_clear_later (&self->unselected_symbols, pv_symbol_table_free);
    g_clear_object (&self->table);
    g_clear_object (&self->model);
    pv_clear_later (&self->rows, pv_machine_rows_unref);
    pv_clear_later (&self->files, (GDestroyNotify)pv_code_files_unref);
    pv_clear_later (&self->files_profile, (GDestroyNotify)pv_profile_free);
    pv_clear_later (&self->files_symbols, (GDestroyNotify)pv_symbol_table_free);
    g_clear_pointer (&self->place_of_row, g_free);
}

static void
pv_machine_view_class_init (PvMachineViewClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (class);

    PV_VIEW_CLASS (class)->end = pv_machine_view_end;
    PV_VIEW_CLASS (class)->changed = pv_machine_view_changed;
    widget_class->grab_focus = pv_machine_view_grab_focus;
    signals[LINE_SELECTED] = pv_signal_new (class, "line-selected", 2, G_TYPE_STRING, G_TYPE_UINT);
    PV_SET_TEMPLATE (widget_class, "machine-view", PV_TYPE_HELP_BUTTON);
    PV_BIND_CHILDREN (widget_class, PvMachineView, stack, empty_page, path_label, bytes_button,
                      view, note_label);
    pv_class_add_action (widget_class, "machine.cooler", NULL, go_cooler);
}

static void
add_columns (PvMachineView *self)
{
    const PvColumnShape text = {PV_SHAPE_TEXT, C_ ("column", "Instruction"), 0, bind_text,
                                make_instruction};
    const PvColumnShape self_amount = {PV_SHAPE_AMOUNT, C_ ("column", "Self"), 130, bind_amount};
    const PvColumnShape base = {PV_SHAPE_AMOUNT, C_ ("column", "Base"), 130, bind_side};
    const PvColumnShape newer = {PV_SHAPE_AMOUNT, C_ ("column", "New"), 130, bind_side};
    const PvColumnShape total = {PV_SHAPE_AMOUNT, C_ ("column", "Total"), 130, bind_amount};
    const PvColumnShape address = {PV_SHAPE_FIGURE, C_ ("column", "Address"), 110, bind_address};

    self->text_column = pv_row_table_add (self->table, &text, 0);
    self->self_column = pv_row_table_add (self->table, &self_amount, TRUE);
    self->side_columns[PV_SIDE_BASE] = pv_row_table_add (self->table, &base, PV_SIDE_BASE);
    self->side_columns[PV_SIDE_NEW] = pv_row_table_add (self->table, &newer, PV_SIDE_NEW);
    self->total_column = pv_row_table_add (self->table, &total, FALSE);
    self->address_column = pv_row_table_add (self->table, &address, 0);
    pv_row_table_make_sortable (self->table, self->self_column);
    pv_row_table_make_sortable (self->table, self->total_column);
    pv_row_table_make_sortable (self->table, self->address_column);
    pv_row_table_finish (self->table, FALSE);
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        pv_row_table_set_wanted (self->table, self->side_columns[side], FALSE);
}

static void
pv_machine_view_init (PvMachineView *self)
{
    gtk_widget_init_template (GTK_WIDGET (self));
    self->task = pv_task_new (self, pv_machine_rows_build, pv_machine_input_free,
                              pv_machine_rows_unref, on_rows);
    self->model = pv_row_model_new ();
    self->table = pv_row_table_new (self->view, self->model, self);
    add_columns (self);
    pv_connect (self->table, "sort-changed", on_sort_changed, self);
    pv_connect (self->model, "selection-changed", on_selected, self);
    pv_connect (self->model, "filled", go_to_hottest, self);
    pv_connect (self->view, "activate", on_activated, self);
    pv_connect (self->bytes_button, "toggled", on_bytes, self);
}
