/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program's facts about how it can be recorded: unwind tables, code, symbols, allocators. The
 * same bytes stand for its debug file too, as those of a file of its own. */
#include <string.h>

#include "core/probe/program-facts.h"

static void
check_facts (const PvProgramFacts *facts)
{
    static const PvProgramFacts nothing;
    if (!facts->is_known)
        g_assert (memcmp (facts, &nothing, sizeof nothing) == 0);
    g_assert (facts->frame_pointers <= PV_FRAME_POINTERS_OMITTED);
    g_assert (!facts->has_prefixed_jemalloc || facts->has_jemalloc);
    g_assert (!facts->lacks_jemalloc_dumps || (facts->has_jemalloc && facts->has_own_malloc));
    g_assert (!facts->is_go || !facts->lacks_unwind_tables);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size_bytes)
{
    g_autoptr (PvMappedFile) file =
        pv_mapped_file_new_take (g_memdup2 (data, size_bytes), size_bytes);
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, "fuzz", NULL);
    g_autoptr (PvElfImage) debug = pv_elf_image_new (file, "fuzz", NULL);
    g_autoptr (PvJob) job = pv_job_new ();
    PvProgramFacts alone, together, again;

    if (image == NULL)
        return 0;
    memset (&alone, 0, sizeof alone); /* to be compared as bytes */
    memset (&again, 0, sizeof again);
    g_assert (pv_program_facts_judge (image, NULL, job, &alone));
    g_assert (pv_program_facts_judge (image, NULL, NULL, &again));
    g_assert (memcmp (&alone, &again, sizeof alone) == 0);
    check_facts (&alone);
    g_assert (pv_program_facts_judge (image, debug, job, &together));
    check_facts (&together);
    g_assert (together.has_symbols == alone.has_symbols);

    pv_job_cancel (job);
    g_assert (!pv_program_facts_judge (image, NULL, job, &again));
    g_assert (!again.is_known);
    return 0;
}
