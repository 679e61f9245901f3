/*
 * What a program's file says about how it can be recorded. Scripts are followed to their
 * interpreter as the kernel does it: "#!", blanks, a path; and through env, which looks for its
 * argument in PATH.
 */
#include "core/symbolize/program-facts.h"

#include <elf.h>
#include <string.h>

#include "core/base/cursor.h"
#include "core/symbolize/elf/elf-symbols.h"
#include "core/symbolize/files/file-search.h"

enum { MAX_SCRIPTS = 4, MAX_LINE_BYTES = 4096, MAX_DYNAMIC_ENTRIES = 4096 };

/* --- allocators --- */

/* The bytes of the string table that a dynamic section refers to, as text that ends; or NULL. */
static const char *
find_dynamic_strings (PvElfImage *image, const PvElfSection *dynamic, size_t *ret_size_bytes)
{
    const PvElfSection *sections;
    size_t n_sections = pv_elf_image_get_sections (image, &sections);
    if (dynamic->link >= n_sections)
        return NULL;
    return (const char *)pv_elf_image_get_section_data (image, &sections[dynamic->link],
                                                        ret_size_bytes);
}

/* Whether a library whose file name begins like that is loaded with the program. */
static bool
needs_library (PvElfImage *image, const char *begin)
{
    const PvElfSection *dynamic = pv_elf_image_find_section (image, ".dynamic");
    size_t size_bytes = 0, names_size_bytes = 0;
    const uint8_t *data =
        dynamic != NULL ? pv_elf_image_get_section_data (image, dynamic, &size_bytes) : NULL;
    const char *names =
        data != NULL ? find_dynamic_strings (image, dynamic, &names_size_bytes) : NULL;

    if (names == NULL)
        return false;
    PvCursor cursor = pv_cursor (data, size_bytes, pv_elf_image_is_swapped (image));
    bool is_64bit = pv_elf_image_is_64bit (image);
    for (unsigned i = 0; i < MAX_DYNAMIC_ENTRIES && !cursor.failed; i++) {
        uint64_t tag = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        uint64_t value = is_64bit ? pv_cursor_u64 (&cursor) : pv_cursor_u32 (&cursor);
        if (tag == DT_NULL)
            break;
        if (tag == DT_NEEDED && value < names_size_bytes &&
            strncmp (names + value, begin, MIN (strlen (begin), names_size_bytes - value)) == 0 &&
            names_size_bytes - value >= strlen (begin))
            return true;
    }
    return false;
}

static bool
defines (PvElfImage *binary, PvElfImage *debug, const char *name)
{
    uint64_t link_addr;
    return pv_elf_symbols_find_name (binary, name, &link_addr) ||
           (debug != NULL && debug != binary && pv_elf_symbols_find_name (debug, name, &link_addr));
}

/* The text comes in two parts, so that it is not in this program itself. */
static bool
contains (PvElfImage *image, const char *begin, const char *end)
{
    g_autofree char *text = g_strconcat (begin, end, NULL);
    const PvElfSection *section = pv_elf_image_find_section (image, ".rodata");
    size_t size_bytes = 0;
    const uint8_t *data =
        section != NULL ? pv_elf_image_get_section_data (image, section, &size_bytes) : NULL;
    return data != NULL && memmem (data, size_bytes, text, strlen (text)) != NULL;
}

/* A stripped program that jemalloc is linked into still holds the name of the variable that it is
 * set by, and what its messages begin with. */
static void
judge_allocator (PvElfImage *binary, PvElfImage *debug, PvProgramFacts *facts)
{
    bool is_inside = contains (binary, "<jem", "alloc>: ") && contains (binary, "MALLOC", "_CONF");
    bool is_prefixed = defines (binary, debug, "_rjem_mallctl");
    bool is_plain = defines (binary, debug, "mallctl");

    facts->has_prefixed_jemalloc =
        is_prefixed || (is_inside && contains (binary, "_RJEM", "_MALLOC_CONF"));
    facts->has_own_malloc =
        is_inside || is_prefixed || is_plain || defines (binary, debug, "malloc");
    facts->has_jemalloc =
        is_inside || is_prefixed || is_plain || needs_library (binary, "libjemalloc");
}

/* --- the rest --- */

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

static bool
has_symbol_table (const PvElfImage *image)
{
    return image != NULL && pv_elf_image_find_stored (image, ".symtab") != NULL;
}

void
pv_program_facts_judge (PvElfImage *binary, PvElfImage *debug, PvProgramFacts *ret_facts)
{
    uint16_t type = pv_elf_image_get_type (binary);

    *ret_facts = (PvProgramFacts){0};
    if (type != ET_EXEC && type != ET_DYN)
        return;
    ret_facts->is_known = true;
    ret_facts->is_static = !pv_elf_image_has_interpreter (binary);
    ret_facts->has_debug_info = pv_elf_image_has_debug_info (binary) ||
                                (debug != NULL && pv_elf_image_has_debug_info (debug));
    ret_facts->has_symbols = has_symbol_table (binary) || has_symbol_table (debug);
    ret_facts->is_go = is_go (binary);
    judge_allocator (binary, debug, ret_facts);
    /* Go's compiler keeps them on all processors that we unwind. */
    ret_facts->has_frame_pointers =
        ret_facts->is_go || pv_program_has_frame_pointers (binary, debug);
}

static void
read_program (const char *path, PvProgramFacts *ret_facts)
{
    PvSymbolOptions options = {0};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    PvModule module = {.kind = PV_MODULE_FILE, .path = path};
    const PvModuleFile *file = pv_module_files_get (files, &module);

    if (file->binary != NULL)
        pv_program_facts_judge (file->binary, file->debug, ret_facts);
}

/* --- scripts --- */

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

/* What env would run: the first argument that is neither an option nor a variable. */
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

void
pv_program_facts_read (const char *path, PvProgramFacts *ret_facts)
{
    g_autofree char *program = g_strdup (path);

    *ret_facts = (PvProgramFacts){0};
    for (unsigned i = 0; i < MAX_SCRIPTS; i++) {
        char *interpreter = find_interpreter (program);
        if (interpreter == NULL) {
            read_program (program, ret_facts);
            ret_facts->is_script = i > 0 && ret_facts->is_known;
            return;
        }
        g_free (program);
        program = interpreter;
    }
}
