/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "../cases.h"
#include "../scratch.h"
#include "core/probe/program-facts.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/symbolize/symbolizer.h"
#include "elf-maker.h"

static char *root;

static char *
write_file (const char *name, const char *content, gssize size)
{
    char *path = g_build_filename (root, name, NULL);
    g_assert_true (g_file_set_contents (path, content, size, NULL));
    return path;
}

static PvProgramFacts
read_sample (const char *name)
{
    PvProgramFacts facts;
    g_autofree char *path =
        g_build_filename (g_getenv ("PV_TEST_DATA"), "sysroot/opt/samples/bin", name, NULL);
    g_assert_true (pv_program_facts_read (path, NULL, &facts));
    return facts;
}

TEST (samples)
{
    static const struct {
        const char *name;
        bool has_frame_pointers;
    } samples[] = {{"calls", true},     {"calls-nofp", false},     {"calls-stripped", true},
                   {"inlining", true},  {"inlining-nofp", false},  {"threads", true},
                   {"recursion", true}, {"recursion-nofp", false}, {"signals-nofp", false},
                   {"signals", true}};
    for (size_t i = 0; i < G_N_ELEMENTS (samples); i++) {
        g_test_message ("%s", samples[i].name);
        PvProgramFacts facts = read_sample (samples[i].name);
        bool is_stripped = g_str_has_suffix (samples[i].name, "stripped");
        g_assert_true (facts.is_known);
        g_assert_false (facts.is_static || facts.is_script || facts.is_go);
        g_assert_false (facts.has_jemalloc || facts.has_own_malloc);
        g_assert_cmpint (facts.frame_pointers, ==,
                         samples[i].has_frame_pointers ? PV_FRAME_POINTERS_KEPT
                                                       : PV_FRAME_POINTERS_OMITTED);
        g_assert_false (facts.lacks_unwind_tables || facts.is_foreign || facts.is_32bit);
        g_assert_true (facts.has_debug_info == !is_stripped);
        g_assert_true (facts.has_symbols == !is_stripped);
    }
}

TEST (this_program)
{
    PvProgramFacts facts;
    pv_program_facts_read ("/proc/self/exe", NULL, &facts);
    g_assert_true (facts.is_known && facts.has_symbols);
    g_assert_false (facts.is_static || facts.has_jemalloc || facts.is_go);
}

TEST (aarch64)
{
    g_autofree char *path = get_data ("aarch64/pauth");
    PvProgramFacts facts;
    pv_program_facts_read (path, NULL, &facts);
    /* One of its functions has x29 for a frame of changing size: not most. */
    g_assert_true (facts.is_known && facts.is_static);
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_OMITTED);
    g_assert_false (facts.has_debug_info || facts.lacks_unwind_tables);
#if defined __x86_64__
    g_assert_true (facts.is_foreign);
#endif
}

/* Scripts */

static PvProgramFacts
read_script (const char *content)
{
    PvProgramFacts facts;
    g_autofree char *path = write_file ("script", content, -1);
    pv_program_facts_read (path, NULL, &facts);
    return facts;
}

TEST (scripts)
{
    static const char *const good[] = {"#!/bin/sh\necho\n", "#! \t/bin/sh -e\n", "#!/bin/sh",
                                       "#!/usr/bin/env sh\n", "#!/usr/bin/env -S A=b sh -e\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (good); i++) {
        g_test_message ("%s", good[i]);
        PvProgramFacts facts = read_script (good[i]);
        g_assert_true (facts.is_known && facts.is_script);
        g_assert_false (facts.is_static);
    }
    static const char *const bad[] = {"",
                                      "#",
                                      "#!",
                                      "#!\n",
                                      "#!   \n/bin/sh",
                                      "#!/nowhere/sh\n",
                                      "#!/usr/bin/env\n",
                                      "#!/usr/bin/env A=b\n",
                                      "#!/usr/bin/env no-such-program-here\n",
                                      "#!/dev/zero\n",
                                      "echo\n"};
    for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
        g_test_message ("%s", bad[i]);
        g_assert_false (read_script (bad[i]).is_known);
    }
}

TEST (scripts_of_scripts)
{
    PvProgramFacts facts;
    g_autofree char *self = g_build_filename (root, "itself", NULL);
    g_autofree char *line = g_strconcat ("#!", self, "\n", NULL);
    g_autofree char *path = write_file ("itself", line, -1);
    pv_program_facts_read (path, NULL, &facts);
    g_assert_false (facts.is_known);

    g_autofree char *inner = write_file ("inner", "#!/bin/sh\n", -1);
    g_autofree char *outer_line = g_strconcat ("#!", inner, " -x\n", NULL);
    g_autofree char *outer = write_file ("outer", outer_line, -1);
    pv_program_facts_read (outer, NULL, &facts);
    g_assert_true (facts.is_known && facts.is_script);
}

TEST (no_files)
{
    PvProgramFacts facts;
    g_autofree char *fifo = g_build_filename (root, "fifo", NULL);
    g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
    const char *const paths[] = {"", "/", "/dev/zero", "/nowhere", fifo, root};
    for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
        memset (&facts, 0xff, sizeof facts);
        pv_program_facts_read (paths[i], NULL, &facts);
        g_assert_false (facts.is_known || facts.is_static || facts.has_debug_info);
    }
}

/* Made by hand */

typedef struct {
    const char *symbol; /* defined */
    const char *text;   /* in .rodata */
    const char *library;
    const char *section;
    uint16_t machine;
} Recipe;

static PvProgramFacts
judge (Recipe recipe)
{
    g_autoptr (ElfMaker) maker =
        elf_maker_new (true, false, ET_DYN, recipe.machine != 0 ? recipe.machine : EM_X86_64);
    uint8_t code[64] = {0x90};
    elf_maker_text (maker, 0x1000, code, sizeof code);
    elf_maker_load (maker, 1, true);
    if (recipe.symbol != NULL) {
        MakerSymbol symbols[] = {{recipe.symbol, 0x1000, 64, STB_GLOBAL, STT_FUNC, 1}, {0}};
        elf_maker_symbols (maker, false, symbols);
    }
    if (recipe.text != NULL)
        elf_maker_data (maker, ".rodata", 0, recipe.text, strlen (recipe.text));
    if (recipe.library != NULL) {
        g_autoptr (GByteArray) entries = g_byte_array_new ();
        uint32_t names =
            elf_maker_section (maker, (MakerSection){.name = ".dynstr",
                                                     .type = SHT_STRTAB,
                                                     .data = recipe.library,
                                                     .size_bytes = strlen (recipe.library)});
        elf_maker_put (maker, entries, DT_NEEDED, 8);
        elf_maker_put (maker, entries, 0, 8);
        elf_maker_put (maker, entries, DT_NEEDED, 8);
        elf_maker_put (maker, entries, 1u << 30, 8); /* outside */
        elf_maker_section (maker, (MakerSection){.name = ".dynamic",
                                                 .type = SHT_DYNAMIC,
                                                 .data = entries->data,
                                                 .size_bytes = entries->len,
                                                 .link = names});
    }
    if (recipe.section != NULL)
        elf_maker_data (maker, recipe.section, 0, "x", 1);
    size_t size;
    uint8_t *bytes = elf_maker_finish (maker, &size);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (bytes, size);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "made", NULL);
    g_assert_nonnull (image);
    PvProgramFacts facts;
    g_assert_true (pv_program_facts_judge (image, NULL, NULL, &facts));
    g_assert_true (facts.is_known && facts.is_static);
    return facts;
}

TEST (allocators)
{
    /* In parts: this program itself is looked at too. */
    g_autofree char *plain = g_strconcat ("<jem", "alloc>: %s MALLOC_CONF", NULL);
    g_autofree char *prefixed = g_strconcat ("<jem", "alloc>: %s _RJEM_MALLOC_CONF", NULL);
    g_autofree char *able = g_strconcat (plain, " heap", "_v2/", NULL);
    PvProgramFacts facts = judge ((Recipe){.symbol = "mallctl"});
    g_assert_true (facts.has_jemalloc && facts.has_own_malloc && !facts.has_prefixed_jemalloc);
    facts = judge ((Recipe){.symbol = "_rjem_mallctl"});
    g_assert_true (facts.has_jemalloc && facts.has_own_malloc && facts.has_prefixed_jemalloc);
    facts = judge ((Recipe){.symbol = "malloc"});
    g_assert_true (!facts.has_jemalloc && facts.has_own_malloc);
    facts = judge ((Recipe){.library = "libjemalloc.so.2"});
    g_assert_true (facts.has_jemalloc && !facts.has_own_malloc);
    facts = judge ((Recipe){.library = "libjem"});
    g_assert_false (facts.has_jemalloc);
    facts = judge ((Recipe){.text = prefixed});
    g_assert_true (facts.has_jemalloc && facts.has_own_malloc && facts.has_prefixed_jemalloc);
    facts = judge ((Recipe){.text = plain});
    g_assert_true (facts.has_jemalloc && facts.has_own_malloc && !facts.has_prefixed_jemalloc);
    g_assert_true (facts.lacks_jemalloc_dumps);
    facts = judge ((Recipe){.text = able});
    g_assert_true (facts.has_jemalloc && facts.has_own_malloc && !facts.lacks_jemalloc_dumps);
    facts = judge ((Recipe){.symbol = "mallctl", .text = able});
    g_assert_true (facts.has_jemalloc && !facts.lacks_jemalloc_dumps);
    facts = judge ((Recipe){.symbol = "mallctl", .text = plain});
    g_assert_true (facts.has_jemalloc && facts.lacks_jemalloc_dumps);
    facts = judge ((Recipe){.text = "set MALLOC_CONF"});
    g_assert_false (facts.has_jemalloc || facts.has_own_malloc);
    /* Where there are symbols, texts may be of a program that only knows jemalloc. */
    facts = judge ((Recipe){.symbol = "other", .text = able});
    g_assert_false (facts.has_jemalloc || facts.has_own_malloc);
}

TEST (go)
{
    PvProgramFacts facts = judge ((Recipe){.section = ".gopclntab"});
    g_assert_true (facts.is_go && !facts.lacks_unwind_tables);
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_KEPT);
    facts = judge ((Recipe){.section = ".note.go.buildid", .machine = EM_AARCH64});
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_KEPT);
    facts = judge ((Recipe){.section = ".go.buildinfo", .machine = EM_ARM});
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_OMITTED);
    facts = judge ((Recipe){.section = ".go.buildinfo", .machine = EM_RISCV});
    g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
    facts = judge ((Recipe){0});
    g_assert_false (facts.is_go);
}

/* Processes */

static void
wait_for_program (GPid pid, const char *name)
{
    g_autofree char *exe = g_strdup_printf ("/proc/%d/exe", (int)pid);
    for (unsigned i = 0; i < 5000; i++) {
        g_autofree char *path = g_file_read_link (exe, NULL);
        if (path != NULL && strstr (path, name) != NULL)
            return;
        g_usleep (1000);
    }
    g_assert_not_reached ();
}

/* One whose file was removed, and one that has ended. */
TEST (processes)
{
    g_autofree char *sleep = g_find_program_in_path ("sleep");
    g_autofree char *bytes = NULL;
    gsize size;
    GPid pid;
    int status;
    PvProgramFacts facts;
    g_assert_true (g_file_get_contents (sleep, &bytes, &size, NULL));
    g_autofree char *copy = write_file ("sleeper", bytes, (gssize)size);
    g_assert_cmpint (g_chmod (copy, 0700), ==, 0);
    char *argv[] = {copy, (char *)"100", NULL};
    g_assert_true (
        g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
    wait_for_program (pid, "sleeper");
    g_unlink (copy);
    g_autofree char *exe = g_strdup_printf ("/proc/%d/exe", (int)pid);
    g_assert_true (pv_program_facts_read (exe, NULL, &facts));
    g_assert_true (facts.is_known && !facts.is_script);
    kill (pid, SIGKILL);
    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    g_assert_true (pv_program_facts_read (exe, NULL, &facts));
    g_assert_false (facts.is_known);
}

/* Whatever it is asked about, it says so, and nothing else. */
TEST (cancelled)
{
    static const char *const paths[] = {"/proc/self/exe", "/bin/sh", "/nowhere", "/dev/null", ""};
    g_autofree char *script = write_file ("script", "#!/bin/sh\n", -1);
    g_autoptr (PvJob) job = pv_job_new ();
    PvProgramFacts facts;
    pv_job_cancel (job);
    for (size_t i = 0; i <= G_N_ELEMENTS (paths); i++) {
        memset (&facts, 0xff, sizeof facts);
        g_assert_false (
            pv_program_facts_read (i < G_N_ELEMENTS (paths) ? paths[i] : script, job, &facts));
        g_assert_false (facts.is_known || facts.is_static || facts.has_jemalloc);
        g_assert_cmpint (facts.frame_pointers, ==, PV_FRAME_POINTERS_UNKNOWN);
    }
}

/* Any bytes: a program with some of them changed, and cut short. */
TEST (damaged)
{
    g_autofree char *path = get_data ("sysroot/opt/samples/bin/calls-stripped");
    g_autofree char *bytes = NULL;
    gsize size;
    g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
    g_autoptr (GRand) random = g_rand_new_with_seed (7);
    unsigned n_known = 0;
    for (unsigned round = 0; round < 400; round++) {
        uint8_t *copy = g_memdup2 (bytes, size);
        for (unsigned i = 0; i < 1 + round / 20; i++) {
            gsize limit = i % 2 == 0 ? 1024 : size; /* headers have most of what matters */
            copy[(gsize)g_rand_int (random) % limit] = (uint8_t)g_rand_int (random);
        }
        gsize left = round % 4 == 0 ? (gsize)g_rand_int (random) % size : size;
        g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (copy, left);
        g_autoptr (PvElfImage) image = pv_elf_image_new (file, "damaged", NULL);
        PvProgramFacts facts = {0};
        if (image != NULL)
            pv_program_facts_judge (image, image, NULL, &facts);
        n_known += facts.is_known;
    }
    g_assert_cmpuint (n_known, >, 100);
}

TESTS_MAIN (argc, argv)
{
    pv_test_init (argc, argv);
    root = g_dir_make_tmp ("program-facts-XXXXXX", NULL);
    int status = g_test_run ();
    static const char *const names[] = {"script", "itself", "inner", "outer", "fifo"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename (root, names[i], NULL);
        g_unlink (path);
    }
    g_rmdir (root);
    g_free (root);
    return status;
}
