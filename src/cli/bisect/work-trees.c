/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/bisect/work-trees.h"

#include <glib/gstdio.h>
#include <string.h>

#include "cli/bisect/git.h"

/* Both are as long: a program may be faster where its path is shorter. */
static const char *const names[PV_N_SIDES] = {[PV_SIDE_BASE] = "old", [PV_SIDE_NEW] = "new"};

char *
pv_work_trees_get_path (const PvWorkTrees *trees, PvSide side)
{
    return g_build_filename (trees->folder, names[side], NULL);
}

/* A file beside the tree, which says what is built in it. */
static char *
make_mark_path (const PvWorkTrees *trees, PvSide side)
{
    g_autofree char *name = g_strconcat (names[side], ".built", NULL);
    return g_build_filename (trees->folder, name, NULL);
}

static bool
is_tree (const char *path)
{
    g_autofree char *link = g_build_filename (path, ".git", NULL);
    return g_file_test (link, G_FILE_TEST_IS_REGULAR);
}

bool
pv_work_trees_has (const PvWorkTrees *trees, PvSide side, const char *id)
{
    g_autofree char *tree = pv_work_trees_get_path (trees, side);
    g_autofree char *mark = make_mark_path (trees, side);
    g_autofree char *built = NULL;
    return is_tree (tree) && g_file_get_contents (mark, &built, NULL, NULL) &&
           strcmp (built, id) == 0;
}

static void
remove_tree (const PvWorkTrees *trees, PvSide side)
{
    g_autofree char *tree = pv_work_trees_get_path (trees, side);
    g_autofree char *mark = make_mark_path (trees, side);
    g_autofree char *log = g_build_filename (trees->folder, "remove.log", NULL);
    int number;
    g_unlink (mark);
    if (!g_file_test (tree, G_FILE_TEST_EXISTS))
        return;
    g_autofree char *done =
        pv_git_ask (trees->history->top, NULL, "worktree", "remove", "--force", tree, NULL);
    g_autofree char *command = g_strdup_printf ("rm -rf ./%s", names[side]);
    pv_shell_run (trees->folder, command, log, &number, NULL);
    g_unlink (log);
}

static void
forget_removed_trees (const PvWorkTrees *trees)
{
    g_autofree char *done = pv_git_ask (trees->history->top, NULL, "worktree", "prune", NULL);
}

void
pv_work_trees_remove (const PvWorkTrees *trees)
{
    for (PvSide side = 0; side < PV_N_SIDES; side++)
        remove_tree (trees, side);
    forget_removed_trees (trees);
}

/* A tree that git does not accept any more is made anew. */
static bool
check_out (const PvWorkTrees *trees, PvSide side, const char *id, GError **error)
{
    g_autofree char *tree = pv_work_trees_get_path (trees, side);
    g_autofree char *done =
        is_tree (tree) ? pv_git_ask (tree, NULL, "checkout", "--force", "--detach", id, NULL)
                       : NULL;
    if (done != NULL)
        return true;
    remove_tree (trees, side);
    forget_removed_trees (trees);
    done = pv_git_ask (trees->history->top, error, "worktree", "add", "--force", "--detach", tree,
                       id, NULL);
    return done != NULL;
}

PvBuildResult
pv_work_trees_build (const PvWorkTrees *trees, PvSide side, const char *id, const char *log_path,
                     int *ret_signal, GError **error)
{
    g_autofree char *tree = pv_work_trees_get_path (trees, side);
    g_autofree char *mark = make_mark_path (trees, side);
    *ret_signal = 0;
    g_unlink (mark);
    if (!check_out (trees, side, id, error))
        return PV_BUILD_FAILED;
    int status = pv_shell_run (tree, trees->command, log_path, ret_signal, error);
    if (status < 0)
        return PV_BUILD_FAILED;
    if (status != 0)
        return PV_BUILD_BROKEN;
    return g_file_set_contents (mark, id, -1, error) ? PV_BUILD_DONE : PV_BUILD_FAILED;
}
