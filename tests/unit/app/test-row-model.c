/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "app/widgets/row-model.h"

/* Expected content of the model: keys and whether they are selected. */
typedef struct {
    uint32_t key;
    gboolean is_selected;
} Row;

typedef struct {
    PvRowModel *model;
    GArray *rows; /* Row */
    uint32_t lead_key;
    unsigned n_changes; /* signals "selection-changed" */
} Fixture;

static void
on_changed (Fixture *fixture)
{
    fixture->n_changes++;
}

static Row *
get (Fixture *fixture, guint position)
{
    return &g_array_index (fixture->rows, Row, position);
}

static void
check (Fixture *fixture)
{
    GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture->model);
    uint32_t lead = pv_row_model_get_selected (fixture->model);
    guint64 n_selected = 0;
    gboolean has_lead = FALSE;
    g_assert_cmpuint (pv_row_model_get_n_rows (fixture->model), ==, fixture->rows->len);
    for (guint i = 0; i < fixture->rows->len; i++) {
        const Row *row = get (fixture, i);
        g_assert_cmpuint (pv_row_model_get_key (fixture->model, i), ==, row->key);
        g_assert_cmpint (gtk_selection_model_is_selected (selection, i), ==, row->is_selected);
        n_selected += row->is_selected;
        has_lead |= row->is_selected && row->key == fixture->lead_key;
    }
    g_assert_cmpuint (gtk_bitset_get_size (pv_row_model_get_all_selected (fixture->model)), ==,
                      n_selected);
    if (n_selected == 0)
        g_assert_cmpuint (lead, ==, GTK_INVALID_LIST_POSITION);
    else if (has_lead)
        g_assert_cmpuint (pv_row_model_get_key (fixture->model, lead), ==, fixture->lead_key);
    else
        g_assert_true (get (fixture, lead)->is_selected);
}

static void
splice (Fixture *fixture, GRand *random, uint32_t *next_key)
{
    guint position = (guint)g_rand_int_range (random, 0, (gint32)fixture->rows->len + 1);
    guint n_removed =
        (guint)g_rand_int_range (random, 0, (gint32)MIN (6, fixture->rows->len - position) + 1);
    guint n_added = (guint)g_rand_int_range (random, 0, 8);
    uint32_t keys[8];
    if (n_removed > 0)
        g_array_remove_range (fixture->rows, position, n_removed);
    for (guint i = 0; i < n_added; i++) {
        Row row = {keys[i] = (*next_key)++, FALSE};
        g_array_insert_val (fixture->rows, position + i, row);
    }
    pv_row_model_splice (fixture->model, position, n_removed, keys, n_added);
}

static void
set_rows (Fixture *fixture, guint position, guint n, gboolean is_selected, gboolean is_alone)
{
    for (guint i = 0; i < fixture->rows->len; i++) {
        if (i >= position && i - position < n)
            get (fixture, i)->is_selected = is_selected;
        else if (is_alone)
            get (fixture, i)->is_selected = FALSE;
    }
}

static void
select_some (Fixture *fixture, GRand *random)
{
    GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture->model);
    guint position = (guint)g_rand_int_range (random, 0, (gint32)fixture->rows->len);
    guint n = (guint)g_rand_int_range (random, 1, 9);
    gboolean is_alone = g_rand_boolean (random);
    switch (g_rand_int_range (random, 0, 5)) {
    case 0:
        fixture->lead_key = get (fixture, position)->key;
        set_rows (fixture, position, 1, TRUE, is_alone);
        gtk_selection_model_select_item (selection, position, is_alone);
        break;
    case 1:
        set_rows (fixture, position, n, TRUE, is_alone);
        gtk_selection_model_select_range (selection, position, n, is_alone);
        break;
    case 2:
        set_rows (fixture, position, n, FALSE, FALSE);
        gtk_selection_model_unselect_range (selection, position, n);
        break;
    case 3:
        set_rows (fixture, position, 1, FALSE, FALSE);
        gtk_selection_model_unselect_item (selection, position);
        break;
    default:
        set_rows (fixture, 0, G_MAXUINT, is_alone, FALSE);
        if (is_alone)
            gtk_selection_model_select_all (selection);
        else
            gtk_selection_model_unselect_all (selection);
    }
    /* Without a lead the model takes another row. */
    uint32_t lead = pv_row_model_get_selected (fixture->model);
    fixture->lead_key = pv_row_model_get_key (fixture->model, lead);
}

static void
reorder (Fixture *fixture, GRand *random)
{
    guint n = fixture->rows->len;
    g_autofree uint32_t *keys = g_new (uint32_t, n);
    for (guint i = n; i-- > 1;) {
        guint other = (guint)g_rand_int_range (random, 0, (gint32)i + 1);
        Row row = *get (fixture, i);
        *get (fixture, i) = *get (fixture, other);
        *get (fixture, other) = row;
    }
    for (guint i = 0; i < n; i++)
        keys[i] = get (fixture, i)->key;
    pv_row_model_reorder (fixture->model, keys, n);
}

/* Selected rows stay selected while others come and go, and in another order. */
TEST (random)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (5);
    for (unsigned round = 0; round < 40; round++) {
        Fixture fixture = {.model = pv_row_model_new (),
                           .rows = g_array_new (FALSE, FALSE, sizeof (Row))};
        uint32_t next_key = 0;
        for (unsigned step = 0; step < 200; step++) {
            if (fixture.rows->len == 0 || g_rand_int_range (random, 0, 3) == 0)
                splice (&fixture, random, &next_key);
            else if (g_rand_int_range (random, 0, 4) == 0)
                reorder (&fixture, random);
            else
                select_some (&fixture, random);
            check (&fixture);
        }
        pv_row_model_set (fixture.model, NULL, 5);
        g_assert_cmpuint (pv_row_model_get_selected (fixture.model), ==, GTK_INVALID_LIST_POSITION);
        g_array_unref (fixture.rows);
        g_object_unref (fixture.model);
    }
}

/* A row that leads others by a right click is told like a selection. */
TEST (lead)
{
    Fixture fixture = {.model = pv_row_model_new ()};
    GtkSelectionModel *selection = GTK_SELECTION_MODEL (fixture.model);
    pv_row_model_set (fixture.model, NULL, 1000000);
    g_signal_connect_swapped (selection, "selection-changed", G_CALLBACK (on_changed), &fixture);
    gtk_selection_model_select_item (selection, 7, TRUE);
    gtk_selection_model_select_all (selection);
    g_assert_cmpuint (fixture.n_changes, ==, 2);
    g_assert_cmpuint (pv_row_model_get_selected (fixture.model), ==, 7);
    gtk_selection_model_select_item (selection, 9, FALSE);
    g_assert_cmpuint (fixture.n_changes, ==, 3);
    g_assert_cmpuint (pv_row_model_get_selected (fixture.model), ==, 9);
    gtk_selection_model_select_item (selection, 9, FALSE);
    gtk_selection_model_select_all (selection);
    g_assert_cmpuint (fixture.n_changes, ==, 3);
    g_assert_cmpuint (gtk_bitset_get_size (pv_row_model_get_all_selected (fixture.model)), ==,
                      1000000);
    g_object_unref (fixture.model);
}

/* If very many rows are selected, all remaining ones stay selected, or one. */
TEST (reorder_many)
{
    enum { N = 200000 };
    g_autoptr (PvRowModel) model = pv_row_model_new ();
    GtkSelectionModel *selection = GTK_SELECTION_MODEL (model);
    g_autofree uint32_t *keys = g_new (uint32_t, N);
    for (uint32_t i = 0; i < N; i++)
        keys[i] = N - 1 - i;
    pv_row_model_set (model, NULL, N);
    gtk_selection_model_select_item (selection, 7, TRUE);
    gtk_selection_model_select_all (selection);
    pv_row_model_reorder (model, keys, N);
    g_assert_cmpuint (gtk_bitset_get_size (pv_row_model_get_all_selected (model)), ==, N);
    g_assert_cmpuint (pv_row_model_get_selected (model), ==, N - 8);
    gtk_selection_model_unselect_item (selection, 0);
    pv_row_model_reorder (model, keys, N);
    g_assert_cmpuint (gtk_bitset_get_size (pv_row_model_get_all_selected (model)), ==, 1);
    g_assert_cmpuint (pv_row_model_get_selected (model), ==, N - 8);
    g_assert_true (gtk_selection_model_is_selected (selection, N - 8));
}
