/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/history.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/bisect/git.h"
#include "core/base/intern.h"

enum { N_ID_CHARS = 10 };

void
pv_history_free (PvHistory *history)
{
    if (history == NULL)
        return;
    g_free (history->top);
    g_free (history->place);
    g_free (history->good);
    g_ptr_array_unref (history->ids);
    pv_suspects_free (history->suspects);
    g_free (history);
}

char *
pv_history_make_short_id (const char *id)
{
    return g_strndup (id, N_ID_CHARS);
}

char *
pv_history_make_title (const PvHistory *history, const char *id)
{
    g_autofree char *subject = pv_git_ask (history->top, NULL, "show", "-s", "--no-show-signature",
                                           "--format=%s", id, NULL);
    g_autofree char *title =
        g_strdup_printf ("%.*s %s", N_ID_CHARS, id, subject != NULL ? subject : "");
    return pv_make_showable (title, strlen (title));
}

static bool
find_tree (PvHistory *history, GError **error)
{
    static const char *const variables[] = {"GIT_DIR",    "GIT_WORK_TREE",  "GIT_INDEX_FILE",
                                            "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"};
    g_autofree char *current = g_get_current_dir ();
    history->top = pv_git_ask (current, error, "rev-parse", "--show-toplevel", NULL);
    history->place = history->top != NULL
                         ? pv_git_ask (current, error, "rev-parse", "--show-prefix", NULL)
                         : NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (variables); i++)
        g_unsetenv (variables[i]);
    g_setenv ("GIT_TERMINAL_PROMPT", "0", TRUE);
    return history->place != NULL;
}

static char *
find_commit (const PvHistory *history, const char *name, GError **error)
{
    g_autofree char *wanted = g_strconcat (name, "^{commit}", NULL);
    return pv_git_ask (history->top, error, "rev-parse", "--verify", "--end-of-options", wanted,
                       NULL);
}

static bool
check_order (const PvHistory *history, const char *good_name, const char *bad, const char *bad_name,
             GError **error)
{
    g_autofree char *base = pv_git_ask (history->top, NULL, "merge-base", history->good, bad, NULL);
    if (base == NULL)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     /* Translators: the names of two commits */
                     _ ("--bisect: %s and %s have no commit in common"), good_name, bad_name);
    else if (strcmp (history->good, base) != 0 || strcmp (history->good, bad) == 0)
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--bisect: %s must be an older commit that %s contains; both contain "
                        "%.*s"),
                     good_name, bad_name, N_ID_CHARS, base);
    else
        return true;
    return false;
}

/* A line for each commit, its id and those of its parents. how: which of them. */
static char **
list_commits (const PvHistory *history, const char *how, const char *bad, GError **error)
{
    g_autofree char *limits = g_strdup_printf ("%s..%s", history->good, bad);
    g_autofree char *list = pv_git_ask (history->top, error, "rev-list", how, "--topo-order",
                                        "--reverse", "--parents", limits, NULL);
    return list != NULL ? g_strsplit (list, "\n", -1) : NULL;
}

static void
add_commits (PvHistory *history, char *const *lines)
{
    g_autoptr (GHashTable) indexes = g_hash_table_new (g_str_hash, g_str_equal);
    uint32_t n = g_strv_length ((char **)lines);
    history->suspects = pv_suspects_new (n);
    history->is_chain = true;
    for (uint32_t i = 0; i < n; i++) {
        g_auto (GStrv) ids = g_strsplit (lines[i], " ", -1);
        char *id = g_strdup (ids[0]);
        bool follows = i == 0;
        gpointer parent;
        g_ptr_array_add (history->ids, id);
        g_hash_table_insert (indexes, id, GUINT_TO_POINTER (i));
        for (char **other = ids + 1; *other != NULL; other++) {
            if (!g_hash_table_lookup_extended (indexes, *other, NULL, &parent)) {
                history->has_joined |= strcmp (*other, history->good) != 0;
                continue;
            }
            pv_suspects_add_parent (history->suspects, i, GPOINTER_TO_UINT (parent));
            follows |= GPOINTER_TO_UINT (parent) + 1 == i;
        }
        history->is_chain &= follows;
    }
    history->n_possible = n > 1 ? g_bit_storage (n - 1) : 0;
}

static bool
read_commits (PvHistory *history, const char *range, GError **error)
{
    const char *dots = strstr (range, "..");
    const char *bad_name = dots[2] != '\0' ? dots + 2 : "HEAD";
    g_autofree char *good_name = g_strndup (range, (size_t)(dots - range));
    history->good = find_commit (history, good_name, error);
    g_autofree char *bad = history->good != NULL ? find_commit (history, bad_name, error) : NULL;
    if (bad == NULL || !check_order (history, good_name, bad, bad_name, error))
        return false;
    g_auto (GStrv) lines = list_commits (history, "--ancestry-path", bad, error);
    if (lines != NULL && g_strv_length (lines) > PV_SUSPECTS_MAX) {
        g_strfreev (lines);
        lines = list_commits (history, "--first-parent", bad, error);
    }
    if (lines == NULL)
        return false;
    if (g_strv_length (lines) > PV_SUSPECTS_MAX) {
        g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
                     _ ("--bisect: these are more than %d commits"), PV_SUSPECTS_MAX);
        return false;
    }
    add_commits (history, lines);
    return true;
}

PvHistory *
pv_history_read (const char *range, GError **error)
{
    g_assert (range != NULL && strstr (range, "..") != NULL);
    g_autoptr (PvHistory) history = g_new0 (PvHistory, 1);
    history->ids = g_ptr_array_new_with_free_func (g_free);
    if (!find_tree (history, error) || !read_commits (history, range, error))
        return NULL;
    return g_steal_pointer (&history);
}
