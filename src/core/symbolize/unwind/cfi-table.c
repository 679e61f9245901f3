/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/unwind/cfi-table.h"

#include "core/base/array.h"
#include "core/base/search.h"
#include "core/symbolize/go/go-rows.h"

/*
 * Building: lists the FDEs of all sections, sorts them by address (linkers write them nearly
 * sorted), cuts overlaps, then runs each program once and packs each of its rows into 8 bytes.
 * Drops rows equal to the previous one; if no FDE follows immediately, adds a NONE row so that
 * padding does not count as part of the function.
 *
 * Lookup: an index has, for each page of addresses (1 KiB, more if code is sparse), the row at its
 * start; between that and the next page's row, a branchless binary search takes a few steps.
 */
#define MAX_SECTIONS     3
#define MIN_PAGE_SHIFT   10
#define MAX_CFA_WORDS    ((1 << 14) - 1)
#define MAX_RECORD_WORDS ((1 << 13) - 1)
/* Bytes of an FDE's instructions; hand-written code, which has rare rules, has far fewer. */
#define MAX_PROGRAM_TO_RERUN (128 * 1024)
#define MAX_GO_ROWS_TO_RERUN (64 * 1024)

typedef struct {
    uint32_t start; /* from base */
    uint32_t end;
    uint32_t offset; /* in the section; for Go functions: the index */
    uint32_t section;
} Fde;

/* In place of a section index: Go's table, which wins over all sections. */
#define GO_SECTION UINT32_MAX

struct PvCfiTable {
    const PvCfiArch *arch;
    PvCfiSection sections[MAX_SECTIONS];
    unsigned n_sections;
    PvElfImage *binary; /* for Go functions */
    PvGoTable *go;      /* NULL: none */
    uint64_t base;
    uint32_t page_shift;
    uint32_t n_pages;
    uint32_t *row_of_page; /* n_pages + 1 */
    PV_ARRAY (PvUnwindRow) rows;
    PV_ARRAY (Fde) fdes;
};

static const PvUnwindRow no_row = {.cfa = PV_UNWIND_OTHER | PV_UNWIND_NONE << 2};

/* Packing */

static PvUnwindRow
make_other (uint32_t pc, PvUnwindOther other)
{
    return (PvUnwindRow){pc, (uint16_t)(PV_UNWIND_OTHER | other << 2), 0};
}

/* Packs a register's rule as a number of words from the CFA; false if it is another kind of
 * rule. */
static bool
pack_saved (const PvCfiArch *arch, const PvCfiRule *rule, int64_t *ret_words)
{
    switch (rule->kind) {
    case PV_CFI_SAME:
    case PV_CFI_UNDEFINED: /* fails later, if the register is needed */
        *ret_words = 0;
        return true;
    case PV_CFI_OFFSET:
        *ret_words = rule->value / arch->word_size;
        return *ret_words != 0 && rule->value % arch->word_size == 0;
    default:
        return false;
    }
}

static bool
pack_stack_frame (const PvCfiArch *arch, const PvCfiRow *row, int16_t *ret_frame)
{
    int64_t fp;
    const PvCfiRule *ra = &row->registers[arch->ra];
    if (ra->kind != PV_CFI_OFFSET || ra->value != -(int64_t)arch->word_size ||
        !pack_saved (arch, &row->registers[arch->fp], &fp) || fp < INT16_MIN || fp > INT16_MAX)
        return false;
    *ret_frame = (int16_t)fp;
    return true;
}

static bool
pack_link_frame (const PvCfiArch *arch, const PvCfiRow *row, int16_t *ret_frame)
{
    int64_t fp, ra;
    if (!pack_saved (arch, &row->registers[arch->fp], &fp) ||
        !pack_saved (arch, &row->registers[arch->ra], &ra))
        return false;
    PvUnwindShape shape;
    int64_t n;
    if (ra == 0 && fp == 0) {
        shape = PV_UNWIND_LEAF;
        n = 0;
    } else if (fp == 0) {
        shape = PV_UNWIND_LINK;
        n = -ra;
    } else if (ra == fp + 1 || ra == fp - 1) {
        shape = ra > fp ? PV_UNWIND_RECORD : PV_UNWIND_LINK_BELOW;
        n = -fp;
    } else {
        return false;
    }
    if (n < 0 || n > MAX_RECORD_WORDS)
        return false;
    *ret_frame = (int16_t)(shape | n << 2);
    return true;
}

/* Inlined like add_row (), because it runs for every row of all FDEs. */
static inline __attribute__ ((always_inline)) PvUnwindRow
pack (const PvCfiArch *arch, const PvCfiRow *row, bool is_rare, uint32_t pc)
{
    PvUnwindRow packed = {pc, PV_UNWIND_FULL, 0};
    if (is_rare)
        return packed;
    if (row->registers[arch->ra].kind == PV_CFI_UNDEFINED)
        return make_other (pc, PV_UNWIND_ROOT);
    int64_t words = row->cfa.value / arch->word_size;
    if (row->cfa.kind != PV_CFI_REGISTER ||
        (row->cfa_register != arch->sp && row->cfa_register != arch->fp) ||
        row->cfa.value % arch->word_size != 0 || words < 0 || words > MAX_CFA_WORDS ||
        row->registers[arch->sp].kind != PV_CFI_SAME)
        return packed;
    bool is_packed = arch->has_link_register ? pack_link_frame (arch, row, &packed.frame)
                                             : pack_stack_frame (arch, row, &packed.frame);
    if (is_packed) {
        PvUnwindKind kind = row->cfa_register == arch->sp ? PV_UNWIND_SP : PV_UNWIND_FP;
        packed.cfa = (uint16_t)(kind | words << 2);
    }
    return packed;
}

/* Building */

static inline __attribute__ ((always_inline)) void
add_row (PvCfiTable *table, PvUnwindRow row)
{
    PvUnwindRow *last = &table->rows.data[table->rows.len - 1];
    if (last->pc == row.pc) {
        *last = row;
        if (table->rows.len == 1 || last[-1].cfa != row.cfa || last[-1].frame != row.frame)
            return;
        table->rows.len--;
    } else if (last->cfa != row.cfa || last->frame != row.frame) {
        pv_array_push (&table->rows, row);
    }
}

/* Lower is better. */
static uint32_t
rank_of (const Fde *fde)
{
    return fde->section + 1; /* GO_SECTION becomes 0 */
}

static int
compare_fdes (const void *a, const void *b)
{
    const Fde *x = a, *y = b;
    return pv_order (x->start, y->start) ?: pv_order (rank_of (x), rank_of (y)) ?:
           pv_order (x->offset, y->offset);
}

typedef struct {
    uint64_t start;
    uint64_t end;
} Range;

static void
list_fdes (PvCfiTable *table, unsigned section_index, Range allowed, PvCfiCieCache *cache)
{
    const PvCfiSection *section = &table->sections[section_index];
    size_t offset = 0;
    PvCfiEntry entry;
    PvCfiFde fde;
    while (pv_cfi_next_entry (section, &offset, &entry)) {
        if (!pv_cfi_read_fde (section, table->arch, &entry, cache, &fde))
            continue;
        if (fde.start < allowed.start || fde.end > allowed.end)
            continue;
        uint64_t start = fde.start - table->base, end = fde.end - table->base;
        if (end > UINT32_MAX || entry.offset > UINT32_MAX)
            continue;
        Fde listed = {(uint32_t)start, (uint32_t)end, (uint32_t)entry.offset, section_index};
        pv_array_push (&table->fdes, listed);
    }
}

static void
list_go_functions (PvCfiTable *table, Range allowed)
{
    PvGoFunction function;
    uint64_t n_functions = table->go != NULL ? pv_go_table_get_n_functions (table->go) : 0;
    for (uint64_t i = 0; i < n_functions && i <= UINT32_MAX; i++) {
        if (!pv_go_table_get_function (table->go, i, &function) || function.start < allowed.start ||
            function.end > allowed.end || function.end - table->base > UINT32_MAX)
            continue;
        Fde listed = {(uint32_t)(function.start - table->base),
                      (uint32_t)(function.end - table->base), (uint32_t)i, GO_SECTION};
        pv_array_push (&table->fdes, listed);
    }
}

static void
sort_fdes (PvCfiTable *table)
{
    Fde *fdes = table->fdes.data;
    bool is_sorted = true;
    for (size_t i = 1; i < table->fdes.len && is_sorted; i++)
        is_sorted = compare_fdes (&fdes[i - 1], &fdes[i]) <= 0;
    if (!is_sorted)
        pv_array_sort (&table->fdes, compare_fdes);
}

/* If FDEs overlap, cuts the first one where the next starts, or drops the next one if its section
 * ranks lower; of two with the same start, keeps the one of the better section. */
static void
cut_overlaps (PvCfiTable *table)
{
    Fde *fdes = table->fdes.data;
    size_t kept = 0;
    for (size_t i = 0; i < table->fdes.len; i++) {
        if (kept > 0 && fdes[i].start < fdes[kept - 1].end) {
            if (fdes[i].start == fdes[kept - 1].start ||
                rank_of (&fdes[i]) > rank_of (&fdes[kept - 1]))
                continue;
            fdes[kept - 1].end = fdes[i].start;
        }
        fdes[kept++] = fdes[i];
    }
    table->fdes.len = kept;
}

/* Starts the rows of a listed Go function, which other entries may have cut short. */
static bool
start_go_rows (const PvCfiTable *table, const Fde *listed, PvGoRows *rows)
{
    PvGoFunction function;
    if (!pv_go_table_get_function (table->go, listed->offset, &function))
        return false;
    function.end = MIN (function.end, table->base + listed->end);
    pv_go_rows_start (rows, table->arch, table->binary, table->go, &function);
    return true;
}

static void
add_rows_of_go_function (PvCfiTable *table, const Fde *listed)
{
    PvGoRows rows;
    PvGoRow row;
    uint64_t done = table->base + listed->start;
    if (start_go_rows (table, listed, &rows)) {
        while (pv_go_rows_next (&rows, &row)) {
            uint32_t pc = (uint32_t)(row.start - table->base);
            bool may_switch_stack =
                row.kind == PV_GO_ROW_SWITCHED && row.row.cfa.kind == PV_CFI_UNDEFINED;
            bool is_rare = row.kind == PV_GO_ROW_INTERRUPTED || row.kind == PV_GO_ROW_SWITCHED;
            add_row (table, may_switch_stack ? make_other (pc, PV_UNWIND_AWAY)
                                             : pack (table->arch, &row.row, is_rare, pc));
            done = row.end;
        }
    }
    add_row (table, make_other ((uint32_t)(done - table->base), PV_UNWIND_NONE));
}

static void
add_rows_of_fde (PvCfiTable *table, const Fde *listed, PvCfiCieCache *cache, PvCfiProgram *program)
{
    const PvCfiSection *section = &table->sections[listed->section];
    size_t offset = listed->offset;
    PvCfiEntry entry;
    PvCfiFde fde;
    uint64_t start, end, done = table->base + listed->start;
    if (pv_cfi_next_entry (section, &offset, &entry) &&
        pv_cfi_read_fde (section, table->arch, &entry, cache, &fde)) {
        fde.end = table->base + listed->end;
        pv_cfi_program_start (program, section, table->arch, &fde);
        while (pv_cfi_program_next (program, &start, &end)) {
            add_row (table, pack (table->arch, &program->row, fde.cie->is_signal,
                                  (uint32_t)(start - table->base)));
            done = end;
        }
    }
    /* The next FDE's first row replaces this one if it starts at the same address. */
    add_row (table, make_other ((uint32_t)(done - table->base), PV_UNWIND_NONE));
}

static void
index_pages (PvCfiTable *table)
{
    const PvUnwindRow *rows = table->rows.data;
    size_t n_rows = table->rows.len;
    uint32_t last = rows[n_rows - 1].pc;
    table->page_shift = MIN_PAGE_SHIFT;
    while ((last >> table->page_shift) > 2 * n_rows + 64)
        table->page_shift++;
    table->n_pages = (last >> table->page_shift) + 1;
    table->row_of_page = g_new (uint32_t, (size_t)table->n_pages + 1);
    size_t row = 0;
    for (uint32_t page = 0; page < table->n_pages; page++) {
        uint32_t start = page << table->page_shift;
        while (row + 1 < n_rows && rows[row + 1].pc <= start)
            row++;
        table->row_of_page[page] = (uint32_t)row;
    }
    table->row_of_page[table->n_pages] = (uint32_t)n_rows - 1;
}

PvCfiTable *
pv_cfi_table_new (const PvCfiArch *arch, PvElfImage *binary, PvGoTable *go,
                  const PvCfiSection *sections, unsigned n_sections, uint64_t start, uint64_t end)
{
    g_assert (arch != NULL);
    g_assert (binary != NULL || go == NULL);
    g_assert (sections != NULL || n_sections == 0);

    g_assert (n_sections <= MAX_SECTIONS && (go == NULL || binary != NULL));
    PvCfiTable *table = g_new0 (PvCfiTable, 1);
    PvCfiCieCache *caches = g_new (PvCfiCieCache, MAX_SECTIONS);
    PvCfiProgram *program = g_new (PvCfiProgram, 1);
    table->arch = arch;
    table->binary = binary;
    table->go = go;
    table->base = start;
    table->n_sections = n_sections;
    list_go_functions (table, (Range){start, end});
    for (unsigned i = 0; i < n_sections; i++) {
        table->sections[i] = sections[i];
        pv_cfi_cie_cache_init (&caches[i]);
        list_fdes (table, i, (Range){start, end}, &caches[i]);
    }
    sort_fdes (table);
    cut_overlaps (table);

    pv_array_reserve (&table->rows, table->fdes.len * 8 + 1);
    pv_array_push (&table->rows, no_row);
    for (size_t i = 0; i < table->fdes.len; i++) {
        const Fde *fde = &table->fdes.data[i];
        if (fde->section == GO_SECTION)
            add_rows_of_go_function (table, fde);
        else
            add_rows_of_fde (table, fde, &caches[fde->section], program);
    }
    index_pages (table);
    g_free (program);
    g_free (caches);
    return table;
}

void
pv_cfi_table_free (PvCfiTable *table)
{
    if (table == NULL)
        return;
    pv_go_table_free (table->go);
    pv_array_clear (&table->rows);
    pv_array_clear (&table->fdes);
    g_free (table->row_of_page);
    g_free (table);
}

/* Lookup */

const PvCfiArch *
pv_cfi_table_get_arch (const PvCfiTable *table)
{
    return table->arch;
}

size_t
pv_cfi_table_get_rows (const PvCfiTable *table, const PvUnwindRow **ret_rows, uint64_t *ret_base)
{
    *ret_rows = table->rows.data;
    *ret_base = table->base;
    return table->rows.len;
}

const PvUnwindRow *
pv_cfi_table_find (const PvCfiTable *table, uint64_t link_addr)
{
    uint64_t relative = link_addr - table->base;
    uint64_t page = relative >> table->page_shift;
    if (link_addr < table->base || page >= table->n_pages)
        return &no_row;
    uint32_t pc = (uint32_t)relative;
    uint32_t first = table->row_of_page[page];
    uint32_t n = table->row_of_page[page + 1] - first + 1;
    const PvUnwindRow *row = table->rows.data + first;
    while (n > 1) {
        uint32_t half = n / 2;
        row += row[half].pc <= pc ? half : 0;
        n -= half;
    }
    return row;
}

static const Fde *
find_fde (const PvCfiTable *table, uint64_t link_addr)
{
    uint64_t relative = link_addr - table->base;
    if (link_addr < table->base || relative > UINT32_MAX)
        return NULL;
    size_t low = pv_bisect (0, table->fdes.len, i, table->fdes.data[i].start <= relative);
    const Fde *fde = low > 0 ? &table->fdes.data[low - 1] : NULL;
    return fde != NULL && relative < fde->end ? fde : NULL;
}

bool
pv_cfi_table_find_function (const PvCfiTable *table, uint64_t link_addr, uint64_t *ret_start,
                            uint64_t *ret_end)
{
    const Fde *fde = find_fde (table, link_addr);
    if (fde == NULL)
        return false;
    *ret_start = table->base + fde->start;
    *ret_end = table->base + fde->end;
    return true;
}

static bool
find_go_rules (const PvCfiTable *table, const Fde *listed, uint64_t link_addr,
               PvCfiRules *ret_rules)
{
    PvGoRows rows;
    PvGoRow row;
    if (!start_go_rows (table, listed, &rows))
        return false;
    for (unsigned i = 0; i < MAX_GO_ROWS_TO_RERUN && pv_go_rows_next (&rows, &row); i++) {
        if (link_addr < row.end) {
            *ret_rules = (PvCfiRules){
                .is_signal = row.kind == PV_GO_ROW_INTERRUPTED,
                .may_switch_stack = row.kind == PV_GO_ROW_SWITCHED,
                .row = row.row,
            };
            return true;
        }
    }
    return false;
}

bool
pv_cfi_table_find_rules (const PvCfiTable *table, uint64_t link_addr, PvCfiRules *ret_rules)
{
    const Fde *listed = find_fde (table, link_addr);
    if (listed == NULL)
        return false;
    if (listed->section == GO_SECTION)
        return find_go_rules (table, listed, link_addr, ret_rules);
    const PvCfiSection *section = &table->sections[listed->section];
    PvCfiCieCache cache;
    PvCfiProgram program;
    PvCfiEntry entry;
    PvCfiFde fde;
    size_t offset = listed->offset;
    uint64_t start, end;
    pv_cfi_cie_cache_init (&cache);
    if (!pv_cfi_next_entry (section, &offset, &entry) ||
        !pv_cfi_read_fde (section, table->arch, &entry, &cache, &fde))
        return false;
    if (pv_cursor_left (&fde.program) > MAX_PROGRAM_TO_RERUN)
        return false;
    pv_cfi_program_start (&program, section, table->arch, &fde);
    while (pv_cfi_program_next (&program, &start, &end)) {
        if (link_addr < end) {
            ret_rules->section = section;
            ret_rules->is_signal = fde.cie->is_signal;
            ret_rules->may_switch_stack = false;
            ret_rules->row = program.row;
            return true;
        }
    }
    return false;
}
