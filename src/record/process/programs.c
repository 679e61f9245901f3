/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/process/programs.h"

#include <gio/gdesktopappinfo.h>
#include <stdbool.h>

static void
program_free (void *data)
{
    PvProgram *program = data;
    g_free (program->id);
    g_free (program->name);
    g_free (program->description);
    g_clear_object (&program->icon);
    g_strfreev (program->argv);
    g_free (program->folder);
    g_free (program);
}

/* Expands the field codes in a word of an Exec line (Desktop Entry Specification, "The Exec key"):
 * to nothing for files and URLs, else to the name and path of the entry. NULL: nothing is left. */
static char *
expand_word (const char *word, GDesktopAppInfo *info)
{
    GString *expanded = g_string_new (NULL);
    bool has_code = false;
    for (const char *pos = word; *pos != '\0'; pos++) {
        if (*pos != '%' || pos[1] == '\0') {
            g_string_append_c (expanded, *pos);
            continue;
        }
        pos++;
        has_code = has_code || *pos != '%';
        const char *text = "";
        if (*pos == '%')
            text = "%";
        else if (*pos == 'c')
            text = g_app_info_get_name (G_APP_INFO (info));
        else if (*pos == 'k')
            text = g_desktop_app_info_get_filename (info);
        g_string_append (expanded, text != NULL ? text : "");
    }
    bool is_nothing = has_code && expanded->len == 0;
    return g_string_free (expanded, is_nothing);
}

static char **
make_argv (GDesktopAppInfo *info)
{
    const char *line = g_app_info_get_commandline (G_APP_INFO (info));
    g_auto (GStrv) words = NULL;
    g_autoptr (GStrvBuilder) argv = g_strv_builder_new ();
    if (line != NULL)
        g_shell_parse_argv (line, NULL, &words, NULL);
    for (char **word = words; word != NULL && *word != NULL; word++) {
        g_autofree char *expanded = expand_word (*word, info);
        if (expanded != NULL)
            g_strv_builder_add (argv, expanded);
    }
    return g_strv_builder_end (argv);
}

/* NULL for applications that can only be started by D-Bus. */
static PvProgram *
make_program (GDesktopAppInfo *info)
{
    GAppInfo *app = G_APP_INFO (info);
    g_auto (GStrv) argv = make_argv (info);
    if (argv[0] == NULL || argv[0][0] == '\0')
        return NULL;
    PvProgram *program = g_new0 (PvProgram, 1);
    program->id = g_strdup (g_app_info_get_id (app));
    program->name = g_strdup (g_app_info_get_display_name (app));
    program->description = g_strdup (g_app_info_get_description (app));
    program->icon = g_app_info_get_icon (app);
    if (program->icon != NULL)
        g_object_ref (program->icon);
    program->argv = g_steal_pointer (&argv);
    program->folder = g_desktop_app_info_get_string (info, "Path");
    if (program->folder != NULL && *program->folder == '\0')
        g_clear_pointer (&program->folder, g_free);
    return program;
}

static int
compare (gconstpointer a, gconstpointer b)
{
    const PvProgram *left = *(const PvProgram *const *)a, *right = *(const PvProgram *const *)b;
    int order = g_utf8_collate (left->name, right->name);
    return order != 0 ? order : g_strcmp0 (left->id, right->id);
}

GPtrArray *
pv_programs_list (void)
{
    GPtrArray *programs = g_ptr_array_new_with_free_func (program_free);
    GList *apps = g_app_info_get_all ();
    for (GList *link = apps; link != NULL; link = link->next) {
        if (!G_IS_DESKTOP_APP_INFO (link->data) || !g_app_info_should_show (link->data))
            continue;
        PvProgram *program = make_program (link->data);
        if (program != NULL)
            g_ptr_array_add (programs, program);
    }
    g_list_free_full (apps, g_object_unref);
    g_ptr_array_sort (programs, compare);
    return programs;
}
