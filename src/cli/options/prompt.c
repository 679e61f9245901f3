/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options/prompt.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <stdio.h>
#include <termios.h>
#include <unistd.h>

enum { MAX_BYTES = 1024, BACKSPACE = 8, DELETE = 127 };

static void
drop_last_character (GString *line)
{
    while (line->len > 0 && ((guchar)line->str[line->len - 1] & 0xc0) == 0x80)
        g_string_truncate (line, line->len - 1);
    if (line->len > 0)
        g_string_truncate (line, line->len - 1);
}

/* Reads up to the end of the line; false if it was interrupted. The terminal neither shows what is
 * typed nor edits it, and sends no signals, so that it can always be set back. */
static bool
read_line (GString *line, char interrupt)
{
    char c;
    for (;;) {
        ssize_t n = read (STDIN_FILENO, &c, 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0 || c == '\n' || c == '\r')
            return true;
        if (c == interrupt)
            return false;
        if (c == BACKSPACE || c == DELETE)
            drop_last_character (line);
        else if ((guchar)c >= ' ' && line->len < MAX_BYTES)
            g_string_append_c (line, c);
    }
}

char *
pv_prompt (const char *question, bool is_secret)
{
    g_assert (question != NULL);
    struct termios before;
    if (!isatty (STDERR_FILENO) || tcgetattr (STDIN_FILENO, &before) != 0)
        return NULL;
    struct termios quiet = before;
    quiet.c_lflag &= ~(tcflag_t)(ECHO | ICANON | ISIG);
    quiet.c_cc[VMIN] = 1;
    quiet.c_cc[VTIME] = 0;
    /* First, so that nobody types before it holds. */
    bool is_quiet = is_secret && tcsetattr (STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
    if (is_secret && !is_quiet)
        return NULL;
    fprintf (stderr, "%s ", question);
    fflush (stderr);
    g_autoptr (GString) line = g_string_new (NULL);
    bool is_read = true;
    if (is_quiet) {
        is_read = read_line (line, (char)before.c_cc[VINTR]);
        tcsetattr (STDIN_FILENO, TCSAFLUSH, &before);
        fputc ('\n', stderr);
    } else {
        char text[MAX_BYTES];
        g_string_append (line, fgets (text, sizeof text, stdin) != NULL ? text : "");
        g_strchomp (line->str);
    }
    if (!is_read)
        raise (SIGINT);
    return is_read && *line->str != '\0' ? g_string_free (g_steal_pointer (&line), FALSE) : NULL;
}
