/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that all checks call. */
#include <string.h>

#include "record/advice/checks-private.h"

static void
free_advice (gpointer data)
{
    PvAdvice *advice = data;
    g_free (advice->title);
    g_free (advice->text);
    g_free (advice->command);
    g_free (advice);
}

GPtrArray *
pv_advice_array_new (void)
{
    return g_ptr_array_new_with_free_func (free_advice);
}

void
pv_check_add (PvCheck *check, PvAdviceHead head, char *text)
{
    g_assert (head.id != NULL && head.title != NULL && text != NULL);
    PvAdvice *advice = g_new (PvAdvice, 1);
    *advice = (PvAdvice){.level = head.level,
                         .id = head.id,
                         .title = g_strdup (head.title),
                         .text = text,
                         .fix = head.fix,
                         .command = g_strdup (head.command)};
    g_ptr_array_add (check->advice, advice);
}

char *
pv_check_make_install_command (const char *what)
{
    static const struct {
        const char *id, *command, *perf, *heaptrack, *gdb, *pkexec;
    } systems[] = {
        {"debian", "sudo apt install", "linux-perf", "heaptrack", "gdb", "pkexec"},
        {"ubuntu", "sudo apt install", "linux-tools-generic", "heaptrack", "gdb", "pkexec"},
        {"fedora", "sudo dnf install", "perf", "heaptrack", "gdb", "polkit"},
        {"arch", "sudo pacman -S", "perf", "heaptrack", "gdb", "polkit"},
        {"suse", "sudo zypper install", "perf", "heaptrack", "gdb", "polkit"},
        {"opensuse", "sudo zypper install", "perf", "heaptrack", "gdb", "polkit"},
    };
    g_autofree char *own = g_get_os_info (G_OS_INFO_KEY_ID);
    g_autofree char *like = g_get_os_info ("ID_LIKE");
    g_autofree char *all =
        g_strconcat (own != NULL ? own : "", " ", like != NULL ? like : "", NULL);
    g_auto (GStrv) words = g_strsplit (all, " ", -1);
    for (char **word = words; *word != NULL; word++)
        for (size_t i = 0; i < G_N_ELEMENTS (systems); i++) {
            if (strcmp (systems[i].id, *word) != 0)
                continue;
            const char *package = g_str_equal (what, "perf")        ? systems[i].perf
                                  : g_str_equal (what, "heaptrack") ? systems[i].heaptrack
                                  : g_str_equal (what, "gdb")       ? systems[i].gdb
                                                                    : systems[i].pkexec;
            return g_strconcat (systems[i].command, " ", package, NULL);
        }
    return NULL;
}
