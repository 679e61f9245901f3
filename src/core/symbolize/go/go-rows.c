/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/go/go-rows.h"

#include <elf.h>
#include <string.h>

/*
 * Frames that Go's assembler and linker generate (cmd/internal/obj, "Go's assembler";
 * src/runtime/traceback.go unwinds with the same table):
 *
 *   x86      CFA = sp + size + word, return address in the word below the CFA. On x86_64 functions
 *            that have a frame save rbp in its topmost word, either by the first instruction
 *            (push %rbp, since Go 1.21) or by the one after the frame was made
 *            (mov %rbp,size-8(%rsp)).
 *   AArch64  CFA = sp + size, return address at sp + 0, x29 in the word below it. Without a frame
 *            the return address is in x30.
 *
 * A few functions of the runtime, written in assembly and flagged by the assembler, set the stack
 * pointer: to the thread's own stack (systemstack, mcall, morestack, asmcgocall) or around a call
 * to the vdso (nanotime1, walltime, time.now). After that, the frame size is relative to a stack
 * that is not the caller's. Functions that switch back keep the old stack pointer in a callee-saved
 * register; if they were on the thread's stack already, it leads to the caller.
 */
enum {
    MAX_SCANNED = 1024, /* bytes of code; these functions have fewer */
    MAX_SIZE_BYTES = 1 << 30,
};

typedef enum {
    EVENT_FRAME_SAVED,
    EVENT_AWAY,   /* to another stack, or by an unknown distance */
    EVENT_SWITCH, /* to another stack, or back */
    EVENT_COPY,
} EventKind;

/* Kinds of functions */

static bool
is_one_of (const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp (name, names[i]) == 0)
            return true;
    }
    return false;
}

/* For tables without flags: Go 1.17 and before. */
static bool
is_unmarked_switch (const char *name)
{
    static const char *const names[] = {
        "runtime.systemstack", "runtime.mcall",     "runtime.morestack",
        "runtime.asmcgocall",  "runtime.gogo",      "runtime.cgocallback_gofunc",
        "runtime.nanotime",    "runtime.nanotime1", "runtime.cgocallback",
        "runtime.walltime",    "runtime.walltime1", "time.now",
    };
    return is_one_of (name, names, G_N_ELEMENTS (names));
}

static PvGoRowKind
find_kind (PvGoFunction *function)
{
    static const char *const roots[] = {"runtime.goexit", "runtime.mstart", "runtime.rt0_go"};
    /* Their return address is where a signal arrived, not a call. */
    static const char *const interruptions[] = {"runtime.sigpanic", "runtime.sigpanic0",
                                                "runtime.asyncPreempt"};
    const char *name = function->name != NULL ? function->name : "";
    if (!g_str_has_prefix (name, "runtime.") && !g_str_has_prefix (name, "time."))
        return function->is_top ? PV_GO_ROW_ROOT : PV_GO_ROW_PLAIN;
    /* Also flagged as top, but the unwinder knows what it interrupted. */
    if (g_str_has_prefix (name, "runtime.sigtramp"))
        return PV_GO_ROW_PLAIN;
    if (function->is_top || is_one_of (name, roots, G_N_ELEMENTS (roots)))
        return PV_GO_ROW_ROOT;
    if (is_one_of (name, interruptions, G_N_ELEMENTS (interruptions)))
        return PV_GO_ROW_INTERRUPTED;
    if (!function->has_marks)
        function->writes_sp |= is_unmarked_switch (name);
    return PV_GO_ROW_PLAIN;
}

/* Code */

static void
add_event (PvGoRows *rows, uint32_t offset, EventKind kind, uint8_t number)
{
    if (rows->n_events < PV_GO_MAX_EVENTS)
        rows->events[rows->n_events++] = (PvGoEvent){offset, (uint8_t)kind, number};
}

static const uint8_t *
read_code (const PvGoRows *rows, uint64_t link_addr, size_t *ret_size_bytes)
{
    const uint8_t *code = pv_elf_image_read (rows->binary, link_addr, ret_size_bytes);
    if (code == NULL)
        *ret_size_bytes = 0;
    *ret_size_bytes = MIN (*ret_size_bytes, rows->function.end - link_addr);
    return code;
}

/* The number of bytes after ModRM for an operand in memory. */
static unsigned
operand_size (uint8_t modrm)
{
    unsigned mod = modrm >> 6, rm = modrm & 7;
    return (rm == 4) + (mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0);
}

/* True if a register is callee-saved: rbx, rbp, r12 and above, by their numbers in instructions. */
static bool
is_preserved (unsigned number)
{
    return number == 3 || number == 5 || number >= 12;
}

/* Tries every byte as the start of an instruction (with a REX prefix on x86_64); good enough for so
 * little code, which is known to contain such instructions. */
static void
scan_x86 (PvGoRows *rows, const uint8_t *code, uint32_t size_bytes)
{
    static const uint8_t numbers_x86_64[16] = {0, 2, 1,  3,  7,  6,  4,  5,
                                               8, 9, 10, 11, 12, 13, 14, 15};
    enum { RSP = 4, REX_W = 0x48, REX_R = 4, REX_B = 1 };
    bool is_long = rows->arch->word_size == 8;
    for (uint32_t i = 0; i + 4 <= size_bytes; i++) {
        uint8_t rex = is_long ? code[i] : 0;
        uint8_t op = code[i + is_long], modrm = code[i + is_long + 1];
        uint8_t mod = modrm >> 6;
        unsigned reg = (modrm >> 3 & 7) | (rex & REX_R ? 8 : 0);
        unsigned rm = (modrm & 7) | (rex & REX_B ? 8 : 0);
        uint32_t end = i + is_long + 2;
        if (is_long && (rex & 0xfa) != REX_W)
            continue;
        bool is_copy = (op == 0x89 || op == 0x8b) && mod == 3;
        unsigned to = op == 0x89 ? rm : reg, from = op == 0x89 ? reg : rm;
        if (is_copy && to == RSP && from != RSP)
            add_event (rows, end, EVENT_SWITCH, 0);
        else if (is_copy && from == RSP && is_preserved (to))
            add_event (rows, end, EVENT_COPY, is_long ? numbers_x86_64[to] : (uint8_t)to);
        else if (op == 0x83 && mod == 3 && (modrm >> 3 & 7) == 4 && rm == RSP) /* and $n,%rsp */
            add_event (rows, end + 1, EVENT_AWAY, 0);
        else if ((op == 0x8b || op == 0x8d) && mod != 3 && reg == RSP && (modrm & 7) != RSP)
            add_event (rows, end + operand_size (modrm), EVENT_SWITCH, 0);
    }
}

static void
scan_aarch64 (PvGoRows *rows, const uint8_t *code, uint32_t size_bytes)
{
    enum { SP = 31, FIRST_PRESERVED = 19, LAST_PRESERVED = 28 };
    for (uint32_t i = 0; i + 4 <= size_bytes; i += 4) {
        uint32_t instruction;
        memcpy (&instruction, code + i, sizeof instruction);
        unsigned to = instruction & 31, from = instruction >> 5 & 31;
        if ((instruction & 0xfffffc00) != 0x91000000) /* mov between sp and a register */
            continue;
        if (to == SP && from != SP)
            add_event (rows, i + 4, EVENT_SWITCH, (uint8_t)from);
        else if (from == SP && to >= FIRST_PRESERVED && to <= LAST_PRESERVED)
            add_event (rows, i + 4, EVENT_COPY, (uint8_t)to);
    }
}

/* Finds out how a function that has just made its frame, at location, saves the frame pointer. */
static void
find_saved_frame (PvGoRows *rows)
{
    rows->is_frame_known = true;
    rows->is_frame_saved = rows->arch->machine == EM_AARCH64;
    if (rows->arch->machine != EM_X86_64 || rows->location == rows->function.start)
        return;
    size_t size_bytes;
    const uint8_t *code = read_code (rows, rows->location - 1, &size_bytes);
    if (size_bytes >= 1 && code[0] == 0x55 && rows->size_bytes == 8) {
        rows->is_frame_saved = true;
        return;
    }
    static const uint8_t store_8[] = {0x48, 0x89, 0x6c, 0x24},
                         store_32[] = {0x48, 0x89, 0xac, 0x24};
    uint32_t offset = (uint32_t)(rows->location - rows->function.start);
    int32_t place;
    if (size_bytes < 1 + sizeof store_32 + sizeof place)
        return;
    memcpy (&place, code + 1 + sizeof store_32, sizeof place);
    if (memcmp (code + 1, store_8, sizeof store_8) == 0 && (int8_t)code[5] == rows->size_bytes - 8)
        add_event (rows, offset + sizeof store_8 + 1, EVENT_FRAME_SAVED, 0);
    else if (memcmp (code + 1, store_32, sizeof store_32) == 0 && place == rows->size_bytes - 8)
        add_event (rows, offset + sizeof store_32 + sizeof place, EVENT_FRAME_SAVED, 0);
}

/* Rows */

void
pv_go_rows_start (PvGoRows *rows, const PvCfiArch *arch, PvElfImage *binary, const PvGoTable *table,
                  const PvGoFunction *function)
{
    g_assert (arch != NULL && binary != NULL && table != NULL && function != NULL);

    memset (rows, 0, sizeof *rows);
    rows->arch = arch;
    rows->binary = binary;
    rows->function = *function;
    rows->location = rows->size_end = function->start;
    rows->function_kind = find_kind (&rows->function);
    pv_go_frame_sizes_start (&rows->sizes, table, function);
    if (rows->function.writes_sp) {
        size_t size_bytes;
        const uint8_t *code = read_code (rows, function->start, &size_bytes);
        size_bytes = MIN (size_bytes, MAX_SCANNED);
        if (arch->machine == EM_AARCH64)
            scan_aarch64 (rows, code, (uint32_t)size_bytes);
        else
            scan_x86 (rows, code, (uint32_t)size_bytes);
        rows->is_frame_known = true; /* not worth tracking */
    }
}

static void
take_event (PvGoRows *rows, const PvGoEvent *event)
{
    switch (event->kind) {
    case EVENT_FRAME_SAVED:
        rows->is_frame_saved = true;
        break;
    case EVENT_COPY:
        if (!rows->is_switched) {
            rows->is_copied = true;
            rows->copy = event->number;
            rows->copy_size_bytes = rows->size_bytes;
        }
        break;
    case EVENT_AWAY:
        rows->is_switched = true;
        break;
    default:
        rows->is_switched = !rows->is_switched;
        break;
    }
}

static void
set_offset (PvCfiRow *row, unsigned number, int64_t offset)
{
    row->registers[number] = (PvCfiRule){.value = offset, .kind = PV_CFI_OFFSET};
}

static void
fill_row (const PvGoRows *rows, PvCfiRow *row)
{
    const PvCfiArch *arch = rows->arch;
    int64_t size_bytes = rows->size_bytes;
    memset (row, 0, sizeof *row);
    row->cfa_register = arch->sp;
    if (rows->is_switched) {
        row->cfa_register = rows->copy;
        size_bytes = rows->copy_size_bytes;
    }
    row->cfa.kind = rows->is_switched && !rows->is_copied ? PV_CFI_UNDEFINED : PV_CFI_REGISTER;
    row->cfa.value = size_bytes;
    if (!arch->has_link_register) {
        row->cfa.value += arch->word_size;
        set_offset (row, arch->ra, -(int64_t)arch->word_size);
        if (rows->is_frame_saved && size_bytes > 0)
            set_offset (row, arch->fp, -2 * (int64_t)arch->word_size);
    } else if (size_bytes > 0) {
        set_offset (row, arch->ra, -size_bytes);
        if (rows->is_frame_saved)
            set_offset (row, arch->fp, -size_bytes - 8);
    }
    if (rows->function_kind == PV_GO_ROW_ROOT)
        row->registers[arch->ra].kind = PV_CFI_UNDEFINED;
}

bool
pv_go_rows_next (PvGoRows *rows, PvGoRow *ret_row)
{
    while (rows->location >= rows->size_end) {
        int32_t size_bytes;
        if (rows->location >= rows->function.end ||
            !pv_go_frame_sizes_next (&rows->sizes, &rows->size_end, &size_bytes) ||
            size_bytes < 0 || size_bytes > MAX_SIZE_BYTES ||
            size_bytes % rows->arch->word_size != 0)
            return false;
        rows->size_bytes = size_bytes;
    }
    if (rows->size_bytes > 0 && !rows->is_frame_known)
        find_saved_frame (rows);
    uint64_t end = rows->size_end;
    for (; rows->next_event < rows->n_events; rows->next_event++) {
        const PvGoEvent *event = &rows->events[rows->next_event];
        uint64_t place = rows->function.start + event->offset;
        if (place > rows->location) {
            end = MIN (end, place);
            break;
        }
        take_event (rows, event);
    }
    ret_row->start = rows->location;
    ret_row->end = end;
    ret_row->kind = rows->is_switched ? PV_GO_ROW_SWITCHED : rows->function_kind;
    fill_row (rows, &ret_row->row);
    rows->location = end;
    return true;
}
