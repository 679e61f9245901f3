/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds out from a program's file how it can be recorded. Scripts are followed to their
 * interpreter, as the kernel does ("#!", blanks, a path), and through env, which searches PATH for
 * its argument.
 */
#include "core/probe/program-facts.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/probe/program-facts-private.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/files/module-files.h"

enum { MAX_SCRIPTS = 4, MAX_LINE_BYTES = 4096 };

/* Programs */

static bool
is_go (const PvElfImage *image)
{
    static const char *const names[] = {".gopclntab", ".data.rel.ro.gopclntab", ".note.go.buildid",
                                        ".go.buildinfo"};
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
        if (pv_elf_image_find_section (image, names[i]) != NULL)
            return true;
    return false;
}

/* Go's compiler keeps frame pointers on these processors only; its own table describes the layout
 * of stacks. */
static PvFramePointers
judge_go (uint16_t machine)
{
    switch (machine) {
    case EM_X86_64:
    case EM_AARCH64:
        return PV_FRAME_POINTERS_KEPT;
    case EM_386:
    case EM_ARM:
        return PV_FRAME_POINTERS_OMITTED;
    default:
        return PV_FRAME_POINTERS_UNKNOWN;
    }
}

/* .gnu_debugdata only contains a small symbol table. */
static bool
has_symbol_table (const PvElfImage *image)
{
    return image != NULL && (pv_elf_image_find_stored (image, ".symtab") != NULL ||
                             pv_elf_image_find_stored (image, ".gnu_debugdata") != NULL);
}

/* True if the program is for another processor than this one, if this one is supported. */
static bool
is_foreign (uint16_t machine)
{
#if defined __x86_64__
    return machine != EM_X86_64 && machine != EM_386;
#elif defined __aarch64__
    return machine != EM_AARCH64 && machine != EM_ARM;
#else
    return false;
#endif
}

bool
pv_program_facts_judge (PvElfImage *binary, PvElfImage *debug, const PvJob *job,
                        PvProgramFacts *ret_facts)
{
    g_assert (binary != NULL && ret_facts != NULL);

    uint16_t type = pv_elf_image_get_type (binary), machine = pv_elf_image_get_machine (binary);
    PvProgramFacts facts = {.is_known = type == ET_EXEC || type == ET_DYN};

    *ret_facts = (PvProgramFacts){0};
    if (!facts.is_known)
        return !pv_job_is_cancelled (job);
    facts.is_static = !pv_elf_image_has_interpreter (binary);
    facts.is_foreign = is_foreign (machine);
    facts.is_32bit = !pv_elf_image_is_64bit (binary) &&
                     (machine == EM_386 || machine == EM_X86_64 || machine == EM_ARM);
    facts.has_debug_info = pv_elf_image_has_debug_info (binary) ||
                           (debug != NULL && pv_elf_image_has_debug_info (debug));
    facts.has_symbols = has_symbol_table (binary) || has_symbol_table (debug);
    facts.is_go = is_go (binary);
    if (facts.is_go)
        facts.frame_pointers = judge_go (machine);
    else
        pv_program_judge_frames (binary, debug, job, &facts);
    pv_program_judge_allocators (binary, debug, job, &facts);
    if (pv_job_is_cancelled (job))
        return false;
    *ret_facts = facts;
    return true;
}

/* Debug files are found by the program's folder and name, which /proc/PID/exe does not have. In
 * another container, the same path is another file. */
static char *
find_real_path (const char *path)
{
    struct stat status, real_status;
    char *found = realpath (path, NULL);
    bool is_same = found != NULL && stat (path, &status) == 0 && stat (found, &real_status) == 0 &&
                   status.st_dev == real_status.st_dev && status.st_ino == real_status.st_ino;
    char *real = g_strdup (is_same ? found : path);
    free (found);
    return real;
}

static PvElfImage *
find_debug (PvElfImage *binary, const char *path, const PvJob *job)
{
    PvSymbolOptions options = {0};
    if (pv_elf_image_has_debug_info (binary))
        return NULL;
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    g_autofree char *own_path = g_strdup (path);
    g_autofree char *base = g_path_get_basename (path);
    PvModule module = {.kind = PV_MODULE_FILE, .path = path};
    PvFileSearch search = {.roots = pv_module_files_get_roots (files),
                           .module = &module,
                           .path = own_path,
                           .base = base,
                           .job = job};
    PvElfImage *debug = pv_file_search_find_separate_debug (&search, binary);
    g_free (search.wrong_debug);
    return debug;
}

static bool
read_program (const char *path, const PvJob *job, PvProgramFacts *ret_facts)
{
    g_autofree char *real = find_real_path (path);
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (real, NULL);
    g_autoptr (PvElfImage) binary = file != NULL ? pv_elf_image_new (file, real, NULL) : NULL;
    if (binary == NULL)
        return !pv_job_is_cancelled (job);
    g_autoptr (PvElfImage) debug = find_debug (binary, real, job);
    return pv_program_facts_judge (binary, debug, job, ret_facts);
}

/* Scripts */

/* The next word of a line; NULL at its end. */
static char *
take_word (const char **line)
{
    static const char blanks[] = " \t\r";
    const char *start = *line + strspn (*line, blanks);
    size_t length = strcspn (start, blanks);
    *line = start + length;
    return length > 0 ? g_strndup (start, length) : NULL;
}

/* The program that env would run: the first argument that is neither an option nor a variable. */
static char *
find_behind_env (const char *arguments)
{
    for (;;) {
        g_autofree char *word = take_word (&arguments);
        if (word == NULL)
            return NULL;
        if (*word != '-' && strchr (word, '=') == NULL)
            return g_find_program_in_path (word);
    }
}

/* The path of the interpreter if the file is a script. */
static char *
find_interpreter (const char *path)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    if (file == NULL)
        return NULL;
    const uint8_t *data = pv_mapped_file_get_data (file);
    size_t size_bytes = MIN (pv_mapped_file_get_size (file), MAX_LINE_BYTES);
    if (size_bytes < 2 || memcmp (data, "#!", 2) != 0)
        return NULL;
    const uint8_t *end = memchr (data, '\n', size_bytes);
    size_t length = (end != NULL ? (size_t)(end - data) : size_bytes) - 2;
    g_autofree char *line = g_strndup ((const char *)data + 2, length);
    const char *rest = line;
    char *interpreter = take_word (&rest);
    g_autofree char *base = interpreter != NULL ? g_path_get_basename (interpreter) : NULL;
    if (g_strcmp0 (base, "env") != 0)
        return interpreter;
    g_free (interpreter);
    return find_behind_env (rest);
}

bool
pv_program_facts_read (const char *path, const PvJob *job, PvProgramFacts *ret_facts)
{
    g_assert (path != NULL && ret_facts != NULL);

    g_autofree char *program = g_strdup (path);

    *ret_facts = (PvProgramFacts){0};
    for (unsigned i = 0; i < MAX_SCRIPTS; i++) {
        char *interpreter = find_interpreter (program);
        if (interpreter == NULL) {
            bool is_read = read_program (program, job, ret_facts);
            ret_facts->is_script = i > 0 && ret_facts->is_known;
            return is_read;
        }
        g_free (program);
        program = interpreter;
    }
    return !pv_job_is_cancelled (job);
}
