/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <elfutils/libdw.h>
#include <gelf.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/symbolize/dwarf/dwarf-index-private.h"

/*
 * libdw reads copies of the sections that the main reader has mapped and unpacked: its handle is
 * made from an ELF file that only exists in memory and has no other sections. So libdw has no file
 * name, opens no other file, and need not support the compression of the sections.
 *
 * libdw never gets what it is known to mishandle in damaged files: sections shorter than their
 * header, references to type units, units with damaged abbreviations.
 */
#define MIN_SECTION_BYTES 32
#define MAX_UNITS         300000 /* libdw allocates 700 bytes per unit up to the requested one */
#define MAX_COPIED_BYTES  (UINT64_C (1) << 30)
#define MAX_DEPTH         128
/* Limits one call: to find a DIE's sibling, libdw reads all attributes of all DIEs in between. */
#define MAX_UNIT_STEPS (UINT64_C (1) << 31)
/* Time limit per module. */
#define MAX_TOTAL_US    (10 * G_USEC_PER_SEC)
#define STEPS_PER_CHECK 64

struct PvDwarfFallback {
    const PvDwarfFile *file;
    pthread_mutex_t mutex; /* protects everything below */
    void *bytes;           /* the ELF file that libdw reads */
    size_t size_bytes;
    PvDwarfBytes sections[PV_DWARF_N_SECTIONS]; /* in it */
    Elf *elf;
    Dwarf *dwarf;
    bool is_tried;
    int64_t spent_us;
    size_t n_answered, n_unanswered;
};

PvDwarfFallback *
pv_dwarf_fallback_new (const PvDwarfFile *file)
{
    g_assert (file != NULL);
    PvDwarfFallback *fallback = g_new0 (PvDwarfFallback, 1);
    fallback->file = file;
    pthread_mutex_init (&fallback->mutex, NULL);
    return fallback;
}

static void
close_handle (PvDwarfFallback *fallback)
{
    g_clear_pointer (&fallback->dwarf, dwarf_end);
    g_clear_pointer (&fallback->elf, elf_end);
    if (fallback->bytes != NULL)
        munmap (g_steal_pointer (&fallback->bytes), fallback->size_bytes);
}

void
pv_dwarf_fallback_free (PvDwarfFallback *fallback)
{
    if (fallback == NULL)
        return;
    close_handle (fallback);
    pthread_mutex_destroy (&fallback->mutex);
    g_free (fallback);
}

/* The handle */

/* libelf does not write to the data, although it takes a non-const pointer. */
static bool
add_section (Elf *elf, size_t name, GElf_Word type, const void *bytes, size_t size)
{
    Elf_Scn *section = elf_newscn (elf);
    Elf_Data *data = section != NULL ? elf_newdata (section) : NULL;
    GElf_Shdr header;
    if (data == NULL || gelf_getshdr (section, &header) == NULL)
        return false;
    data->d_buf = (void *)bytes;
    data->d_size = size;
    data->d_type = ELF_T_BYTE;
    data->d_align = 1;
    header.sh_name = (GElf_Word)name;
    header.sh_type = type;
    header.sh_size = size;
    return gelf_update_shdr (section, &header) != 0;
}

/* True for the sections that libdw reads for DIEs and their attributes. */
static bool
is_copied (const PvDwarfFile *file, unsigned section)
{
    return file->sections[section].data != NULL &&
           file->sections[section].size >= MIN_SECTION_BYTES && section != PV_DWARF_LINE &&
           section != PV_DWARF_RANGES && section != PV_DWARF_RNGLISTS;
}

/* Describes the file that elf is to write; names is filled with its sections' names. */
static bool
fill_elf (const PvDwarfFile *file, Elf *elf, GString *names)
{
    bool is_big = (G_BYTE_ORDER == G_BIG_ENDIAN) != file->swap;
    GElf_Ehdr header;
    if (gelf_newehdr (elf, pv_elf_image_is_64bit (file->image) ? ELFCLASS64 : ELFCLASS32) == NULL ||
        gelf_getehdr (elf, &header) == NULL)
        return false;
    size_t n_sections = 0;
    for (unsigned i = 0; i < PV_DWARF_N_SECTIONS; i++) {
        if (!is_copied (file, i))
            continue;
        const PvDwarfBytes *bytes = &file->sections[i];
        if (!add_section (elf, names->len, SHT_PROGBITS, bytes->data, bytes->size))
            return false;
        const char *name = pv_dwarf_section_names[i];
        g_string_append_len (names, name, (gssize)strlen (name) + 1);
        n_sections++;
    }
    if (!add_section (elf, 0, SHT_STRTAB, names->str, names->len))
        return false;
    header.e_ident[EI_DATA] = is_big ? ELFDATA2MSB : ELFDATA2LSB;
    header.e_type = ET_DYN;
    header.e_machine = pv_elf_image_get_machine (file->image);
    header.e_version = EV_CURRENT;
    header.e_shstrndx = (GElf_Half)(n_sections + 1);
    return gelf_update_ehdr (elf, &header) != 0;
}

/* Writes the file into memory and maps it. libdw wants sections that were read, not such as are
 * still to be written. */
static bool
write_elf (PvDwarfFallback *fallback)
{
    int fd = memfd_create ("dwarf", MFD_CLOEXEC);
    Elf *elf = fd >= 0 ? elf_begin (fd, ELF_C_WRITE, NULL) : NULL;
    g_autoptr (GString) names = g_string_new_len ("", 1);
    int64_t size =
        elf != NULL && fill_elf (fallback->file, elf, names) ? elf_update (elf, ELF_C_WRITE) : -1;
    elf_end (elf);
    /* Private and writable, because libelf takes the memory as its own. */
    void *bytes = size > 0 ? mmap (NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0)
                           : MAP_FAILED;
    if (fd >= 0)
        close (fd);
    if (bytes == MAP_FAILED)
        return false;
    fallback->bytes = bytes;
    fallback->size_bytes = (size_t)size;
    return true;
}

/* Finds the sections in what was written: they are in the same order. */
static bool
find_sections (PvDwarfFallback *fallback)
{
    Elf_Scn *section = NULL;
    for (unsigned i = 0; i < PV_DWARF_N_SECTIONS; i++) {
        if (!is_copied (fallback->file, i))
            continue;
        section = elf_nextscn (fallback->elf, section);
        Elf_Data *data = section != NULL ? elf_rawdata (section, NULL) : NULL;
        if (data == NULL || data->d_size != fallback->file->sections[i].size)
            return false;
        fallback->sections[i] = (PvDwarfBytes){data->d_buf, data->d_size};
    }
    return true;
}

static bool
is_small_enough (const PvDwarfFile *file)
{
    uint64_t size_bytes = 0;
    for (unsigned i = 0; i < PV_DWARF_N_SECTIONS; i++)
        size_bytes += is_copied (file, i) ? file->sections[i].size : 0;
    return size_bytes <= MAX_COPIED_BYTES && file->n_units + file->n_skipped <= MAX_UNITS;
}

/* Called with the lock held. */
static bool
open_handle (PvDwarfFallback *fallback)
{
    if (fallback->is_tried)
        return fallback->dwarf != NULL;
    fallback->is_tried = true;
    if (!is_small_enough (fallback->file) || elf_version (EV_CURRENT) == EV_NONE ||
        !write_elf (fallback))
        return false;
    fallback->elf = elf_memory (fallback->bytes, fallback->size_bytes);
    if (fallback->elf != NULL && find_sections (fallback))
        fallback->dwarf = dwarf_begin_elf (fallback->elf, DWARF_C_READ, NULL);
    if (fallback->dwarf == NULL)
        close_handle (fallback);
    return fallback->dwarf != NULL;
}

static bool
is_out_of_time (const PvDwarfFallback *fallback, int64_t start_us)
{
    return fallback->spent_us + g_get_monotonic_time () - start_us > MAX_TOTAL_US;
}

/* DIEs and their attributes */

/* Called with the lock held. */
static bool
find_die (PvDwarfFallback *fallback, const PvDwarfUnit *unit, uint64_t offset, Dwarf_Die *ret_die)
{
    if (fallback->spent_us > MAX_TOTAL_US || !open_handle (fallback))
        return false;
    if (unit->is_foreign && offset == unit->first_die) {
        Dwarf_Off next;
        size_t header_size;
        if (dwarf_next_unit (fallback->dwarf, unit->offset, &next, &header_size, NULL, NULL, NULL,
                             NULL, NULL, NULL) != 0)
            return false;
        offset = unit->offset + header_size;
    }
    /* Each unit of an unknown version before this one makes one call fail. */
    for (size_t i = 0; i <= fallback->file->n_skipped; i++)
        if (dwarf_offdie (fallback->dwarf, offset, ret_die) != NULL)
            return true;
    return false;
}

/* True if a string ends within its section; libdw does not always check. */
static bool
is_bounded (const PvDwarfFallback *fallback, const char *string)
{
    const uint8_t *start = (const uint8_t *)string;
    for (unsigned i = 0; i < PV_DWARF_N_SECTIONS; i++) {
        const PvDwarfBytes *bytes = &fallback->sections[i];
        if (start >= bytes->data && start < bytes->data + bytes->size)
            return memchr (start, '\0', bytes->size - (size_t)(start - bytes->data)) != NULL;
    }
    return false;
}

/* Converts a value of a form that only libdw knows to a known form. */
static bool
convert (const PvDwarfFallback *fallback, Dwarf_Attribute *attr, PvDwarfValue *value)
{
    Dwarf_Die die;
    Dwarf_Word number;
    const char *string = dwarf_formstring (attr);
    if (string != NULL && is_bounded (fallback, string))
        *value = (PvDwarfValue){.form = DW_FORM_string, .data = (const uint8_t *)string};
    else if (dwarf_formaddr (attr, &number) == 0)
        *value = (PvDwarfValue){.form = DW_FORM_addr, .number = number};
    else if (dwarf_formudata (attr, &number) == 0)
        *value = (PvDwarfValue){.form = DW_FORM_udata, .number = number};
    else if (dwarf_formref_die (attr, &die) != NULL)
        *value = (PvDwarfValue){.form = DW_FORM_ref_addr, .number = dwarf_dieoffset (&die)};
    else
        return false;
    return true;
}

typedef struct {
    const PvDwarfFallback *fallback;
    PvDwarfDie *die;
} Reading;

static bool
read_found (const Reading *reading, Dwarf_Attribute *attr, PvDwarfValue *value)
{
    const PvDwarfFallback *fallback = reading->fallback;
    const PvDwarfBytes *info = &fallback->sections[PV_DWARF_INFO];
    const PvDwarfUnit *unit = reading->die->unit;
    unsigned form = dwarf_whatform (attr);
    /* The value is in the abbreviation. */
    if (form == DW_FORM_implicit_const) {
        Dwarf_Sword number;
        bool is_good = dwarf_formsdata (attr, &number) == 0;
        *value = (PvDwarfValue){.form = DW_FORM_sdata, .number = (uint64_t)number};
        return is_good;
    }
    if (attr->valp < info->data || attr->valp > info->data + unit->end)
        return false;
    if (form > 0xffff || !pv_dwarf_form_is_known ((uint16_t)form))
        return convert (fallback, attr, value);
    PvCursor cursor =
        pv_cursor (attr->valp, (size_t)(info->data + unit->end - attr->valp), fallback->file->swap);
    return pv_dwarf_read_value (&cursor, unit, (uint16_t)form, 0, value);
}

static int
take_attr (Dwarf_Attribute *attr, void *user)
{
    const Reading *reading = user;
    PvDwarfDie *die = reading->die;
    PvDwarfValue value;
    if (dwarf_whatattr (attr) <= 0xffff && read_found (reading, attr, &value))
        die->found[die->n_attrs++] =
            (PvDwarfFound){.name = (uint16_t)dwarf_whatattr (attr), .value = value};
    return die->n_attrs < PV_DWARF_MAX_FOUND ? DWARF_CB_OK : DWARF_CB_ABORT;
}

/* Called with the lock held. */
static void
read_attrs (const PvDwarfFallback *fallback, const PvDwarfUnit *unit, Dwarf_Die *from,
            PvDwarfDie *die)
{
    Reading reading = {fallback, die};
    int tag = dwarf_tag (from);
    die->unit = unit;
    die->tag = tag > 0 && tag <= 0xffff ? (uint16_t)tag : 0;
    die->n_attrs = die->next = 0;
    die->attrs = NULL;
    dwarf_getattrs (from, take_attr, &reading, 0);
}

bool
pv_dwarf_fallback_get_die (PvDwarfFallback *fallback, const PvDwarfUnit *unit, uint64_t offset,
                           PvDwarfDie *ret_die)
{
    Dwarf_Die die;
    pthread_mutex_lock (&fallback->mutex);
    int64_t start_us = g_get_monotonic_time ();
    bool is_found = find_die (fallback, unit, offset, &die);
    if (is_found)
        read_attrs (fallback, unit, &die, ret_die);
    fallback->spent_us += g_get_monotonic_time () - start_us;
    pthread_mutex_unlock (&fallback->mutex);
    return is_found;
}

/* The walk */

bool
pv_dwarf_fallback_takes (const PvDwarfFallback *fallback, const PvDwarfUnit *unit,
                         const PvDwarfAbbrevs *abbrevs)
{
    uint64_t n_attrs = abbrevs != NULL ? abbrevs->max_attrs + 1 : 1000;
    return fallback != NULL && (abbrevs == NULL || abbrevs->is_whole) &&
           unit->end - unit->offset <= MAX_UNIT_STEPS / n_attrs;
}

typedef struct {
    PvDwarfFallback *fallback;
    const PvDwarfUnit *unit;
    PvDwarfVisitFunc visit;
    void *user;
    uint64_t last_offset;
    size_t depth;
    Dwarf_Die open[MAX_DEPTH];
} Walk;

/* False if the DIE was visited before: a sibling reference back to the children would otherwise
 * make the walk endless. */
static bool
visit_die (Walk *walk)
{
    Dwarf_Die *from = &walk->open[walk->depth];
    int tag = dwarf_tag (from);
    uint64_t offset = dwarf_dieoffset (from);
    PvDwarfDie die;
    if (offset <= walk->last_offset)
        return false;
    walk->last_offset = offset;
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
        read_attrs (walk->fallback, walk->unit, from, &die);
    } else {
        die.tag = tag > 0 && tag <= 0xffff ? (uint16_t)tag : 0;
        die.n_attrs = die.next = 0;
    }
    walk->visit (&die, offset, walk->depth, walk->user);
    return true;
}

/* Moves to the first child, or else to the next sibling of this DIE or of an enclosing one; false
 * at the end. */
static bool
go_on (Walk *walk)
{
    if (walk->depth + 1 < MAX_DEPTH &&
        dwarf_child (&walk->open[walk->depth], &walk->open[walk->depth + 1]) == 0) {
        walk->depth++;
        return true;
    }
    for (; walk->depth > 0; walk->depth--) {
        Dwarf_Die *die = &walk->open[walk->depth];
        int status = dwarf_siblingof (die, die);
        if (status <= 0)
            return status == 0;
    }
    return false;
}

bool
pv_dwarf_fallback_walk (PvDwarfFallback *fallback, const PvDwarfUnit *unit, PvDwarfVisitFunc visit,
                        void *user, PvJob *job)
{
    g_assert (fallback != NULL && unit != NULL && visit != NULL);
    g_autofree Walk *walk = g_new0 (Walk, 1);
    *walk = (Walk){.fallback = fallback, .unit = unit, .visit = visit, .user = user};
    bool is_cancelled = false;
    pthread_mutex_lock (&fallback->mutex);
    int64_t start_us = g_get_monotonic_time ();
    bool has_more = find_die (fallback, unit, unit->first_die, &walk->open[0]);
    for (uint32_t n = 1; has_more && !is_cancelled; n++) {
        has_more = visit_die (walk) && go_on (walk);
        if (n % STEPS_PER_CHECK == 0) {
            is_cancelled = pv_job_is_cancelled (job);
            has_more &= !is_out_of_time (fallback, start_us);
        }
    }
    fallback->spent_us += g_get_monotonic_time () - start_us;
    pthread_mutex_unlock (&fallback->mutex);
    return !is_cancelled;
}

void
pv_dwarf_fallback_count (PvDwarfFallback *fallback, bool is_answered)
{
    pthread_mutex_lock (&fallback->mutex);
    if (is_answered)
        fallback->n_answered++;
    else
        fallback->n_unanswered++;
    pthread_mutex_unlock (&fallback->mutex);
}

void
pv_dwarf_fallback_get_counts (PvDwarfFallback *fallback, size_t *ret_n_answered,
                              size_t *ret_n_unanswered)
{
    pthread_mutex_lock (&fallback->mutex);
    *ret_n_answered = fallback->n_answered;
    *ret_n_unanswered = fallback->n_unanswered;
    pthread_mutex_unlock (&fallback->mutex);
}
