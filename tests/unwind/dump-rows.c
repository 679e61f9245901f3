/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/symbolize/unwind/cfi-table.h"

/*
 * dump-rows FILE: reads link addresses (hexadecimal, one per line) and prints for each what our
 * unwind table says, in the words of readelf --debug-dump=frames-interp:
 *
 *     ADDRESS KIND CFA FRAME_POINTER RETURN_ADDRESS
 *
 * KIND tells where it comes from: "row" for a compact row, "full" for a program run again.
 */
static void
print_rule (char *text, size_t size, const PvCfiRule *rule)
{
    static const char *const names[] = {
        [PV_CFI_UNDEFINED] = "u",
        [PV_CFI_SAME] = "s",
        [PV_CFI_EXPRESSION] = "exp",
        [PV_CFI_VAL_EXPRESSION] = "vexp",
    };
    if (rule->kind == PV_CFI_OFFSET)
        snprintf (text, size, "c%+" PRId64, rule->value);
    else if (rule->kind == PV_CFI_VAL_OFFSET)
        snprintf (text, size, "v%+" PRId64, rule->value);
    else if (rule->kind == PV_CFI_REGISTER)
        snprintf (text, size, "r%" PRId64, rule->value);
    else
        snprintf (text, size, "%s", names[rule->kind]);
}

static void
print_full (const PvCfiTable *table, uint64_t addr)
{
    const PvCfiArch *arch = pv_cfi_table_get_arch (table);
    char fp[32], ra[32];
    PvCfiRules rules;
    if (!pv_cfi_table_find_rules (table, addr, &rules)) {
        printf ("%" PRIx64 " full broken\n", addr);
        return;
    }
    print_rule (fp, sizeof fp, &rules.row.registers[arch->fp]);
    print_rule (ra, sizeof ra, &rules.row.registers[arch->ra]);
    if (rules.row.cfa.kind == PV_CFI_REGISTER)
        printf ("%" PRIx64 " full r%" PRIu64 "%+" PRId64 " %s %s\n", addr, rules.row.cfa_register,
                rules.row.cfa.value, fp, ra);
    else
        printf ("%" PRIx64 " full exp %s %s\n", addr, fp, ra);
}

static void
print_saved (char *text, size_t size, int words, unsigned word_size)
{
    if (words == 0)
        snprintf (text, size, "s");
    else
        snprintf (text, size, "c%+d", words * (int)word_size);
}

static void
print_row (const PvCfiTable *table, uint64_t addr)
{
    const PvCfiArch *arch = pv_cfi_table_get_arch (table);
    const PvUnwindRow *row = pv_cfi_table_find (table, addr);
    PvUnwindKind kind = pv_unwind_row_kind (row);
    if (kind == PV_UNWIND_FULL) {
        print_full (table, addr);
        return;
    }
    if (kind == PV_UNWIND_OTHER) {
        printf ("%" PRIx64 " row %s\n", addr, row->cfa >> 2 == PV_UNWIND_ROOT ? "root" : "none");
        return;
    }
    int fp_words = row->frame, ra_words = -1;
    if (arch->has_link_register) {
        PvUnwindShape shape = row->frame & 3;
        int n = row->frame >> 2;
        fp_words = shape == PV_UNWIND_RECORD || shape == PV_UNWIND_LINK_BELOW ? -n : 0;
        ra_words = shape == PV_UNWIND_LEAF         ? 0
                   : shape == PV_UNWIND_RECORD     ? -n + 1
                   : shape == PV_UNWIND_LINK_BELOW ? -n - 1
                                                   : -n;
    }
    char fp[32], ra[32];
    print_saved (fp, sizeof fp, fp_words, arch->word_size);
    print_saved (ra, sizeof ra, ra_words, arch->word_size);
    printf ("%" PRIx64 " row r%u+%u %s %s\n", addr, kind == PV_UNWIND_SP ? arch->sp : arch->fp,
            (unsigned)(row->cfa >> 2) * arch->word_size, fp, ra);
}

int
main (int argc, char **argv)
{
    GError *error = NULL;
    if (argc != 2)
        return 2;
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (argv[1], &error);
    g_autoptr (PvElfImage) image = file != NULL ? pv_elf_image_new (file, argv[1], &error) : NULL;
    if (image == NULL) {
        fprintf (stderr, "%s: %s\n", argv[1], error->message);
        return 1;
    }
    g_autoptr (PvCfiTable) table = pv_cfi_table_new_for_image (image, NULL);
    if (table == NULL)
        return 1;
    char line[64];
    while (fgets (line, sizeof line, stdin) != NULL)
        print_row (table, strtoull (line, NULL, 16));
    return 0;
}
