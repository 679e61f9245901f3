/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

/*
 * Editors that can show a line of a source file, and the commands that make them do so. Commands
 * are lists of arguments, which no shell reads: a name of a file is one argument, whatever is in
 * it. No widgets.
 */
typedef struct {
    const char *path; /* absolute */
    uint32_t line;    /* from 1; 0: unknown */
    uint32_t column;  /* from 1; 0: unknown */
} PvSourcePlace;

/* An installed editor. */
typedef struct {
    const char *id;   /* such as "vim", for the settings */
    const char *name; /* for the user */
    char **program;   /* NULL-terminated: the program, maybe with arguments that come first */
    char **terminal;  /* the same of a terminal that it runs in; NULL: it has a window */
} PvEditor;

/* Editors (PvEditor) found on the PATH or by their desktop files, the most likely first;
 * g_ptr_array_unref () it. Reads files: for a worker thread, or where that does not matter. */
GPtrArray *pv_editors_find (void);
PvEditor *pv_editor_new (const char *id, char **program, char **terminal); /* takes both */
void pv_editor_free (gpointer editor);

/* True if the editor's command has the line, as far as is known without starting it. */
gboolean pv_editor_takes_line (const PvEditor *editor);
/* True if GNOME Text Editor with this printed version takes a line: from 44 on. May be NULL. */
gboolean pv_editor_version_takes_line (const char *printed);

/* The command for a place. has_line: the editor takes it. Free with g_strfreev (). */
char **pv_editor_make_command (const PvEditor *editor, const PvSourcePlace *place,
                               gboolean has_line);
/* The same for the user's own command, split as by a shell: %f is the file, %l the line and %c
 * the column, which are 1 if unknown, and %% a percent sign. NULL with a G_SHELL_ERROR, or an
 * error of the domain G_IO_ERROR: it is empty, or has no %f. */
char **pv_editor_parse_command (const char *command, const PvSourcePlace *place, GError **error);

/* True if programs of the system are out of our reach, as in Flatpak and Snap. */
gboolean pv_editors_are_out_of_reach (void);
