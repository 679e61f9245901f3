/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <glib/gstdio.h>
#include <lzma.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/files/file-identity.h"
#include "core/symbolize/files/file-roots.h"
#include "core/symbolize/names/elf-symbols.h"
#include "elf-maker.h"

#define ID_HEX "ab0102030405060708090a0b0c0d0e0f10111213"
static const uint8_t id[20] = {0xab, 1,  2,  3,  4,  5,  6,  7,  8,  9,
                               10,   11, 12, 13, 14, 15, 16, 17, 18, 19};
static const uint8_t other_id[20] = {0xcd, 1};

typedef struct {
    const uint8_t *build_id;
    bool has_debug_info;
    const char *symbol;
    const char *extra_name; /* one more section */
    const void *extra;
    size_t extra_size;
} Recipe;

static void
write_elf (const char *folder, const char *path, Recipe recipe)
{
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    g_autofree char *full = g_build_filename (folder, path, NULL);

    elf_maker_text (maker, 0x1000, NULL, 0x100);
    elf_maker_load (maker, 1, true);
    if (recipe.build_id != NULL)
        elf_maker_build_id (maker, recipe.build_id, 20);
    if (recipe.has_debug_info)
        elf_maker_data (maker, ".debug_info", 0, "nothing", 7);
    if (recipe.extra != NULL)
        elf_maker_data (maker, recipe.extra_name, 0, recipe.extra, recipe.extra_size);
    if (recipe.symbol != NULL) {
        MakerSymbol symbols[] = {{recipe.symbol, 0x1000, 0x10, STB_GLOBAL, STT_FUNC, 1}, {NULL}};
        elf_maker_symbols (maker, false, symbols);
    }
    elf_maker_write (maker, full);
}

static PvModule
make_module (const char *path, const uint8_t *build_id)
{
    PvModule module = {.path = path, .kind = PV_MODULE_FILE};
    if (build_id != NULL) {
        memcpy (module.build_id, build_id, 20);
        module.build_id_size = 20;
    }
    return module;
}

static PvModuleFiles *
open_files (const char *sysroot, const char *folder, const char *map)
{
    const char *folders[] = {folder, NULL};
    const char *maps[] = {map, NULL};
    PvSymbolOptions options = {.sysroot = sysroot, .search_paths = folders, .path_maps = maps};
    return pv_module_files_new (&options);
}

static void
check_path (const PvElfImage *image, const char *folder, const char *path)
{
    g_autofree char *full = g_build_filename (folder, path, NULL);
    g_assert_nonnull (image);
    g_assert_cmpstr (pv_elf_image_get_path (image), ==, full);
}

/* Binaries */

TEST (sysroot)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/usr/bin/tool", id);
    PvModule unknown = make_module ("/usr/bin/tool", NULL);
    PvModule deleted = make_module ("/usr/bin/tool (deleted)", id);
    PvModule rebuilt = make_module ("/usr/bin/tool", other_id);

    write_elf (sysroot, "usr/bin/tool", (Recipe){.build_id = id});
    const PvModuleFile *file = pv_module_files_get (files, &module);
    check_path (file->binary, sysroot, "usr/bin/tool");
    g_assert_true (file->debug == file->binary);
    g_assert_false (file->is_unverified);
    g_assert_null (file->reason);
    g_assert_true (pv_module_files_get (files, &module) == file);
    g_assert_true (pv_module_files_get (files, &unknown)->is_unverified);
    g_assert_nonnull (pv_module_files_get (files, &deleted)->binary);

    file = pv_module_files_get (files, &rebuilt);
    g_assert_null (file->binary);
    g_assert_true (file->is_mismatched);
    g_assert_nonnull (file->reason);

    /* Nothing of this machine is used instead. */
    PvModule own = make_module ("/proc/self/exe", NULL);
    g_assert_null (pv_module_files_get (files, &own)->binary);
}

/* Old recordings have ids of 16 bytes with zeros behind them; anything else is another build. */
TEST (padded_id)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *full = g_build_filename (sysroot, "bin", "tool", NULL);
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    g_autoptr (ElfMaker) maker = elf_maker_new (true, false, ET_DYN, EM_X86_64);
    PvModule padded = make_module ("/bin/tool", id), longer = make_module ("/bin/tool", id);
    memset (padded.build_id + 16, 0, 4);

    elf_maker_build_id (maker, id, 16);
    elf_maker_write (maker, full);
    check_path (pv_module_files_get (files, &padded)->binary, sysroot, "bin/tool");
    const PvModuleFile *file = pv_module_files_get (files, &longer);
    g_assert_null (file->binary);
    g_assert_true (file->is_mismatched);
}

/* Links inside of a sysroot are meant from its top. */
TEST (links)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *link = g_build_filename (sysroot, "lib", NULL);
    g_autofree char *loop = g_build_filename (sysroot, "loop", NULL);

    write_elf (sysroot, "usr/lib/libx.so", (Recipe){.build_id = id});
    g_assert_cmpint (symlink ("/usr/lib", link), ==, 0);
    g_assert_cmpint (symlink ("loop", loop), ==, 0);
    g_autofree char *expected = g_build_filename (sysroot, "usr/lib/libx.so", NULL);
    assert_string (pv_path_in_root (sysroot, "/lib/libx.so"), expected);
    g_autofree char *clamped = g_build_filename (sysroot, "etc/passwd", NULL);
    assert_string (pv_path_in_root (sysroot, "../../../etc/passwd"), clamped);
    g_assert_null (pv_path_in_root (sysroot, "loop/x"));

    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/lib/libx.so", id);
    check_path (pv_module_files_get (files, &module)->binary, sysroot, "usr/lib/libx.so");
}

TEST (search_folders)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (NULL, folder, "/build/=/nowhere/");
    PvModule by_name = make_module ("/opt/x/a.so", id);
    PvModule by_path = make_module ("/opt/x/b.so", id);
    PvModule by_id = make_module ("/opt/x/c.so", other_id);

    write_elf (folder, "a.so", (Recipe){.build_id = id});
    write_elf (folder, "b.so", (Recipe){.build_id = other_id});
    write_elf (folder, "opt/x/b.so", (Recipe){.build_id = id});
    write_elf (folder, ".build-id/cd/01000000000000000000000000000000000000/elf",
               (Recipe){.build_id = other_id});
    check_path (pv_module_files_get (files, &by_name)->binary, folder, "a.so");
    check_path (pv_module_files_get (files, &by_path)->binary, folder, "opt/x/b.so");
    check_path (pv_module_files_get (files, &by_id)->binary, folder,
                ".build-id/cd/01000000000000000000000000000000000000/elf");
}

TEST (path_map)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *map = g_strdup_printf ("/build=%s/there", folder);
    g_autoptr (PvModuleFiles) files = open_files (NULL, NULL, map);
    PvModule module = make_module ("/build/x/a.so", NULL);
    PvModule similar = make_module ("/builder/x/a.so", NULL);

    write_elf (folder, "there/x/a.so", (Recipe){.build_id = id});
    check_path (pv_module_files_get (files, &module)->binary, folder, "there/x/a.so");
    g_assert_null (pv_module_files_get (files, &similar)->binary);
    g_autoptr (PvMappedFile) side = pv_module_files_open_side_file (files, "/build/x/a.so");
    g_assert_nonnull (side);
    g_assert_null (pv_module_files_open_side_file (files, "/build/x/b.so"));
}

/* The name of a program in memory is of no use: its build is looked for. */
TEST (program_in_memory)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (NULL, folder, "/memfd:x=/nowhere");
    PvModule module = make_module ("/memfd:cloned:/proc/self/exe (deleted)", id);
    PvModule other = make_module ("/memfd:plugin", other_id);
    PvModule unknown = make_module ("/memfd:cloned:/proc/self/exe (deleted)", NULL);

    write_elf (folder, "a", (Recipe){0});
    write_elf (folder, "b", (Recipe){.build_id = id});
    check_path (pv_module_files_get (files, &module)->binary, folder, "b");
    g_assert_null (pv_module_files_get (files, &other)->binary);
    g_assert_false (pv_module_files_get (files, &other)->is_mismatched);
    g_assert_null (pv_module_files_get (files, &unknown)->binary);
}

/* A process that has a folder as its root; 0: not allowed here. */
static pid_t
start_in_root (const char *folder)
{
    int ready[2];
    char is_there = 0;

    g_assert_cmpint (pipe (ready), ==, 0);
    pid_t pid = fork ();
    if (pid == 0) {
        prctl (PR_SET_PDEATHSIG, SIGKILL);
        if (chroot (folder) != 0 && (unshare (CLONE_NEWUSER) != 0 || chroot (folder) != 0))
            _exit (1);
        if (write (ready[1], "x", 1) == 1)
            pause ();
        _exit (0);
    }
    close (ready[1]);
    if (read (ready[0], &is_there, 1) != 1)
        waitpid (pid, NULL, 0);
    close (ready[0]);
    return is_there != 0 ? pid : 0;
}

/* A process that still runs has its own files; after the recording its number proves nothing. */
TEST (live_process)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *prog = g_build_filename (folder, "opt/prog", NULL);
    struct stat status;
    pid_t pid = start_in_root (folder);

    if (pid == 0) {
        g_test_message ("NOT RUN: no process may have another root here");
        return;
    }
    write_elf (folder, "opt/prog", (Recipe){.build_id = id});
    g_assert_cmpint (stat (prog, &status), ==, 0);
    g_autofree char *root = g_strdup_printf ("/proc/%d/root", (int)pid);
    for (int is_recording = 0; is_recording < 2; is_recording++) {
        PvSymbolOptions options = {.is_recording = is_recording};
        g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
        PvModule right = make_module ("/opt/prog", id), wrong = make_module ("/opt/prog", other_id);
        PvModule same = make_module ("/opt/prog", NULL), other = same, unknown = same;
        right.identity.pid = wrong.identity.pid = unknown.identity.pid = pid;
        same.identity = (PvFileIdentity){.pid = pid, .inode = status.st_ino};
        other.identity = (PvFileIdentity){.pid = pid, .inode = status.st_ino + 1};
        check_path (pv_module_files_get (files, &right)->binary, root, "opt/prog");
        g_assert_null (pv_module_files_get (files, &wrong)->binary);
        check_path (pv_module_files_get (files, &same)->binary, root, "opt/prog");
        g_assert_cmpint (pv_module_files_get (files, &unknown)->binary != NULL, ==, is_recording);
        PvModuleFile found = *pv_module_files_get (files, &other);
        g_assert_true (found.binary == NULL ||
                       pv_file_identity_compare (&other.identity,
                                                 pv_elf_image_get_file (found.binary), prog,
                                                 0) == PV_FILE_UNSURE);
    }
    kill (pid, SIGKILL);
    waitpid (pid, NULL, 0);
}

/* Code that ran from beyond the end of a file did not run from it. */
TEST (too_short)
{
    g_autofree char *sysroot = scratch_new_folder ();
    PvModule module = make_module ("/bin/tool", NULL);

    write_elf (sysroot, "bin/tool", (Recipe){.build_id = id});
    for (unsigned i = 0; i < 2; i++) {
        g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
        pv_file_identity_add_mapping (&module.identity, i == 0 ? 0x100 : 0x100000, 0x1000);
        const PvModuleFile *file = pv_module_files_get (files, &module);
        g_assert_cmpint (file->binary != NULL, ==, i == 0);
        g_assert_cmpint (file->is_mismatched, ==, i == 1);
    }
}

/* As perf fills ~/.debug: a link by id to the folder of that id. */
TEST (build_id_cache)
{
    g_autofree char *cache = scratch_new_folder ();
    g_autofree char *by_id = g_build_filename (cache, ".build-id/ab", NULL);
    g_autofree char *link = g_build_filename (by_id, ID_HEX + 2, NULL);

    write_elf (cache, "opt/a.so/" ID_HEX "/elf", (Recipe){.build_id = id});
    g_mkdir_with_parents (by_id, 0700);
    g_assert_cmpint (symlink ("../../opt/a.so/" ID_HEX, link), ==, 0);
    g_setenv ("PERF_BUILDID_DIR", cache, TRUE);
    g_autoptr (PvModuleFiles) files = open_files (NULL, NULL, NULL);
    g_unsetenv ("PERF_BUILDID_DIR");
    PvModule module = make_module ("/opt/a.so", id);
    check_path (pv_module_files_get (files, &module)->binary, cache, "opt/a.so/" ID_HEX "/elf");
}

/* Neither a FIFO nor a folder is opened, and nobody waits. */
TEST (odd_files)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *fifo = g_build_filename (sysroot, "fifo", NULL);
    g_autofree char *text = g_build_filename (sysroot, "text", NULL);
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    const char *paths[] = {"/fifo", "/text", "/", "//anon", "[heap]", "relative", "/a/../../.."};

    g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
    g_assert_true (g_file_set_contents (text, "no ELF file", -1, NULL));
    for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
        PvModule module = make_module (paths[i], NULL);
        g_assert_null (pv_module_files_get (files, &module)->binary);
    }
}

/* Nor one that was recorded as a file, to ask which file its inode is now. */
TEST (odd_identity)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *fifo = g_build_filename (folder, "fifo", NULL);
    g_autoptr (PvModuleFiles) files = open_files (NULL, NULL, NULL);
    struct inotify_event event;
    struct stat status;

    g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
    g_assert_cmpint (stat (fifo, &status), ==, 0);
    int watch = inotify_init1 (IN_NONBLOCK | IN_CLOEXEC);
    g_assert_cmpint (inotify_add_watch (watch, fifo, IN_OPEN), >, 0);
    PvModule module = make_module (fifo, id);
    module.identity = (PvFileIdentity){.inode = status.st_ino, .generation = 1, .until_ns = 1};
    g_assert_null (pv_module_files_get (files, &module)->binary);
    g_assert_cmpint (read (watch, &event, sizeof event), ==, -1);
    close (watch);
}

TEST (vdso)
{
    g_autoptr (PvModuleFiles) files = open_files (NULL, NULL, NULL);
    PvModule module = make_module ("[vdso]", NULL);
    const uint8_t *build_id;

    module.kind = PV_MODULE_VDSO;
    const PvModuleFile *file = pv_module_files_get (files, &module);
    if (file->binary == NULL) {
        g_test_message ("this machine gives no vdso");
        return;
    }
    size_t size_bytes = pv_elf_image_get_build_id (file->binary, &build_id);
    g_assert_cmpuint (size_bytes, ==, 20);
    PvModule same = make_module ("[vdso]", build_id);
    same.kind = PV_MODULE_VDSO;
    g_assert_nonnull (pv_module_files_get (files, &same)->binary);
    PvModule other = make_module ("[vdso]", id);
    other.kind = PV_MODULE_VDSO;
    g_assert_null (pv_module_files_get (files, &other)->binary);
}

/* Debug files */

TEST (debug_by_id)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/bin/a", id);
    const char *debug = "usr/lib/debug/.build-id/ab/0102030405060708090a0b0c0d0e0f10111213.debug";

    write_elf (sysroot, "bin/a", (Recipe){.build_id = id});
    write_elf (sysroot, debug, (Recipe){.build_id = id, .has_debug_info = true});
    check_path (pv_module_files_get (files, &module)->binary, sysroot, "bin/a");
    check_path (pv_module_files_get (files, &module)->debug, sysroot, debug);
}

TEST (debug_link)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule right = make_module ("/bin/right", NULL);
    PvModule wrong = make_module ("/bin/wrong", NULL);
    PvModule central = make_module ("/bin/central", NULL);
    char section[16] = "x.debug";
    g_autofree char *text = NULL;
    g_autofree char *path = g_build_filename (sysroot, "bin/.debug/x.debug", NULL);
    gsize len;

    write_elf (sysroot, "bin/.debug/x.debug", (Recipe){.has_debug_info = true});
    g_assert_true (g_file_get_contents (path, &text, &len, NULL));
    uint32_t checksum = (uint32_t)crc32 (crc32 (0, NULL, 0), (const Bytef *)text, (uInt)len);
    memcpy (section + 8, &checksum, 4);
    Recipe recipe = {.extra_name = ".gnu_debuglink", .extra = section, .extra_size = 12};
    write_elf (sysroot, "bin/right", recipe);
    section[8] ^= 1;
    write_elf (sysroot, "bin/wrong", recipe);
    section[8] ^= 1;
    memcpy (section, "y.debug", 8);
    write_elf (sysroot, "bin/central", recipe);
    g_autofree char *moved = g_build_filename (sysroot, "usr/lib/debug/bin", NULL);
    g_autofree char *target = g_build_filename (moved, "y.debug", NULL);
    g_mkdir_with_parents (moved, 0700);
    g_assert_true (g_file_set_contents (target, text, (gssize)len, NULL));

    check_path (pv_module_files_get (files, &right)->debug, sysroot, "bin/.debug/x.debug");
    const PvModuleFile *file = pv_module_files_get (files, &wrong);
    check_path (file->debug, sysroot, "bin/wrong");
    g_assert_cmpstr (file->wrong_debug, ==, path);
    g_assert_false (file->is_wrong_by_id);
    g_assert_null (pv_module_files_get (files, &right)->wrong_debug);
    check_path (pv_module_files_get (files, &central)->debug, sysroot, "usr/lib/debug/bin/y.debug");
}

/* With build-ids on both sides, they decide. */
TEST (debug_link_of_other_build)
{
    static const char section[12] = "x.debug";
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *path = g_build_filename (sysroot, "bin/x.debug", NULL);
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/bin/x", id);

    write_elf (sysroot, "bin/x.debug", (Recipe){.build_id = other_id, .has_debug_info = true});
    write_elf (sysroot, "bin/x",
               (Recipe){.build_id = id,
                        .extra_name = ".gnu_debuglink",
                        .extra = section,
                        .extra_size = sizeof section});
    const PvModuleFile *file = pv_module_files_get (files, &module);
    check_path (file->debug, sysroot, "bin/x");
    g_assert_cmpstr (file->wrong_debug, ==, path);
    g_assert_true (file->is_wrong_by_id);
}

/* A binary that was found in a cache has no debug file beside it; the program had one. */
TEST (debug_link_of_cached)
{
    static const char section[12] = "x.debug";
    Recipe recipe = {.build_id = id,
                     .extra_name = ".gnu_debuglink",
                     .extra = section,
                     .extra_size = sizeof section};
    for (int is_below = 0; is_below < 2; is_below++) {
        g_autofree char *cache = scratch_new_folder ();
        g_autofree char *folder = scratch_new_folder ();
        g_autofree char *path = g_build_filename (folder, "x", NULL);
        g_autofree char *copy = g_strconcat (path, "/" ID_HEX "/elf", NULL);
        const char *debug = is_below ? ".debug/x.debug" : "x.debug";
        g_setenv ("PERF_BUILDID_DIR", cache, TRUE);
        g_autoptr (PvModuleFiles) files = open_files (NULL, NULL, NULL);
        g_unsetenv ("PERF_BUILDID_DIR");
        PvModule module = make_module (path, id);

        write_elf (cache, copy, recipe);
        write_elf (folder, "x", recipe);
        write_elf (folder, debug, (Recipe){.build_id = id, .has_debug_info = true});
        const PvModuleFile *file = pv_module_files_get (files, &module);
        g_assert_true (g_str_has_prefix (pv_elf_image_get_path (file->binary), cache));
        check_path (file->debug, folder, debug);
    }
}

static void
check_package (char **packages, const char *folder, const char *path)
{
    g_autofree char *full = g_build_filename (folder, path, NULL);
    g_assert_true (g_strv_contains ((const char *const *)packages, full));
}

/* Packages of split debug information may be beside the program as recorded, beside the file that
 * was found, under the name it had before it was split off, and where the user says. */
TEST (packages)
{
    g_autofree char *cache = scratch_new_folder ();
    g_autofree char *folder = scratch_new_folder ();
    PvModule cached = make_module ("/opt/here/a", id);
    PvModule split = make_module ("/opt/here/b", other_id);
    PvModule bare = make_module ("/opt/here/c", other_id);
    const char *elf = ".build-id/ab/"
                      "0102030405060708090a0b0c0d0e0f10111213"
                      "/elf";

    write_elf (cache, elf, (Recipe){.build_id = id, .has_debug_info = true});
    write_elf (folder, "b", (Recipe){.build_id = other_id});
    write_elf (folder, "b.debug", (Recipe){.build_id = other_id, .has_debug_info = true});
    write_elf (folder, "c", (Recipe){.build_id = other_id});
    g_setenv ("PERF_BUILDID_DIR", cache, TRUE);
    g_autoptr (PvModuleFiles) files = open_files (NULL, folder, "/opt/here=/mapped");
    g_unsetenv ("PERF_BUILDID_DIR");
    char **packages = pv_module_files_get (files, &cached)->packages;
    g_autofree char *beside_elf = g_strconcat (elf, ".dwp", NULL);
    check_package (packages, cache, beside_elf);
    check_package (packages, "/opt/here", "a.dwp");
    check_package (packages, "/mapped", "a.dwp");
    check_package (packages, folder, "a.dwp");
    check_package (packages, folder, "opt/here/a.dwp");
    check_package (packages, folder, ".build-id/ab/0102030405060708090a0b0c0d0e0f10111213.dwp");
    packages = pv_module_files_get (files, &split)->packages;
    check_package (packages, folder, "b.debug.dwp");
    check_package (packages, folder, "b.dwp");
    g_assert_null (pv_module_files_get (files, &bare)->packages);
}

/* Relative paths: what the user's options lead to comes first, then the recorder's folder, then
 * that of the recording. */
TEST (relative_paths)
{
    g_autofree char *recorder = scratch_new_folder ();
    g_autofree char *recording = scratch_new_folder ();
    g_autofree char *folder = scratch_new_folder ();
    const char *recordings[] = {recording, NULL}, *folders[] = {folder, NULL};
    const PvSymbolOptions options = {.recording_folders = recordings, .search_paths = folders};
    const struct {
        const char *path, *folder;
    } cases[] = {{"p/a.so", NULL}, {"p/b.so", recorder}, {"p/c.so", recording}, {"p/d.so", NULL}};

    for (size_t i = 0; i < 3; i++)
        write_elf (recording, cases[i].path, (Recipe){.build_id = id});
    for (size_t i = 0; i < 2; i++)
        write_elf (recorder, cases[i].path, (Recipe){.build_id = id});
    write_elf (folder, cases[0].path, (Recipe){.build_id = id});
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree char *found = pv_module_files_find_relative (files, cases[i].path, recorder);
        g_autofree char *expected = cases[i].folder != NULL
                                        ? g_build_filename (cases[i].folder, cases[i].path, NULL)
                                        : NULL;
        g_assert_cmpstr (found, ==, expected);
    }
}

/* .gnu_debugdata: a whole ELF file in xz, with the symbols that .dynsym leaves out. */
TEST (mini_debug_info)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autofree char *inner = g_build_filename (sysroot, "inner", NULL);
    g_autofree char *text = NULL;
    gsize len;
    uint8_t packed[8192];
    size_t packed_len = 0;

    write_elf (sysroot, "inner", (Recipe){.symbol = "hidden_function"});
    g_assert_true (g_file_get_contents (inner, &text, &len, NULL));
    g_assert_cmpint (lzma_easy_buffer_encode (6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, len,
                                              packed, &packed_len, sizeof packed),
                     ==, LZMA_OK);
    write_elf (sysroot, "bin/a",
               (Recipe){.build_id = id,
                        .extra_name = ".gnu_debugdata",
                        .extra = packed,
                        .extra_size = packed_len});
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/bin/a", id);
    const PvModuleFile *file = pv_module_files_get (files, &module);
    uint64_t addr = 0x1008;
    PvSymbolHit hit;
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_assert_true (file->debug != file->binary);
    pv_elf_symbols_find (file, &addr, 1, &hit, arena);
    g_assert_cmpstr (hit.name, ==, "hidden_function");
}

TEST (alternate)
{
    g_autofree char *sysroot = scratch_new_folder ();
    g_autoptr (PvModuleFiles) files = open_files (sysroot, NULL, NULL);
    PvModule module = make_module ("/bin/a", id);
    uint8_t section[9 + 20] = ".dwz/all";

    memcpy (section + 9, other_id, 20);
    write_elf (sysroot, "bin/a",
               (Recipe){.build_id = id,
                        .has_debug_info = true,
                        .extra_name = ".gnu_debugaltlink",
                        .extra = section,
                        .extra_size = sizeof section});
    write_elf (sysroot, "bin/.dwz/all", (Recipe){.build_id = other_id, .has_debug_info = true});
    check_path (pv_module_files_get (files, &module)->alternate, sysroot, "bin/.dwz/all");
}

/* Perf archive */

static void
add_entry (struct archive *out, const char *name, mode_t type, const void *data, size_t size_bytes,
           const char *link)
{
    struct archive_entry *entry = archive_entry_new ();

    archive_entry_set_pathname (entry, name);
    archive_entry_set_filetype (entry, type);
    archive_entry_set_perm (entry, 04777);
    archive_entry_set_size (entry, (la_int64_t)size_bytes);
    if (link != NULL)
        archive_entry_set_symlink (entry, link);
    archive_write_header (out, entry);
    archive_write_data (out, data, size_bytes);
    archive_entry_free (entry);
}

static unsigned
count_unpacked (const char *folder)
{
    g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
    unsigned n = 0;

    for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
        n += g_str_has_prefix (name, "profview-symbols-");
    return n;
}

TEST (archive)
{
    g_autofree char *folder = scratch_new_folder ();
    g_autofree char *path = g_build_filename (folder, "perf.data.tar.bz2", NULL);
    g_autofree char *elf = g_build_filename (folder, "elf", NULL);
    g_autofree char *evil = g_build_filename (folder, "evil", NULL);
    g_autofree char *text = NULL;
    gsize len;

    write_elf (folder, "elf", (Recipe){.build_id = id});
    g_assert_true (g_file_get_contents (elf, &text, &len, NULL));
    struct archive *out = archive_write_new ();
    archive_write_set_format_pax_restricted (out);
    archive_write_add_filter_bzip2 (out);
    archive_write_open_filename (out, path);
    add_entry (out,
               ".build-id/ab/"
               "0102030405060708090a0b0c0d0e0f10111213",
               AE_IFLNK, NULL, 0, "../../opt/a.so/" ID_HEX);
    add_entry (out, "opt/a.so/" ID_HEX "/elf", AE_IFREG, text, len, NULL);
    add_entry (out, "../evil", AE_IFREG, "x", 1, NULL);
    add_entry (out, evil, AE_IFREG, "x", 1, NULL);
    add_entry (out, "out", AE_IFLNK, NULL, 0, folder);
    add_entry (out, "out/evil", AE_IFREG, "x", 1, NULL);
    archive_write_close (out);
    archive_write_free (out);

    g_setenv ("TMPDIR", folder, TRUE);
    PvModuleFiles *files = open_files (NULL, path, NULL);
    PvModule module = make_module ("/opt/a.so", id);
    PvModule missing = make_module ("/opt/b.so", other_id);
    const PvModuleFile *file = pv_module_files_get (files, &module);
    g_assert_nonnull (file->binary);
    g_assert_nonnull (strstr (pv_elf_image_get_path (file->binary), "profview-symbols-"));
    g_assert_null (pv_module_files_get (files, &missing)->binary);
    g_assert_cmpuint (count_unpacked (folder), ==, 1);
    pv_module_files_free (files);
    g_assert_cmpuint (count_unpacked (folder), ==, 0);
    g_assert_false (g_file_test (evil, G_FILE_TEST_EXISTS));
    g_unsetenv ("TMPDIR");
}

TESTS_MAIN (argc, argv)
{
    g_unsetenv ("PERF_BUILDID_DIR");
    return scratch_run_tests (argc, argv);
}
