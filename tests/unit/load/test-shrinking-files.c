/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Profiles and binaries that are cut short while we read them: by their recorder, by a compiler.
 * Nothing may crash, and what is missing is told.
 */
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/read/unpack/unpack.h"
#include "core/symbolize/unwind/unwinder.h"
#include "loaded.h"

#define BINARY  "opt/samples/bin/inlining-nofp"
#define N_LOADS 24u

static char *root; /* a sysroot of our own, in the build folder: an aborted test leaves no litter */
static char *profile_path, *binary_path;
static char *whole_profile, *whole_binary;
static size_t profile_size, binary_size;

static void
put_files (void)
{
    g_assert_true (g_file_set_contents (profile_path, whole_profile, (gssize)profile_size, NULL));
    g_assert_true (g_file_set_contents (binary_path, whole_binary, (gssize)binary_size, NULL));
}

static bool
has_note (const PvNote *notes, uint32_t n_notes, PvNoteKind kind, const char *part)
{
    for (uint32_t i = 0; i < n_notes; i++)
        if (notes[i].kind == kind && strstr (notes[i].text, part) != NULL)
            return true;
    return false;
}

/* --- loading -----------------------------------------------------------------------------------
 */

static void
take_profile_and_cut (PvProfile *profile, void *user)
{
    ((Loaded *)user)->profile = profile;
    g_assert_cmpint (truncate (binary_path, 4096), ==, 0);
}

static bool
load (Loaded *loaded, bool cuts_binary, GError **error)
{
    PvLoadOptions options = {.symbols = {.sysroot = root, .n_workers = 3}};
    PvLoadEvents events = loaded_events (loaded);
    if (cuts_binary) /* as soon as the stacks are unwound */
        events.profile_ready = take_profile_and_cut;
    return pv_load (profile_path, &options, &events, NULL, error);
}

/* --- tests -------------------------------------------------------------------------------------
 */

static void
unwind_of_cut_file (void *user, PvArch arch, const PvModule *modules, const PvRawStack *stacks,
                    size_t n, PvRawResult *results, PvJob *job)
{
    g_assert_cmpint (truncate (profile_path, 12345), ==, 0);
    pv_unwinder_unwind (user, arch, modules, stacks, n, results, job);
}

/* The stacks are still in the file when they are unwound. */
TEST (profile)
{
    put_files ();
    PvSymbolOptions options = {.sysroot = root, .n_workers = 3};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    g_autoptr (PvUnwinder) unwinder = pv_unwinder_new (files, 3);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    PvReadContext context = {.unwind = unwind_of_cut_file, .unwinder = unwinder};
    g_assert_true (assert_ok (error, pv_read (profile_path, 0, builder, &context, &error)));
    g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
    g_assert_cmpuint (profile->n_sets, >, 0);
    g_assert_true (has_note (profile->notes, profile->n_notes, PV_NOTE_TRUNCATED_FILE, "shorter"));
}

/* The unwinder has it open; its symbols and lines are read after it was cut. */
TEST (binary)
{
    put_files ();
    g_auto (Loaded) loaded = {0};
    g_assert_true (assert_ok (error, load (&loaded, true, &error)));
    g_assert_true (loaded.symbols->is_complete);
    g_assert_true (has_note (loaded.symbols->notes, loaded.symbols->n_notes, PV_NOTE_TRUNCATED_FILE,
                             "truncated while"));
}

static void *
cut_later (void *data)
{
    const unsigned *round = data;
    g_usleep (*round * 1000);
    if (*round % 3 != 0)
        (void)!truncate (binary_path, (off_t)(binary_size / 16 * (*round % 16)));
    if (*round % 3 != 1)
        (void)!truncate (profile_path, (off_t)(profile_size / 16 * (*round % 16)));
    return NULL;
}

TEST (at_any_time)
{
    for (unsigned round = 0; round < N_LOADS; round++) {
        put_files ();
        g_auto (Loaded) loaded = {0};
        g_autoptr (GError) error = NULL;
        pthread_t thread;
        g_assert_cmpint (pthread_create (&thread, NULL, cut_later, &round), ==, 0);
        bool ok = load (&loaded, false, &error);
        g_assert_true (ok == (error == NULL));
        g_assert_true (!ok || loaded.symbols->is_complete);
        pthread_join (thread, NULL);
    }
}

/* --- files -------------------------------------------------------------------------------------
 */

static void
read_originals (void)
{
    const char *data = g_getenv ("PV_TEST_DATA");
    g_autofree char *packed_path =
        g_build_filename (data, "recordings", "inlining-dwarf.data.zst", NULL);
    g_autoptr (PvMappedFile) packed = assert_ok (error, pv_mapped_file_open (packed_path, &error));
    bool is_truncated;
    uint64_t position;
    g_autoptr (PvMappedFile) unpacked =
        assert_ok (error, pv_unpack (packed, PV_PACKING_ZSTD, 1 << 28, NULL, &is_truncated,
                                     &position, &error));
    profile_size = pv_mapped_file_get_size (unpacked);
    whole_profile = g_memdup2 (pv_mapped_file_get_data (unpacked), profile_size);

    g_autofree char *binary = g_build_filename (data, "sysroot", BINARY, NULL);
    g_assert_true (g_file_get_contents (binary, &whole_binary, &binary_size, NULL));
}

static void
make_root (void)
{
    const char *build = g_getenv ("PV_BUILD");
    root = g_build_filename (build != NULL ? build : ".", "tests", "unit", "shrinking-files", NULL);
    profile_path = g_build_filename (root, "perf.data", NULL);
    binary_path = g_build_filename (root, BINARY, NULL);
    g_autofree char *folder = g_path_get_dirname (binary_path);
    g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    read_originals ();
    make_root ();
    int status = g_test_run ();
    g_free (whole_profile);
    g_free (whole_binary);
    g_free (profile_path);
    g_free (binary_path);
    g_free (root);
    return status;
}
