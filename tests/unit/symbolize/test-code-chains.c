/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of instructions in many places of many units, and the unit maps that are kept for them. */
#include <string.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/symbolize/machine/code-chains.h"

/* Enough for several in a unit, in an order that is not that of the addresses. */
enum { N_PLACES = 60, N_ROWS = 8, STRIDE = 37 };

static PvCodeFiles *
open_files (const char *sysroot)
{
    PvSymbolOptions options = {.sysroot = sysroot, .n_workers = 4};
    return pv_code_files_new (&options);
}

static const PvModuleFile *
get_file (PvCodeFiles *files, const char *path)
{
    PvModule module = {.path = path, .kind = PV_MODULE_FILE};
    return pv_module_files_get (pv_code_files_get_modules (files), &module);
}

/* Every third place overlaps the one before it. */
static PvInstruction *
make_rows (const PvModuleFile *file)
{
    const PvElfSection *text = pv_elf_image_find_section (file->binary, ".text");
    PvInstruction *rows = g_new0 (PvInstruction, N_PLACES * N_ROWS);
    for (unsigned p = 0; p < N_PLACES; p++) {
        uint64_t place = p * STRIDE % N_PLACES;
        uint64_t start = text->link_addr + text->size_bytes / N_PLACES * place;
        if (p % 3 == 2)
            start = rows[(p - 1) * N_ROWS].addr + 5;
        for (unsigned i = 0; i < N_ROWS; i++)
            rows[p * N_ROWS + i].addr = start + i * 7;
    }
    return rows;
}

static void
compare (const PvFrameChain *a, const PvFrameChain *b)
{
    g_assert_cmpuint (a->n_frames, ==, b->n_frames);
    for (uint32_t f = 0; f < a->n_frames; f++) {
        g_assert_cmpstr (a->frames[f].file, ==, b->frames[f].file);
        g_assert_cmpuint (a->frames[f].line, ==, b->frames[f].line);
        g_assert_cmpstr (a->frames[f].name, ==, b->frames[f].name);
        g_assert_cmpstr (a->frames[f].linkage_name, ==, b->frames[f].linkage_name);
    }
}

/* The same as looking up one address after the other. */
static void
check_file (PvCodeFiles *files, const PvModuleFile *file, unsigned min_named)
{
    const char *problem;
    unsigned n_named = 0;
    PvCodeChains chains;
    PvCodePlaces places = {.files = files, .file = file};
    g_autofree PvInstruction *rows = make_rows (file);
    g_autoptr (PvArena) arena = pv_arena_new ();
    g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (file, NULL, &problem);
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);

    pv_code_chains_find (&chains, &places, rows, N_PLACES * N_ROWS, NULL);
    g_assert_true (chains.has_lines);
    for (unsigned i = 0; i < N_PLACES * N_ROWS; i++) {
        PvFrameChain expected = {0};
        uint32_t unit = pv_dwarf_units_find (units, rows[i].addr);
        if (unit != UINT32_MAX)
            pv_dwarf_worker_resolve (worker, unit, &rows[i].addr, 1, &expected, arena, NULL);
        compare (&chains.chains[i], &expected);
        n_named += expected.n_frames > 0;
    }
    g_assert_cmpuint (n_named, >, min_named);
    pv_code_chains_clear (&chains);
}

TEST (one_unit)
{
    g_autofree char *sysroot = get_data ("sysroot");
    g_autoptr (PvCodeFiles) files = open_files (sysroot);
    check_file (files, get_file (files, "/opt/samples/bin/inlining"), 100);
}

/* This program has one for each of its files, if it was built with debug information. */
TEST (many_units)
{
    g_autoptr (PvCodeFiles) files = open_files (NULL);
    g_autofree char *path = g_file_read_link ("/proc/self/exe", NULL);
    const PvModuleFile *file = get_file (files, path);
    if (file->debug == NULL || pv_elf_image_find_section (file->debug, ".debug_info") == NULL) {
        g_test_skip ("this program was built without debug information");
        return;
    }
    check_file (files, file, 100);
}

TEST (nothing)
{
    g_autofree char *sysroot = get_data ("sysroot");
    g_autoptr (PvCodeFiles) files = open_files (sysroot);
    PvCodeChains chains;
    PvCodePlaces places = {.files = files,
                           .file = get_file (files, "/opt/samples/bin/calls-stripped")};
    PvInstruction row = {.addr = 0x1000};

    pv_code_chains_find (&chains, &places, &row, 1, NULL);
    g_assert_false (chains.has_lines);
    g_assert_cmpuint (chains.chains[0].n_frames, ==, 0);
    pv_code_chains_clear (&chains);
    places.file = get_file (files, "/opt/samples/bin/calls");
    pv_code_chains_find (&chains, &places, NULL, 0, NULL);
    g_assert_true (chains.has_lines);
    pv_code_chains_clear (&chains);
}

/* Maps */

TEST (maps)
{
    static const char *const names[] = {"calls",     "inlining", "threads", "heap",
                                        "recursion", "loader",   "depot"};
    g_autofree char *sysroot = get_data ("sysroot");
    g_autoptr (PvCodeFiles) files = open_files (sysroot);
    const PvModuleFile *of[G_N_ELEMENTS (names)];
    const PvDwarfUnits *units[G_N_ELEMENTS (names)];
    g_autoptr (PvJob) job = pv_job_new ();

    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename ("/opt/samples/bin", names[i], NULL);
        of[i] = get_file (files, path);
        units[i] = pv_code_files_borrow_units (files, of[i], NULL);
        g_assert_nonnull (units[i]);
        g_assert_true (pv_code_files_borrow_units (files, of[i], NULL) == units[i]);
        pv_code_files_return_units (files, units[i]);
    }
    /* All are in use, so all are there. */
    for (unsigned i = 0; i < G_N_ELEMENTS (names); i++) {
        uint32_t unit = pv_dwarf_units_find (
            units[i], pv_elf_image_find_section (of[i]->binary, ".text")->link_addr + 0x200);
        g_assert_true (unit == UINT32_MAX || unit == 0);
        pv_code_files_return_units (files, units[i]);
    }
    /* The last ones are kept. */
    for (unsigned i = G_N_ELEMENTS (names) - 4; i < G_N_ELEMENTS (names); i++) {
        g_assert_true (pv_code_files_borrow_units (files, of[i], NULL) == units[i]);
        pv_code_files_return_units (files, units[i]);
    }
    /* The result of a cancelled job is not complete. */
    pv_job_cancel (job);
    g_assert_null (pv_code_files_borrow_units (files, of[0], job));
    const PvDwarfUnits *again = pv_code_files_borrow_units (files, of[0], NULL);
    g_assert_nonnull (again);
    pv_code_files_return_units (files, again);
}
