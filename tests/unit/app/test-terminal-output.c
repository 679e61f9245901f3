/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's output to its terminal: all of it where that can be shown, else its end. */
#include <fcntl.h>
#include <gio/gio.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "../cases.h"
#include "app/recording/terminal-output.h"

typedef struct {
    int master, slave;
    PvTerminalOutput *output;
    GString *shown;
    size_t longest;
    unsigned most_lines;
    unsigned n_ended;
} Terminal;

static void
on_feed (gpointer owner, const char *bytes, size_t n_bytes)
{
    Terminal *terminal = owner;
    unsigned n_lines = 0;

    for (size_t i = 0; i < n_bytes; i++)
        n_lines += bytes[i] == '\n';
    terminal->longest = MAX (terminal->longest, n_bytes);
    terminal->most_lines = MAX (terminal->most_lines, n_lines);
    g_string_append_len (terminal->shown, bytes, (gssize)n_bytes);
}

static void
on_ended (gpointer owner)
{
    Terminal *terminal = owner;
    terminal->n_ended++;
}

static void
open_terminal (Terminal *terminal)
{
    struct termios modes;
    char name[64];

    *terminal = (Terminal){.shown = g_string_new (NULL)};
    terminal->master = posix_openpt (O_RDWR | O_NOCTTY | O_CLOEXEC);
    g_assert_cmpint (terminal->master, >=, 0);
    g_assert_cmpint (grantpt (terminal->master), ==, 0);
    g_assert_cmpint (unlockpt (terminal->master), ==, 0);
    g_assert_cmpint (ptsname_r (terminal->master, name, sizeof name), ==, 0);
    terminal->slave = open (name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    g_assert_cmpint (terminal->slave, >=, 0);
    g_assert_cmpint (tcgetattr (terminal->slave, &modes), ==, 0);
    cfmakeraw (&modes);
    g_assert_cmpint (tcsetattr (terminal->slave, TCSANOW, &modes), ==, 0);
    terminal->output =
        pv_terminal_output_new (terminal->master, &(PvTerminalEvents){terminal, on_feed, on_ended});
}

static void
close_terminal (Terminal *terminal)
{
    pv_terminal_output_close (terminal->output);
    g_string_free (terminal->shown, TRUE);
}

/* Blocks if nobody reads. */
static void
write_all (int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write (fd, bytes, n);
        g_assert_cmpint (written, >, 0);
        bytes += written;
        n -= (size_t)written;
    }
}

static void
run_to_end (Terminal *terminal)
{
    close (terminal->slave);
    while (terminal->n_ended == 0)
        g_main_context_iteration (NULL, TRUE);
}

TEST (exact)
{
    Terminal terminal;
    g_autoptr (GString) said = g_string_new (NULL);

    open_terminal (&terminal);
    for (unsigned i = 0; i < 5000; i++)
        g_string_append_printf (said, "line %u \033[32mgreen\033[0m\r\n", i);
    write_all (terminal.slave, said->str, said->len);
    run_to_end (&terminal);
    g_assert_cmpmem (terminal.shown->str, terminal.shown->len, said->str, said->len);
    g_assert_cmpuint (terminal.longest, <=, PV_TERMINAL_MAX_PIECE);
    g_assert_cmpuint (terminal.most_lines, <=, PV_TERMINAL_MAX_LINES);
    g_assert_cmpuint (terminal.n_ended, ==, 1);
    close_terminal (&terminal);
}

/* While the main loop does not run at all, the program is not held up. */
TEST (huge)
{
    Terminal terminal;
    char line[64];
    size_t n_said = 0;

    open_terminal (&terminal);
    for (unsigned i = 0; i < 200000; i++) {
        int n = g_snprintf (line, sizeof line, "a line with the number %06u\n", i);
        write_all (terminal.slave, line, (size_t)n);
        n_said += (size_t)n;
    }
    run_to_end (&terminal);
    g_assert_cmpuint (n_said, >, 5 << 20);
    g_assert_cmpuint (terminal.shown->len, <, 2 * PV_TERMINAL_MAX_WAITING);
    g_assert_cmpuint (terminal.shown->len, >, PV_TERMINAL_MAX_WAITING / 2);
    g_assert_true (g_str_has_suffix (terminal.shown->str, "a line with the number 199999\n"));
    g_assert_nonnull (strstr (terminal.shown->str, "of output skipped"));
    /* The rest begins with a line. */
    g_assert_nonnull (strstr (terminal.shown->str, "skipped …\033[0m\r\na line with the number"));
    g_assert_cmpuint (terminal.longest, <=, PV_TERMINAL_MAX_PIECE);
    close_terminal (&terminal);
}

TEST (typing)
{
    Terminal terminal;
    char got[64] = "";
    ssize_t n = 0;

    open_terminal (&terminal);
    g_assert_cmpint (fcntl (terminal.slave, F_SETFL, O_NONBLOCK), ==, 0);
    pv_terminal_output_write (terminal.output, "good-", 5);
    pv_terminal_output_write (terminal.output, "bye\n", 4);
    while (n < 9) {
        ssize_t more = read (terminal.slave, got + n, sizeof got - 1 - (size_t)n);
        n += MAX (more, 0);
        g_main_context_iteration (NULL, FALSE);
    }
    g_assert_cmpstr (got, ==, "good-bye\n");
    pv_terminal_output_set_size (terminal.output, 12, 34);
    close (terminal.slave);
    close_terminal (&terminal);
}

/* Nobody reads what is typed: it is kept, with a bound. */
TEST (untaken)
{
    Terminal terminal;
    g_autofree char *much = g_malloc0 (1 << 19);

    open_terminal (&terminal);
    for (unsigned i = 0; i < 8; i++) {
        pv_terminal_output_write (terminal.output, much, 1 << 19);
        g_main_context_iteration (NULL, FALSE);
    }
    close_terminal (&terminal);
    /* Its terminal goes, as soon as the worker has seen that. */
    while (write (terminal.slave, "x", 1) > 0) {
        g_main_context_iteration (NULL, FALSE);
        g_usleep (10000);
    }
    close (terminal.slave);
}

TESTS_MAIN (argc, argv)
{
    setlocale (LC_ALL, "");
    pv_test_init (argc, argv);
    return g_test_run ();
}
