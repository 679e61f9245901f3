/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes on missing names and how to get them. */
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/path.h"
#include "core/model/profile/drop-frames.h"
#include "core/model/profile/note-groups.h"
#include "core/symbolize/files/file-identity.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/symbolizer-private.h"

/* Modules with fewer than one sample in MIN_SHARE get no note about debug information. */
#define MIN_SHARE      200
#define MAX_FILE_NOTES 40
#define NS_PER_SECOND  INT64_C (1000000000)

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

static int64_t
to_ns (int64_t seconds)
{
    const int64_t most = INT64_MAX / NS_PER_SECOND / 2;
    return CLAMP (seconds, -most, most) * NS_PER_SECOND;
}

/* When the recording ended, in nanoseconds since 1970, as far as that is known; 0: unknown. The
 * time of its file may be that of a copy. */
static int64_t
get_end_ns (const PvProfile *profile)
{
    const PvFacts *facts = &profile->facts;
    if (facts->recorded_at == 0)
        return facts->modified_at_ns != 0 ? facts->modified_at_ns : to_ns (facts->modified_at);
    uint64_t length_ns = MAX (pv_profile_known_duration_ns (profile), facts->profiled_ns);
    length_ns = MIN (length_ns, (uint64_t)INT64_MAX / 4);
    return to_ns (facts->recorded_at) + (int64_t)length_ns;
}

/* True if the moment is after the end of the recording, by a second where a time has none finer. */
static bool
is_after_recording (const PvProfile *profile, int64_t at_ns)
{
    int64_t end_ns = get_end_ns (profile);
    if (end_ns == 0)
        return false;
    bool is_fine = end_ns % NS_PER_SECOND != 0 && at_ns % NS_PER_SECOND != 0;
    return is_fine ? at_ns > end_ns : at_ns / NS_PER_SECOND > end_ns / NS_PER_SECOND;
}

/* True if the file that is at the path now was there when the recording was made. */
static bool
was_here_before (const PvProfile *profile, const char *path)
{
    g_autofree char *plain = g_strndup (path, pv_path_get_plain_len (path));
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (plain, NULL);
    return file != NULL && pv_facts_are_of_this_machine (&profile->facts) &&
           get_end_ns (profile) != 0 &&
           !is_after_recording (profile, pv_mapped_file_get_status (file)->changed_at_ns);
}

static char *
format_file (uint64_t inode, uint32_t device_major, uint32_t device_minor)
{
    if (device_major == 0 && device_minor == 0)
        return g_strdup_printf ("%" G_GUINT64_FORMAT, inode);
    return g_strdup_printf ("%u:%u %" G_GUINT64_FORMAT, device_major, device_minor, inode);
}

static char *
format_recorded_file (const PvModuleWork *work)
{
    const PvFileIdentity *recorded = &work->module->identity;
    return format_file (recorded->inode, recorded->device_major, recorded->device_minor);
}

static char *
format_file_here (const PvFileStatus *status)
{
    return format_file (status->inode, status->device_major, status->device_minor);
}

/* The file at the recorded path is certainly not the one that ran, and not used. */
static char *
describe_unused_file (const PvModuleWork *work)
{
    g_autofree char *then = format_recorded_file (work);
    g_autofree char *now = format_file_here (&work->file->other);

    if (work->module->identity.inode == work->file->other.inode)
        return g_strdup_printf (
            work->file->has_wrong_id
                ? _ ("%s is not the file that ran, which was replaced before the recording ended. "
                     "Its build-id was read from this path then, so neither is used, and its "
                     "functions have no names. Add a folder with the file that ran, or record with "
                     "“perf record --buildid-mmap”.")
                : _ ("%s is not the file that ran, but one that took its place. There is no "
                     "build-id to compare, so it is not used, and its functions have no names. Add "
                     "a folder with the file that ran, or the folder of this one if it is of the "
                     "same build."),
            work->module->path);
    return g_strdup_printf (
        work->file->has_wrong_id
            ? _ ("%s is not the file that ran, perhaps in a container: the recording has the inode "
                 "%s, here it is %s. Its build-id was read from this path when the recording "
                 "ended, so neither is used, and its functions have no names. Add a folder with "
                 "the file that ran, or record with “perf record --buildid-mmap”.")
            : _ ("%s is not the file that ran: the recording has the inode %s, here it is %s. "
                 "There is no build-id to compare, so it is not used, and its functions have no "
                 "names. Add a folder with the file that ran, or the folder of this one if it is "
                 "of the same build."),
        work->module->path, then, now);
}

static char *
describe_missing_binary (const PvSymbolizing *s, const PvModuleWork *work, PvNoteKind *ret_kind)
{
    const char *path = work->module->path;

    *ret_kind = work->file->is_other        ? PV_NOTE_OTHER_FILE
                : work->file->is_mismatched ? PV_NOTE_CHANGED_BINARY
                                            : PV_NOTE_MISSING_BINARY;
    if (work->file->is_other)
        return describe_unused_file (work);
    if (work->file->is_mismatched && was_here_before (s->profile, path))
        return g_strdup_printf (_ ("The program had another file at %s than is there here, as in a "
                                   "container, so its functions have no names. Add a folder with "
                                   "the file that ran."),
                                path);
    if (work->file->is_mismatched)
        return g_strdup_printf (_ ("%s has been rebuilt or updated since the recording, so its "
                                   "functions have no names. Add a folder with the recorded "
                                   "build."),
                                path);
    if (pv_path_is_memfd (path) && work->module->build_id_size > 0)
        return g_strdup_printf (_ ("%s was run from memory, not from a file, so its functions have "
                                   "no names. If you have the same program as a file, add its "
                                   "folder."),
                                work->module->name);
    if (pv_path_is_memfd (path)) {
        g_autofree char *quoted = g_shell_quote (path);
        bool is_plain = strpbrk (path, " \t\n'\"\\$`&|;<>()*?[]#!") == NULL;
        return g_strdup_printf (
            /* Translators: twice the name of a file in memory */
            _ ("%s was run from memory, not from a file, so its functions have no names. "
               "If you have the same program as a file, say where: --map-path=%s=FILE."),
            work->module->name, is_plain ? path : quoted);
    }
    if (work->module->kind == PV_MODULE_VDSO)
        return g_strdup (pv_profile_is_of_perf (s->profile)
                             ? _ ("The vdso of the recorded kernel was not found. Run "
                                  "“perf archive” on the recording machine and add the "
                                  "archive.")
                             : _ ("The vdso of the recorded kernel was not found."));
    return g_strdup_printf (
        pv_profile_is_of_perf (s->profile)
            ? _ ("%s was not found, so its functions have no names. Add a folder that has it, "
                 "a sysroot, or an archive made by “perf archive” on the recording machine.")
            : _ ("%s was not found, so its functions have no names. Add a folder that has it, "
                 "or a sysroot."),
        path);
}

static void
note_missing_binary (PvSymbolizing *s, const PvModuleWork *work)
{
    PvNoteKind kind;
    g_autofree char *text = describe_missing_binary (s, work, &kind);
    bool has_offsets = work->module->kind == PV_MODULE_FILE &&
                       work->module->address_kind == PV_ADDRESS_FILE_OFFSET &&
                       work->module->identity.n_biases != 1 && work->n_addrs == 0;

    if (work->module->n_named_ranges > 0) {
        if (matters (s, work))
            note_info (s, work, PV_NOTE_MISSING_DEBUG_INFO,
                       _ ("%s was not found: its functions have the names that the recording has, "
                          "but no lines and no inlined functions. Add a folder that has it, or a "
                          "sysroot."),
                       work->module->path);
        return;
    }
    if (work->module->kind == PV_MODULE_VDSO)
        note_info (s, work, kind, "%s", text);
    else
        note_warning (s, work, kind, "%s%s%s", text, has_offsets ? " " : "",
                      has_offsets ? _ ("Addresses in it are offsets in the file.") : "");
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

/* The file that was found has another device or inode than the one that was mapped. */
static void
note_other_inode (PvSymbolizing *s, const PvModuleWork *work, const PvFileStatus *status,
                  bool is_sure)
{
    g_autofree char *then = format_recorded_file (work);
    g_autofree char *now = format_file_here (status);

    if (is_sure)
        note_warning (s, work, PV_NOTE_OTHER_FILE,
                      _ ("%s is not the file that ran: the recording has the inode %s, here it is "
                         "%s. There is no build-id to compare, so its names may be wrong. Add a "
                         "folder with the file that ran."),
                      work->module->path, then, now);
    else
        note_info (s, work, PV_NOTE_OTHER_FILE,
                   _ ("%s may be another file than the one that ran: the recording has the inode "
                      "%s, here it is %s. In containers one file may have two, but there is no "
                      "build-id to compare. If it is another, its names are wrong: add a folder "
                      "with the file that ran."),
                   work->module->path, then, now);
}

/* Without a build-id, the file at the recorded path need not be the one that ran: inode and times
 * are hints. */
static void
note_identity (PvSymbolizing *s, const PvModuleWork *work)
{
    const PvModule *module = work->module;
    const PvElfImage *binary = work->file->binary;

    if (binary == NULL || module->kind != PV_MODULE_FILE || !work->file->is_unverified)
        return;
    PvMappedFile *file = pv_elf_image_get_file (binary);
    const PvFileStatus *status = pv_mapped_file_get_status (file);
    if (is_after_recording (s->profile, status->modified_at_ns)) {
        note_warning (s, work, PV_NOTE_UNVERIFIED_BINARY,
                      _ ("%s is newer than the recording, which has no build-id to compare. Its "
                         "names may be wrong."),
                      module->path);
        return;
    }
    size_t plain_len = pv_path_get_plain_len (module->path);
    const char *path = pv_elf_image_get_path (binary);
    if (strlen (path) != plain_len || strncmp (path, module->path, plain_len) != 0)
        return; /* given by the user */
    PvFileComparison comparison =
        pv_file_identity_compare (&module->identity, file, path, get_end_ns (s->profile));
    bool is_changed = is_after_recording (s->profile, status->changed_at_ns);
    bool was_deleted = module->path[plain_len] != '\0' && comparison == PV_FILE_UNKNOWN;
    if (comparison == PV_FILE_OTHER || comparison == PV_FILE_UNSURE)
        note_other_inode (s, work, status, comparison == PV_FILE_OTHER);
    else if (was_deleted)
        note_warning (s, work, PV_NOTE_CHANGED_BINARY,
                      _ ("%s was deleted or replaced before the profile was written. Names may be "
                         "wrong if a different file is there now."),
                      path);
    else if (is_changed && pv_facts_are_of_this_machine (&s->profile->facts))
        note_info (s, work, PV_NOTE_OTHER_FILE,
                   _ ("%s was changed, moved or copied here after the recording, which has no "
                      "build-id to compare. If it is of another build, its names are wrong: add a "
                      "folder with the file that ran."),
                   module->path);
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
    note_identity (s, work);
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
        else if (!pv_path_is_jitted (work->module->path))
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

static const char *
get_hidden_kernel_text (void)
{
    return _ ("Kernel functions have no names: the recording was made without permission to see "
              "kernel addresses (kernel.kptr_restrict). Set “sysctl kernel.kptr_restrict=0” on the "
              "recording machine, or record as root.");
}

/* Samples in the kernel, but not a word on where it was: perf may not see that. */
static bool
note_unmapped_kernel (PvSymbolizing *s)
{
    const PvModuleWork *unmapped = NULL;

    for (PvModuleId m = 1; m < s->profile->n_modules; m++)
        if (s->profile->modules[m].kind == PV_MODULE_KERNEL)
            return false;
    for (size_t w = 0; w < s->n_works && pv_profile_is_of_perf (s->profile); w++)
        if (s->works[w].module->kind == PV_MODULE_UNKNOWN && s->works[w].module->is_kernel)
            unmapped = &s->works[w];
    if (unmapped == NULL)
        return false;
    note_warning (s, unmapped, PV_NOTE_KERNEL_NAMES_HIDDEN, "%s", get_hidden_kernel_text ());
    return true;
}

/* Counts a set's samples that were taken in processes of which no mapping is known, at addresses
 * outside the kernel; is_of_process is set for these processes. */
static uint64_t
count_unmapped (const PvSymbolizing *s, const PvSampleSet *set, bool *is_of_process)
{
    enum { SAMPLES_PER_CHECK = 1 << 16 };
    const PvProfile *profile = s->profile;
    uint64_t n = 0;

    for (uint32_t i = 0; i < set->n_samples; i++) {
        PvProcessId process = profile->threads[pv_sample_set_thread (set, i)].process;
        if (i % SAMPLES_PER_CHECK == 0 && pv_job_is_cancelled (s->job))
            break;
        if (!profile->processes[process].is_unmapped || set->stack[i] == 0)
            continue;
        PvLocationId leaf = profile->location_of_stack[set->stack[i]];
        const PvModule *module = &profile->modules[profile->module_of_location[leaf]];
        if (module->kind != PV_MODULE_UNKNOWN || module->is_kernel)
            continue;
        is_of_process[process] = true;
        n++;
    }
    return n;
}

static void
note_unmapped_processes (PvSymbolizing *s)
{
    const PvProfile *profile = s->profile;
    uint64_t n = 0, n_all = 0;
    PvProcessId first = 0;
    unsigned n_processes = 0;
    bool is_any = false;

    for (PvProcessId p = 0; p < profile->n_processes; p++)
        is_any |= profile->processes[p].is_unmapped;
    if (!is_any || s->publish == NULL)
        return; /* while it is recorded, the share changes all the time */
    g_autofree bool *is_of_process = g_new0 (bool, profile->n_processes);
    for (uint32_t i = 0; i < profile->n_sets; i++) {
        n += count_unmapped (s, &profile->sets[i], is_of_process);
        n_all += profile->sets[i].n_samples;
    }
    for (PvProcessId p = profile->n_processes; p > 0; p--) {
        n_processes += is_of_process[p - 1];
        first = is_of_process[p - 1] ? p - 1 : first;
    }
    if (n * MIN_SHARE < n_all || n == 0)
        return;
    g_autofree char *share = pv_format_percent (n, n_all);
    g_autofree char *name = pv_format_process (profile, first);
    pv_symbol_builder_note (
        s->builder, PV_NOTE_WARNING, PV_NOTE_NO_MAPPINGS, 0,
        g_dngettext (GETTEXT_PACKAGE,
                     "%s of the samples are in a process whose mappings were not recorded, %s, so "
                     "they have addresses but no names. To attach to a process, perf needs the "
                     "right to read /proc/PID/maps, and must not be told otherwise (--synth).",
                     "%s of the samples are in processes whose mappings were not recorded, such as "
                     "%s, so they have addresses but no names. To attach to a process, perf needs "
                     "the right to read /proc/PID/maps, and must not be told otherwise (--synth).",
                     n_processes),
        share, name);
}

/* True if the recording itself names functions of the module. */
static bool
has_given_names (const PvSymbolizing *s, const PvModuleWork *work)
{
    return s->given_of_module[work->id] != PV_MODULE_SYMBOLS_PENDING &&
           s->given_of_module[work->id] != PV_MODULE_SYMBOLS_MISSING;
}

/* One note for the kernel and all of its modules. */
static void
note_kernel (PvSymbolizing *s)
{
    const PvModuleWork *kernel = NULL;

    for (size_t w = 0; w < s->n_works && kernel == NULL; w++)
        if (pv_module_work_is_kernel (&s->works[w]) && !s->works[w].is_link &&
            !s->works[w].has_full_table && s->works[w].module->n_named_ranges == 0)
            kernel = &s->works[w];
    if (kernel == NULL || has_given_names (s, kernel) || !s->has_kallsyms_result ||
        s->kallsyms == PV_KALLSYMS_FOUND)
        return;
    const PvModule *module = kernel->module;
    const char *text =
        pv_profile_is_of_perf (s->profile)
            ? _ ("Kernel functions have no names: this machine runs a different kernel, and "
                 "neither vmlinux nor the symbols (kallsyms) of the recorded kernel were found. "
                 "Add an archive made by “perf archive” on the recording machine, or a folder with "
                 "vmlinux.")
            : _ ("Kernel functions have no names: this machine runs a different kernel, and "
                 "neither vmlinux nor the symbols (kallsyms) of the recorded kernel were found. "
                 "Add a folder with vmlinux.");
    if (s->kallsyms == PV_KALLSYMS_HIDDEN)
        text = _ ("Kernel functions have no names: the recording has their addresses, but this "
                  "kernel hides its symbols from you (kernel.kptr_restrict). Set “sysctl "
                  "kernel.kptr_restrict=0”, or open the recording as root.");
    else if (module->kind == PV_MODULE_KERNEL && module->reference_addr == 0)
        text = get_hidden_kernel_text ();
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
    if (!note_unmapped_kernel (s))
        note_kernel (s);
    note_unmapped_processes (s);
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
