/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every foreign perf.data file through the reader: samples and summed periods of each event as perf
 * found them (MANIFEST.tsv has the counts and, where perf itself fails, the number of records;
 * reference.json the periods). Files of bad/ must give an error or a result with a note, in
 * little time.
 *
 *     test-corpus-perf-data CORPUS
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "core/analyze/tables/emptiness.h"
#include "core/model/build/builder.h"
#include "core/model/profile/symbols.h"
#include "core/read/readers.h"

#define BAD_SECONDS 2.0

static unsigned n_files, n_failures;

static void G_GNUC_PRINTF (2, 3) fail (const char *file, const char *format, ...)
{
    va_list args;
    va_start (args, format);
    g_autofree char *text = g_strdup_vprintf (format, args);
    va_end (args);
    printf ("%s: %s\n", file, text);
    n_failures++;
}

static PvProfile *
read_profile (const char *path, GError **error)
{
    PvReadContext context = {0};
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    return pv_read (path, 0, builder, &context, error) ? pv_profile_builder_snapshot (builder)
                                                       : NULL;
}

/* The number after key within text, or fallback. */
static uint64_t
number_after (const char *text, const char *key, uint64_t fallback)
{
    const char *found = strstr (text, key);
    return found != NULL ? g_ascii_strtoull (found + strlen (key), NULL, 10) : fallback;
}

static const PvMeasure *
find_event (const PvProfile *profile, const char *name)
{
    for (uint32_t i = 0; i < profile->n_measures; i++)
        if (strcmp (profile->measures[i].name, name) == 0)
            return &profile->measures[i];
    return NULL;
}

/* "per event: a=1, b=2" of the manifest's figure; the name may hold anything but "=". */
static void
check_events (const char *file, const PvProfile *profile, const char *figure)
{
    const char *list = strstr (figure, "per event: ");
    const char *end = list != NULL ? strchr (list, ';') : NULL;
    if (end == NULL)
        return;
    list += strlen ("per event: ");
    g_autofree char *text = g_strndup (list, (size_t)(end - list));
    g_auto (GStrv) events = g_strsplit (text, ", ", -1);
    for (size_t i = 0; events[i] != NULL && events[i][0] != '\0'; i++) {
        char *equals = strrchr (events[i], '=');
        g_assert_nonnull (equals);
        *equals = '\0';
        uint64_t expected = g_ascii_strtoull (equals + 1, NULL, 10);
        const PvMeasure *measure = find_event (profile, events[i]);
        uint64_t found = measure != NULL ? profile->sets[measure->set].n_samples : 0;
        if (found != expected)
            fail (file, "event %s has %" G_GUINT64_FORMAT " samples, not %" G_GUINT64_FORMAT,
                  events[i], found, expected);
    }
}

/* The object "period_per_event" of the file's entry: flat, without escapes. */
static void
check_periods (const char *file, const PvProfile *profile, const char *reference)
{
    g_autofree char *key = g_strdup_printf ("\"%s\"", file);
    const char *entry = strstr (reference, key);
    const char *next = entry != NULL ? strstr (entry + 1, "\"perf.data/") : NULL;
    const char *periods = entry != NULL ? strstr (entry, "\"period_per_event\"") : NULL;
    if (periods == NULL || (next != NULL && periods > next))
        return;
    const char *start = strchr (periods, '{');
    const char *end = start != NULL ? strchr (start, '}') : NULL;
    g_assert_nonnull (end);
    g_autofree char *text = g_strndup (start + 1, (size_t)(end - start - 1));
    char *at = text;
    while ((at = strchr (at, '"')) != NULL) {
        char *name_end = strchr (at + 1, '"');
        g_assert_nonnull (name_end);
        g_autofree char *name = g_strndup (at + 1, (size_t)(name_end - at - 1));
        uint64_t expected = number_after (name_end, ":", 0);
        const char *digits = strpbrk (name_end, "0123456789");
        if (digits != NULL)
            expected = g_ascii_strtoull (digits, NULL, 10);
        const PvMeasure *measure = find_event (profile, name);
        if (measure == NULL || measure->total != expected)
            fail (file, "event %s weighs %" G_GUINT64_FORMAT ", not %" G_GUINT64_FORMAT, name,
                  measure != NULL ? measure->total : 0, expected);
        at = name_end + 1;
    }
}

static void
check_good (const char *corpus, const char *file, const char *figure, const char *reference)
{
    g_autofree char *path = g_build_filename (corpus, file, NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (PvProfile) profile = read_profile (path, &error);
    uint64_t expected = number_after (figure, "samples=", 0);
    uint64_t walked = number_after (figure, "walked=", 0);
    if (profile == NULL) {
        if (expected > 0 || walked > 0)
            fail (file, "%s", error->message);
        return;
    }
    uint64_t n_samples = 0;
    for (uint32_t i = 0; i < profile->n_sets; i++)
        if (strcmp (profile->sets[i].name, "off-cpu") != 0) /* made of context switches */
            n_samples += profile->sets[i].n_samples;
    if (n_samples != (expected > 0 ? expected : walked))
        fail (file, "%" G_GUINT64_FORMAT " samples, not %" G_GUINT64_FORMAT, n_samples,
              expected > 0 ? expected : walked);
    check_events (file, profile, figure);
    check_periods (file, profile, reference);
}

/* A note of the reader, or of what loads a file when nothing was read. */
static bool
has_note (const PvProfile *profile)
{
    g_autoptr (PvSymbolBuilder) builder = pv_symbol_builder_new (profile);
    g_autoptr (PvSymbolTable) symbols = pv_symbol_builder_publish (builder, true);
    pv_emptiness_note (profile, symbols);
    return profile->n_notes > 0 || pv_emptiness_find_note (profile, symbols) != NULL;
}

static void
check_bad (const char *corpus, const char *file)
{
    g_autofree char *path = g_build_filename (corpus, file, NULL);
    g_autoptr (GError) error = NULL;
    int64_t start = g_get_monotonic_time ();
    g_autoptr (PvProfile) profile = read_profile (path, &error);
    double seconds = (double)(g_get_monotonic_time () - start) / 1e6;
    if (seconds > BAD_SECONDS)
        fail (file, "took %.1f s", seconds);
    if (profile == NULL ? error == NULL : !has_note (profile))
        fail (file, "neither an error nor a note");
}

static void
check_line (const char *corpus, const char *line, const char *reference)
{
    enum { COLUMN_FILE = 0, COLUMN_FORMAT = 1, COLUMN_FIGURE = 7, N_COLUMNS = 10 };
    g_auto (GStrv) columns = g_strsplit (line, "\t", -1);
    if (g_strv_length (columns) < N_COLUMNS)
        return;
    if (g_str_has_prefix (columns[COLUMN_FILE], "perf.data/")) {
        check_good (corpus, columns[COLUMN_FILE], columns[COLUMN_FIGURE], reference);
        n_files++;
    } else if (g_str_has_prefix (columns[COLUMN_FILE], "bad/")) {
        check_bad (corpus, columns[COLUMN_FILE]);
        n_files++;
    }
}

int
main (int argc, char **argv)
{
    const char *corpus = argc > 1 ? argv[1] : g_getenv ("PV_CORPUS");
    g_assert_nonnull (corpus);
    g_autofree char *manifest_path = g_build_filename (corpus, "MANIFEST.tsv", NULL);
    g_autofree char *reference_path = g_build_filename (corpus, "reference.json", NULL);
    g_autofree char *manifest = NULL, *reference = NULL;
    g_assert_true (g_file_get_contents (manifest_path, &manifest, NULL, NULL));
    g_assert_true (g_file_get_contents (reference_path, &reference, NULL, NULL));
    g_auto (GStrv) lines = g_strsplit (manifest, "\n", -1);
    for (size_t i = 1; lines[0] != NULL && lines[i] != NULL; i++)
        check_line (corpus, lines[i], reference);

    struct rusage usage;
    getrusage (RUSAGE_SELF, &usage);
    printf ("%u files, %u failures, %ld MB at most\n", n_files, n_failures, usage.ru_maxrss / 1024);
    return n_files > 0 && n_failures == 0 ? 0 : 1;
}
