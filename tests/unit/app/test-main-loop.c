/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features that keep the main loop free: lists that change a few rows at a time, and freeing in
 * workers. */
#include <pthread.h>

#include "../cases.h"
#include "app/widgets/row-model.h"
#include "app/work/work.h"

enum {
    N_ROWS = 20000,
    N_MADE = 205, /* rows that GTK makes widgets for, about */
    MOST = 32,    /* of them that may change at once */
};

/* Lists ---------------------------------------------------------------------------------------- */

typedef struct {
    unsigned n_changes;
    unsigned n_replaced;
    unsigned n_filled;
} Seen;

/* Widgets are made for rows within the first N_MADE, and freed with them. */
static void
on_items_changed (GListModel *model, guint position, guint n_removed, guint n_added, Seen *seen)
{
    guint n = g_list_model_get_n_items (model);
    guint before = n - n_added + n_removed;

    seen->n_changes++;
    g_assert_cmpuint (position + MAX (n_removed, n_added), ==, MAX (n, before));
    g_assert_cmpint ((int)MIN (n, N_MADE) - (int)MIN (before, N_MADE), <=, MOST);
    g_assert_cmpint ((int)MIN (before, N_MADE) - (int)MIN (n, N_MADE), <=, MOST);
}

static void
on_replaced (PvRowModel *model, Seen *seen)
{
    seen->n_replaced++;
}

static void
on_filled (PvRowModel *model, Seen *seen)
{
    seen->n_filled++;
}

static PvRowModel *
make_model (Seen *seen)
{
    PvRowModel *model = pv_row_model_new ();

    *seen = (Seen){0};
    g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), seen);
    g_signal_connect (model, "replaced", G_CALLBACK (on_replaced), seen);
    g_signal_connect (model, "filled", G_CALLBACK (on_filled), seen);
    return model;
}

static void
fill (PvRowModel *model, uint32_t n)
{
    pv_row_model_set (model, NULL, n);
    while (g_list_model_get_n_items (G_LIST_MODEL (model)) != n)
        g_main_context_iteration (NULL, TRUE);
}

TEST (list_grows_and_shrinks)
{
    Seen seen;
    g_autoptr (PvRowModel) model = make_model (&seen);

    pv_row_model_set (model, NULL, N_ROWS);
    g_assert_cmpuint (pv_row_model_get_n_rows (model), ==, N_ROWS);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), <=, MOST);
    fill (model, N_ROWS);
    g_assert_cmpuint (seen.n_changes, >=, N_MADE / MOST);
    g_assert_cmpuint (seen.n_filled, ==, 1);

    seen.n_changes = 0;
    seen.n_replaced = 0;
    fill (model, 3);
    g_assert_cmpuint (seen.n_changes, >=, N_MADE / MOST);
    g_assert_cmpuint (seen.n_replaced, ==, 1);
    g_assert_cmpuint (seen.n_filled, ==, 2);
    fill (model, 0);
    fill (model, 2);
}

/* Rows that stay where they are keep their objects, and so GTK its widgets. */
TEST (rows_are_kept)
{
    static const uint32_t other[] = {7, 8, 9};
    Seen seen;
    g_autoptr (PvRowModel) model = make_model (&seen);

    fill (model, 4);
    seen.n_changes = 0;
    pv_row_model_set (model, other, G_N_ELEMENTS (other));
    g_assert_cmpuint (seen.n_changes, ==, 0);
    g_assert_cmpuint (seen.n_replaced, ==, 1);
    g_assert_cmpuint (pv_row_model_get_key (model, 1), ==, 8);
    /* It goes a moment later; until then it stands for nothing. */
    g_assert_cmpuint (pv_row_model_get_key (model, 3), ==, G_MAXUINT32);
    while (g_list_model_get_n_items (G_LIST_MODEL (model)) != 3)
        g_main_context_iteration (NULL, TRUE);
}

TEST (frozen_list_is_silent)
{
    Seen seen;
    g_autoptr (PvRowModel) model = make_model (&seen);

    fill (model, 10);
    seen = (Seen){0};
    pv_row_model_freeze (model);
    pv_row_model_thaw (model);
    g_assert_cmpuint (seen.n_replaced, ==, 0);

    pv_row_model_freeze (model);
    pv_row_model_splice (model, 2, 1, (uint32_t[]){40, 41, 42}, 3);
    pv_row_model_splice (model, 5, 5, NULL, 0);
    g_assert_cmpuint (seen.n_changes + seen.n_replaced, ==, 0);
    pv_row_model_thaw (model);
    g_assert_cmpuint (seen.n_replaced, ==, 1);
    g_assert_cmpuint (pv_row_model_get_n_rows (model), ==, 7);
    g_assert_cmpuint (pv_row_model_get_key (model, 3), ==, 41);
}

/* An expanded row in a list that is still being filled. */
TEST (splice_while_filling)
{
    Seen seen;
    g_autoptr (PvRowModel) model = make_model (&seen);

    pv_row_model_set (model, NULL, 100);
    g_signal_handlers_disconnect_by_func (model, on_items_changed, &seen);
    pv_row_model_splice (model, 1, 0, (uint32_t[]){500, 501}, 2);
    pv_row_model_splice (model, 90, 4, NULL, 0);
    while (seen.n_filled == 0)
        g_main_context_iteration (NULL, TRUE);
    g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 98);
    g_assert_cmpuint (pv_row_model_get_key (model, 2), ==, 501);
    g_assert_cmpuint (pv_row_model_get_key (model, 3), ==, 1);
    g_assert_cmpuint (pv_row_model_get_key (model, 90), ==, 92);
}

/* Freeing -------------------------------------------------------------------------------------- */

static pthread_t main_thread;
static int n_freed;

static void
free_elsewhere (gpointer data)
{
    g_assert_false (pthread_equal (pthread_self (), main_thread));
    g_free (data);
    g_atomic_int_inc (&n_freed);
}

static void
wait_for_freed (int n)
{
    while (g_atomic_int_get (&n_freed) < n)
        g_usleep (1000);
    g_assert_cmpint (g_atomic_int_get (&n_freed), ==, n);
}

TEST (free_later)
{
    g_atomic_int_set (&n_freed, 0);
    pv_free_later (NULL, free_elsewhere);
    pv_free_later (g_malloc (1), free_elsewhere);
    wait_for_freed (1);
}

static gpointer
answer_question (gpointer input, PvJob *job, GError **error)
{
    return g_malloc (1);
}

static void
take_answer (gpointer owner, gpointer result, const GError *error)
{
    g_free (result);
    *(bool *)owner = true;
}

/* Inputs, and answers that came too late, hold trees. */
TEST (tasks_free_elsewhere)
{
    bool is_answered = false;
    PvTask *task =
        pv_task_new (&is_answered, answer_question, free_elsewhere, free_elsewhere, take_answer);

    g_atomic_int_set (&n_freed, 0);
    pv_task_start (task, g_malloc (1));
    while (!is_answered)
        g_main_context_iteration (NULL, TRUE);
    wait_for_freed (1);

    is_answered = false;
    pv_task_start (task, g_malloc (1));
    pv_task_start (task, g_malloc (1));
    while (!is_answered)
        g_main_context_iteration (NULL, TRUE);
    pv_task_close (task);
    /* Two inputs more, and the first answer unless it was not even begun. */
    while (g_atomic_int_get (&n_freed) < 3)
        g_main_context_iteration (NULL, FALSE);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    main_thread = pthread_self ();
    return g_test_run ();
}
