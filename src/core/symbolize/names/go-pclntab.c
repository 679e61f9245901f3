/*
 * Go's pclntab, as the runtime of Go itself reads it (src/runtime/symtab.go; the design is in
 * "Go 1.2 Runtime Symbol Information"). Four layouts, told apart by the first word:
 *
 *     fffffffb  Go 1.2    one table; offsets count from its start; functions by absolute address
 *     fffffffa  Go 1.16   the header gives the offsets of five sub-tables
 *     fffffff0  Go 1.18   functions by 4-byte offset from the start of the text
 *     fffffff1  Go 1.20   functions know their first line; inlined calls in another layout
 *
 * Function table: pairs (start, offset of a function record), sorted, and one more start at the
 * end. The record has offsets of the name and of three programs (file, line, others) that map each
 * pc to a number: pairs of variable-length integers (zigzag difference of value, difference of pc).
 *
 * Inlined calls: a program maps pc to an entry of the function's inline tree, or -1. The entry
 * names the inlined function and gives a pc of the function around it whose position is the call,
 * and so on outwards. Trees lie at an address that only the runtime's moduledata knows (since 1.18
 * as an offset from its gofunc), so moduledata is searched for: it begins with a pointer to the
 * table.
 */
#include "core/symbolize/names/go-pclntab.h"

#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/base/idmap.h"

typedef enum {
    GO_1_2,
    GO_1_16,
    GO_1_18,
    GO_1_20,
} Version;

/* Indices of tables in a function record. */
#define PCDATA_INLINE_TREE   2
#define FUNCDATA_INLINE_TREE 3

#define MAX_INLINE_DEPTH  256
#define MAX_NAME_BYTES    65536u
#define MAX_PROGRAM_STEPS 1000000u
#define MAX_CANDIDATES    16

/* Words of moduledata: where gofunc is. */
#define GOFUNC_WORD_1_18 38
#define GOFUNC_WORD_1_20 40

struct PvGoTable {
    PvElfImage *binary;
    PvArena *arena;
    Version version;
    bool swap;
    size_t pointer_size;
    unsigned quantum; /* of pc differences */

    const uint8_t *data; /* the whole table and whatever follows in its section */
    size_t size_bytes;
    uint64_t link_addr;

    uint64_t n_functions;
    uint64_t text_start; /* 1.18: what function starts count from */
    uint64_t functions;  /* offsets in data of the sub-tables */
    uint64_t names;
    uint64_t compilation_units; /* 1.16: lists of file name offsets */
    uint64_t files;
    uint64_t n_files; /* 1.2 */
    uint64_t programs;
    uint64_t gofunc; /* link address; 0: unknown */

    PvIdMap string_ids; /* offset in data + 1 -> 1 + place in strings */
    const char **strings;
    size_t n_strings;
    size_t cap;
};

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

/* --- reading ---------------------------------------------------------------------------------- */

/* A cursor from an offset of the table on; failed if that is outside. */
static PvCursor
cursor_at (const PvGoTable *table, uint64_t offset)
{
    bool is_inside = offset <= table->size_bytes;
    PvCursor cursor =
        is_inside ? pv_cursor (table->data + offset, table->size_bytes - offset, table->swap)
                  : pv_cursor (table->data, 0, table->swap);
    cursor.failed = !is_inside;
    return cursor;
}

static uint64_t
read_pointer (const PvGoTable *table, PvCursor *cursor)
{
    return table->pointer_size == 8 ? pv_cursor_u64 (cursor) : pv_cursor_u32 (cursor);
}

static const char *
get_string (PvGoTable *table, uint64_t offset)
{
    uint32_t *slot = pv_id_map_slot (&table->string_ids, offset + 1);
    if (*slot != 0)
        return table->strings[*slot - 1];

    PvCursor cursor = cursor_at (table, offset);
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

/* The value a program has at pc. */
static bool
run_program (const PvGoTable *table, uint64_t program, uint64_t start, uint64_t pc,
             int32_t *ret_value)
{
    PvCursor cursor = cursor_at (table, table->programs + program);
    uint64_t at = start;
    uint32_t value = UINT32_MAX;

    if (program == 0)
        return false;
    for (unsigned step = 0; step < MAX_PROGRAM_STEPS && !cursor.failed; step++) {
        uint32_t difference = (uint32_t)pv_cursor_uleb (&cursor);
        if (difference == 0 && step > 0)
            return false; /* the end */
        value += (difference & 1) != 0 ? ~(difference >> 1) : difference >> 1;
        at += pv_cursor_uleb (&cursor) * table->quantum;
        if (!cursor.failed && pc < at) {
            *ret_value = (int32_t)value;
            return true;
        }
    }
    return false;
}

/* --- functions -------------------------------------------------------------------------------- */

/* The i-th pair of the function table; i may be the number of functions, for the end. */
static bool
read_pair (const PvGoTable *table, uint64_t i, uint64_t *ret_start, uint64_t *ret_record)
{
    bool is_short = table->version >= GO_1_18;
    size_t size = is_short ? 4 : table->pointer_size;
    PvCursor cursor = cursor_at (table, table->functions + i * 2 * size);

    *ret_start =
        is_short ? table->text_start + pv_cursor_u32 (&cursor) : read_pointer (table, &cursor);
    if (cursor.failed)
        return false;
    /* The one at the end has no record. */
    *ret_record = is_short ? pv_cursor_u32 (&cursor) : read_pointer (table, &cursor);
    return true;
}

/* Tables of the record's pcdata and funcdata follow it. */
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
        uint64_t addr = read_pointer (table, cursor);
        function->inline_tree = cursor->failed ? 0 : addr;
    }
}

static bool
read_function (const PvGoTable *table, uint64_t start, uint64_t record, Function *function)
{
    /* Before 1.16 records count from the start of the table. */
    PvCursor cursor =
        cursor_at (table, table->version == GO_1_2 ? record : table->functions + record);

    *function = (Function){.start = start};
    if (table->version >= GO_1_18)
        pv_cursor_u32 (&cursor); /* entry */
    else
        read_pointer (table, &cursor);
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
        if (!read_pair (table, middle, &start, &record))
            return false;
        if (start <= link_addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && read_pair (table, low - 1, &start, &record) &&
           read_pair (table, low, &end, &ignored) && link_addr >= start && link_addr < end &&
           read_function (table, start, record, function);
}

static const char *
get_file (PvGoTable *table, const Function *function, int32_t number)
{
    PvCursor cursor;
    uint64_t offset;

    if (table->version == GO_1_2) {
        if (number <= 0 || (uint64_t)number >= table->n_files)
            return NULL;
        cursor = cursor_at (table, table->files + (uint64_t)number * 4);
        offset = pv_cursor_u32 (&cursor);
    } else {
        if (number < 0)
            return NULL;
        cursor = cursor_at (table, table->compilation_units +
                                       (function->compilation_unit + (uint64_t)number) * 4);
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
pv_go_table_find (PvGoTable *table, uint64_t link_addr, PvDwarfChain *ret_chain)
{
    PvDwarfFrame frames[MAX_INLINE_DEPTH];
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
        PvDwarfFrame *frame = &frames[n_frames++];
        *frame = (PvDwarfFrame){.name = get_string (table, table->names + call.name),
                                .is_inlined = true};
        find_position (table, &function, pc, &frame->file, &frame->line);
        if (call.first_line != 0) {
            frame->decl_file = frame->file;
            frame->decl_line = call.first_line;
        }
        pc = function.start + call.parent_pc;
    }
    PvDwarfFrame *frame = &frames[n_frames++];
    *frame = (PvDwarfFrame){.name = get_string (table, table->names + function.name)};
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

/* --- finding the table ------------------------------------------------------------------------ */

static bool
find_version (uint32_t magic, Version *ret_version)
{
    static const uint32_t magics[] = {0xfffffffb, 0xfffffffa, 0xfffffff0, 0xfffffff1};

    for (size_t i = 0; i < G_N_ELEMENTS (magics); i++)
        if (magic == magics[i]) {
            *ret_version = (Version)i;
            return true;
        }
    return false;
}

/* Relocated pointers are zero in the files of position-independent programs; the value is in the
 * relocation. */
static uint64_t
find_relocated (PvElfImage *binary, uint64_t link_addr)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (binary, &sections);
    Elf64_Rela relocation;

    for (size_t s = 0; s < n_sections; s++) {
        size_t size_bytes;
        if (sections[s].type != SHT_RELA || (sections[s].flags & SHF_ALLOC) == 0)
            continue;
        const uint8_t *data = pv_elf_image_get_section_data (binary, &sections[s], &size_bytes);
        for (size_t r = 0; data != NULL && r < size_bytes / sizeof relocation; r++) {
            memcpy (&relocation, data + r * sizeof relocation, sizeof relocation);
            if (relocation.r_offset == link_addr && ELF64_R_SYM (relocation.r_info) == 0)
                return (uint64_t)relocation.r_addend;
        }
    }
    return 0;
}

static uint64_t
find_text_start (const PvGoTable *table, uint64_t in_header, uint64_t field_addr)
{
    uint64_t start = in_header;

    if (start == 0 && table->pointer_size == 8 && !table->swap)
        start = find_relocated (table->binary, field_addr);
    if (start == 0) {
        const PvElfSection *text = pv_elf_image_find_section (table->binary, ".text");
        start = text != NULL ? text->link_addr : 0;
    }
    return start;
}

/* False if what is there is no table: random bytes may look like its first word. */
static bool
read_header (PvGoTable *table)
{
    PvCursor cursor = cursor_at (table, 0);
    uint32_t magic = pv_cursor_u32 (&cursor);
    uint16_t zero = pv_cursor_u16 (&cursor);

    table->quantum = pv_cursor_u8 (&cursor);
    table->pointer_size = pv_cursor_u8 (&cursor);
    if (cursor.failed || !find_version (magic, &table->version) || zero != 0 ||
        (table->quantum != 1 && table->quantum != 2 && table->quantum != 4) ||
        (table->pointer_size != 4 && table->pointer_size != 8))
        return false;
    table->n_functions = read_pointer (table, &cursor);
    if (table->version == GO_1_2) {
        table->functions = 8 + table->pointer_size;
    } else {
        table->n_files = read_pointer (table, &cursor);
        uint64_t field_addr = table->link_addr + (uint64_t)(cursor.pos - table->data);
        if (table->version >= GO_1_18)
            table->text_start = find_text_start (table, read_pointer (table, &cursor), field_addr);
        table->names = read_pointer (table, &cursor);
        table->compilation_units = read_pointer (table, &cursor);
        table->files = read_pointer (table, &cursor);
        table->programs = read_pointer (table, &cursor);
        table->functions = read_pointer (table, &cursor);
    }
    size_t pair_size = table->version >= GO_1_18 ? 8 : 2 * table->pointer_size;
    if (cursor.failed || table->n_functions == 0 || table->functions > table->size_bytes ||
        table->n_functions > (table->size_bytes - table->functions) / pair_size)
        return false;
    if (table->version == GO_1_2) {
        cursor = cursor_at (table, table->functions + table->n_functions * pair_size);
        read_pointer (table, &cursor); /* end of the last function */
        table->files = pv_cursor_u32 (&cursor);
        PvCursor files = cursor_at (table, table->files);
        table->n_files = pv_cursor_u32 (&files);
        if (cursor.failed || files.failed)
            return false;
    }
    uint64_t first, last, record;
    return read_pair (table, 0, &first, &record) &&
           read_pair (table, table->n_functions, &last, &record) && first < last;
}

static bool
try_at (PvGoTable *table, const uint8_t *data, size_t size_bytes, uint64_t link_addr)
{
    table->data = data;
    table->size_bytes = size_bytes;
    table->link_addr = link_addr;
    return size_bytes >= 16 && read_header (table);
}

static bool
is_go_program (const PvElfImage *binary)
{
    const PvElfSection *sections;

    return pv_elf_image_get_sections (binary, &sections) == 0 ||
           pv_elf_image_find_section (binary, ".go.buildinfo") != NULL ||
           pv_elf_image_find_section (binary, ".note.go.buildid") != NULL;
}

/* Looks for the header in everything that is loaded: the section may have got another name, or all
 * section headers may be gone. */
static bool
scan_segments (PvGoTable *table)
{
    static const uint8_t tail_little[] = {0xff, 0xff, 0xff, 0, 0};
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (table->binary, &segments);

    if (table->swap) /* big endian begins with the bytes all versions share as well */
        return false;
    for (size_t s = 0; s < n_segments; s++) {
        size_t size_bytes;
        const uint8_t *data = pv_elf_image_read (table->binary, segments[s].link_addr, &size_bytes);
        const uint8_t *end = data != NULL ? data + size_bytes : NULL;
        for (const uint8_t *pos = data; pos != NULL && pos + 8 < end;) {
            pos = memmem (pos + 1, (size_t)(end - pos - 1), tail_little, sizeof tail_little);
            if (pos != NULL && try_at (table, pos - 1, (size_t)(end - pos + 1),
                                       segments[s].link_addr + (uint64_t)(pos - 1 - data)))
                return true;
        }
    }
    return false;
}

static bool
find_table (PvGoTable *table)
{
    static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab"};

    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        const PvElfSection *section = pv_elf_image_find_section (table->binary, names[i]);
        size_t size_bytes;
        const uint8_t *data =
            section != NULL ? pv_elf_image_get_section_data (table->binary, section, &size_bytes)
                            : NULL;
        if (data != NULL && try_at (table, data, size_bytes, section->link_addr))
            return true;
    }
    return is_go_program (table->binary) && scan_segments (table);
}

/* --- moduledata ------------------------------------------------------------------------------- */

/* Whether moduledata may be at this place: its second word points to the names, the third is their
 * size. */
static bool
is_moduledata (const PvGoTable *table, const uint8_t *data)
{
    uint64_t words[4];

    memcpy (words, data, sizeof words);
    return words[0] == table->link_addr && words[1] == table->link_addr + table->names &&
           words[2] <= table->size_bytes && words[2] == words[3];
}

static uint64_t
find_gofunc_in_data (const PvGoTable *table)
{
    const PvElfSegment *segments;
    size_t n_segments = pv_elf_image_get_segments (table->binary, &segments);
    size_t word = table->version >= GO_1_20 ? GOFUNC_WORD_1_20 : GOFUNC_WORD_1_18;
    uint64_t addr = table->link_addr;

    for (size_t s = 0; s < n_segments; s++) {
        size_t size_bytes;
        const uint8_t *data = pv_elf_image_read (table->binary, segments[s].link_addr, &size_bytes);
        if (data == NULL || segments[s].is_executable)
            continue;
        for (size_t i = 0; i + (word + 1) * 8 <= size_bytes; i += 8) {
            if (memcmp (data + i, &addr, sizeof addr) != 0 || !is_moduledata (table, data + i))
                continue;
            uint64_t gofunc;
            memcpy (&gofunc, data + i + word * 8, sizeof gofunc);
            return gofunc;
        }
    }
    return 0;
}

/* Position-independent: the words are in relocations. */
static uint64_t
find_gofunc_in_relocations (const PvGoTable *table)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (table->binary, &sections);
    uint64_t word = table->version >= GO_1_20 ? GOFUNC_WORD_1_20 : GOFUNC_WORD_1_18;
    unsigned n_candidates = 0;
    Elf64_Rela relocation;

    for (size_t s = 0; s < n_sections; s++) {
        size_t size_bytes;
        if (sections[s].type != SHT_RELA || (sections[s].flags & SHF_ALLOC) == 0)
            continue;
        const uint8_t *data =
            pv_elf_image_get_section_data (table->binary, &sections[s], &size_bytes);
        for (size_t r = 0; data != NULL && r < size_bytes / sizeof relocation; r++) {
            memcpy (&relocation, data + r * sizeof relocation, sizeof relocation);
            if ((uint64_t)relocation.r_addend != table->link_addr)
                continue;
            if (++n_candidates > MAX_CANDIDATES) /* each costs a pass over all */
                return 0;
            uint64_t place = relocation.r_offset;
            if (find_relocated (table->binary, place + 8) == table->link_addr + table->names)
                return find_relocated (table->binary, place + word * 8);
        }
    }
    return 0;
}

static uint64_t
find_gofunc (const PvGoTable *table)
{
    if (table->version < GO_1_18 || table->pointer_size != 8 || table->swap)
        return 0;
    uint64_t gofunc = find_gofunc_in_data (table);
    return gofunc != 0 ? gofunc : find_gofunc_in_relocations (table);
}

PvGoTable *
pv_go_table_new (PvElfImage *binary, PvArena *arena)
{
    PvGoTable *table = g_new0 (PvGoTable, 1);

    table->binary = binary;
    table->arena = arena;
    table->swap = pv_elf_image_is_swapped (binary);
    if (!find_table (table)) {
        g_free (table);
        return NULL;
    }
    table->gofunc = find_gofunc (table);
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
