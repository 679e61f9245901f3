/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "core/base/search.h"
#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * Line tables (DWARF 5, section 6.2; the header of versions 2 to 4 differs). A header with folders
 * and files, then a byte program that produces rows (address, file, line) in sequences of ascending
 * addresses. No table of rows is built: the program runs once, and each step to the next row
 * assigns the previous row to the requested addresses in between.
 */
typedef struct {
    PvDwarfValue name; /* the string is read on demand */
    uint64_t folder;
    const char *path; /* NULL until requested */
} LineFile;

#define MAX_PATH_BYTES 4096

struct PvDwarfLineTable {
    const PvDwarfView *view;
    unsigned version;
    unsigned address_size;
    unsigned min_instruction;
    unsigned max_ops;
    int line_base;
    unsigned line_range;
    unsigned opcode_base;
    uint8_t opcode_lengths[256];
    LineFile *folders;
    size_t n_folders;
    LineFile *files;
    size_t n_files;
    PvCursor program;
};

/* Header */

/* Reads a string; false for the empty one at the end. */
static bool
read_old_name (const PvDwarfLineTable *lines, PvCursor *cursor, LineFile *file)
{
    *file = (LineFile){0};
    return pv_dwarf_read_value (cursor, lines->view->unit, DW_FORM_string, 0, &file->name) &&
           file->name.size > 0;
}

static void
read_old_files (PvDwarfLineTable *lines, PvCursor *cursor, PvArena *arena)
{
    PV_ARRAY (LineFile) folders = {0};
    PV_ARRAY (LineFile) files = {0};
    LineFile file;
    while (read_old_name (lines, cursor, &file))
        pv_array_push (&folders, file);
    while (read_old_name (lines, cursor, &file)) {
        file.folder = pv_dwarf_uleb (cursor);
        pv_dwarf_uleb (cursor); /* time */
        pv_dwarf_uleb (cursor); /* size */
        pv_array_push (&files, file);
    }
    lines->n_folders = folders.len;
    lines->folders = pv_arena_memdup (arena, folders.data, folders.len * sizeof *folders.data);
    lines->n_files = files.len;
    lines->files = pv_arena_memdup (arena, files.data, files.len * sizeof *files.data);
    pv_array_clear (&folders);
    pv_array_clear (&files);
}

/* The two lists of version 5 describe their own columns. */
static LineFile *
read_entries (const PvDwarfUnit *sizes, PvCursor *cursor, PvArena *arena, size_t *ret_n)
{
    *ret_n = 0;
    unsigned n_columns = pv_cursor_u8 (cursor);
    uint64_t types[256];
    uint16_t forms[256];
    for (unsigned i = 0; i < n_columns; i++) {
        types[i] = pv_dwarf_uleb (cursor);
        uint64_t form = pv_dwarf_uleb (cursor);
        forms[i] = form <= 0xffff ? (uint16_t)form : 0;
    }
    uint64_t n = pv_dwarf_uleb (cursor);
    /* A valid entry has at least one byte. */
    if (cursor->failed || n_columns == 0 || n > pv_cursor_left (cursor))
        return NULL;
    PV_ARRAY (LineFile) files = {0};
    for (uint64_t row = 0; row < n && !cursor->failed; row++) {
        LineFile file = {0};
        const uint8_t *start = cursor->pos;
        for (unsigned i = 0; i < n_columns; i++) {
            PvDwarfValue value;
            if (!pv_dwarf_read_value (cursor, sizes, forms[i], 0, &value)) {
                cursor->failed = true;
                break;
            }
            if (types[i] == DW_LNCT_path)
                file.name = value;
            else if (types[i] == DW_LNCT_directory_index)
                file.folder = value.number;
        }
        if (cursor->pos == start)
            break;
        pv_array_push (&files, file);
    }
    LineFile *result = pv_arena_memdup (arena, files.data, files.len * sizeof *files.data);
    *ret_n = files.len;
    pv_array_clear (&files);
    return result;
}

static void
read_new_files (PvDwarfLineTable *lines, const PvDwarfUnit *sizes, PvCursor *cursor, PvArena *arena)
{
    lines->folders = read_entries (sizes, cursor, arena, &lines->n_folders);
    lines->files = read_entries (sizes, cursor, arena, &lines->n_files);
}

static PvDwarfLineTable *
read_table (PvDwarfView *view, PvCursor cursor, PvArena *arena)
{
    PvDwarfUnit sizes = *view->unit;
    sizes.offset_size = 4;
    uint64_t length = pv_cursor_u32 (&cursor);
    if (length == 0xffffffff) {
        sizes.offset_size = 8;
        length = pv_cursor_u64 (&cursor);
    }
    /* A truncated table still has rows. */
    length = MIN (length, pv_cursor_left (&cursor));
    cursor = pv_cursor_sub (&cursor, (size_t)length);
    PvDwarfLineTable *lines = pv_arena_alloc0 (arena, sizeof *lines);
    lines->view = view;
    lines->version = pv_cursor_u16 (&cursor);
    lines->address_size = view->unit->address_size;
    if (lines->version < 2 || lines->version > 5)
        return NULL;
    if (lines->version == 5) {
        lines->address_size = sizes.address_size = pv_cursor_u8 (&cursor);
        pv_cursor_u8 (&cursor); /* segment selector size */
    }
    uint64_t header_length = pv_dwarf_read_uint (&cursor, sizes.offset_size);
    if (cursor.failed || header_length > pv_cursor_left (&cursor))
        return NULL;
    lines->program = cursor;
    pv_cursor_skip (&lines->program, (size_t)header_length);
    cursor = pv_cursor_sub (&cursor, (size_t)header_length);
    lines->min_instruction = pv_cursor_u8 (&cursor);
    lines->max_ops = lines->version >= 4 ? pv_cursor_u8 (&cursor) : 1;
    pv_cursor_u8 (&cursor); /* default of is_stmt */
    lines->line_base = (int8_t)pv_cursor_u8 (&cursor);
    lines->line_range = pv_cursor_u8 (&cursor);
    lines->opcode_base = pv_cursor_u8 (&cursor);
    for (unsigned i = 1; i < lines->opcode_base; i++)
        lines->opcode_lengths[i] = pv_cursor_u8 (&cursor);
    if (cursor.failed || lines->line_range == 0)
        return NULL;
    if (lines->version == 5)
        read_new_files (lines, &sizes, &cursor, arena);
    else
        read_old_files (lines, &cursor, arena);
    return lines;
}

PvDwarfLineTable *
pv_dwarf_cache_get_lines (PvDwarfCache *cache, PvDwarfView *view)
{
    if (view->has_looked_for_lines)
        return view->lines;
    view->has_looked_for_lines = true;
    PvCursor cursor = {.failed = true};
    if (view->file->is_dwo && view->file->sections[PV_DWARF_LINE].size > 0)
        /* One table per .dwo, with files only. */
        cursor = pv_dwarf_section_cursor (view->file, PV_DWARF_LINE, 0);
    else if (view->stmt_list.form != 0 && !view->file->is_dwo)
        cursor = pv_dwarf_section_cursor (view->file, PV_DWARF_LINE, view->stmt_list.number);
    if (!cursor.failed)
        view->lines = read_table (view, cursor, cache->arena);
    else if (view->skeleton != NULL)
        view->lines = pv_dwarf_cache_get_lines (cache, view->skeleton);
    return view->lines;
}

/* Paths */

static bool
is_absolute (const char *path)
{
    return path[0] == '/' || path[0] == '\\' || (g_ascii_isalpha (path[0]) && path[1] == ':');
}

/* Removes "//", "/./" and "folder/../" from a path, in place. */
static void
normalise (char *path)
{
    char *root = path[0] == '/' ? path + 1 : path;
    char *out = root, *floor = root;
    for (char *in = root; *in != '\0';) {
        size_t length = strcspn (in, "/");
        bool has_more = in[length] == '/';
        bool is_up = length == 2 && in[0] == '.' && in[1] == '.';
        bool is_here = length == 0 || (length == 1 && in[0] == '.');
        if (is_up && out > floor) {
            for (out--; out > floor && out[-1] != '/';)
                out--;
        } else if (!is_here && !(is_up && root > path)) {
            memmove (out, in, length);
            out += length;
            if (has_more)
                *out++ = '/';
            /* Keep a leading "../" of a relative path. */
            if (is_up)
                floor = out;
        }
        in += length + has_more;
    }
    if (out > root && out[-1] == '/')
        out--;
    *out = '\0';
}

char *
pv_dwarf_join_path (const char *comp_dir, const char *path)
{
    g_assert (path != NULL);
    char *joined = is_absolute (path) || comp_dir == NULL || *comp_dir == '\0'
                       ? g_strdup (path)
                       : g_strconcat (comp_dir, "/", path, NULL);
    normalise (joined);
    return joined;
}

/* NULL if it is missing, or too long for a path. */
static const char *
get_string (const PvDwarfLineTable *lines, const LineFile *entries, size_t n, uint64_t index)
{
    const char *string =
        index < n ? pv_dwarf_value_string (lines->view, &entries[index].name) : NULL;
    return string != NULL && strnlen (string, MAX_PATH_BYTES) < MAX_PATH_BYTES ? string : NULL;
}

static char *
join_path (const PvDwarfLineTable *lines, uint64_t index)
{
    const char *name = get_string (lines, lines->files, lines->n_files, index);
    const char *folder = NULL;
    const char *comp_dir = lines->view->comp_dir;
    uint64_t folder_index = lines->files[index].folder;
    if (name == NULL || is_absolute (name))
        return g_strdup (name);
    if (lines->version == 5) {
        folder = get_string (lines, lines->folders, lines->n_folders, folder_index);
        if (comp_dir == NULL)
            comp_dir = get_string (lines, lines->folders, lines->n_folders, 0);
    } else if (folder_index > 0) {
        folder = get_string (lines, lines->folders, lines->n_folders, folder_index - 1);
    }
    if (folder != NULL && is_absolute (folder))
        return g_strconcat (folder, "/", name, NULL);
    if (comp_dir == NULL || strnlen (comp_dir, MAX_PATH_BYTES) == MAX_PATH_BYTES)
        comp_dir = "";
    return g_strconcat (comp_dir, *comp_dir != '\0' ? "/" : "", folder != NULL ? folder : "",
                        folder != NULL && *folder != '\0' ? "/" : "", name, NULL);
}

const char *
pv_dwarf_lines_get_path (PvDwarfLineTable *lines, uint64_t index, PvArena *out)
{
    /* Before version 5, files count from 1, and 0 means none. */
    if (lines->version < 5)
        index--;
    if (index >= lines->n_files)
        return NULL;
    LineFile *file = &lines->files[index];
    if (file->path == NULL) {
        g_autofree char *path = join_path (lines, index);
        if (path == NULL)
            return NULL;
        normalise (path);
        file->path = pv_arena_strndup (out, path, strlen (path));
    }
    return file->path;
}

/* The program */

typedef struct {
    const PvDwarfLineTable *lines;
    const PvDwarfUnits *units;
    const uint64_t *addrs;
    size_t n_addrs;
    PvDwarfRow *rows;
    size_t next; /* first requested address that is not below the previous row */
    uint64_t budget;
    /* registers */
    uint64_t addr;
    uint64_t op_index;
    uint64_t file;
    uint64_t line;
    /* the previous row of the sequence */
    uint64_t previous_addr;
    uint32_t previous_file, previous_line;
    bool has_previous;
    bool is_dead; /* the sequence describes code that the linker dropped */
} Machine;

static void
reset_registers (Machine *machine)
{
    machine->addr = machine->op_index = 0;
    machine->file = machine->line = 1;
    machine->has_previous = machine->is_dead = false;
}

static size_t
find_first (const Machine *machine, uint64_t addr)
{
    return pv_bisect (0, machine->n_addrs, i, machine->addrs[i] < addr);
}

/* Assigns the previous row, which ends at the current address. If rows of several sequences cover
 * an address, the one that starts nearest to it wins. */
static void
give_row (Machine *machine)
{
    for (; machine->next < machine->n_addrs && machine->addrs[machine->next] < machine->addr;
         machine->next++) {
        PvDwarfRow *row = &machine->rows[machine->next];
        if (machine->budget == 0)
            return;
        machine->budget--;
        if (!row->is_found || machine->previous_addr >= row->start)
            *row = (PvDwarfRow){machine->previous_addr, machine->previous_file,
                                machine->previous_line, true};
    }
}

static inline void
emit_row (Machine *machine, bool is_end)
{
    if (machine->has_previous) {
        if (machine->addr > machine->previous_addr)
            give_row (machine);
        else if (machine->addr < machine->previous_addr)
            machine->next = find_first (machine, machine->addr);
    } else {
        machine->is_dead = !pv_dwarf_units_is_code (machine->units, machine->addr);
        machine->next = machine->is_dead ? machine->n_addrs : find_first (machine, machine->addr);
    }
    machine->previous_addr = machine->addr;
    machine->previous_file = (uint32_t)MIN (machine->file, UINT32_MAX);
    machine->previous_line = machine->line <= UINT32_MAX ? (uint32_t)machine->line : 0;
    machine->has_previous = true;
    if (machine->is_dead)
        machine->next = machine->n_addrs;
    if (is_end)
        reset_registers (machine);
}

static inline void
advance (Machine *machine, uint64_t n_ops)
{
    const PvDwarfLineTable *lines = machine->lines;
    if (lines->max_ops <= 1) {
        machine->addr += n_ops * lines->min_instruction;
        return;
    }
    uint64_t ops = machine->op_index + n_ops;
    machine->addr += lines->min_instruction * (ops / lines->max_ops);
    machine->op_index = ops % lines->max_ops;
}

static void
run_extended (Machine *machine, PvCursor *cursor)
{
    uint64_t length = pv_dwarf_uleb (cursor);
    if (length == 0 || length > pv_cursor_left (cursor)) {
        cursor->failed |= length > 0;
        return;
    }
    PvCursor operands = pv_cursor_sub (cursor, (size_t)length);
    switch (pv_cursor_u8 (&operands)) {
    case DW_LNE_end_sequence:
        emit_row (machine, true);
        break;
    case DW_LNE_set_address: {
        size_t size = pv_cursor_left (&operands);
        if (size == 2 || size == 4 || size == 8)
            machine->addr = pv_dwarf_read_uint (&operands, (unsigned)size);
        machine->op_index = 0;
        break;
    }
    default:
        break; /* discriminators, and DW_LNE_define_file, which compilers do not use */
    }
}

static void
run_standard (Machine *machine, PvCursor *cursor, unsigned opcode)
{
    const PvDwarfLineTable *lines = machine->lines;
    switch (opcode) {
    case DW_LNS_copy:
        emit_row (machine, false);
        break;
    case DW_LNS_advance_pc:
        advance (machine, pv_dwarf_uleb (cursor));
        break;
    case DW_LNS_advance_line:
        machine->line += (uint64_t)pv_dwarf_sleb (cursor);
        break;
    case DW_LNS_set_file:
        machine->file = pv_dwarf_uleb (cursor);
        break;
    case DW_LNS_set_column:
        pv_dwarf_uleb (cursor);
        break;
    case DW_LNS_const_add_pc:
        advance (machine, (255 - lines->opcode_base) / lines->line_range);
        break;
    case DW_LNS_fixed_advance_pc:
        machine->addr += pv_cursor_u16 (cursor);
        machine->op_index = 0;
        break;
    default:
        for (unsigned i = 0; i < lines->opcode_lengths[opcode]; i++)
            pv_dwarf_uleb (cursor);
        break;
    }
}

void
pv_dwarf_lines_find_rows (const PvDwarfLineTable *lines, const PvDwarfUnits *units,
                          const uint64_t *addrs, size_t n, PvDwarfRow *rows, PvJob *job)
{
    memset (rows, 0, n * sizeof *rows);
    PvCursor cursor = lines->program;
    Machine machine = {.lines = lines, .units = units, .addrs = addrs, .n_addrs = n, .rows = rows};
    machine.budget = 64 * (uint64_t)n + 4 * (uint64_t)pv_cursor_left (&cursor) + 1000000;
    reset_registers (&machine);
    uint32_t steps = 0;
    while (pv_cursor_left (&cursor) > 0 && !cursor.failed) {
        unsigned opcode = *cursor.pos++;
        if (G_LIKELY (opcode >= lines->opcode_base)) {
            unsigned adjusted = opcode - lines->opcode_base;
            advance (&machine, adjusted / lines->line_range);
            machine.line +=
                (uint64_t)(int64_t)(lines->line_base + (int)(adjusted % lines->line_range));
            emit_row (&machine, false);
        } else if (opcode == 0) {
            run_extended (&machine, &cursor);
        } else {
            run_standard (&machine, &cursor, opcode);
        }
        if (++steps % 65536 == 0 && pv_job_is_cancelled (job))
            return;
    }
}
