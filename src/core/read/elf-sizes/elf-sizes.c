/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the bytes of a program, a library or an object file go: a stack for each symbol, with its
 * section, and the packages, namespaces or source file that it belongs to, below it; of a library
 * (ar archive) with the member first. The sum of all is the size of the file, to the byte; see
 * elf-parts.c.
 */
#include <elf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/idmap.h"
#include "core/read/elf-sizes/ar-archive.h"
#include "core/read/elf-sizes/elf-parts.h"
#include "core/read/elf-sizes/symbol-path.h"
#include "core/read/unpack/reader.h"

enum { PARTS_PER_CHECK = 4096, N_COLUMNS = 3 };

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    size_t size_bytes;
    uint32_t set;
    PvModuleId modules[ELF_N_CLASSES];
    PvHashMap locations; /* by module and name */
    uint64_t ordinal;
    GString *text;
    PvStackId member; /* of an archive; 0: none */
    uint64_t n_parts;
    bool is_over; /* the budget is spent, or the job was cancelled */
    bool is_stripped, has_no_symbols, is_debug_file, has_clipped; /* any of the files */
} Reading;

/* --- stacks --- */

/* Modules stand for what sections are for: they are what colors tell apart. */
static PvModuleId
get_module (Reading *self, ElfClass class)
{
    static const char *const names[ELF_N_CLASSES] = {
        [ELF_CLASS_CODE] = N_ ("code"),
        [ELF_CLASS_CONSTANTS] = N_ ("read-only data"),
        [ELF_CLASS_DATA] = N_ ("data"),
        [ELF_CLASS_ZEROS] = N_ ("zeros (bss)"),
        [ELF_CLASS_UNWIND] = N_ ("unwind tables"),
        [ELF_CLASS_LINKING] = N_ ("dynamic linking"),
        [ELF_CLASS_RELOCATIONS] = N_ ("relocations"),
        [ELF_CLASS_SYMBOLS] = N_ ("symbol tables"),
        [ELF_CLASS_DEBUG] = N_ ("debug information"),
        [ELF_CLASS_NOTES] = N_ ("notes"),
        [ELF_CLASS_OTHER] = N_ ("other sections"),
        [ELF_CLASS_STRUCTURE] = N_ ("headers and padding"),
    };
    if (self->modules[class] == 0) {
        g_autofree char *name = g_strdup_printf ("[%s]", _ (names[class]));
        PvModule module = {
            .path = name,
            .kind = PV_MODULE_FILE,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        self->modules[class] = pv_profile_builder_add_module (self->builder, &module);
    }
    return self->modules[class];
}

static PvStackId
push (Reading *self, PvStackId parent, ElfClass class, const char *name, size_t len)
{
    PvModuleId module = get_module (self, class);
    uint32_t *slot = pv_hash_map_slot (&self->locations, pv_hash_bytes (name, len, module));
    if (*slot == 0) {
        PvGivenFrame frame = {.name = pv_profile_builder_string_len (self->builder, name, len)};
        *slot = pv_profile_builder_add_location (self->builder, module, self->ordinal++,
                                                 PV_LOCATION_NAMED);
        pv_profile_builder_give_frames (self->builder, *slot, &frame, 1);
    }
    return pv_profile_builder_stack (self->builder, parent, *slot);
}

/* ".text.main" of an object file is one of many ".text": the length of that. */
static size_t
find_group (const char *section)
{
    static const char *const groups[] = {".text", ".rodata", ".data.rel.ro", ".data",
                                         ".bss",  ".tdata",  ".tbss"};
    for (size_t i = 0; i < G_N_ELEMENTS (groups); i++) {
        size_t len = strlen (groups[i]);
        if (strncmp (section, groups[i], len) == 0 && (section[len] == '.' || section[len] == '\0'))
            return len;
    }
    return strlen (section);
}

static PvStackId
push_path (Reading *self, PvStackId stack, const ElfPart *part, bool is_go)
{
    SymbolPath path;
    symbol_path_find (part->name, is_go, &path);
    g_string_truncate (self->text, 0);
    for (unsigned i = 0; i < path.n; i++) {
        if (i > 0)
            g_string_append (self->text, path.separator);
        g_string_append_len (self->text, path.parts[i].text, (gssize)path.parts[i].len);
        stack = push (self, stack, part->class, self->text->str, self->text->len);
    }
    if (path.n == 0 && part->source_file != NULL)
        stack = push (self, stack, part->class, part->source_file, strlen (part->source_file));
    return stack;
}

static PvStackId
make_stack (Reading *self, const ElfPart *part, bool is_go)
{
    PvStackId stack = self->member;
    if (part->section != NULL) {
        const char *section = *part->section != '\0' ? part->section : "[section without name]";
        stack = push (self, stack, part->class, section, find_group (section));
    }
    switch (part->kind) {
    case ELF_PART_SECTION:
        return stack;
    case ELF_PART_SYMBOL:
        stack = push_path (self, stack, part, is_go);
        return push (self, stack, part->class, part->name, strlen (part->name));
    case ELF_PART_STRUCTURE:
        return push (self, stack, part->class, part->name, strlen (part->name));
    case ELF_PART_PADDING:
        return push (self, stack, part->class, "[padding]", strlen ("[padding]"));
    case ELF_PART_UNNAMED:
        return push (self, stack, part->class, "[no symbol]", strlen ("[no symbol]"));
    }
    g_assert_not_reached ();
}

/* --- samples --- */

static void
add_columns (Reading *self)
{
    self->set = pv_profile_builder_add_set (self->builder, "sizes", false);
    pv_profile_builder_set_exact (self->builder, self->set);
    pv_profile_builder_add_measure (self->builder, self->set, "file-size", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (self->builder, self->set, "memory-size", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (self->builder, self->set, "symbols", PV_UNIT_COUNT,
                                    PV_AGGREGATION_SUM);
}

static void
add_sample (Reading *self, PvStackId stack, uint64_t file_bytes, uint64_t memory_bytes,
            uint64_t n_symbols)
{
    PvNewSample sample = {.stack = stack, .cpu = PV_CPU_UNKNOWN, .stack_end = PV_STACK_END_ROOT};
    const uint64_t weights[N_COLUMNS] = {file_bytes, memory_bytes, n_symbols};
    if (file_bytes > 0 || memory_bytes > 0)
        pv_profile_builder_add_sample (self->builder, self->set, &sample, weights);
}

/* Bytes of an archive that are of no object file. */
static void
add_structure (Reading *self, const char *name, uint64_t size_bytes)
{
    PvStackId stack = size_bytes > 0 ? push (self, 0, ELF_CLASS_STRUCTURE, name, strlen (name)) : 0;
    add_sample (self, stack, size_bytes, 0, 0);
}

static bool
may_go_on (Reading *self)
{
    uint64_t used_bytes = pv_profile_builder_count_bytes (self->builder) +
                          (uint64_t)self->locations.mask * (sizeof (PvHash) + sizeof (uint32_t));
    if (self->is_over || pv_job_is_cancelled (self->context->job)) {
        self->is_over = true;
    } else if (used_bytes > pv_budget_get_bytes (&self->context->budget, self->size_bytes)) {
        self->is_over = true;
        pv_reader_note_out_of_memory (self->builder);
    }
    return !self->is_over;
}

static void
take_parts (Reading *self, const ElfParts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        const ElfPart *part = &parts->parts[i];
        if (self->n_parts++ % PARTS_PER_CHECK == 0 && !may_go_on (self))
            return;
        if (part->bytes[ELF_SPACE_FILE] == 0 && part->bytes[ELF_SPACE_MEMORY] == 0)
            continue;
        add_sample (self, make_stack (self, part, parts->is_go), part->bytes[ELF_SPACE_FILE],
                    part->bytes[ELF_SPACE_MEMORY], part->kind == ELF_PART_SYMBOL);
    }
}

/* False, with error, if it is no ELF file that can be read. */
static bool
take_elf (Reading *self, PvMappedFile *file, const char *path, GError **error)
{
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, path, error);
    if (image == NULL)
        return false;
    g_autoptr (ElfParts) parts = elf_parts_new (image, pv_mapped_file_get_data (file),
                                                pv_mapped_file_get_size (file), self->context->job);
    if (parts == NULL) {
        self->is_over = true;
        return true;
    }
    self->is_stripped |= parts->is_stripped;
    self->has_no_symbols |= !parts->has_symbols;
    self->is_debug_file |= parts->is_debug_file;
    self->has_clipped |= parts->has_clipped;
    take_parts (self, parts);
    return true;
}

/* --- archives --- */

static void
take_member (Reading *self, const uint8_t *data, const ArMember *member)
{
    static const char unnamed[] = "[member without name]";
    const char *name = member->name_len > 0 ? member->name : unnamed;
    size_t name_len = member->name_len > 0 ? member->name_len : strlen (unnamed);
    g_autoptr (PvMappedFile) file = pv_mapped_file_new_take (
        g_memdup2 (data + member->offset, member->size_bytes), member->size_bytes);
    self->member = push (self, 0, ELF_CLASS_OTHER, name, name_len);
    if (member->size_bytes == 0 || !take_elf (self, file, "", NULL))
        add_sample (self, self->member, member->size_bytes, 0, 0);
    self->member = 0;
}

static void
take_archive (Reading *self, const uint8_t *data)
{
    ArArchive archive;
    ArMember member;
    uint64_t of_members = 0, of_index = 0, of_names = 0;
    ar_archive_init (&archive, data, self->size_bytes);
    while (ar_archive_next (&archive, &member)) {
        pv_job_set_done (self->context->job, member.offset);
        if (!may_go_on (self))
            return;
        self->has_clipped |= member.is_cut;
        of_members += member.kind == AR_MEMBER_FILE ? member.size_bytes : 0;
        of_index += member.kind == AR_MEMBER_INDEX ? member.size_bytes : 0;
        of_names += member.kind == AR_MEMBER_NAMES ? member.size_bytes : 0;
        if (member.kind == AR_MEMBER_FILE)
            take_member (self, data, &member);
    }
    uint64_t after = self->size_bytes - archive.offset;
    add_structure (self, "[symbol index]", of_index);
    add_structure (self, "[long names]", of_names);
    add_structure (self, "[member headers]", archive.offset - of_members - of_index - of_names);
    add_structure (self, "[after the last member]", after);
}

/* --- the file --- */

static void
add_notes (Reading *self, PvMappedFile *file)
{
    PvProfileBuilder *builder = self->builder;
    if (self->is_debug_file)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("This file has debug information only. What is loaded when "
                                    "the program runs is in another file."));
    if (self->has_no_symbols)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("There is no symbol table, so sections are not divided into "
                                    "functions and variables."));
    else if (self->is_stripped)
        pv_profile_builder_note (builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                 _ ("The symbol table was stripped. Only exported functions and "
                                    "variables have names."));
    if (self->has_clipped)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0,
                                 _ ("A section or symbol is said to reach beyond the end of what "
                                    "it is in. What is not there does not count."));
    pv_reader_note_shortened (builder, file);
}

static bool
read_elf (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
          const PvReadContext *context, GError **error)
{
    g_assert (file != NULL && builder != NULL && context != NULL);
    const uint8_t *data = pv_mapped_file_get_data (file);
    bool is_archive = ar_archive_sniff (data, pv_mapped_file_get_size (file));
    Reading self = {
        .builder = builder,
        .context = context,
        .size_bytes = pv_mapped_file_get_size (file),
        .text = g_string_new (NULL),
    };
    pv_job_set_stage (context->job, PV_STAGE_READ, self.size_bytes);
    PvFacts *facts = pv_profile_builder_facts (builder);
    facts->format = is_archive ? "ar archive" : "ELF file";
    facts->size_bytes = self.size_bytes;
    facts->modified_at = pv_mapped_file_get_mtime (file);
    add_columns (&self);
    bool is_read = true;
    if (is_archive)
        take_archive (&self, data);
    else
        is_read = take_elf (&self, file, path != NULL ? path : "", error);
    if (is_read)
        add_notes (&self, file);
    pv_hash_map_clear (&self.locations);
    g_string_free (self.text, TRUE);
    return is_read && pv_job_check (context->job, error);
}

/* Core dumps are ELF files too, of a program's memory. */
static bool
sniff (const uint8_t *data, size_t size_bytes)
{
    if (ar_archive_sniff (data, size_bytes))
        return true;
    if (size_bytes < sizeof (Elf32_Ehdr) || memcmp (data, ELFMAG, SELFMAG) != 0)
        return false;
    bool is_big = data[EI_DATA] == ELFDATA2MSB;
    return (is_big ? data[EI_NIDENT] << 8 | data[EI_NIDENT + 1]
                   : data[EI_NIDENT + 1] << 8 | data[EI_NIDENT]) != ET_CORE;
}

const PvReader pv_elf_sizes_reader = {
    .name = "ELF file",
    .is_recording = true,
    .sniff = sniff,
    .read = read_elf,
};
