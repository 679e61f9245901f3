/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/html/html-page.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/format.h"
#include "html-template.h"

/* First bytes of U+2028 and U+2029, which are line breaks in scripts of old. */
#define SEPARATOR_START "\xe2\x80"

void
pv_html_append_string (GString *out, const char *string)
{
    g_assert (out != NULL && string != NULL);
    g_autofree char *valid = NULL;
    if (!g_utf8_validate (string, -1, NULL))
        string = valid = g_utf8_make_valid (string, -1);
    g_string_append_c (out, '"');
    for (const char *p = string; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        bool is_separator = strncmp (p, SEPARATOR_START, 2) == 0 &&
                            ((unsigned char)p[2] == 0xa8 || (unsigned char)p[2] == 0xa9);
        if (is_separator) {
            g_string_append (out, (unsigned char)p[2] == 0xa8 ? "\\u2028" : "\\u2029");
            p += 2;
        } else if (c < 0x20 || c == 0x7f || strchr ("\"\\<>&", c) != NULL) {
            g_string_append_printf (out, "\\u%04x", c);
        } else {
            g_string_append_c (out, *p);
        }
    }
    g_string_append_c (out, '"');
}

void
pv_html_begin_member (GString *out, const char *key)
{
    g_assert (out != NULL && out->len > 0 && key != NULL);
    if (out->str[out->len - 1] != '{')
        g_string_append (out, ",\n");
    g_string_append_printf (out, "\"%s\":", key);
}

/* The characters around the digits of a number that is written as "1,000" or "0.5". */
static void
append_between (GString *out, const char *number)
{
    g_autofree char *text = g_strdup (number + 1);
    size_t len = strlen (text);
    while (len > 0 && g_ascii_isdigit (text[len - 1]))
        text[--len] = '\0';
    pv_html_append_string (out, text);
}

void
pv_html_append_number_style (GString *out)
{
    g_assert (out != NULL);
    g_autofree char *half = pv_format_decimals (0.5, 1);
    g_autofree char *thousand = pv_format_count (1000);
    g_string_append_c (out, '{');
    pv_html_begin_member (out, "point");
    append_between (out, half);
    pv_html_begin_member (out, "separator");
    append_between (out, thousand);
    g_string_append_c (out, '}');
}

void
pv_html_append_words (GString *out)
{
    g_assert (out != NULL);
    static const struct {
        const char *key;
        const char *text;
    } words[] = {
        {"measure", NC_ ("web page", "Measure")},
        {"search", NC_ ("web page", "Search functions, files and modules")},
        {"searchKeys",
         NC_ ("web page", "A regular expression. Press “/” to search, Enter for the next match")},
        /* Translators: %s is a share of all samples, then an amount, and a number of functions */
        {"matches", NC_ ("web page", "%s of all (%s) in %s functions")},
        {"nothingMatches", NC_ ("web page", "Nothing matches")},
        {"invalid", NC_ ("web page", "This is not a regular expression")},
        {"flameGraph", NC_ ("web page", "Flame Graph")},
        {"keys", NC_ ("web page", "Click or Enter zooms in, Esc zooms out, arrow keys move")},
        {"path", NC_ ("web page", "Path")},
        {"all", NC_ ("web page", "all")},
        {"functions", NC_ ("web page", "Functions")},
        {"function", NC_ ("web page", "Function")},
        {"module", NC_ ("web page", "Module")},
        {"place", NC_ ("web page", "File and line")},
        {"self", NC_ ("web page", "Self")},
        {"total", NC_ ("web page", "Total")},
        /* Translators: a percentage */
        {"ofAll", NC_ ("web page", "%s of all")},
        /* Translators: a percentage */
        {"ofCaller", NC_ ("web page", "%s of its caller")},
        {"inlined", NC_ ("web page", "inlined")},
        {"callers", NC_ ("web page", "Callers")},
        {"callees", NC_ ("web page", "Callees")},
        {"noCaller", NC_ ("web page", "(no caller)")},
        {"none", NC_ ("web page", "none")},
        {"selectFunction",
         NC_ ("web page", "Choose a function to see what calls it and what it calls")},
        /* Translators: %s is a number of rows of a table */
        {"more", NC_ ("web page", "%s more")},
        {"small", NC_ ("web page", "%s small functions")},
        /* Translators: a number of boxes, then a share of everything */
        {"leftOut",
         N_ ("Functions below %s of the total are merged into hatched boxes: %s functions, "
             "%s of the total.")},
        {"functionsLeftOut",
         NC_ ("web page", "%s functions with less than %s of all each are left out.")},
        {"summary", NC_ ("web page", "Summary")},
        {"notes", NC_ ("web page", "Notes")},
        {"options", NC_ ("web page", "Options")},
        {"nothing", NC_ ("web page", "Nothing was measured")},
        {"zoomOut", NC_ ("web page", "Zoom Out")},
        {"base", NC_ ("web page", "Base")},
        {"new", NC_ ("web page", "New")},
        {"selfChange", NC_ ("web page", "Self change")},
        {"totalChange", NC_ ("web page", "Total change")},
        {"changes", NC_ ("web page", "Largest Changes")},
        {"less", NC_ ("web page", "less")},
        {"moreThan", NC_ ("web page", "more")},
        /* Translators: in a comparison, what only one side has */
        {"onlyNew", NC_ ("web page", "new")},
        {"onlyBase", NC_ ("web page", "gone")},
        {"noise", NC_ ("web page", "within noise")},
        /* Translators: a number */
        {"scale", NC_ ("web page", "base × %s")},
    };
    g_string_append_c (out, '{');
    for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
        pv_html_begin_member (out, words[i].key);
        pv_html_append_string (out, g_dpgettext2 (GETTEXT_PACKAGE, "web page", words[i].text));
    }
    g_string_append_c (out, '}');
}

void
pv_html_page_write (PvWriter *out, const char *title, const GString *data)
{
    g_assert (out != NULL && title != NULL && data != NULL);
    g_autofree char *valid = g_utf8_make_valid (title, -1);
    g_autofree char *shown_title = g_markup_escape_text (valid, -1);
    g_autofree char *no_script =
        g_markup_escape_text (_ ("This page needs JavaScript. Its script is part of the page; "
                                 "nothing is loaded from the network."),
                              -1);
    const char *const fills[] = {shown_title, no_script, data->str};
    G_STATIC_ASSERT (G_N_ELEMENTS (fills) + 1 == G_N_ELEMENTS (pv_html_template));
    for (size_t i = 0; i < G_N_ELEMENTS (pv_html_template); i++) {
        pv_writer_write (out, pv_html_template[i], strlen (pv_html_template[i]));
        if (i < G_N_ELEMENTS (fills))
            pv_writer_write (out, fills[i], strlen (fills[i]));
    }
}
