/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "fetch/netrc.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/format.h"

#define MAX_FILE_BYTES ((goffset)1 << 20)

typedef struct {
    const char *at, *end;
} Text;

static bool
is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next word, or NULL at the end; free it. Quotes hold blanks together, and in them a backslash
 * keeps the character after it. */
static char *
take_word (Text *text)
{
    while (text->at < text->end && is_blank (*text->at))
        text->at++;
    if (text->at == text->end)
        return NULL;
    bool is_quoted = *text->at == '"';
    text->at += is_quoted;
    g_autoptr (GString) word = g_string_new (NULL);
    while (text->at < text->end && (is_quoted ? *text->at != '"' : !is_blank (*text->at))) {
        if (is_quoted && *text->at == '\\' && text->at + 1 < text->end)
            text->at++;
        g_string_append_c (word, *text->at++);
    }
    text->at += is_quoted && text->at < text->end;
    return g_string_free (g_steal_pointer (&word), FALSE);
}

/* The commands of a macro end at an empty line. */
static void
skip_macro (Text *text)
{
    const char *end = memmem (text->at, (size_t)(text->end - text->at), "\n\n", 2);
    text->at = end != NULL ? end + 2 : text->end;
}

static void
skip_line (Text *text)
{
    const char *end = memchr (text->at, '\n', (size_t)(text->end - text->at));
    text->at = end != NULL ? end : text->end;
}

bool
pv_netrc_find (const char *bytes, size_t size_bytes, const char *host, char **ret_user,
               char **ret_password)
{
    g_assert (host != NULL && ret_user != NULL && ret_password != NULL);
    g_assert (bytes != NULL || size_bytes == 0);
    Text text = {bytes, size_bytes > 0 ? bytes + size_bytes : bytes};
    g_autofree char *user = NULL, *password = NULL;
    bool is_host = false;
    char *next;
    while ((next = take_word (&text)) != NULL) {
        g_autofree char *word = next;
        bool is_machine = strcmp (word, "machine") == 0;
        if (is_machine || strcmp (word, "default") == 0) {
            if (is_host)
                break;
            g_autofree char *name = is_machine ? take_word (&text) : NULL;
            is_host = !is_machine || (name != NULL && g_ascii_strcasecmp (name, host) == 0);
        } else if (strcmp (word, "login") == 0 || strcmp (word, "password") == 0) {
            g_autofree char *value = take_word (&text);
            char **place = *word == 'l' ? &user : &password;
            if (is_host && *place == NULL)
                *place = g_steal_pointer (&value);
        } else if (strcmp (word, "account") == 0) {
            g_free (take_word (&text));
        } else if (strcmp (word, "macdef") == 0) {
            skip_macro (&text);
        } else if (*word == '#') {
            skip_line (&text);
        }
    }
    if (user == NULL || password == NULL)
        return false;
    *ret_user = g_steal_pointer (&user);
    *ret_password = g_steal_pointer (&password);
    return true;
}

/* Says once on standard error that a password is no secret. */
static void
warn (const char *path)
{
    static gint is_told; /* atomic */
    g_autofree char *shown = pv_format_path (path);
    g_autofree char *text =
        /* Translators: the path of a file, twice */
        g_strdup_printf (_ ("%s: other users may read the passwords in this file; run “chmod 600 "
                            "%s”"),
                         shown, shown);
    if (g_atomic_int_compare_and_exchange (&is_told, FALSE, TRUE))
        g_printerr ("%sprofview: %s\n", isatty (STDERR_FILENO) == 1 ? "\r\033[K" : "", text);
}

bool
pv_netrc_look_up (const char *host, char **ret_user, char **ret_password)
{
    const char *named = g_getenv ("NETRC");
    g_autofree char *path = named != NULL && *named != '\0'
                                ? g_strdup (named)
                                : g_build_filename (g_get_home_dir (), ".netrc", NULL);
    struct stat status;
    g_autofree char *text = NULL;
    gsize size_bytes;
    bool is_found = stat (path, &status) == 0 && S_ISREG (status.st_mode) &&
                    status.st_size <= MAX_FILE_BYTES &&
                    g_file_get_contents (path, &text, &size_bytes, NULL) &&
                    pv_netrc_find (text, size_bytes, host, ret_user, ret_password);
    if (is_found && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        warn (path);
    return is_found;
}
