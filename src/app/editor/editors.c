/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/editor/editors.h"

#include <gio/gdesktopappinfo.h>
#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

/* The way a command gives a place in a file. */
typedef enum {
    PLACE_NONE,           /* FILE */
    PLACE_PLUS_AFTER,     /* FILE +LINE:COLUMN */
    PLACE_PLUS_BEFORE,    /* +LINE:COLUMN FILE */
    PLACE_GOTO,           /* --goto FILE:LINE:COLUMN */
    PLACE_SUFFIX,         /* FILE:LINE:COLUMN */
    PLACE_LINE_OPTIONS,   /* --line LINE --column COLUMN FILE */
    PLACE_VIM,            /* "+call cursor(LINE,COLUMN)" -- FILE */
    PLACE_PLUS_LINE_ONLY, /* +LINE FILE */
} PlaceStyle;

typedef struct {
    const char *id;
    const char *name;
    PlaceStyle style;
    gboolean needs_terminal;
    const char *desktop_id;  /* or NULL */
    const char *programs[4]; /* with arguments that come first, separated by blanks */
} Kind;

static const Kind kinds[] = {
    {"gnome-text-editor",
     N_ ("GNOME Text Editor"),
     PLACE_PLUS_AFTER,
     FALSE,
     "org.gnome.TextEditor.desktop",
     {"gnome-text-editor"}},
    {"gnome-builder",
     N_ ("GNOME Builder"),
     PLACE_NONE,
     FALSE,
     "org.gnome.Builder.desktop",
     {"gnome-builder"}},
    {"code",
     N_ ("Visual Studio Code"),
     PLACE_GOTO,
     FALSE,
     "com.visualstudio.code.desktop",
     {"code"}},
    {"codium", N_ ("VSCodium"), PLACE_GOTO, FALSE, "com.vscodium.codium.desktop", {"codium"}},
    {"kate", N_ ("Kate"), PLACE_LINE_OPTIONS, FALSE, "org.kde.kate.desktop", {"kate"}},
    {"zed", N_ ("Zed"), PLACE_SUFFIX, FALSE, "dev.zed.Zed.desktop", {"zed", "zeditor"}},
    {"sublime", N_ ("Sublime Text"), PLACE_SUFFIX, FALSE, "sublime_text.desktop", {"subl"}},
    {"gedit", N_ ("gedit"), PLACE_PLUS_BEFORE, FALSE, "org.gnome.gedit.desktop", {"gedit"}},
    /* The server of a running Emacs, if it has one, else a new Emacs. */
    {"emacs",
     N_ ("Emacs"),
     PLACE_PLUS_BEFORE,
     FALSE,
     NULL,
     {"emacsclient --no-wait --alternate-editor=emacs", "emacs"}},
    {"gvim", N_ ("Vim in a window"), PLACE_VIM, FALSE, NULL, {"gvim"}},
    {"nvim", N_ ("Neovim in a terminal"), PLACE_VIM, TRUE, NULL, {"nvim"}},
    {"vim", N_ ("Vim in a terminal"), PLACE_VIM, TRUE, NULL, {"vim"}},
    {"nano", N_ ("nano in a terminal"), PLACE_PLUS_LINE_ONLY, TRUE, NULL, {"nano"}},
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
};

static const Kind *
find_kind (const char *id)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++)
        if (g_str_equal (kinds[i].id, id))
            return &kinds[i];
    return NULL;
}

PvEditor *
pv_editor_new (const char *id, char **program, char **terminal)
{
    const Kind *kind = find_kind (id);
    PvEditor *editor = g_new0 (PvEditor, 1);

    g_assert (kind != NULL && program != NULL && program[0] != NULL);
    editor->id = kind->id;
    editor->name = _ (kind->name);
    editor->program = program;
    editor->terminal = terminal;
    return editor;
}

void
pv_editor_free (gpointer data)
{
    PvEditor *editor = data;

    g_strfreev (editor->program);
    g_strfreev (editor->terminal);
    g_free (editor);
}

/* Finding */

/* The words of a line if its first one is a program on the PATH. */
static char **
find_program (const char *line)
{
    g_auto (GStrv) words = g_strsplit (line, " ", -1);
    g_autofree char *path = g_find_program_in_path (words[0]);

    return path != NULL ? g_steal_pointer (&words) : NULL;
}

/* The command of a desktop file without its fields, and without the words that forward those into a
 * sandbox. */
static char **
find_desktop_program (const char *desktop_id)
{
    g_autoptr (GDesktopAppInfo) info =
        desktop_id != NULL ? g_desktop_app_info_new (desktop_id) : NULL;
    const char *line = info != NULL ? g_app_info_get_commandline (G_APP_INFO (info)) : NULL;
    g_auto (GStrv) words = NULL;
    g_autoptr (GStrvBuilder) kept = g_strv_builder_new ();
    gboolean has_any = FALSE;

    if (line == NULL || !g_shell_parse_argv (line, NULL, &words, NULL))
        return NULL;
    for (guint i = 0; words[i] != NULL; i++) {
        if (words[i][0] == '%' || g_str_has_prefix (words[i], "@@") ||
            g_str_equal (words[i], "--file-forwarding"))
            continue;
        g_strv_builder_add (kept, words[i]);
        has_any = TRUE;
    }
    return has_any ? g_strv_builder_end (kept) : NULL;
}

static char **
find_terminal (void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS (terminals); i++) {
        char **terminal = find_program (terminals[i]);
        if (terminal != NULL)
            return terminal;
    }
    return NULL;
}

static PvEditor *
find_editor (const Kind *kind)
{
    g_auto (GStrv) program = NULL;
    char **terminal = NULL;

    for (unsigned i = 0; program == NULL && kind->programs[i] != NULL; i++)
        program = find_program (kind->programs[i]);
    if (program == NULL)
        program = find_desktop_program (kind->desktop_id);
    if (program != NULL && kind->needs_terminal)
        terminal = find_terminal ();
    if (program == NULL || (kind->needs_terminal && terminal == NULL))
        return NULL;
    return pv_editor_new (kind->id, g_steal_pointer (&program), terminal);
}

GPtrArray *
pv_editors_find (void)
{
    GPtrArray *editors = g_ptr_array_new_with_free_func (pv_editor_free);

    if (pv_editors_are_out_of_reach ())
        return editors;
    for (unsigned i = 0; i < G_N_ELEMENTS (kinds); i++) {
        PvEditor *editor = find_editor (&kinds[i]);
        if (editor != NULL)
            g_ptr_array_add (editors, editor);
    }
    return editors;
}

gboolean
pv_editors_are_out_of_reach (void)
{
    return g_file_test ("/.flatpak-info", G_FILE_TEST_EXISTS) || g_getenv ("SNAP") != NULL;
}

/* Commands */

gboolean
pv_editor_takes_line (const PvEditor *editor)
{
    g_assert (editor != NULL);
    return find_kind (editor->id)->style != PLACE_NONE;
}

gboolean
pv_editor_version_takes_line (const char *printed)
{
    const char *digits = printed != NULL ? strpbrk (printed, "0123456789") : NULL;

    return digits != NULL && strtol (digits, NULL, 10) >= 44;
}

static void
add_place (GPtrArray *command, PlaceStyle style, const PvSourcePlace *place)
{
    const uint32_t line = place->line, column = MAX (place->column, 1);
    char *path = g_strdup (place->path);

    switch (style) {
    case PLACE_NONE:
        g_ptr_array_add (command, path);
        break;
    case PLACE_PLUS_AFTER:
        g_ptr_array_add (command, path);
        g_ptr_array_add (command, g_strdup_printf ("+%u:%u", line, column));
        break;
    case PLACE_PLUS_BEFORE:
        g_ptr_array_add (command, g_strdup_printf ("+%u:%u", line, column));
        g_ptr_array_add (command, path);
        break;
    case PLACE_PLUS_LINE_ONLY:
        g_ptr_array_add (command, g_strdup_printf ("+%u", line));
        g_ptr_array_add (command, path);
        break;
    case PLACE_GOTO:
        g_ptr_array_add (command, g_strdup ("--goto"));
        g_ptr_array_add (command, g_strdup_printf ("%s:%u:%u", path, line, column));
        g_free (path);
        break;
    case PLACE_SUFFIX:
        g_ptr_array_add (command, g_strdup_printf ("%s:%u:%u", path, line, column));
        g_free (path);
        break;
    case PLACE_LINE_OPTIONS:
        g_ptr_array_add (command, g_strdup ("--line"));
        g_ptr_array_add (command, g_strdup_printf ("%u", line));
        g_ptr_array_add (command, g_strdup ("--column"));
        g_ptr_array_add (command, g_strdup_printf ("%u", column));
        g_ptr_array_add (command, path);
        break;
    case PLACE_VIM:
        g_ptr_array_add (command, g_strdup_printf ("+call cursor(%u,%u)", line, column));
        g_ptr_array_add (command, g_strdup ("--"));
        g_ptr_array_add (command, path);
        break;
    }
}

static void
add_words (GPtrArray *command, char *const *words)
{
    for (guint i = 0; words != NULL && words[i] != NULL; i++)
        g_ptr_array_add (command, g_strdup (words[i]));
}

char **
pv_editor_make_command (const PvEditor *editor, const PvSourcePlace *place, gboolean has_line)
{
    GPtrArray *command = g_ptr_array_new ();

    g_assert (editor != NULL && place != NULL && g_path_is_absolute (place->path));
    add_words (command, editor->terminal);
    add_words (command, editor->program);
    add_place (command, has_line && place->line > 0 ? find_kind (editor->id)->style : PLACE_NONE,
               place);
    g_ptr_array_add (command, NULL);
    return (char **)g_ptr_array_free (command, FALSE);
}

/* Replaces fields in one pass: inserted text is not searched for fields. */
static char *
replace_fields (const char *word, const PvSourcePlace *place, gboolean *has_file)
{
    GString *text = g_string_new (NULL);

    for (const char *p = word; *p != '\0'; p++) {
        if (*p != '%' || p[1] == '\0' || strchr ("flc%", p[1]) == NULL) {
            g_string_append_c (text, *p);
            continue;
        }
        p++;
        if (*p == 'f')
            g_string_append (text, place->path);
        else if (*p == '%')
            g_string_append_c (text, '%');
        else
            g_string_append_printf (text, "%u", MAX (*p == 'l' ? place->line : place->column, 1));
        *has_file |= *p == 'f';
    }
    return g_string_free (text, FALSE);
}

char **
pv_editor_parse_command (const char *command, const PvSourcePlace *place, GError **error)
{
    g_auto (GStrv) words = NULL;
    gboolean has_file = FALSE;

    g_assert (command != NULL && place != NULL && g_path_is_absolute (place->path));
    if (!g_shell_parse_argv (command, NULL, &words, error))
        return NULL;
    for (guint i = 1; words[i] != NULL; i++) {
        char *word = replace_fields (words[i], place, &has_file);
        g_free (words[i]);
        words[i] = word;
    }
    if (has_file)
        return g_steal_pointer (&words);
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                         _ ("The command has no %f for the file"));
    return NULL;
}
