/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#include "../cases.h"
#include "record/plan/recordings.h"

static char *scratch;

static PvRecordPlan
make_plan (PvRecordKind kind, char **argv)
{
    return (PvRecordPlan){.kind = kind, .target = PV_TARGET_LAUNCH, .argv = argv};
}

static void
check_name (PvRecordKind kind, const char *program, const char *wanted)
{
    char *argv[] = {(char *)program, "x", NULL};
    PvRecordPlan plan = make_plan (kind, argv);
    g_autoptr (GDateTime) when = g_date_time_new_local (2026, 11, 21, 17, 5, 12);
    assert_string (pv_recordings_make_name (&plan, when), wanted);
}

TEST (names)
{
    check_name (PV_RECORD_PERF, "server", "server 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_OFF_CPU, "/usr/bin/server", "server 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_HEAPTRACK, "./my server", "my server 2026-11-21 17.05.12.raw.zst");
    check_name (PV_RECORD_JEMALLOC, "a,b", "a,b 2026-11-21 17.05.12");
    check_name (PV_RECORD_PERF, "", "program 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "...", "program 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "/x/ .-rf ", "rf 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "two\nlines\t\x7f", "two-lines-- 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "bad\xff\xc3", "bad\uFFFD\uFFFD 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "größe", "größe 2026-11-21 17.05.12.data");
    check_name (PV_RECORD_PERF, "$(touch x)", "$(touch x) 2026-11-21 17.05.12.data");
    /* Text that runs the other way would hide the ending. */
    check_name (PV_RECORD_PERF, "a\u202Eb", "a-b 2026-11-21 17.05.12.data");
}

TEST (long_names)
{
    g_autoptr (GString) program = g_string_new ("/");
    while (program->len < 4000)
        g_string_append (program, "ä");
    char *argv[] = {program->str, NULL};
    PvRecordPlan plan = make_plan (PV_RECORD_HEAPTRACK, argv);
    g_autofree char *path = pv_recordings_create (&plan, NULL);
    g_assert_nonnull (path);
    g_assert_true (g_utf8_validate (path, -1, NULL));
    g_assert_true (pv_recordings_delete (path, NULL));
}

TEST (processes)
{
    PvRecordPlan plan = {.target = PV_TARGET_ATTACH, .pid = getpid ()};
    g_autoptr (GDateTime) when = g_date_time_new_local (2026, 11, 21, 17, 5, 12);
    g_autofree char *name = pv_recordings_make_name (&plan, when);
    g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
    g_autofree char *program_name = g_path_get_basename (program);
    g_autofree char *expected = g_strconcat (program_name, " 2026-11-21 17.05.12.data", NULL);
    g_assert_cmpstr (name, ==, expected);
    plan = (PvRecordPlan){.target = PV_TARGET_SYSTEM, .kind = PV_RECORD_OFF_CPU};
    assert_string (pv_recordings_make_name (&plan, when), "system 2026-11-21 17.05.12.data");
    /* Nobody is there any more: what the name says does not matter, but there is one. */
    plan = (PvRecordPlan){.target = PV_TARGET_ATTACH, .pid = G_MAXINT32};
    assert_string (pv_recordings_make_name (&plan, when), "program 2026-11-21 17.05.12.data");
}

static void
check_mode (const char *path, mode_t wanted)
{
    struct stat status;
    g_assert_cmpint (lstat (path, &status), ==, 0);
    g_assert_cmpint (status.st_mode, ==, wanted);
}

/* Those of one second do not meet, and each has its own name. */
TEST (create)
{
    char *argv[] = {"server", NULL};
    PvRecordPlan plan = make_plan (PV_RECORD_PERF, argv);
    g_autofree char *folder = pv_recordings_get_folder ();
    g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < 5; i++) {
        char *path = pv_recordings_create (&plan, NULL);
        g_assert_true (g_path_is_absolute (path));
        g_assert_true (pv_recordings_is_in_folder (path));
        g_assert_true (g_str_has_suffix (path, ".data"));
        check_mode (path, S_IFREG | 0600);
        g_assert_true (g_hash_table_add (paths, path));
    }
    check_mode (folder, S_IFDIR | 0700);
    plan.kind = PV_RECORD_JEMALLOC;
    g_autofree char *dumps = pv_recordings_create (&plan, NULL);
    check_mode (dumps, S_IFDIR | 0700);
    g_autofree char *dump = g_build_filename (dumps, "jeprof.1.0.f.heap", NULL);
    g_assert_true (g_file_set_contents (dump, "heap_v2/1", 9, NULL));
    g_assert_cmpuint (pv_recordings_get_size (dumps), ==, 9);

    g_autoptr (GPtrArray) files = pv_recordings_list ();
    g_assert_cmpuint (files->len, ==, 6);
    unsigned n_folders = 0;
    for (unsigned i = 0; i < files->len; i++) {
        const PvRecordedFile *file = files->pdata[i];
        g_assert_true (g_str_has_prefix (file->name, "server 20"));
        g_assert_null (strstr (file->name, ".data"));
        g_assert_cmpuint (file->size_bytes, ==, file->is_folder ? 9 : 0);
        n_folders += file->is_folder;
        g_assert_true (pv_recordings_delete (file->path, NULL));
        g_assert_false (g_file_test (file->path, G_FILE_TEST_EXISTS));
    }
    g_assert_cmpuint (n_folders, ==, 1);
}

/* The newest first, whatever their names are. */
TEST (order)
{
    static const struct {
        const char *name;
        int64_t recorded_at_s;
    } recordings[] = {{"b.data", 1000}, {"a.data", 3000}, {"c.data", 2000}, {"d.data", 1000}};
    static const char *const ordered[] = {"a", "c", "b", "d"};
    g_autofree char *folder = pv_recordings_get_folder ();
    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
    for (unsigned i = 0; i < G_N_ELEMENTS (recordings); i++) {
        g_autofree char *path = g_build_filename (folder, recordings[i].name, NULL);
        struct utimbuf times = {recordings[i].recorded_at_s, recordings[i].recorded_at_s};
        g_assert_true (g_file_set_contents (path, "x", 1, NULL));
        g_assert_cmpint (g_utime (path, &times), ==, 0);
    }
    g_autoptr (GPtrArray) files = pv_recordings_list ();
    g_assert_cmpuint (files->len, ==, G_N_ELEMENTS (ordered));
    for (unsigned i = 0; i < files->len; i++) {
        const PvRecordedFile *file = files->pdata[i];
        g_assert_cmpstr (file->name, ==, ordered[i]);
        g_assert_true (pv_recordings_delete (file->path, NULL));
    }
}

static void
check_refused (PvRecordPlan *plan, const char *output)
{
    g_autoptr (GError) error = NULL;
    plan->output = (char *)output;
    g_assert_null (pv_recordings_create (plan, &error));
    g_assert_true (error != NULL && error->domain == G_FILE_ERROR);
    g_assert_nonnull (strstr (error->message, output));
}

TEST (output_file)
{
    char *argv[] = {"server", NULL};
    PvRecordPlan plan = make_plan (PV_RECORD_PERF, argv);
    g_autofree char *file = g_build_filename (scratch, "mine", NULL);
    g_autofree char *link = g_build_filename (scratch, "link", NULL);
    g_autofree char *dangling = g_build_filename (scratch, "dangling", NULL);
    g_autofree char *pipe = g_build_filename (scratch, "pipe", NULL);
    g_autofree char *nowhere = g_build_filename (scratch, "no", "file", NULL);
    g_assert_true (g_file_set_contents_full (file, "old", 3, G_FILE_SET_CONTENTS_NONE, 0644, NULL));
    g_assert_cmpint (symlink (file, link), ==, 0);
    g_assert_cmpint (symlink (nowhere, dangling), ==, 0);
    g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);

    check_refused (&plan, link);
    check_refused (&plan, dangling);
    check_refused (&plan, pipe);
    check_refused (&plan, scratch);
    check_refused (&plan, nowhere);
    g_assert_cmpuint (pv_recordings_get_size (file), ==, 3);

    plan.output = file;
    assert_string (pv_recordings_create (&plan, NULL), file);
    g_assert_cmpuint (pv_recordings_get_size (file), ==, 0);
    check_mode (file, S_IFREG | 0600);
    g_assert_false (pv_recordings_is_in_folder (file));

    assert_error (error, pv_recordings_delete (file, &error), G_FILE_ERROR, G_FILE_ERROR_PERM);
    g_assert_true (pv_recordings_remove (file, NULL));
    g_assert_true (pv_recordings_remove (link, NULL));
    g_assert_true (pv_recordings_remove (dangling, NULL));
    g_unlink (pipe);
}

TEST (set_aside)
{
    char *argv[] = {"server", NULL};
    PvRecordPlan plan = make_plan (PV_RECORD_PERF, argv);
    g_autofree char *file = g_build_filename (scratch, "mine", NULL);
    g_autofree char *link = g_build_filename (scratch, "link", NULL);
    g_autofree char *aside = NULL, *none = NULL;
    g_assert_true (pv_recordings_set_aside (&plan, &none, NULL));
    g_assert_null (none);
    plan.output = file;
    g_assert_true (pv_recordings_set_aside (&plan, &none, NULL));
    g_assert_null (none);
    g_assert_true (g_file_set_contents (file, "old", 3, NULL));
    g_assert_cmpint (symlink (file, link), ==, 0);
    plan.output = link;
    g_assert_true (pv_recordings_set_aside (&plan, &none, NULL));
    g_assert_null (none);

    plan.output = file;
    g_assert_true (pv_recordings_set_aside (&plan, &aside, NULL));
    g_assert_true (g_str_has_prefix (aside, file));
    g_assert_cmpuint (pv_recordings_get_size (aside), ==, 3);
    g_autofree char *path = pv_recordings_create (&plan, NULL);
    g_assert_cmpuint (pv_recordings_get_size (path), ==, 0);
    pv_recordings_put_back (aside, path);
    g_assert_cmpuint (pv_recordings_get_size (file), ==, 3);
    g_assert_false (g_file_test (aside, G_FILE_TEST_EXISTS));
    g_unlink (link);
    g_unlink (file);
}

TEST (output_folder)
{
    char *argv[] = {"server", NULL};
    PvRecordPlan plan = make_plan (PV_RECORD_JEMALLOC, argv);
    g_autofree char *folder = g_build_filename (scratch, "dumps", NULL);
    g_autofree char *dump = g_build_filename (folder, "a.1.0.i0.heap", NULL);
    g_autofree char *other = g_build_filename (folder, "letter", NULL);
    g_autofree char *link = g_build_filename (scratch, "link", NULL);
    plan.output = folder;
    assert_string (pv_recordings_create (&plan, NULL), folder);
    assert_string (pv_recordings_create (&plan, NULL), folder);
    g_assert_cmpint (symlink (folder, link), ==, 0);
    check_refused (&plan, link);

    g_assert_true (g_file_set_contents (dump, "x", 1, NULL));
    g_assert_true (g_file_set_contents (other, "y", 1, NULL));
    check_refused (&plan, folder);
    check_refused (&plan, other);

    /* Only the dumps are ours. */
    g_assert_false (pv_recordings_remove (folder, NULL));
    g_assert_false (g_file_test (dump, G_FILE_TEST_EXISTS));
    g_assert_true (g_file_test (other, G_FILE_TEST_EXISTS));
    g_unlink (other);
    g_unlink (link);
    g_assert_true (pv_recordings_remove (folder, NULL));
}

TEST (places)
{
    g_autofree char *folder = pv_recordings_get_folder ();
    static const char *const foreign[] = {"", "/", "x", "/etc/passwd"};
    static const char *const tails[] = {"", "/", "/.", "/..", "/../x", "/sub/x", "/sub/../x"};
    for (unsigned i = 0; i < G_N_ELEMENTS (foreign); i++)
        g_assert_false (pv_recordings_is_in_folder (foreign[i]));
    for (unsigned i = 0; i < G_N_ELEMENTS (tails); i++) {
        g_autofree char *path = g_strconcat (folder, tails[i], NULL);
        g_assert_false (pv_recordings_is_in_folder (path));
    }
    g_autofree char *mine = g_build_filename (folder, "x.data", NULL);
    g_assert_true (pv_recordings_is_in_folder (mine));
    assert_error (error, pv_recordings_delete (mine, &error), G_FILE_ERROR, G_FILE_ERROR_NOENT);
}

TESTS_MAIN (argc, argv)
{
    scratch = g_dir_make_tmp ("recordings-XXXXXX", NULL);
    g_setenv ("XDG_DATA_HOME", scratch, true);
    pv_test_init (argc, argv);
    int status = g_test_run ();
    g_autofree char *folder = pv_recordings_get_folder ();
    g_autofree char *parent = g_path_get_dirname (folder);
    g_rmdir (folder);
    g_rmdir (parent);
    if (g_rmdir (scratch) != 0)
        g_error ("%s: %s", scratch, g_strerror (errno));
    g_free (scratch);
    return status;
}
