/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names for entries of the procedure linkage table, which have no symbols. An entry jumps through a
 * slot of the global offset table; the relocation of that slot names the function. The slot is
 * decoded from the jump itself, so the order and size of entries, which differ between linkers and
 * hardening options, do not matter.
 */
#include <elf.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/cursor.h"
#include "core/base/search.h"
#include "core/symbolize/names/elf-symbols.h"

#define PLT_ENTRY_BYTES 16u

/* An address whose slot needs a name. */
typedef struct {
    uint64_t slot;
    uint64_t entry; /* likely start of the entry */
    size_t hit;
} Wanted;

typedef PV_ARRAY (Wanted) WantedArray;

static uint32_t
read_u32 (const uint8_t *data)
{
    uint32_t value;
    memcpy (&value, data, sizeof value);
    return GUINT32_FROM_LE (value);
}

/* jmp *disp32(%rip), perhaps after endbr64 and a bnd prefix. */
static bool
decode_x86_64 (const uint8_t *code, size_t size_bytes, uint64_t addr, uint64_t *ret_slot)
{
    for (size_t i = 0; i + 6 <= MIN (size_bytes, PLT_ENTRY_BYTES); i++) {
        if (code[i] != 0xff || code[i + 1] != 0x25)
            continue;
        *ret_slot = addr + i + 6 + (uint64_t)(int64_t)(int32_t)read_u32 (code + i + 2);
        return true;
    }
    return false;
}

/* adrp x16, page; ldr x17, [x16, #offset]; perhaps after bti. */
static bool
decode_aarch64 (const uint8_t *code, size_t size_bytes, uint64_t addr, uint64_t *ret_slot)
{
    for (size_t i = 0; i + 8 <= MIN (size_bytes, PLT_ENTRY_BYTES); i += 4) {
        uint32_t adrp = read_u32 (code + i);
        uint32_t ldr = read_u32 (code + i + 4);
        if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
            continue;
        uint64_t immediate = ((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3));
        int64_t pages = (int64_t)(immediate << 43) >> 43;
        *ret_slot = ((addr + i) & ~UINT64_C (0xfff)) + (uint64_t)pages * 4096 +
                    (uint64_t)(ldr >> 10 & 0xfff) * 8;
        return true;
    }
    return false;
}

static void
collect (PvElfImage *binary, const PvElfSection *section, const uint64_t *link_addrs, size_t n,
         const PvSymbolHit *hits, WantedArray *wanted)
{
    size_t size_bytes;
    const uint8_t *data = pv_elf_image_get_section_data (binary, section, &size_bytes);
    uint16_t machine = pv_elf_image_get_machine (binary);
    /* .plt.got has entries of 8 bytes and no header; those of .plt have 16. */
    uint64_t entry_size =
        section->entry_size == 8 || strcmp (section->name, ".plt.got") == 0 ? 8 : PLT_ENTRY_BYTES;

    for (size_t i = 0; data != NULL && i < n; i++) {
        uint64_t offset = link_addrs[i] - section->link_addr;
        if (hits[i].kind != PV_SYMBOL_NONE || link_addrs[i] < section->link_addr ||
            offset >= size_bytes)
            continue;
        Wanted one = {.hit = i};
        bool ok = false;
        for (unsigned try = 0; !ok && try < 2; try++) {
            uint64_t size = try == 0 ? entry_size : PLT_ENTRY_BYTES;
            uint64_t start = offset / size * size;
            one.entry = section->link_addr + start;
            if (machine == EM_X86_64)
                ok = decode_x86_64 (data + start, size_bytes - start, one.entry, &one.slot);
            else if (machine == EM_AARCH64)
                ok = decode_aarch64 (data + start, size_bytes - start, one.entry, &one.slot);
        }
        if (ok)
            pv_array_push (wanted, one);
    }
}

/* The name of a symbol by its index, or NULL. */
static const char *
get_symbol_name (PvElfImage *binary, const PvElfSection *symbols, uint32_t index)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (binary, &sections);
    size_t symbols_size, names_size;
    const uint8_t *data = pv_elf_image_get_section_data (binary, symbols, &symbols_size);
    Elf64_Sym symbol;

    if (data == NULL || symbols->link >= n_sections || index >= symbols_size / sizeof symbol)
        return NULL;
    memcpy (&symbol, data + index * sizeof symbol, sizeof symbol);
    const char *names =
        (const char *)pv_elf_image_get_section_data (binary, &sections[symbols->link], &names_size);
    if (names == NULL || symbol.st_name >= names_size)
        return NULL;
    const char *name = names + symbol.st_name;
    return *name != '\0' && memchr (name, '\0', names_size - symbol.st_name) != NULL ? name : NULL;
}

/* If a resolver fills the slot, its relocation has no symbol, only the resolver's address. */
static const char *
get_resolver_name (PvElfImage *binary, uint64_t link_addr, PvArena *arena)
{
    PvModuleFile file = {.debug = binary};
    PvSymbolHit hit;

    pv_elf_symbols_find (&file, &link_addr, 1, &hit, arena);
    return hit.kind == PV_SYMBOL_NAMED && hit.start == link_addr ? hit.name : NULL;
}

static int
compare_slots (const void *a_, const void *b_)
{
    const Wanted *a = a_, *b = b_;
    return pv_order (a->slot, b->slot) ?: pv_order (a->hit, b->hit);
}

/* The first wanted slot at or above slot. */
static size_t
find_slot (const WantedArray *wanted, uint64_t slot)
{
    return pv_bisect (0, wanted->len, i, wanted->data[i].slot < slot);
}

static void
apply_relocations (PvElfImage *binary, const PvElfSection *section, const WantedArray *wanted,
                   PvSymbolHit *hits, PvArena *arena)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (binary, &sections);
    size_t size_bytes;
    const uint8_t *data = pv_elf_image_get_section_data (binary, section, &size_bytes);
    bool is_x86 = pv_elf_image_get_machine (binary) == EM_X86_64;
    Elf64_Rela relocation;

    for (size_t r = 0; data != NULL && r < size_bytes / sizeof relocation; r++) {
        memcpy (&relocation, data + r * sizeof relocation, sizeof relocation);
        for (size_t w = find_slot (wanted, relocation.r_offset);
             w < wanted->len && wanted->data[w].slot == relocation.r_offset; w++) {
            PvSymbolHit *hit = &hits[wanted->data[w].hit];
            if (hit->kind != PV_SYMBOL_NONE)
                break;
            uint32_t index = ELF64_R_SYM (relocation.r_info);
            uint32_t type = ELF64_R_TYPE (relocation.r_info);
            const char *name = NULL;
            if (index != 0 && section->link < n_sections)
                name = get_symbol_name (binary, &sections[section->link], index);
            else if (type == (is_x86 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE))
                name = get_resolver_name (binary, (uint64_t)relocation.r_addend, arena);
            if (name == NULL)
                break;
            *hit = (PvSymbolHit){.name = pv_arena_printf (arena, "%s@plt", name),
                                 .start = wanted->data[w].entry,
                                 .kind = PV_SYMBOL_NAMED};
        }
    }
}

void
pv_plt_symbols_find (PvElfImage *binary, const uint64_t *link_addrs, size_t n, PvSymbolHit *hits,
                     PvArena *arena)
{
    g_assert (binary != NULL && arena != NULL);

    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (binary, &sections);
    WantedArray wanted = {0};

    if (!pv_elf_image_is_64bit (binary) || pv_elf_image_is_swapped (binary))
        return;
    for (size_t s = 0; s < n_sections; s++)
        if ((sections[s].flags & SHF_EXECINSTR) != 0 &&
            (strncmp (sections[s].name, ".plt", 4) == 0 || strcmp (sections[s].name, ".iplt") == 0))
            collect (binary, &sections[s], link_addrs, n, hits, &wanted);
    pv_array_sort (&wanted, compare_slots);
    for (size_t s = 0; wanted.len > 0 && s < n_sections; s++)
        if (sections[s].type == SHT_RELA && (sections[s].flags & SHF_ALLOC) != 0)
            apply_relocations (binary, &sections[s], &wanted, hits, arena);
    pv_array_clear (&wanted);
}
