/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes on missing names and how to get them. */
#include <glib/gi18n-lib.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/model/profile/drop-frames.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/symbolizer-private.h"

/* Modules with fewer than one sample in MIN_SHARE get no note about debug information. */
#define MIN_SHARE      200
#define MAX_FILE_NOTES 40

/* Notes about a module. */
#define note_info(s, work, kind, ...)                                                              \
    pv_symbol_builder_note ((s)->builder, PV_NOTE_INFO, kind, (work)->id, __VA_ARGS__)
#define note_warning(s, work, kind, ...)                                                           \
    pv_symbol_builder_note ((s)->builder, PV_NOTE_WARNING, kind, (work)->id, __VA_ARGS__)

static bool
matters (const PvSymbolizing *s, const PvModuleWork *work)
{
    return work->module->is_main || work->self_weight * MIN_SHARE >= s->n_samples;
}

/* The path where a debug file would be found, or NULL. */
static char *
get_debug_place (const PvModuleWork *work)
{
    const uint8_t *build_id = work->module->build_id;
    size_t size_bytes = work->module->build_id_size;

    if (work->file->binary != NULL)
        size_bytes = pv_elf_image_get_build_id (work->file->binary, &build_id);
    if (size_bytes < 2)
        return NULL;
    g_autofree char *hex = pv_build_id_to_hex (build_id, size_bytes);
    return g_strdup_printf ("/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
}

static bool
is_system_path (const char *path)
{
    static const char *const prefixes[] = {"/usr/", "/lib", "/bin/", "/sbin/", "/opt/"};

    if (g_str_has_prefix (path, "/usr/local/"))
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS (prefixes); i++)
        if (g_str_has_prefix (path, prefixes[i]))
            return true;
    return false;
}

/* “perf archive” only knows perf's recordings. */
static bool
is_of_perf (const PvSymbolizing *s)
{
    return g_strcmp0 (s->profile->facts.format, "perf.data") == 0;
}

static void
note_missing_binary (PvSymbolizing *s, const PvModuleWork *work)
{
    const char *path = work->module->path;

    if (work->file->is_mismatched)
        note_warning (s, work, PV_NOTE_CHANGED_BINARY,
                      _ ("%s has been rebuilt or updated since the recording, so its functions "
                         "have no names. Add a folder with the recorded build."),
                      path);
    else if (pv_path_is_memfd (path) && work->module->build_id_size > 0)
        note_warning (s, work, PV_NOTE_MISSING_BINARY,
                      _ ("%s was run from memory, not from a file, so its functions have no names. "
                         "If you have the same program as a file, add its folder."),
                      work->module->name);
    else if (pv_path_is_memfd (path))
        note_warning (s, work, PV_NOTE_MISSING_BINARY,
                      /* Translators: twice the name of a file in memory */
                      _ ("%s was run from memory, not from a file, so its functions have no names. "
                         "If you have the same program as a file, say where: --map-path=%s=FILE."),
                      work->module->name, path);
    else if (work->module->kind == PV_MODULE_VDSO)
        note_info (s, work, PV_NOTE_MISSING_BINARY, "%s",
                   is_of_perf (s) ? _ ("The vdso of the recorded kernel was not found. Run “perf "
                                       "archive” on the recording machine and add the archive.")
                                  : _ ("The vdso of the recorded kernel was not found."));
    else
        note_warning (
            s, work, PV_NOTE_MISSING_BINARY,
            is_of_perf (s)
                ? _ ("%s was not found, so its functions have no names. Add a folder that has it, "
                     "a sysroot, or an archive made by “perf archive” on the recording machine.")
                : _ ("%s was not found, so its functions have no names. Add a folder that has it, "
                     "or a sysroot."),
            path);
}

static void
note_missing_debug_info (PvSymbolizing *s, const PvModuleWork *work, bool has_names)
{
    const char *path = work->module->path;
    g_autofree char *place = get_debug_place (work);

    if (is_system_path (path) && place != NULL)
        note_info (s, work, PV_NOTE_MISSING_DEBUG_INFO,
                   has_names ? _ ("%s has no debug information: no lines and no inlined functions. "
                                  "Install its debug symbols package, which provides %s.")
                             : _ ("%s is stripped: only exported functions have names. Install its "
                                  "debug symbols package, which provides %s."),
                   path, place);
    else
        note_info (s, work, PV_NOTE_MISSING_DEBUG_INFO,
                   has_names ? _ ("%s has no debug information: no lines and no inlined functions. "
                                  "Build it with -g, or add a folder with its debug file.")
                             : _ ("%s is stripped: most of its functions have no names. Build it "
                                  "with -g, or add a folder with its debug file."),
                   path);
}

/* Finding the right file is the user's part: nothing tells which of both was changed. */
static void
note_wrong_debug_file (PvSymbolizing *s, const PvModuleWork *work)
{
    note_warning (
        s, work, PV_NOTE_MISSING_DEBUG_INFO,
        work->file->is_wrong_by_id
            ? _ ("The debug information in %s does not match %s: its build-id differs, so "
                 "it is of another build. Add a folder with the right file.")
            : _ ("The debug information in %s does not match %s: its checksum is not the "
                 "one in .gnu_debuglink, so it is of another build, or was changed. Add "
                 "a folder with the right file."),
        work->file->wrong_debug, work->module->path);
}

/* Files cannot be compared without build-id; their modification time is a hint. */
static void
note_unverified (PvSymbolizing *s, const PvModuleWork *work)
{
    const PvFacts *facts = &s->profile->facts;
    int64_t recorded_at = facts->recorded_at != 0 ? facts->recorded_at : facts->modified_at;
    const PvElfImage *binary = work->file->binary;

    if (recorded_at == 0 || binary == NULL || work->module->kind == PV_MODULE_VDSO)
        return;
    if (pv_mapped_file_get_mtime (pv_elf_image_get_file (binary)) > recorded_at)
        note_warning (s, work, PV_NOTE_UNVERIFIED_BINARY,
                      _ ("%s is newer than the recording, which has no build-id to compare. Its "
                         "names may be wrong."),
                      work->module->path);
}

/* True if the file was truncated while mapped: reads after its new end returned zeros. */
static bool
has_shrunk (const PvElfImage *image)
{
    return image != NULL && pv_mapped_file_has_faulted (pv_elf_image_get_file (image));
}

static bool
has_too_much (PvElfImage *image)
{
    return image != NULL && pv_elf_image_has_too_much (image);
}

/* Notes on debug information newer than this program. */
static void
note_foreign_units (PvSymbolizing *s, const PvModuleWork *work)
{
    const char *path = work->module->path;
    size_t n = work->n_foreign_units;

    if (n > 0)
        note_info (s, work, PV_NOTE_GENERAL,
                   g_dngettext (GETTEXT_PACKAGE,
                                "%s: debug information of %zu compilation unit has an unknown form "
                                "and was read by libdw.",
                                "%s: debug information of %zu compilation units has an unknown "
                                "form and was read by libdw.",
                                n),
                   path, n);
    n = work->n_unread_units;
    if (n > 0)
        note_warning (s, work, PV_NOTE_MISSING_DEBUG_INFO,
                      g_dngettext (GETTEXT_PACKAGE,
                                   "%s: debug information of %zu compilation unit has an unknown "
                                   "form; its functions may lack names and lines.",
                                   "%s: debug information of %zu compilation units has an unknown "
                                   "form; their functions may lack names and lines.",
                                   n),
                      path, n);
}

static void
note_module (PvSymbolizing *s, const PvModuleWork *work)
{
    const PvModuleFile *file = work->file;
    bool has_debug = file->debug != NULL && pv_elf_image_has_debug_info (file->debug);

    if (work->problem != NULL)
        note_warning (s, work, PV_NOTE_MISSING_DEBUG_INFO, "%s: %s", work->module->path,
                      work->problem);
    note_foreign_units (s, work);
    if (file->is_unverified)
        note_unverified (s, work);
    if (has_shrunk (file->binary) || has_shrunk (file->debug) || has_shrunk (file->alternate))
        note_warning (s, work, PV_NOTE_TRUNCATED_FILE,
                      _ ("%s was truncated while it was being read, perhaps by a build. Names are "
                         "missing; reload when the build is done."),
                      work->module->path);
    if (has_too_much (file->binary) || has_too_much (file->debug) || has_too_much (file->alternate))
        note_warning (s, work, PV_NOTE_MISSING_DEBUG_INFO,
                      _ ("The compressed debug information of %s is far too large for its file. It "
                         "was left out."),
                      work->module->path);
    bool has_given = s->given_of_module[work->id] != PV_MODULE_SYMBOLS_PENDING;
    if (has_given && work->self_weight * MIN_SHARE < s->n_samples)
        return; /* the recording has names for most of its locations */
    /* A debug file alone may not have the program's file offsets. */
    if (file->binary == NULL && (file->debug == NULL || work->n_addrs == 0))
        note_missing_binary (s, work);
    else if (!has_debug && !work->has_lines && work->module->kind == PV_MODULE_FILE &&
             matters (s, work)) {
        if (file->wrong_debug != NULL)
            note_wrong_debug_file (s, work);
        else
            note_missing_debug_info (s, work, work->has_full_table);
    }
}

static void
note_jit (PvSymbolizing *s, const PvModuleWork *work)
{
    const PvModule *module = work->module;

    if (work->is_map_reused)
        note_info (s, work, PV_NOTE_GENERAL,
                   _ ("Some code generated at run time took the place of other code. %s does not "
                      "tell when, so all samples there are shown as the last function. A jitdump "
                      "tells (node --perf-prof, perf record -k mono)."),
                   work->names_path);
    if (work->has_full_table || module->n_named_ranges > 0 || !matters (s, work))
        return;
    if (work->map_problem != NULL) {
        note_info (s, work, PV_NOTE_MISSING_BINARY, "%s", work->map_problem);
        return;
    }
    if (module->code_path != NULL) {
        note_info (s, work, PV_NOTE_MISSING_BINARY,
                   /* Translators: a process id, the path of a file */
                   _ ("Code generated at run time by process %d has no names: they are in its "
                      "jitdump %s, which was not found. Copy it from the recording machine into a "
                      "folder and add that folder."),
                   (int)module->pid, module->code_path);
        return;
    }
    note_info (
        s, work, PV_NOTE_MISSING_BINARY,
        _ ("Code generated at run time by process %d has no names: there is no /tmp/perf-%d.map. "
           "Many runtimes write one when asked to (node --perf-basic-prof, java with a perf-map "
           "agent). If the process ran in a container or on another machine, the file is there, "
           "named after the process id inside the container: copy it into a folder and add that "
           "folder."),
        (int)module->pid, (int)(module->container_pid > 0 ? module->container_pid : module->pid));
}

/* One note for the kernel and all of its modules. */
static void
note_kernel (PvSymbolizing *s)
{
    const PvModuleWork *kernel = NULL;

    for (size_t w = 0; w < s->n_works && kernel == NULL; w++)
        if (pv_module_work_is_kernel (&s->works[w]) && !s->works[w].is_link &&
            !s->works[w].has_full_table)
            kernel = &s->works[w];
    if (kernel == NULL || !s->has_kallsyms_result || s->kallsyms == PV_KALLSYMS_FOUND)
        return;
    const PvModule *module = kernel->module;
    const char *text =
        _ ("Kernel functions have no names: this machine runs a different kernel, and neither "
           "vmlinux nor the symbols (kallsyms) of the recorded kernel were found. Add an archive "
           "made by “perf archive” on the recording machine, or a folder with vmlinux.");
    if (s->kallsyms == PV_KALLSYMS_HIDDEN)
        text = _ ("Kernel functions have no names: the recording has their addresses, but this "
                  "kernel hides its symbols from you (kernel.kptr_restrict). Set “sysctl "
                  "kernel.kptr_restrict=0”, or open the recording as root.");
    else if (module->kind == PV_MODULE_KERNEL && module->reference_addr == 0)
        text = _ ("Kernel functions have no names: the recording was made without permission to "
                  "see kernel addresses (kernel.kptr_restrict). Set “sysctl "
                  "kernel.kptr_restrict=0” on the recording machine, or record as root.");
    note_warning (s, kernel, PV_NOTE_KERNEL_NAMES_HIDDEN, "%s", text);
}

static int
compare_works (const void *a_, const void *b_)
{
    const PvModuleWork *a = *(PvModuleWork *const *)a_;
    const PvModuleWork *b = *(PvModuleWork *const *)b_;

    return pv_order (b->weight, a->weight) ?: pv_order (a->id, b->id);
}

static void
note_drop_frames (PvSymbolizing *s)
{
    g_autoptr (GError) error = NULL;
    g_autofree char *expression = pv_drop_frames_make_expression (s->profile, &error);
    if (error != NULL)
        pv_symbol_builder_note (s->builder, PV_NOTE_INFO, PV_NOTE_GENERAL, 0,
                                _ ("The file asks for functions to be left out, but the expression "
                                   "is invalid: %s. All functions are shown."),
                                error->message);
}

static void
note_archives (PvSymbolizing *s)
{
    const PvFileRoots *roots = pv_module_files_get_roots (s->files);

    for (size_t i = 0; i < roots->problems.len; i++)
        pv_symbol_builder_note (s->builder, PV_NOTE_WARNING, PV_NOTE_GENERAL, 0, "%s",
                                roots->problems.data[i]);
}

void
pv_symbolizing_add_notes (PvSymbolizing *s)
{
    size_t n_told = 0;

    note_drop_frames (s);
    note_archives (s);
    if (s->n_works == 0)
        return;
    PvModuleWork **works = g_new (PvModuleWork *, s->n_works);
    for (size_t w = 0; w < s->n_works; w++)
        works[w] = &s->works[w];
    qsort (works, s->n_works, sizeof *works, compare_works);
    note_kernel (s);
    for (size_t w = 0; w < s->n_works && n_told < MAX_FILE_NOTES; w++) {
        const PvModuleWork *work = works[w];
        if (work->n_locations == 0 || work->module->address_kind == PV_ADDRESS_ORDINAL)
            continue;
        if (work->module->kind == PV_MODULE_JIT) {
            note_jit (s, work);
        } else if (work->module->kind == PV_MODULE_FILE || work->module->kind == PV_MODULE_VDSO) {
            note_module (s, work);
            n_told++;
        }
    }
    g_free (works);
}
