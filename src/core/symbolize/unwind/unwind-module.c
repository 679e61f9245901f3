/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elf.h>
#include <pthread.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/symbolize/machine/jit-code.h"
#include "core/symbolize/unwind/unwinder-private.h"

/* A module file or a piece of generated code, and whether it has been read. Two modules may share a
 * file. */
typedef struct {
    PvUnwindModule module;
    pthread_mutex_t lock; /* held while reading the file */
    bool is_ready;
    PvElfImage *code; /* of a piece */
    uint8_t *rules;   /* of a piece; the table has pointers to them */
} SharedModule;

struct PvUnwindModules {
    PvModuleFiles *files;
    pthread_mutex_t lock; /* protects the members below */
    PvIdMap id_of_file;   /* address of PvModuleFile -> index + 1 */
    PvHashMap id_of_code; /* jitdump and place -> index + 1 */
    PV_ARRAY (SharedModule *) modules;
};

PvUnwindModules *
pv_unwind_modules_new (PvModuleFiles *files)
{
    g_assert (files != NULL);

    PvUnwindModules *modules = g_new0 (PvUnwindModules, 1);
    modules->files = files;
    pthread_mutex_init (&modules->lock, NULL);
    return modules;
}

void
pv_unwind_modules_free (PvUnwindModules *modules)
{
    if (modules == NULL)
        return;
    for (size_t i = 0; i < modules->modules.len; i++) {
        SharedModule *shared = modules->modules.data[i];
        pv_cfi_table_free (shared->module.table);
        g_clear_pointer (&shared->code, pv_elf_image_unref);
        g_free (shared->rules);
        pthread_mutex_destroy (&shared->lock);
        g_free (shared);
    }
    pv_array_clear (&modules->modules);
    pv_id_map_clear (&modules->id_of_file);
    pv_hash_map_clear (&modules->id_of_code);
    pthread_mutex_destroy (&modules->lock);
    g_free (modules);
}

/* The shared module with this id, which is new if it is 0. The lock is held. */
static SharedModule *
get_shared (PvUnwindModules *modules, uint32_t *id)
{
    if (*id == 0) {
        SharedModule *shared = g_new0 (SharedModule, 1);
        pthread_mutex_init (&shared->lock, NULL);
        pv_array_push (&modules->modules, shared);
        *id = (uint32_t)modules->modules.len;
    }
    return modules->modules.data[*id - 1];
}

static SharedModule *
find_shared (PvUnwindModules *modules, const PvModuleFile *file)
{
    pthread_mutex_lock (&modules->lock);
    SharedModule *shared =
        get_shared (modules, pv_id_map_slot (&modules->id_of_file, (uintptr_t)file));
    pthread_mutex_unlock (&modules->lock);
    return shared;
}

static SharedModule *
find_shared_code (PvUnwindModules *modules, const PvModule *module, const PvJitPiece *piece)
{
    const uint64_t place[] = {piece->start, piece->end, piece->unwind_offset};
    PvHash key = pv_hash_bytes (place, sizeof place,
                                pv_hash_bytes (module->code_path, strlen (module->code_path), 0).a);
    pthread_mutex_lock (&modules->lock);
    SharedModule *shared = get_shared (modules, pv_hash_map_slot (&modules->id_of_code, key));
    pthread_mutex_unlock (&modules->lock);
    return shared;
}

static uint64_t
read_entry_addr (const PvElfImage *image)
{
    PvMappedFile *file = pv_elf_image_get_file (image);
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = pv_mapped_file_get_size (file);
    if (pv_elf_image_is_64bit (image)) {
        Elf64_Ehdr header;
        if (size_bytes < sizeof header)
            return 0;
        memcpy (&header, data, sizeof header);
        return header.e_entry;
    }
    Elf32_Ehdr header;
    if (size_bytes < sizeof header)
        return 0;
    memcpy (&header, data, sizeof header);
    return header.e_entry;
}

static PvLinkRange
find_range (const PvElfImage *image, const char *section_name)
{
    const PvElfSection *section = pv_elf_image_find_section (image, section_name);
    if (section == NULL || section->link_addr + section->size_bytes < section->link_addr)
        return (PvLinkRange){0, 0};
    return (PvLinkRange){section->link_addr, section->link_addr + section->size_bytes};
}

static void
widen (PvLinkRange *range, uint64_t start, uint64_t size_bytes)
{
    if (size_bytes == 0 || start + size_bytes < start)
        return;
    range->start = range->end == 0 ? start : MIN (range->start, start);
    range->end = MAX (range->end, start + size_bytes);
}

/* One range of each kind is precise enough, and a file may contain any number of them. */
static void
find_code_and_data (PvUnwindModule *module)
{
    const PvElfSegment *segments;
    const PvElfSection *sections;
    size_t n_segments = pv_elf_image_get_segments (module->binary, &segments);
    size_t n_sections = pv_elf_image_get_sections (module->binary, &sections);
    for (size_t i = 0; i < n_segments; i++) {
        if (segments[i].is_executable)
            widen (&module->code, segments[i].link_addr, segments[i].mem_size_bytes);
    }
    for (size_t i = 0; i < n_sections; i++) {
        if ((sections[i].flags & SHF_ALLOC) && (sections[i].flags & SHF_WRITE))
            widen (&module->written, sections[i].link_addr, sections[i].size_bytes);
    }
}

static void
make_module (PvUnwindModule *module, const PvModuleFile *file)
{
    module->binary = file->binary;
    if (file->binary == NULL)
        return;
    module->table = pv_cfi_table_new_for_image (file->binary, file->debug);
    find_code_and_data (module);
    module->entry_addr = read_entry_addr (file->binary);
    module->plt = find_range (file->binary, ".plt");
    module->plts[0] = find_range (file->binary, ".plt.sec");
    module->plts[1] = find_range (file->binary, ".plt.got");
    module->plts[2] = find_range (file->binary, ".iplt");
    module->starts[0] = find_range (file->binary, ".init");
    module->starts[1] = find_range (file->binary, ".fini");
}

const PvUnwindModule *
pv_unwind_modules_get (PvUnwindModules *modules, const PvModule *module)
{
    if (module->kind != PV_MODULE_FILE && module->kind != PV_MODULE_VDSO)
        return NULL;
    const PvModuleFile *file = pv_module_files_get (modules->files, module);
    SharedModule *shared = find_shared (modules, file);
    pthread_mutex_lock (&shared->lock);
    if (!shared->is_ready) {
        make_module (&shared->module, file);
        shared->is_ready = true;
    }
    pthread_mutex_unlock (&shared->lock);
    return &shared->module;
}

static uint16_t
get_machine (PvArch arch)
{
    switch (arch) {
    case PV_ARCH_AARCH64:
        return EM_AARCH64;
    case PV_ARCH_X86:
        return EM_386;
    default:
        return EM_X86_64;
    }
}

/* Makes the table of a piece. It stays empty if the jitdump is not what the reader saw. */
static void
make_code (PvUnwindModules *modules, SharedModule *shared, const PvModule *module,
           const PvJitPiece *piece, PvArch arch)
{
    g_autoptr (PvMappedFile) file =
        pv_module_files_open_side_file (modules->files, module->code_path);
    g_autoptr (PvJitDump) dump = file != NULL ? pv_jit_dump_new (file) : NULL;
    if (dump == NULL)
        return;
    const PvCodeMachine machine = pv_jit_dump_find_machine (dump, get_machine (arch));
    const PvCfiArch *cfi_arch = pv_cfi_arch_find (machine.machine);
    PvCfiSection section = {.size_bytes = piece->unwind_size_bytes};
    PvCodePiece code = {.addr = piece->start};
    code.bytes = pv_jit_dump_read (dump, piece, &code.size_bytes);
    const uint8_t *rules = pv_jit_dump_read_rules (dump, piece, &section.link_addr);
    if (cfi_arch == NULL || machine.is_swapped || machine.is_64bit != (cfi_arch->word_size == 8) ||
        code.bytes == NULL || code.size_bytes < piece->end - piece->start || rules == NULL)
        return;
    section.data = shared->rules = g_memdup2 (rules, section.size_bytes);
    shared->code = pv_code_image_new (&machine, &code, 1, module->code_path);
    shared->module.binary = shared->code;
    shared->module.table =
        pv_cfi_table_new (cfi_arch, NULL, NULL, &section, 1, piece->start, piece->end);
    find_code_and_data (&shared->module);
}

const PvUnwindModule *
pv_unwind_modules_get_code (PvUnwindModules *modules, const PvModule *module, uint64_t runtime_addr,
                            PvArch arch)
{
    PvJitPiece piece;
    if (module->kind != PV_MODULE_JIT || module->code_path == NULL ||
        !pv_jit_piece_find (module, runtime_addr, &piece) || piece.unwind_size_bytes == 0)
        return NULL;
    SharedModule *shared = find_shared_code (modules, module, &piece);
    pthread_mutex_lock (&shared->lock);
    if (!shared->is_ready) {
        make_code (modules, shared, module, &piece, arch);
        shared->is_ready = true;
    }
    pthread_mutex_unlock (&shared->lock);
    return shared->module.binary != NULL ? &shared->module : NULL;
}

static const uint8_t *
read_bytes (const PvUnwindModule *module, uint64_t link_addr, size_t size_bytes)
{
    size_t left = 0;
    const uint8_t *bytes = pv_elf_image_read (module->binary, link_addr, &left);
    return bytes != NULL && left >= size_bytes ? bytes : NULL;
}

const uint8_t *
pv_unwind_module_read (const PvUnwindModule *module, uint64_t link_addr, size_t size_bytes)
{
    if (module->binary == NULL || pv_link_range_has (module->written, link_addr))
        return NULL;
    return read_bytes (module, link_addr, size_bytes);
}

bool
pv_unwind_module_is_code (const PvUnwindModule *module, uint64_t link_addr)
{
    return pv_link_range_has (module->code, link_addr);
}

bool
pv_unwind_module_is_sigreturn (const PvUnwindModule *module, uint64_t link_addr, bool is_exact)
{
    /* mov $15,%rax; syscall */
    static const uint8_t code_x86_64[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    /* mov x8,#139; svc #0 */
    static const uint8_t code_aarch64[] = {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4};
    const uint8_t *code = code_x86_64;
    size_t size_bytes = sizeof code_x86_64;
    uint16_t machine = pv_elf_image_get_machine (module->binary);
    if (machine == EM_AARCH64) {
        code = code_aarch64;
        size_bytes = sizeof code_aarch64;
    } else if (machine != EM_X86_64) {
        return false;
    }
    /* Neither instruction changes the stack. During the system call the pc is after both, perhaps
     * outside the function's rules; but if another function starts there, the pc is in that one. */
    const size_t first_length = machine == EM_AARCH64 ? 4 : 7;
    const size_t passed[] = {0, first_length, size_bytes};
    uint64_t start = 0, end;
    bool is_start = module->table != NULL &&
                    pv_cfi_table_find_function (module->table, link_addr, &start, &end) &&
                    start == link_addr;
    size_t n_places = !is_exact ? 1 : is_start ? 2 : 3;
    for (size_t i = 0; i < n_places; i++) {
        const uint8_t *bytes = read_bytes (module, link_addr - passed[i], size_bytes);
        if (bytes != NULL && memcmp (bytes, code, size_bytes) == 0)
            return true;
    }
    return false;
}

/* The length of an indirect call, FF /2; 0 if it is another instruction. */
static size_t
indirect_call_length (const uint8_t *code)
{
    uint8_t mod = code[1] >> 6, rm = code[1] & 7;
    if (code[0] != 0xff || (code[1] & 0x38) != 0x10)
        return 0;
    size_t length = 2 + (mod != 3 && rm == 4);
    if (mod == 1)
        return length + 1;
    if (mod == 2 || (mod == 0 && (rm == 5 || (rm == 4 && (code[2] & 7) == 5))))
        return length + 4;
    return length;
}

static bool
follows_x86_call (const uint8_t *end, size_t n_before)
{
    if (n_before >= 5 && end[-5] == 0xe8)
        return true;
    for (size_t n = 2; n <= 7 && n <= n_before; n++) {
        if (indirect_call_length (end - n) == n)
            return true;
    }
    return false;
}

bool
pv_unwind_module_follows_call (const PvUnwindModule *module, uint64_t link_addr)
{
    enum { LONGEST_CALL = 7 };
    if (module->binary == NULL || !pv_unwind_module_is_code (module, link_addr))
        return false;
    size_t n_before = LONGEST_CALL;
    const uint8_t *bytes = NULL;
    while (n_before >= 2 && bytes == NULL) {
        bytes = read_bytes (module, link_addr - n_before, n_before);
        if (bytes == NULL)
            n_before--;
    }
    if (bytes == NULL)
        return false;
    if (pv_elf_image_get_machine (module->binary) != EM_AARCH64)
        return follows_x86_call (bytes + n_before, n_before);
    uint32_t instruction;
    if (n_before < sizeof instruction)
        return false;
    memcpy (&instruction, bytes + n_before - sizeof instruction, sizeof instruction);
    bool is_bl = (instruction & 0xfc000000) == 0x94000000;
    bool is_blr = (instruction & 0xfefff000) == 0xd63f0000; /* and its authenticating variants */
    return is_bl || is_blr;
}
