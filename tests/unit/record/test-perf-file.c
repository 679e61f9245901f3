/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "record/perf/perf-file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../cases.h"
#include "core/read/readers.h"

/* Files of tests/data/recordings; the last one is a stream. */
static const char *const names[] = {"calls-flat.data", "events-fp.data", "inlining-dwarf-z.data",
                                    "kernel-fp.data", "inlining-pipe.data"};

typedef struct {
    char *folder, *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
    fixture->folder = g_dir_make_tmp ("pv-perf-file-XXXXXX", NULL);
    fixture->path = g_build_filename (fixture->folder, "it.data", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
    g_unlink (fixture->path);
    g_rmdir (fixture->folder);
    g_free (fixture->path);
    g_free (fixture->folder);
}

static void
read_recording (const char *name, char **ret_bytes, gsize *ret_len)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_TEST_DATA"), "recordings", name, NULL);
    g_assert_true (g_file_get_contents (path, ret_bytes, ret_len, NULL));
}

static void
write_file (const Fixture *fixture, const char *bytes, gsize len)
{
    g_assert_true (g_file_set_contents (fixture->path, bytes, (gssize)len, NULL));
}

static bool
has_content (const Fixture *fixture, const char *bytes, gsize len)
{
    g_autofree char *now = NULL;
    gsize now_len;
    g_assert_true (g_file_get_contents (fixture->path, &now, &now_len, NULL));
    return now_len == len && memcmp (now, bytes, len) == 0;
}

/* All that the reader has to say of the recording. */
static char *
describe (const Fixture *fixture, char **ret_command)
{
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvReadContext context = {.n_workers = 1};
    g_autoptr (GError) error = NULL;
    g_assert_true (pv_read (fixture->path, 0, builder, &context, &error));
    const PvFacts *facts = pv_profile_builder_facts (builder);
    *ret_command = g_strdup (facts->command);
    return g_strdup_printf ("%s|%s|%s|%s|%s|%s", facts->host, facts->kernel_release, facts->arch,
                            facts->cpu, facts->recorder, facts->events);
}

static void
check_command (const Fixture *fixture, const char *name, const char *command, const char *read_back)
{
    g_autofree char *bytes = NULL, *before = NULL, *after = NULL, *old = NULL, *new = NULL;
    gsize len;
    read_recording (name, &bytes, &len);
    write_file (fixture, bytes, len);
    before = describe (fixture, &old);
    g_assert_true (pv_perf_file_has_samples (fixture->path));
    g_assert_true (pv_perf_file_set_command (fixture->path, command));
    after = describe (fixture, &new);
    g_assert_cmpstr (after, ==, before);
    g_assert_cmpstr (new, ==, read_back);
    g_assert_true (pv_perf_file_has_samples (fixture->path));
    /* And once more. */
    g_assert_true (pv_perf_file_set_command (fixture->path, "again"));
    g_clear_pointer (&new, g_free);
    g_free (describe (fixture, &new));
    g_assert_cmpstr (new, ==, "again");
}

FIXTURE_TEST (set, fixture)
{
    static const char odd[] = "perf record -- './a b\"c' $(x) “ü”";
    g_autofree char *aligned = g_strnfill (63, 'a'), *full = g_strnfill (64, 'b');
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        check_command (fixture, names[i], odd, odd);
        check_command (fixture, names[i], aligned, aligned);
        check_command (fixture, names[i], full, full);
    }
}

/* A text too long for a record is cut, but not within a character. */
FIXTURE_TEST (long, fixture)
{
    g_autoptr (GString) command = g_string_new ("a");
    while (command->len < 70000)
        g_string_append (command, "ü");
    g_autofree char *cut = g_strndup (command->str, 59999);
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        check_command (fixture, names[i], command->str, cut);
}

FIXTURE_TEST (damaged, fixture)
{
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *bytes = NULL;
        gsize len;
        read_recording (names[i], &bytes, &len);
        bool is_stream = i + 1 == G_N_ELEMENTS (names);
        unsigned n_left = 0;
        for (gsize cut = 0; cut < len; cut += 1 + cut / 30) {
            write_file (fixture, bytes, cut);
            bool is_changed = pv_perf_file_set_command (fixture->path, "x");
            pv_perf_file_has_samples (fixture->path);
            /* A stream can end after any record. */
            g_assert_true (is_changed != has_content (fixture, bytes, cut));
            g_assert_true (!is_changed || is_stream || cut > len / 2);
            n_left += !is_changed;
        }
        g_assert_cmpuint (n_left, >, 50);
    }
}

static void
set_u64 (char *bytes, size_t offset, uint64_t value)
{
    memcpy (bytes + offset, &value, sizeof value);
}

/* A perf that was killed has not written how much there is. */
FIXTURE_TEST (killed, fixture)
{
    g_autofree char *bytes = NULL;
    gsize len;
    read_recording ("recursion-fp.data", &bytes, &len);
    set_u64 (bytes, 48, 0);
    len /= 2;
    write_file (fixture, bytes, len);
    g_assert_true (pv_perf_file_has_samples (fixture->path));
    g_assert_false (pv_perf_file_set_command (fixture->path, "x"));
    g_assert_true (has_content (fixture, bytes, len));

    uint64_t data_start;
    memcpy (&data_start, bytes + 40, sizeof data_start);
    write_file (fixture, bytes, data_start + 200);
    g_assert_false (pv_perf_file_has_samples (fixture->path));
}

/* The data of a processor's trace unit is worth keeping, too. */
FIXTURE_TEST (trace, fixture)
{
    static const struct {
        uint32_t type;
        uint16_t misc, size_bytes;
        uint64_t trace_bytes, more[4];
        char trace[8];
    } record = {.type = 71, .size_bytes = 48, .trace_bytes = 8};
    g_autofree char *bytes = NULL;
    gsize len;
    uint64_t data_start;
    read_recording ("recursion-fp.data", &bytes, &len);
    set_u64 (bytes, 48, 0);
    memcpy (&data_start, bytes + 40, sizeof data_start);
    g_assert_cmpuint (data_start + sizeof record, <, len);
    memcpy (bytes + data_start, &record, sizeof record);
    write_file (fixture, bytes, data_start + sizeof record);
    g_assert_true (pv_perf_file_has_samples (fixture->path));
}

FIXTURE_TEST (hostile, fixture)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    static const uint64_t values[] = {0, 1, 8, 16, 104, 0xffff, UINT32_MAX, INT64_MAX, UINT64_MAX};
    for (unsigned round = 0; round < 3000; round += pv_test_step (4)) {
        g_autofree char *bytes = NULL;
        gsize len;
        read_recording (names[round % G_N_ELEMENTS (names)], &bytes, &len);
        for (unsigned i = 0; i < 3; i++) {
            size_t offset = g_rand_boolean (random)
                                ? 8 * (size_t)g_rand_int_range (random, 0, 13)
                                : (size_t)g_rand_int_range (random, 0, (gint32)len - 8);
            set_u64 (bytes, offset, values[g_rand_int_range (random, 0, G_N_ELEMENTS (values))]);
        }
        write_file (fixture, bytes, len);
        pv_perf_file_has_samples (fixture->path);
        bool is_changed = pv_perf_file_set_command (fixture->path, "x");
        g_assert_true (is_changed != has_content (fixture, bytes, len));
    }
}

FIXTURE_TEST (others, fixture)
{
    g_assert_false (pv_perf_file_has_samples (fixture->path));
    g_assert_false (pv_perf_file_set_command (fixture->path, "x"));
    static const char foreign[] = "2ELIFREP\0\0\0\0\0\0\0\x10 and more than sixteen bytes of it";
    write_file (fixture, foreign, sizeof foreign);
    g_assert_false (pv_perf_file_set_command (fixture->path, "x"));
    g_assert_true (has_content (fixture, foreign, sizeof foreign));
    /* A link is not followed, and a folder is no file. */
    g_unlink (fixture->path);
    g_assert_no_errno (symlink ("/dev/null", fixture->path));
    g_assert_false (pv_perf_file_set_command (fixture->path, "x"));
    g_assert_false (pv_perf_file_set_command (fixture->folder, "x"));
}
