/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Many unit tests in one program, which links faster than one each. PV_UNIT_TEST says which of them
 * to run, where a program has more than one; a test that starts itself again hands the choice on
 * that way. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static GSList *all;  /* of all files */
static GSList *mine; /* of the requested file */

void
pv_test_add (const PvTest *test)
{
    all = g_slist_prepend (all, (gpointer)test);
}

/* "massif" of test-massif.c. */
static char *
name_file (const PvTest *test)
{
    g_autofree char *base = g_path_get_basename (test->file);
    g_assert_true (g_str_has_prefix (base, "test-") && g_str_has_suffix (base, ".c"));
    return g_strndup (base + strlen ("test-"), strlen (base) - strlen ("test-.c"));
}

static int
compare_lines (gconstpointer a, gconstpointer b)
{
    return ((const PvTest *)a)->line - ((const PvTest *)b)->line;
}

static bool
is_left_out (const PvTest *test)
{
#ifdef __SANITIZE_THREAD__
    return test->is_large && pv_test_is_short ();
#else
    return false;
#endif
}

void
pv_test_init (int argc, char **argv)
{
    g_test_init (&argc, &argv, NULL);
    for (const GSList *l = mine; l != NULL; l = l->next) {
        const PvTest *test = l->data;
        if (test->name == NULL || is_left_out (test))
            continue;
        g_autofree char *file = name_file (test);
        g_autofree char *name = g_strdelimit (g_strdup (test->name), "_", '-');
        g_autofree char *path = g_strdup_printf ("/%s/%s", file, name);
        if (test->run != NULL)
            g_test_add_func (path, test->run);
        else
            g_test_add_vtable (path, test->fixture_size_bytes, NULL, test->set_up, test->run_with,
                               test->tear_down);
    }
}

int
main (int argc, char **argv)
{
    const char *wanted = getenv ("PV_UNIT_TEST");
    g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    int (*run) (int argc, char **argv) = NULL;
    for (const GSList *l = all; l != NULL; l = l->next) {
        const PvTest *test = l->data;
        char *name = name_file (test);
        bool is_wanted = wanted == NULL || strcmp (name, wanted) == 0;
        if (is_wanted && test->main != NULL)
            run = test->main;
        else if (is_wanted)
            mine = g_slist_insert_sorted (mine, (gpointer)test, compare_lines);
        g_hash_table_add (names, name);
    }
    bool is_known = mine != NULL || run != NULL;
    if (!is_known || (wanted == NULL && g_hash_table_size (names) > 1)) {
        g_autofree gpointer *list = g_hash_table_get_keys_as_array (names, NULL);
        g_autofree char *text = g_strjoinv (" ", (char **)list);
        fprintf (stderr, "PV_UNIT_TEST must be one of: %s\n", text);
        return 2;
    }
    if (run != NULL)
        return run (argc, argv);
    pv_test_init (argc, argv);
    return g_test_run ();
}
