/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs many commands of profview as so many processes, each a fork of this one: loading libraries,
 * which takes longer than most commands, is done once. See profview_commands.py for what is asked.
 *
 * A request is a number of words, and each word its length and its bytes; an answer is the status
 * as of wait (), and what came on the standard output and error, each with its length. Numbers are
 * uint32_t.
 */
#include <glib/gi18n.h>
#include <libintl.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "core/base/format.h"

enum { MAX_WORDS = 1000, MAX_WORD_BYTES = 1 << 20 };

/* Exit handlers of libraries take as long as a small command, and longer with a sanitizer, which
 * looks for leaks: after one command of four, by the words of it. */
static bool
ends_in_order (char **words)
{
    guint hash = 0;
    for (char **word = words + 1; *word != NULL; word++)
        hash = hash * 33 + g_str_hash (*word);
    return IS_SANITIZED && hash / 7 % 4 == 0;
}

static void
write_all (int fd, const void *bytes, size_t size)
{
    const char *pos = bytes;
    for (ssize_t n; size > 0; pos += n, size -= (size_t)n) {
        n = write (fd, pos, size);
        if (n <= 0)
            exit (EXIT_FAILURE);
    }
}

/* false at the end of the input. */
static bool
read_all (int fd, void *bytes, size_t size)
{
    char *pos = bytes;
    for (ssize_t n; size > 0; pos += n, size -= (size_t)n) {
        n = read (fd, pos, size);
        if (n <= 0)
            return false;
    }
    return true;
}

/* NULL-terminated; NULL at the end of the input. */
static char **
read_words (int fd)
{
    uint32_t n_words, size;
    if (!read_all (fd, &n_words, sizeof n_words))
        return NULL;
    g_assert_cmpuint (n_words, <=, MAX_WORDS);
    char **words = g_new0 (char *, n_words + 1);
    for (uint32_t i = 0; i < n_words; i++) {
        if (!read_all (fd, &size, sizeof size))
            exit (EXIT_FAILURE);
        g_assert_cmpuint (size, <=, MAX_WORD_BYTES);
        words[i] = g_malloc0 ((size_t)size + 1);
        if (!read_all (fd, words[i], size))
            exit (EXIT_FAILURE);
    }
    return words;
}

static void
answer_file (int fd, int file)
{
    struct stat status;
    if (fstat (file, &status) != 0)
        exit (EXIT_FAILURE);
    uint32_t size = (uint32_t)status.st_size;
    g_autofree char *bytes = g_malloc ((gsize)size + 1);
    write_all (fd, &size, sizeof size);
    if (pread (file, bytes, size, 0) != (ssize_t)size)
        exit (EXIT_FAILURE);
    write_all (fd, bytes, size);
    close (file);
}

static void
answer (int fd, char **words)
{
    int files[2];
    for (unsigned i = 0; i < 2; i++)
        if ((files[i] = memfd_create ("output", MFD_CLOEXEC)) < 0)
            exit (EXIT_FAILURE);
    pid_t pid = fork ();
    if (pid == 0) {
        dup2 (files[0], STDOUT_FILENO);
        dup2 (files[1], STDERR_FILENO);
        close (fd);
        bool is_ended_in_order = ends_in_order (words);
        int status = pv_cli_main ((int)g_strv_length (words), words);
        if (!is_ended_in_order) {
            fflush (NULL);
            _exit (status);
        }
        exit (status);
    }
    int status;
    if (pid < 0 || waitpid (pid, &status, 0) != pid)
        exit (EXIT_FAILURE);
    uint32_t number = (uint32_t)status;
    write_all (fd, &number, sizeof number);
    answer_file (fd, files[0]);
    answer_file (fd, files[1]);
}

int
main (void)
{
    /* As in main.c. */
    setlocale (LC_ALL, "");
    pv_format_use_locale ();
    textdomain (GETTEXT_PACKAGE);
    /* Commands read nothing, and do not print what belongs to us. */
    int requests = dup (STDIN_FILENO), answers = dup (STDOUT_FILENO);
    if (requests < 0 || answers < 0 || freopen ("/dev/null", "r", stdin) == NULL)
        return EXIT_FAILURE;
    for (char **words; (words = read_words (requests)) != NULL; g_strfreev (words))
        answer (answers, words);
    return EXIT_SUCCESS;
}
