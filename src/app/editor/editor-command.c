/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/editor-command.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* Replaces fields in one pass: inserted text is not searched for fields. */
static char *
replace_fields (const char *word, const char *path, uint32_t line, gboolean *has_file)
{
    GString *text = g_string_new (NULL);

    for (const char *p = word; *p != '\0'; p++) {
        if (*p != '%' || p[1] == '\0' || strchr ("flc%", p[1]) == NULL) {
            g_string_append_c (text, *p);
            continue;
        }
        p++;
        if (*p == 'f')
            g_string_append (text, path);
        else if (*p == '%')
            g_string_append_c (text, '%');
        else
            g_string_append_printf (text, "%u", *p == 'l' ? MAX (line, 1) : 1);
        *has_file |= *p == 'f';
    }
    return g_string_free (text, FALSE);
}

char **
pv_editor_parse_command (const char *command, const char *path, uint32_t line, GError **error)
{
    g_auto (GStrv) words = NULL;
    gboolean has_file = FALSE;

    g_assert (command != NULL && g_path_is_absolute (path));
    if (!g_shell_parse_argv (command, NULL, &words, error))
        return NULL;
    for (guint i = 1; words[i] != NULL; i++) {
        char *word = replace_fields (words[i], path, line, &has_file);
        g_free (words[i]);
        words[i] = word;
    }
    if (has_file)
        return g_steal_pointer (&words);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("The command has no %f for the file"));
    return NULL;
}

/* Settings of older versions */

/* An editor that had a name, with its commands; the first whose program is there is taken. */
typedef struct {
    const char *id;
    gboolean needs_terminal;
    const char *commands[4];
} OldEditor;

static const OldEditor old_editors[] = {
    {"gnome-text-editor",
     FALSE,
     {"gnome-text-editor %f +%l:%c", "flatpak run org.gnome.TextEditor %f +%l:%c"}},
    {"gnome-builder", FALSE, {"gnome-builder %f", "flatpak run org.gnome.Builder %f"}},
    {"code", FALSE, {"code --goto %f:%l:%c", "flatpak run com.visualstudio.code --goto %f:%l:%c"}},
    {"codium",
     FALSE,
     {"codium --goto %f:%l:%c", "flatpak run com.vscodium.codium --goto %f:%l:%c"}},
    {"kate",
     FALSE,
     {"kate --line %l --column %c %f", "flatpak run org.kde.kate --line %l --column %c %f"}},
    {"zed", FALSE, {"zed %f:%l:%c", "zeditor %f:%l:%c", "flatpak run dev.zed.Zed %f:%l:%c"}},
    {"sublime", FALSE, {"subl %f:%l:%c", "/opt/sublime_text/sublime_text %f:%l:%c"}},
    {"gedit", FALSE, {"gedit +%l:%c %f", "flatpak run org.gnome.gedit +%l:%c %f"}},
    {"emacs",
     FALSE,
     {"emacsclient --no-wait --alternate-editor=emacs +%l:%c %f", "emacs +%l:%c %f"}},
    {"gvim", FALSE, {"gvim '+call cursor(%l,%c)' -- %f"}},
    {"nvim", TRUE, {"nvim '+call cursor(%l,%c)' -- %f"}},
    {"vim", TRUE, {"vim '+call cursor(%l,%c)' -- %f"}},
    {"nano", TRUE, {"nano +%l %f"}},
};

/* Terminals with the options that come before the program to run. */
static const char *const terminals[] = {
    "ptyxis --new-window --",
    "kgx --",
    "gnome-terminal --",
    "konsole -e",
    "xfce4-terminal -x",
    "alacritty -e",
    "foot",
    "kitty",
    "x-terminal-emulator -e",
    "xterm -e",
    NULL,
};

/* The first command whose program is there; if none is, the first one. */
static const char *
find_first (const char *const *commands)
{
    for (guint i = 0; commands[i] != NULL; i++) {
        g_auto (GStrv) words = g_strsplit (commands[i], " ", 2);
        g_autofree char *path = g_find_program_in_path (words[0]);
        if (path != NULL)
            return commands[i];
    }
    return commands[0];
}

char *
pv_editor_find_old_command (const char *id)
{
    const OldEditor *editor = NULL;
    const char *command;

    g_assert (id != NULL);
    for (guint i = 0; editor == NULL && i < G_N_ELEMENTS (old_editors); i++)
        if (g_str_equal (old_editors[i].id, id))
            editor = &old_editors[i];
    if (editor == NULL)
        return NULL;
    command = find_first (editor->commands);
    if (editor->needs_terminal)
        return g_strjoin (" ", find_first (terminals), command, NULL);
    /* Text Editor 43, which is of GNOME 43 like libadwaita 1.2, takes +LINE for a file. */
    if (g_str_has_prefix (command, "gnome-text-editor ") && adw_get_minor_version () < 3)
        command = "gnome-text-editor %f";
    return g_strdup (command);
}

void
pv_editor_renew_settings (GSettings *settings)
{
    g_autofree char *id = g_settings_get_string (settings, "editor");
    g_autofree char *command = pv_editor_find_old_command (id);

    if (command == NULL)
        return;
    g_settings_set_string (settings, "editor-command", command);
    g_settings_set_string (settings, "editor", PV_EDITOR_COMMAND);
}
