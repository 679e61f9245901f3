/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Go's pclntab, as read by Go's own runtime (src/runtime/symtab.go; for its design see "Go 1.2
 * Runtime Symbol Information"). The first word identifies one of four layouts:
 *
 *     fffffffb  Go 1.2    one table; offsets count from its start; functions by absolute address
 *     fffffffa  Go 1.16   the header gives the offsets of five sub-tables
 *     fffffff0  Go 1.18   functions by 4-byte offset from the start of the text
 *     fffffff1  Go 1.20   functions know their first line; inlined calls in another layout
 *
 * Function table: sorted pairs (start, offset of a function record), and one more start at the end.
 * The record has offsets of the name and of programs (file, line, others) that map each pc to a
 * number: pairs of variable-length integers (zigzag difference of value, difference of pc).
 *
 * Inlined calls: a program maps pc to an entry of the function's inline tree, or -1. The entry has
 * the name of the inlined function and a pc in the enclosing function whose position is the call,
 * and so on outwards. Only the runtime's moduledata contains the address of the trees (since 1.18
 * as an offset from its gofunc), so it must be found: it starts with a pointer to the table.
 */
#include "core/symbolize/go/go-pclntab-private.h"

/* Indices of tables in a function record. */
#define PCDATA_INLINE_TREE   2
#define FUNCDATA_INLINE_TREE 3

#define MAX_INLINE_DEPTH  256
#define MAX_NAME_BYTES    65536u
#define MAX_PROGRAM_STEPS 1000000u

/* The function that covers an address. */
typedef struct {
    uint64_t start;
    uint64_t name;
    uint64_t file_program;
    uint64_t line_program;
    uint64_t inline_program; /* 0: none */
    uint64_t inline_tree;    /* link address; 0: none */
    uint64_t compilation_unit;
    uint32_t first_line; /* 0: unknown */
} Function;

/* Reading */

static const char *
get_string (PvGoTable *table, uint64_t offset)
{
    uint32_t *slot = pv_id_map_slot (&table->string_ids, offset + 1);
    if (*slot != 0)
        return table->strings[*slot - 1];

    PvCursor cursor = pv_go_table_cursor_at (table, offset);
    size_t len = 0;
    const char *raw = pv_cursor_string (&cursor, &len);
    const char *copy = raw != NULL && len > 0 && len <= MAX_NAME_BYTES
                           ? pv_arena_strndup (table->arena, raw, len)
                           : NULL;
    if (table->n_strings == table->cap) {
        table->cap = MAX (64, table->cap * 2);
        table->strings = g_renew (const char *, table->strings, table->cap);
    }
    table->strings[table->n_strings++] = copy;
    *slot = (uint32_t)table->n_strings;
    return copy;
}

/* The next pair of a program: a value and the end of its range. False at the end. */
static bool
next_value (PvCursor *cursor, unsigned quantum, bool is_started, uint64_t *location,
            uint32_t *value)
{
    uint32_t difference = (uint32_t)pv_cursor_uleb (cursor);
    if (difference == 0 && is_started)
        return false;
    *value += (difference & 1) != 0 ? ~(difference >> 1) : difference >> 1;
    *location += pv_cursor_uleb (cursor) * quantum;
    return !cursor->failed;
}

/* The value of a program at pc. */
static bool
run_program (const PvGoTable *table, uint64_t program, uint64_t start, uint64_t pc,
             int32_t *ret_value)
{
    PvCursor cursor = pv_go_table_cursor_at (table, table->programs + program);
    uint64_t at = start;
    uint32_t value = UINT32_MAX;

    if (program == 0)
        return false;
    for (unsigned step = 0; step < MAX_PROGRAM_STEPS; step++) {
        if (!next_value (&cursor, table->quantum, step > 0, &at, &value))
            return false;
        if (pc < at) {
            *ret_value = (int32_t)value;
            return true;
        }
    }
    return false;
}

/* Functions */

bool
pv_go_table_read_pair (const PvGoTable *table, uint64_t i, uint64_t *ret_start,
                       uint64_t *ret_record)
{
    bool is_short = table->version >= GO_1_18;
    size_t size = is_short ? 4 : table->pointer_size;
    PvCursor cursor = pv_go_table_cursor_at (table, table->functions + i * 2 * size);

    *ret_start = is_short ? table->text_start + pv_cursor_u32 (&cursor)
                          : pv_go_table_read_pointer (table, &cursor);
    if (cursor.failed)
        return false;
    /* The last one has no record. */
    *ret_record = is_short ? pv_cursor_u32 (&cursor) : pv_go_table_read_pointer (table, &cursor);
    return true;
}

/* The record is followed by its pcdata and funcdata tables. */
static void
read_inline_tables (const PvGoTable *table, PvCursor *cursor, uint32_t n_pcdata,
                    uint32_t n_funcdata, Function *function)
{
    if (table->version < GO_1_16 || n_pcdata <= PCDATA_INLINE_TREE ||
        n_funcdata <= FUNCDATA_INLINE_TREE || n_pcdata > pv_cursor_left (cursor) / 4)
        return;
    PvCursor pcdata = pv_cursor_sub (cursor, (size_t)n_pcdata * 4);
    pv_cursor_skip (&pcdata, PCDATA_INLINE_TREE * 4);
    function->inline_program = pv_cursor_u32 (&pcdata);

    if (table->version >= GO_1_18) {
        pv_cursor_skip (cursor, FUNCDATA_INLINE_TREE * 4);
        uint32_t offset = pv_cursor_u32 (cursor);
        if (!cursor->failed && offset != UINT32_MAX && table->gofunc != 0)
            function->inline_tree = table->gofunc + offset;
    } else {
        size_t misalignment = (size_t)(cursor->pos - table->data) % table->pointer_size;
        pv_cursor_skip (cursor, misalignment != 0 ? table->pointer_size - misalignment : 0);
        pv_cursor_skip (cursor, FUNCDATA_INLINE_TREE * table->pointer_size);
        uint64_t addr = pv_go_table_read_pointer (table, cursor);
        function->inline_tree = cursor->failed ? 0 : addr;
    }
}

/* A cursor after the entry address of a function record. */
static PvCursor
cursor_at_record (const PvGoTable *table, uint64_t record)
{
    /* Before 1.16, records are relative to the start of the table. */
    PvCursor cursor = pv_go_table_cursor_at (
        table, table->version == GO_1_2 ? record : table->functions + record);
    pv_cursor_skip (&cursor, table->version >= GO_1_18 ? 4 : table->pointer_size);
    return cursor;
}

static bool
read_function (const PvGoTable *table, uint64_t start, uint64_t record, Function *function)
{
    PvCursor cursor = cursor_at_record (table, record);

    *function = (Function){.start = start};
    function->name = pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, 3 * 4); /* args, deferreturn, pcsp */
    function->file_program = pv_cursor_u32 (&cursor);
    function->line_program = pv_cursor_u32 (&cursor);
    uint32_t n_pcdata = pv_cursor_u32 (&cursor);
    if (cursor.failed || table->version == GO_1_2)
        return !cursor.failed;
    function->compilation_unit = pv_cursor_u32 (&cursor);
    if (table->version >= GO_1_20)
        function->first_line = pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, 3); /* kind, flags */
    uint32_t n_funcdata = pv_cursor_u8 (&cursor);
    if (cursor.failed)
        return false;
    read_inline_tables (table, &cursor, n_pcdata, n_funcdata, function);
    return true;
}

static bool
find_function (const PvGoTable *table, uint64_t link_addr, Function *function)
{
    uint64_t low = 0;
    uint64_t start, end, record, ignored;

    for (uint64_t high = table->n_functions; low < high;) {
        uint64_t middle = low + (high - low) / 2;
        if (!pv_go_table_read_pair (table, middle, &start, &record))
            return false;
        if (start <= link_addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && pv_go_table_read_pair (table, low - 1, &start, &record) &&
           pv_go_table_read_pair (table, low, &end, &ignored) && link_addr >= start &&
           link_addr < end && read_function (table, start, record, function);
}

static const char *
get_file (PvGoTable *table, const Function *function, int32_t number)
{
    PvCursor cursor;
    uint64_t offset;

    if (table->version == GO_1_2) {
        if (number <= 0 || (uint64_t)number >= table->n_files)
            return NULL;
        cursor = pv_go_table_cursor_at (table, table->files + (uint64_t)number * 4);
        offset = pv_cursor_u32 (&cursor);
    } else {
        if (number < 0)
            return NULL;
        cursor = pv_go_table_cursor_at (
            table, table->compilation_units + (function->compilation_unit + (uint64_t)number) * 4);
        offset = pv_cursor_u32 (&cursor);
        if (offset == UINT32_MAX)
            return NULL;
        offset += table->files;
    }
    return cursor.failed ? NULL : get_string (table, offset);
}

static void
find_position (PvGoTable *table, const Function *function, uint64_t pc, const char **ret_file,
               uint32_t *ret_line)
{
    int32_t number, line;

    *ret_file = NULL;
    *ret_line = 0;
    if (run_program (table, function->file_program, function->start, pc, &number))
        *ret_file = get_file (table, function, number);
    if (run_program (table, function->line_program, function->start, pc, &line) && line > 0)
        *ret_line = (uint32_t)line;
}

/* An entry of the inline tree. */
typedef struct {
    uint64_t name;
    uint32_t parent_pc; /* offset in the function */
    uint32_t first_line;
} InlinedCall;

static bool
read_inlined_call (const PvGoTable *table, const Function *function, uint32_t index,
                   InlinedCall *ret_call)
{
    size_t entry_size = table->version >= GO_1_20 ? 16 : 20;
    size_t size_bytes;
    const uint8_t *data = pv_elf_image_read (
        table->binary, function->inline_tree + (uint64_t)index * entry_size, &size_bytes);

    if (function->inline_tree == 0 || data == NULL || size_bytes < entry_size)
        return false;
    PvCursor cursor = pv_cursor (data, entry_size, table->swap);
    if (table->version >= GO_1_20) {
        pv_cursor_skip (&cursor, 4); /* kind */
        ret_call->name = pv_cursor_u32 (&cursor);
        ret_call->parent_pc = pv_cursor_u32 (&cursor);
        ret_call->first_line = pv_cursor_u32 (&cursor);
    } else {
        pv_cursor_skip (&cursor, 12); /* parent, kind, file and line of the call */
        ret_call->name = pv_cursor_u32 (&cursor);
        ret_call->parent_pc = pv_cursor_u32 (&cursor);
        ret_call->first_line = 0;
    }
    return true;
}

bool
pv_go_table_find (PvGoTable *table, uint64_t link_addr, PvFrameChain *ret_chain)
{
    g_assert (table->arena != NULL && ret_chain != NULL);

    PvChainFrame frames[MAX_INLINE_DEPTH];
    uint32_t n_frames = 0;
    uint64_t pc = link_addr;
    Function function;
    InlinedCall call;
    int32_t index;

    if (!find_function (table, link_addr, &function))
        return false;
    while (n_frames < MAX_INLINE_DEPTH - 1 &&
           run_program (table, function.inline_program, function.start, pc, &index) && index >= 0 &&
           read_inlined_call (table, &function, (uint32_t)index, &call)) {
        PvChainFrame *frame = &frames[n_frames++];
        *frame = (PvChainFrame){.name = get_string (table, table->names + call.name),
                                .is_inlined = true};
        find_position (table, &function, pc, &frame->file, &frame->line);
        if (call.first_line != 0) {
            frame->decl_file = frame->file;
            frame->decl_line = call.first_line;
        }
        pc = function.start + call.parent_pc;
    }
    PvChainFrame *frame = &frames[n_frames++];
    *frame = (PvChainFrame){.name = get_string (table, table->names + function.name)};
    find_position (table, &function, pc, &frame->file, &frame->line);
    find_position (table, &function, function.start, &frame->decl_file, &frame->decl_line);
    if (function.first_line != 0)
        frame->decl_line = function.first_line;
    if (frame->name == NULL)
        return false;
    ret_chain->frames = pv_arena_memdup (table->arena, frames, n_frames * sizeof *frames);
    ret_chain->n_frames = n_frames;
    return true;
}
/* Sizes of frames */

uint64_t
pv_go_table_get_n_functions (const PvGoTable *table)
{
    return table->n_functions;
}

bool
pv_go_table_get_function (const PvGoTable *table, uint64_t i, PvGoFunction *ret_function)
{
    enum { IS_TOP = 1, WRITES_SP = 2, MAX_SHORT_NAME_BYTES = 64 };
    uint64_t start, end, record, ignored;
    if (i >= table->n_functions || !pv_go_table_read_pair (table, i, &start, &record) ||
        !pv_go_table_read_pair (table, i + 1, &end, &ignored) || start >= end)
        return false;
    PvCursor cursor = cursor_at_record (table, record);
    uint32_t name = pv_cursor_u32 (&cursor);
    pv_cursor_skip (&cursor, 2 * 4); /* args, deferreturn */
    uint32_t program = pv_cursor_u32 (&cursor);
    uint8_t flags = 0;
    if (table->version >= GO_1_16) {
        /* file, line, tables of pc values, compilation unit, first line, kind */
        pv_cursor_skip (&cursor, (table->version >= GO_1_20 ? 5 : 4) * 4 + 1);
        flags = pv_cursor_u8 (&cursor); /* zero before 1.17 */
    }
    /* Bounded: many functions could refer to one endless string. */
    PvCursor names = pv_go_table_cursor_at (table, table->names + name);
    names = pv_cursor (names.pos, MIN (pv_cursor_left (&names), MAX_SHORT_NAME_BYTES), false);
    *ret_function = (PvGoFunction){
        .start = start,
        .end = end,
        .name = pv_cursor_string (&names, NULL),
        .is_top = flags & IS_TOP,
        .writes_sp = flags & WRITES_SP,
        .has_marks = table->version >= GO_1_18,
        .frame_program = program,
    };
    return !cursor.failed;
}

void
pv_go_frame_sizes_start (PvGoFrameSizes *sizes, const PvGoTable *table,
                         const PvGoFunction *function)
{
    *sizes = (PvGoFrameSizes){
        .cursor = pv_go_table_cursor_at (table, table->programs + function->frame_program),
        .location = function->start,
        .end = function->end,
        .size = UINT32_MAX,
        .quantum = table->quantum,
    };
    if (function->frame_program == 0)
        sizes->cursor.failed = true;
}

bool
pv_go_frame_sizes_next (PvGoFrameSizes *sizes, uint64_t *ret_end, int32_t *ret_size_bytes)
{
    uint64_t start = sizes->location;
    if (!next_value (&sizes->cursor, sizes->quantum, sizes->is_started, &sizes->location,
                     &sizes->size) ||
        sizes->location <= start)
        return false;
    sizes->is_started = true;
    *ret_end = MIN (sizes->location, sizes->end);
    *ret_size_bytes = (int32_t)sizes->size;
    return true;
}

PvGoTable *
pv_go_table_new (PvElfImage *binary, PvArena *arena)
{
    g_assert (binary != NULL);

    PvGoTable *table = g_new0 (PvGoTable, 1);

    table->binary = binary;
    table->arena = arena;
    table->swap = pv_elf_image_is_swapped (binary);
    if (!pv_go_table_find_header (table)) {
        g_free (table);
        return NULL;
    }
    if (arena != NULL)
        table->gofunc = pv_go_table_find_gofunc (table);
    return table;
}

void
pv_go_table_free (PvGoTable *table)
{
    if (table == NULL)
        return;
    pv_id_map_clear (&table->string_ids);
    g_free (table->strings);
    g_free (table);
}
