/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the bytes of a program, a library or an object file go: a stack for each symbol, with its
 * section, and the packages, namespaces or source file that it belongs to, below it; of a library
 * (ar archive) with the member first. Where there is debug information, bytes of a function that
 * come from inlined calls are theirs, in frames as profiles have them. The sum of all is the size
 * of the file, to the byte; see elf-parts.c.
 */
#include <elf.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/read/elf-sizes/ar-archive.h"
#include "core/read/elf-sizes/elf-parts.h"
#include "core/read/elf-sizes/inlined-calls.h"
#include "core/read/elf-sizes/source-folders.h"
#include "core/read/elf-sizes/symbol-path.h"
#include "core/read/unpack/reader.h"

enum { PARTS_PER_CHECK = 4096, MAX_COLUMNS = 4, SMALL_INFO_BYTES = 1 << 20 };

typedef struct {
    PvProfileBuilder *builder;
    const PvReadContext *context;
    size_t size_bytes;
    uint32_t set;
    PvModuleId modules[ELF_N_CLASSES];
    PvHashMap locations; /* by module and name */
    uint64_t ordinal;
    GString *text;
    /* The packages of the symbol before: those of neighbours are mostly the same. */
    struct {
        GString *text;
        const char *section; /* NULL: none */
        PvStackId stack;
    } path;
    PvStackId member;   /* of an archive; 0: none */
    const char *folder; /* of a thin archive, with its members; NULL: unknown */
    uint64_t n_parts;
    bool is_over; /* the budget is spent, or the job was cancelled */
    bool is_stripped, has_mini_info, has_no_symbols, is_debug_file, has_clipped; /* any of them */
    bool is_member_missing;
} Reading;

/* --- stacks --- */

/* Modules stand for the purposes of sections, as colors tell modules apart. */
static PvModuleId
get_module (Reading *self, ElfClass class)
{
    /* Names of a profile are not translated: reports for scripts have them too. */
    static const char *const names[ELF_N_CLASSES] = {
        [ELF_CLASS_CODE] = "code",
        [ELF_CLASS_CONSTANTS] = "read-only data",
        [ELF_CLASS_DATA] = "data",
        [ELF_CLASS_ZEROS] = "zeros (bss)",
        [ELF_CLASS_UNWIND] = "unwind tables",
        [ELF_CLASS_LINKING] = "dynamic linking",
        [ELF_CLASS_RELOCATIONS] = "relocations",
        [ELF_CLASS_SYMBOLS] = "symbol tables",
        [ELF_CLASS_DEBUG] = "debug information",
        [ELF_CLASS_NOTES] = "notes",
        [ELF_CLASS_OTHER] = "other sections",
        [ELF_CLASS_STRUCTURE] = "headers and padding",
    };
    static const PvSectionKind kinds[ELF_N_CLASSES] = {
        [ELF_CLASS_CODE] = PV_SECTION_CODE,          [ELF_CLASS_CONSTANTS] = PV_SECTION_CONSTANTS,
        [ELF_CLASS_DATA] = PV_SECTION_DATA,          [ELF_CLASS_ZEROS] = PV_SECTION_ZEROS,
        [ELF_CLASS_UNWIND] = PV_SECTION_TABLES,      [ELF_CLASS_LINKING] = PV_SECTION_TABLES,
        [ELF_CLASS_RELOCATIONS] = PV_SECTION_TABLES, [ELF_CLASS_SYMBOLS] = PV_SECTION_SYMBOLS,
        [ELF_CLASS_DEBUG] = PV_SECTION_DEBUG,        [ELF_CLASS_NOTES] = PV_SECTION_REST,
        [ELF_CLASS_OTHER] = PV_SECTION_REST,         [ELF_CLASS_STRUCTURE] = PV_SECTION_REST,
    };
    if (self->modules[class] == 0) {
        g_autofree char *name = g_strdup_printf ("[%s]", names[class]);
        PvModule module = {
            .path = name,
            .kind = PV_MODULE_FILE,
            .address_kind = PV_ADDRESS_ORDINAL,
            .section_kind = (uint8_t)kinds[class],
        };
        self->modules[class] = pv_profile_builder_add_module (self->builder, &module);
    }
    return self->modules[class];
}

static PvLocationId
add_location (Reading *self, PvModuleId module)
{
    return pv_profile_builder_add_location (self->builder, module, self->ordinal++,
                                            PV_LOCATION_NAMED);
}

/* A frame with its strings of the builder: they are all that tells locations apart. */
static PvStackId
push_frame (Reading *self, PvStackId parent, ElfClass class, const PvGivenFrame *frame)
{
    PvModuleId module = get_module (self, class);
    const char *const key[] = {frame->name, frame->file};
    uint32_t *slot = pv_hash_map_slot (&self->locations, pv_hash_bytes (key, sizeof key, module));
    if (*slot == 0) {
        *slot = add_location (self, module);
        pv_profile_builder_give_frames (self->builder, *slot, frame, 1);
    }
    return pv_profile_builder_stack (self->builder, parent, *slot);
}

static PvStackId
push (Reading *self, PvStackId parent, ElfClass class, const char *name, size_t len)
{
    PvGivenFrame frame = {.name = pv_profile_builder_string_len (self->builder, name, len)};
    return push_frame (self, parent, class, &frame);
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
push_section (Reading *self, const ElfPart *part)
{
    if (part->section == NULL)
        return self->member;
    const char *section = *part->section != '\0' ? part->section : "[section without name]";
    return push (self, self->member, part->class, section, find_group (section));
}

/* A symbol's section and its packages, each in the one before. */
static PvStackId
push_packages (Reading *self, const ElfPart *part, const SymbolPath *path)
{
    GString *text = self->path.text;
    PvStackId stack = push_section (self, part);
    g_string_truncate (text, 0);
    for (unsigned i = 0; i < path->n; i++) {
        if (i > 0)
            g_string_append (text, path->separator);
        symbol_path_append (text, &path->parts[i]);
        stack = push (self, stack, part->class, text->str, text->len);
    }
    self->path.section = part->section;
    return self->path.stack = stack;
}

/* *ret_file: its source file, if that is to be shown, or NULL. */
static PvStackId
push_path (Reading *self, const ElfPart *part, bool is_go, const char **ret_file)
{
    SymbolPath path;
    symbol_path_find (part->name, is_go, &path);
    *ret_file = part->unit_file != NULL ? part->unit_file : path.n == 0 ? part->source_file : NULL;
    g_string_truncate (self->text, 0);
    for (unsigned i = 0; i < path.n; i++) {
        if (i > 0)
            g_string_append (self->text, path.separator);
        symbol_path_append (self->text, &path.parts[i]);
    }
    bool is_known = self->path.section != NULL && self->path.section == part->section &&
                    g_string_equal (self->path.text, self->text);
    return is_known ? self->path.stack : push_packages (self, part, &path);
}

/* A symbol's source file, in those of its folders that tell files apart. */
static PvStackId
push_files (Reading *self, PvStackId place, const ElfPart *part, SourceFolders *folders,
            uint32_t file)
{
    uint32_t nodes[SOURCE_FOLDERS_MAX + 1];
    unsigned n = source_folders_list (folders, place, file, nodes);
    PvStackId stack = place;
    for (unsigned i = 0; i < n; i++) {
        size_t len;
        const char *name = source_folders_get_name (folders, nodes[i], &len);
        PvGivenFrame frame = {.name = pv_profile_builder_string_len (self->builder, name, len)};
        if (i + 1 == n && part->unit_file != NULL)
            frame.file = pv_profile_builder_string (self->builder, part->unit_file);
        stack = push_frame (self, stack, part->class, &frame);
    }
    return stack;
}

static PvGivenFrame
make_frame (Reading *self, const ElfPart *part)
{
    PvGivenFrame frame = {.name = pv_profile_builder_string (self->builder, part->name),
                          .start_line = part->line,
                          .source = part->name_source};
    if (part->file != NULL)
        frame.file = pv_profile_builder_string (self->builder, part->file);
    return frame;
}

/* Without the part itself and its source file if it is a symbol. */
static PvStackId
make_stack (Reading *self, const ElfPart *part, bool is_go, const char **ret_file)
{
    if (part->kind == ELF_PART_SYMBOL)
        return push_path (self, part, is_go, ret_file);
    PvStackId stack = push_section (self, part);
    switch (part->kind) {
    case ELF_PART_SECTION:
    case ELF_PART_SYMBOL:
        return stack;
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
add_columns (Reading *self, bool has_inlined)
{
    self->set = pv_profile_builder_add_set (self->builder, "sizes", false);
    pv_profile_builder_set_exact (self->builder, self->set);
    pv_profile_builder_add_measure (self->builder, self->set, "file-size", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (self->builder, self->set, "memory-size", PV_UNIT_BYTES,
                                    PV_AGGREGATION_SUM);
    pv_profile_builder_add_measure (self->builder, self->set, "symbols", PV_UNIT_COUNT,
                                    PV_AGGREGATION_SUM);
    if (has_inlined)
        pv_profile_builder_add_measure (self->builder, self->set, "inlined-copies", PV_UNIT_COUNT,
                                        PV_AGGREGATION_SUM);
}

static void
add_weights (Reading *self, PvStackId stack, const uint64_t weights[MAX_COLUMNS])
{
    PvNewSample sample = {.stack = stack, .cpu = PV_CPU_UNKNOWN, .stack_end = PV_STACK_END_ROOT};
    pv_profile_builder_add_sample (self->builder, self->set, &sample, weights);
}

static void
add_sample (Reading *self, PvStackId stack, uint64_t file_bytes, uint64_t memory_bytes)
{
    if (file_bytes > 0 || memory_bytes > 0)
        add_weights (self, stack, (uint64_t[MAX_COLUMNS]){file_bytes, memory_bytes});
}

/* Bytes of an archive that are of no object file. */
static void
add_structure (Reading *self, const char *name, uint64_t size_bytes)
{
    PvStackId stack = size_bytes > 0 ? push (self, 0, ELF_CLASS_STRUCTURE, name, strlen (name)) : 0;
    add_sample (self, stack, size_bytes, 0);
}

static bool
may_go_on (Reading *self)
{
    uint64_t used_bytes = pv_profile_builder_count_bytes (self->builder) +
                          (uint64_t)self->locations.mask * sizeof (PvHashSlot);
    if (self->is_over || pv_job_is_cancelled (self->context->job)) {
        self->is_over = true;
    } else if (used_bytes > pv_budget_get_bytes (&self->context->budget, self->size_bytes)) {
        self->is_over = true;
        pv_reader_note_out_of_memory (self->builder);
    }
    return !self->is_over;
}

/* The function's own bytes, and a sample for each call that was inlined into it. */
static void
take_function (Reading *self, PvStackId stack, const ElfPart *part, InlinedCalls *calls)
{
    PvModuleId module = get_module (self, part->class);
    PvGivenFrame function = make_frame (self, part);
    uint64_t own[MAX_COLUMNS] = {part->bytes[ELF_SPACE_FILE], part->bytes[ELF_SPACE_MEMORY], 1};
    PvLocationId first = pv_profile_builder_count_locations (self->builder);
    size_t n = 0;
    for (; n < calls->calls.len; n++) {
        const InlinedCall *call = &calls->calls.data[n];
        if (self->n_parts++ % PARTS_PER_CHECK == 0 && !may_go_on (self))
            break;
        PvLocationId location = add_location (self, module);
        g_assert (location == first + n);
        add_weights (self, pv_profile_builder_new_stack (self->builder, stack, location),
                     (uint64_t[MAX_COLUMNS]){call->bytes[ELF_SPACE_FILE],
                                             call->bytes[ELF_SPACE_MEMORY], 0, call->n_copies});
        own[0] -= call->bytes[ELF_SPACE_FILE];
        own[1] -= call->bytes[ELF_SPACE_MEMORY];
    }
    inlined_calls_give_frames (calls, n, first, &function);
    if (n == calls->calls.len)
        add_weights (self, push_frame (self, stack, part->class, &function), own);
}

/* Where a part is. */
typedef struct {
    PvStackId stack;
    uint32_t file; /* of a symbol; 0: unknown */
} Place;

static void
find_place (Reading *self, const ElfParts *parts, const ElfPart *part, SourceFolders *folders,
            Place *ret)
{
    const char *file = NULL;
    if (part->bytes[ELF_SPACE_FILE] == 0 && part->bytes[ELF_SPACE_MEMORY] == 0)
        return;
    ret->stack = make_stack (self, part, parts->is_go, &file);
    if (file == NULL)
        return;
    /* Members of an archive are of a few files each, which have the same names in all of them. */
    bool is_full = part->unit_file != NULL || *file == '/';
    ret->file = source_folders_add (folders, file, is_full && self->member == 0);
    source_folders_put (folders, ret->stack, ret->file);
}

/* Files are in folders as far as all parts of a place need them. */
static Place *
find_places (Reading *self, const ElfParts *parts, SourceFolders *folders)
{
    Place *places = g_new0 (Place, MAX (parts->n, 1));
    self->path.section = NULL;
    for (size_t i = 0; i < parts->n; i++) {
        if (self->n_parts++ % PARTS_PER_CHECK == 0 && !may_go_on (self))
            break;
        find_place (self, parts, &parts->parts[i], folders, &places[i]);
    }
    return places;
}

/* code: NULL for none. */
static void
take_parts (Reading *self, const ElfParts *parts, const PvCodeMap *code)
{
    static const PvCodeMap no_code;
    InlinedCalls calls;
    size_t share = 0;
    SourceFolders folders = {0};
    g_autofree Place *places = find_places (self, parts, &folders);
    inlined_calls_init (&calls, code != NULL ? code : &no_code, self->builder);
    for (size_t i = 0; i < parts->n; i++) {
        const ElfPart *part = &parts->parts[i];
        size_t first_share = share;
        while (share < parts->n_shares && parts->shares[share].part == i)
            share++;
        if (self->n_parts++ % PARTS_PER_CHECK == 0 && !may_go_on (self))
            break;
        PvStackId stack = places[i].stack;
        if (places[i].file != 0)
            stack = push_files (self, stack, part, &folders, places[i].file);
        if (stack == 0)
            continue;
        if (part->kind == ELF_PART_SYMBOL) {
            inlined_calls_fill (&calls, share > first_share ? &parts->shares[first_share] : NULL,
                                share - first_share);
            take_function (self, stack, part, &calls);
        } else {
            add_sample (self, stack, part->bytes[ELF_SPACE_FILE], part->bytes[ELF_SPACE_MEMORY]);
        }
    }
    inlined_calls_clear (&calls);
    source_folders_clear (&folders);
}

static bool
has_debug_info (const PvElfImage *image)
{
    return pv_elf_image_find_section (image, ".debug_info") != NULL;
}

/* Members of an archive are many and small: a thread each would take longer than they do. */
static unsigned
count_workers (const Reading *self, const PvElfImage *image)
{
    const PvElfSection *info = pv_elf_image_find_section (image, ".debug_info");
    bool is_small = info == NULL || info->size_bytes < SMALL_INFO_BYTES;
    return self->member != 0 && is_small ? 1 : self->context->n_workers;
}

/* Reads debug information about a program's code. NULL: it is not wanted, or the code of an object
 * file cannot be given addresses. */
static PvCodeMap *
read_code (Reading *self, PvElfImage *image)
{
    const PvReadContext *context = self->context;
    if (context->read_code == NULL || (self->member != 0 && !has_debug_info (image)))
        return NULL;
    if (pv_elf_image_get_type (image) == ET_REL && !pv_elf_image_place (image)) {
        if (has_debug_info (image))
            pv_note_info (self->builder,
                          _ ("In object files, debug information is used for x86-64 and AArch64 "
                             "only. Inlined functions count as part of their callers."));
        return NULL;
    }
    uint64_t max_bytes = pv_budget_get_bytes (&context->budget, self->size_bytes) / 2;
    PvCodeMap *code = context->read_code (context->user, image, count_workers (self, image),
                                          max_bytes, context->job);
    if (code->problem != NULL)
        pv_note_warning (self->builder, "%s.", code->problem);
    if (code->is_cut)
        pv_note_warning (self->builder,
                         _ ("There is too much debug information, or it is damaged. Some inlined "
                            "functions count as part of their callers."));
    return code;
}

/* False, with error, if it is no ELF file that can be read. */
static bool
take_elf (Reading *self, PvMappedFile *file, const char *path, GError **error)
{
    g_autoptr (PvElfImage) image = pv_elf_image_new (file, path, error);
    if (image == NULL)
        return false;
    bool is_member = self->member != 0;
    g_autoptr (PvCodeMap) code = read_code (self, image);
    if (!is_member)
        add_columns (self, code != NULL && code->n_scopes > 1);
    g_autoptr (ElfParts) parts =
        elf_parts_new (image, pv_mapped_file_get_data (file), pv_mapped_file_get_size (file), code,
                       self->context->job);
    if (parts == NULL) {
        self->is_over = true;
        return true;
    }
    self->is_stripped |= parts->is_stripped;
    self->has_mini_info |= parts->has_mini_info;
    self->has_no_symbols |= !parts->has_symbols;
    self->is_debug_file |= parts->is_debug_file;
    self->has_clipped |= parts->has_clipped;
    take_parts (self, parts, code);
    return true;
}

/* --- archives --- */

/* The bytes of a member; NULL: it has none, or a thin archive's file is not there. */
static PvMappedFile *
open_member (Reading *self, const uint8_t *data, const ArMember *member)
{
    if (!member->is_elsewhere) {
        if (member->size_bytes == 0)
            return NULL;
        return pv_mapped_file_new_take (g_memdup2 (data + member->offset, member->size_bytes),
                                        member->size_bytes);
    }
    g_autofree char *name = g_strndup (member->name, member->name_len);
    g_autofree char *path =
        self->folder != NULL ? g_canonicalize_filename (name, self->folder) : NULL;
    PvMappedFile *file = path != NULL ? pv_mapped_file_open (path, NULL) : NULL;
    self->is_member_missing |= file == NULL;
    return file;
}

static void
take_member (Reading *self, const uint8_t *data, const ArMember *member)
{
    static const char unnamed[] = "[member without name]";
    const char *name = member->name_len > 0 ? member->name : unnamed;
    size_t name_len = member->name_len > 0 ? member->name_len : strlen (unnamed);
    g_autoptr (PvMappedFile) file = open_member (self, data, member);
    self->member = push (self, 0, ELF_CLASS_OTHER, name, name_len);
    if (file == NULL)
        add_sample (self, self->member, member->size_bytes, 0);
    else if (!take_elf (self, file, "", NULL))
        add_sample (self, self->member, pv_mapped_file_get_size (file), 0);
    self->member = 0;
}

static bool
has_inlined (Reading *self, const uint8_t *data)
{
    ArArchive archive;
    ArMember member;
    bool has_any = false;
    if (self->context->read_code == NULL)
        return false;
    ar_archive_init (&archive, data, self->size_bytes);
    while (!has_any && ar_archive_next (&archive, &member) && may_go_on (self)) {
        g_autoptr (PvMappedFile) file =
            member.kind == AR_MEMBER_FILE ? open_member (self, data, &member) : NULL;
        g_autoptr (PvElfImage) image = file != NULL ? pv_elf_image_new (file, "", NULL) : NULL;
        has_any = image != NULL && has_debug_info (image);
    }
    return has_any;
}

static void
take_archive (Reading *self, const uint8_t *data)
{
    ArArchive archive;
    ArMember member;
    uint64_t of_members = 0, of_index = 0, of_names = 0;
    add_columns (self, has_inlined (self, data));
    ar_archive_init (&archive, data, self->size_bytes);
    while (ar_archive_next (&archive, &member)) {
        pv_job_set_done (self->context->job, member.offset);
        if (!may_go_on (self))
            return;
        self->has_clipped |= member.is_cut;
        of_members += member.kind == AR_MEMBER_FILE && !member.is_elsewhere ? member.size_bytes : 0;
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
add_notes (Reading *self)
{
    PvProfileBuilder *builder = self->builder;
    if (self->is_debug_file)
        pv_note_info (builder, _ ("This file has debug information only. What is loaded when the "
                                  "program runs is in another file."));
    if (self->has_no_symbols)
        pv_note_info (builder, _ ("There is no symbol table, so sections are not divided into "
                                  "functions and variables."));
    else if (self->is_stripped)
        pv_note_info (
            builder,
            _ ("The symbol table was stripped. Only exported functions and variables have names."));
    else if (self->has_mini_info)
        pv_note_info (builder, _ ("The symbol table was stripped. Functions have names from "
                                  ".gnu_debugdata, variables only if they are exported."));
    if (self->has_clipped)
        pv_note_warning (builder,
                         _ ("A section or symbol extends beyond the end of the file or section "
                            "that it is in. The missing part is not counted."));
    if (self->is_member_missing)
        pv_note_warning (builder,
                         _ ("Some of the object files that this archive names were not "
                            "found. Only the sizes that the archive gives for them are counted."));
}

static bool
read_elf (PvMappedFile *file, const char *path, PvProfileBuilder *builder,
          const PvReadContext *context, GError **error)
{
    const uint8_t *data = pv_mapped_file_get_data (file);
    bool is_archive = ar_archive_sniff (data, pv_mapped_file_get_size (file));
    Reading self = {
        .builder = builder,
        .context = context,
        .size_bytes = pv_mapped_file_get_size (file),
        .text = g_string_new (NULL),
        .path.text = g_string_new (NULL),
    };
    g_autofree char *absolute = path != NULL ? g_canonicalize_filename (path, NULL) : NULL;
    g_autofree char *folder = absolute != NULL ? g_path_get_dirname (absolute) : NULL;
    self.folder = folder;
    if (is_archive)
        pv_profile_builder_facts (builder)->format = "ar archive";
    bool is_read = true;
    if (is_archive)
        take_archive (&self, data);
    else
        is_read = take_elf (&self, file, path != NULL ? path : "", error);
    if (is_read)
        add_notes (&self);
    pv_hash_map_clear (&self.locations);
    g_string_free (self.text, TRUE);
    g_string_free (self.path.text, TRUE);
    return is_read;
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
    .media_type = "application/x-executable",
    .others = N_ ("sizes of programs and libraries"),
    .is_recording = true,
    .sniff = sniff,
    .read = read_elf,
};
