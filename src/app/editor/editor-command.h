/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <stdint.h>

/* The user's command that opens a source file in an editor: the setting editor-command, which
 * counts where the setting editor is PV_EDITOR_COMMAND. Else the system's default application opens
 * it. No widgets. */
#define PV_EDITOR_COMMAND "command"

/* The words of the command for a file, split as by a shell: %f is the file, %l the line, which is 1
 * if it is unknown (0), %c the column, which is always 1, and %% a percent sign. No shell reads
 * them: the path, which is absolute, is in one word. Free with g_strfreev (). NULL with a
 * G_SHELL_ERROR, or an error of the domain G_IO_ERROR: the command is empty, or has no %f. */
char **pv_editor_parse_command (const char *command, const char *path, uint32_t line,
                                GError **error);

/* The command of an editor that settings of older versions name, such as "vim"; g_free () it. NULL:
 * it is not one of them. Looks for programs on the PATH. */
char *pv_editor_find_old_command (const char *id);
/* Makes the settings have a command where they name an editor. Main loop only. */
void pv_editor_renew_settings (GSettings *settings);
