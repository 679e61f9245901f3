/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/sysprof/sysprof-symbols.h"

#include <string.h>

#include "core/base/search.h"

/* How far the last symbol of the kernel reaches: nothing says where it ends. */
#define LAST_SYMBOL_BYTES 0xffffu

void
sysprof_symbols_clear (SysprofSymbols *symbols)
{
    g_assert (symbols != NULL);
    for (size_t i = 0; i < symbols->texts.len; i++)
        g_free (symbols->texts.data[i]);
    pv_array_clear (&symbols->texts);
    pv_array_clear (&symbols->symbols);
    pv_array_clear (&symbols->kernel);
    pv_array_clear (&symbols->jit);
    pv_hash_map_clear (&symbols->jit_of_process);
    pv_id_map_clear (&symbols->jit_of_address);
}

uint64_t
sysprof_symbols_count_bytes (const SysprofSymbols *symbols)
{
    g_assert (symbols != NULL);
    return symbols->text_bytes + symbols->symbols.cap * sizeof (SysprofSymbol) +
           symbols->kernel.cap * sizeof (SysprofKernelSymbol) +
           symbols->jit.cap * sizeof (SysprofJitCode) +
           ((uint64_t)symbols->jit_of_process.mask + 1) * sizeof (PvHashSlot) +
           ((uint64_t)symbols->jit_of_address.mask + 1) * sizeof (PvIdSlot);
}

static void
keep_bytes (SysprofSymbols *symbols, uint8_t *data, size_t size_bytes)
{
    pv_array_push (&symbols->texts, data);
    symbols->text_bytes += size_bytes;
}

/* --- the table of symbols --- */

/* A text of the table's file; "" if the offset is 0 or beyond its end. */
static PvText
find_text (const uint8_t *data, size_t size_bytes, uint32_t offset)
{
    const char *at = (const char *)data + offset;
    bool is_there = offset != 0 && offset < size_bytes;
    return pv_text (is_there ? at : "", is_there ? strnlen (at, size_bytes - offset) : 0);
}

void
sysprof_symbols_add_table (SysprofSymbols *symbols, uint8_t *data, size_t size_bytes, bool swap)
{
    g_assert (symbols != NULL && data != NULL);
    keep_bytes (symbols, data, size_bytes);
    PvCursor cursor = pv_cursor (data, size_bytes, swap);
    for (;;) {
        SysprofSymbol symbol;
        symbol.begin = pv_cursor_u64 (&cursor);
        symbol.end = pv_cursor_u64 (&cursor);
        symbol.pid = (int32_t)pv_cursor_u32 (&cursor);
        uint32_t name = pv_cursor_u32 (&cursor);
        uint32_t tag = pv_cursor_u32 (&cursor);
        pv_cursor_skip (&cursor, sizeof (uint32_t));
        symbols->is_damaged |= cursor.failed && size_bytes > 0;
        if (cursor.failed || (symbol.begin == 0 && symbol.end == 0 && symbol.pid == 0 && name == 0))
            return;
        symbol.name = find_text (data, size_bytes, name);
        symbol.tag = find_text (data, size_bytes, tag);
        symbols->is_damaged |= pv_text_len (symbol.name) == 0;
        if (pv_text_len (symbol.name) > 0)
            pv_array_push (&symbols->symbols, symbol);
    }
}

static int
compare_symbols (const void *a_, const void *b_)
{
    const SysprofSymbol *a = a_, *b = b_;
    /* The first of two tables wins, as the last of equal symbols is found. */
    return pv_order (a->pid, b->pid) ?: pv_order (a->begin, b->begin) ?:
           pv_order (b->name.at, a->name.at);
}

const SysprofSymbol *
sysprof_symbols_find (const SysprofSymbols *symbols, int32_t pid, uint64_t address)
{
    g_assert (symbols != NULL);
    const SysprofSymbol *rows = symbols->symbols.data;
    size_t low = pv_bisect (0, symbols->symbols.len, i,
                            rows[i].pid < pid || (rows[i].pid == pid && rows[i].begin <= address));
    const SysprofSymbol *symbol = low > 0 ? &rows[low - 1] : NULL; /* that does not come after it */
    return symbol != NULL && symbol->pid == pid && address <= symbol->end ? symbol : NULL;
}

/* --- the kernel --- */

/* "ffffffff81000100 T name [module]"; false: no function, or its address is hidden. */
static bool
parse_line (PvText line, SysprofKernelSymbol *ret)
{
    *ret = (SysprofKernelSymbol){.module = pv_text ("", 0)};
    if (!pv_text_take_hex (&line, &ret->address) || ret->address == 0 || pv_text_len (line) < 4 ||
        line.at[0] != ' ' || line.at[2] != ' ' || memchr ("tTwW", line.at[1], 4) == NULL)
        return false;
    line.at += 3;
    ret->name = pv_text_take_word (&line);
    const char *open = pv_text_find_char (line, '[');
    if (open != NULL && line.end[-1] == ']')
        ret->module = (PvText){open, line.end};
    return pv_text_len (ret->name) > 0;
}

void
sysprof_symbols_add_kallsyms (SysprofSymbols *symbols, uint8_t *data, size_t size_bytes)
{
    g_assert (symbols != NULL && data != NULL);
    keep_bytes (symbols, data, size_bytes);
    PvText text = pv_text (data, size_bytes), line;
    SysprofKernelSymbol symbol;
    while (pv_text_next_line (&text, &line))
        if (parse_line (line, &symbol))
            pv_array_push (&symbols->kernel, symbol);
}

static int
compare_kernel_symbols (const void *a_, const void *b_)
{
    const SysprofKernelSymbol *a = a_, *b = b_;
    return pv_order (a->address, b->address) ?: pv_order (b->name.at, a->name.at);
}

const SysprofKernelSymbol *
sysprof_symbols_find_kernel (const SysprofSymbols *symbols, uint64_t address)
{
    g_assert (symbols != NULL);
    size_t low = pv_bisect (0, symbols->kernel.len, i, symbols->kernel.data[i].address <= address);
    if (low == 0 || (low == symbols->kernel.len &&
                     address - symbols->kernel.data[low - 1].address > LAST_SYMBOL_BYTES))
        return NULL;
    return &symbols->kernel.data[low - 1];
}

void
sysprof_symbols_sort (SysprofSymbols *symbols)
{
    g_assert (symbols != NULL);
    pv_array_sort (&symbols->symbols, compare_symbols);
    pv_array_sort (&symbols->kernel, compare_kernel_symbols);
}

/* --- code that was compiled at run time --- */

static PvHash
hash_jit (int32_t pid, uint64_t address)
{
    const uint64_t key[] = {(uint32_t)pid, address};
    return pv_hash_bytes (key, sizeof key, 0);
}

void
sysprof_symbols_add_jit (SysprofSymbols *symbols, const SysprofFrame *frame)
{
    g_assert (symbols != NULL && frame != NULL);
    PvCursor cursor;
    uint32_t n = sysprof_begin_jitmap (frame, &cursor);
    SysprofJitName name;
    for (uint32_t i = 0; i < n && sysprof_take_jit_name (&cursor, &name); i++) {
        if (pv_text_len (name.name) == 0 || symbols->jit.len >= UINT32_MAX - 1)
            continue;
        uint32_t *of_process =
            pv_hash_map_slot (&symbols->jit_of_process, hash_jit (frame->pid, name.address));
        if (*of_process != 0)
            continue;
        SysprofJitCode code = {frame->pid, name.name};
        pv_array_push (&symbols->jit, code);
        *of_process = (uint32_t)symbols->jit.len;
        uint32_t *of_address = pv_id_map_slot (&symbols->jit_of_address, name.address);
        if (*of_address == 0)
            *of_address = (uint32_t)symbols->jit.len;
    }
    symbols->is_damaged |= cursor.failed;
}

const SysprofJitCode *
sysprof_symbols_find_jit (SysprofSymbols *symbols, int32_t pid, uint64_t address)
{
    g_assert (symbols != NULL);
    uint32_t any = pv_id_map_find (&symbols->jit_of_address, address);
    if (any == 0 || symbols->jit.data[any - 1].pid == pid)
        return any != 0 ? &symbols->jit.data[any - 1] : NULL;
    /* All addresses are known by now: a slot that this makes is of an id that is given below. */
    uint32_t *own = pv_hash_map_slot (&symbols->jit_of_process, hash_jit (pid, address));
    if (*own == 0)
        *own = any;
    return &symbols->jit.data[*own - 1];
}
