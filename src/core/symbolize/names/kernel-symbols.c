/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kallsyms has a line for each symbol of the running kernel,
 *
 *     ADDRESS TYPE NAME [\t[MODULE]]
 *
 * unsorted across modules and without sizes: a symbol ends where the next one starts. Types t, T,
 * w, W are code. For unprivileged users, all addresses are zero.
 */
#include "core/symbolize/names/kernel-symbols.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/elf/address-claims.h"
#include "core/elf/elf-image.h"
#include "core/symbolize/files/file-search.h"

/* Longer "functions" are gaps between kernel and modules. */
#define MAX_FUNCTION_BYTES (UINT64_C (1) << 20)
#define MAX_LINE_BYTES     1024u
#define MAX_NOTES_BYTES    4096u

typedef struct {
    uint64_t addr;
    char type;
    char *name;
    bool is_in_module;
} Line;

/* Splits the line in place. */
static bool
read_line (char *text, Line *ret_line)
{
    char *end;

    ret_line->addr = g_ascii_strtoull (text, &end, 16);
    if (end == text || end[0] != ' ' || end[1] == '\0' || end[2] != ' ')
        return false;
    ret_line->type = end[1];
    ret_line->name = end + 3;
    size_t len = strcspn (ret_line->name, " \t\n");
    char *rest = ret_line->name + len;
    ret_line->is_in_module = *rest == '\t' || *rest == ' ';
    *rest = '\0';
    return len > 0;
}

/* Files in procfs have no size and cannot be mapped. */
static FILE *
open_text (const char *path)
{
    struct stat info;
    int fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return NULL;
    if (fstat (fd, &info) != 0 || !S_ISREG (info.st_mode)) {
        close (fd);
        return NULL;
    }
    FILE *file = fdopen (fd, "r");
    if (file == NULL)
        close (fd);
    return file;
}

/* Reads the next line that is not too long; false at the end. */
static bool
next_line (FILE *file, char *buffer)
{
    while (fgets (buffer, MAX_LINE_BYTES, file) != NULL) {
        if (strchr (buffer, '\n') != NULL || feof (file))
            return true;
        for (int c = fgetc (file); c != '\n' && c != EOF;)
            c = fgetc (file);
    }
    return false;
}

/* Facts from a first pass over the file. */
typedef struct {
    bool is_readable;
    bool has_addresses;
    uint64_t reference_addr; /* of the kernel's reference symbol; 0: not found */
} Survey;

static Survey
survey_file (const char *path, const char *reference_symbol)
{
    Survey survey = {0};
    char buffer[MAX_LINE_BYTES];
    Line line;
    FILE *file = open_text (path);

    while (file != NULL && next_line (file, buffer)) {
        if (!read_line (buffer, &line))
            continue;
        survey.is_readable = true;
        survey.has_addresses |= line.addr != 0;
        if (reference_symbol != NULL && strcmp (line.name, reference_symbol) == 0) {
            survey.reference_addr = line.addr;
            if (survey.has_addresses)
                break;
        }
    }
    if (file != NULL)
        fclose (file);
    return survey;
}

/* The nearest symbol at or below each address, of any type. */
typedef struct {
    uint64_t start;
    char *name;    /* in the arena; NULL: data */
    uint64_t next; /* the first symbol after the address; UINT64_MAX: none */
} Nearest;

/* True if name is better than that of another symbol with the same address. */
static bool
is_better_name (const char *name, const char *than)
{
    size_t a = strspn (name, "_");
    size_t b = strspn (than, "_");

    return a != b ? a < b : strcmp (name, than) < 0;
}

static void
note_symbol (Nearest *nearest, const Line *line, uint64_t start, PvArena *arena)
{
    bool is_text = strchr ("tTwW", line->type) != NULL;

    if (nearest->start > start || (nearest->start == start && nearest->name != NULL &&
                                   (!is_text || !is_better_name (line->name, nearest->name))))
        return;
    nearest->start = start;
    nearest->name = is_text ? pv_arena_strndup (arena, line->name, strlen (line->name)) : NULL;
}

/* True if any was filled in. */
static bool
fill_hits (Nearest *nearest, const uint64_t *runtime_addrs, size_t n, PvSymbolHit *hits)
{
    bool found_any = false;

    for (size_t i = n; i > 1; i--)
        nearest[i - 2].next = MIN (nearest[i - 2].next, nearest[i - 1].next);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && nearest[i].start < nearest[i - 1].start) {
            nearest[i].start = nearest[i - 1].start;
            nearest[i].name = nearest[i - 1].name;
        }
        if (nearest[i].name == NULL || hits[i].kind != PV_SYMBOL_NONE ||
            runtime_addrs[i] - nearest[i].start >= MAX_FUNCTION_BYTES)
            continue;
        uint64_t size_bytes = nearest[i].next - nearest[i].start;
        hits[i] = (PvSymbolHit){.name = nearest[i].name,
                                .start = nearest[i].start,
                                .size_bytes = size_bytes < MAX_FUNCTION_BYTES ? size_bytes : 0,
                                .kind = PV_SYMBOL_NAMED};
        found_any = true;
    }
    return found_any;
}

/* The load addresses of modules change with each boot, so skip their symbols if there is a bias. */
bool
pv_kallsyms_read (const PvKallsyms *kallsyms, const uint64_t *runtime_addrs, size_t n,
                  PvSymbolHit *hits, PvArena *arena)
{
    g_assert (kallsyms != NULL && arena != NULL);

    const uint64_t bias = kallsyms->bias;
    char buffer[MAX_LINE_BYTES];
    Line line;
    FILE *file = kallsyms->path != NULL ? open_text (kallsyms->path) : NULL;

    if (file == NULL)
        return false;
    g_autofree Nearest *nearest = g_new0 (Nearest, n);
    for (size_t i = 0; i < n; i++)
        nearest[i].next = UINT64_MAX;
    while (next_line (file, buffer)) {
        if (!read_line (buffer, &line) || line.addr == 0 || (bias != 0 && line.is_in_module))
            continue;
        uint64_t start = line.addr + bias;
        size_t i = pv_addresses_find (runtime_addrs, n, start);
        if (i < n)
            note_symbol (&nearest[i], &line, start, arena);
        if (i > 0)
            nearest[i - 1].next = MIN (nearest[i - 1].next, start);
    }
    fclose (file);
    return fill_hits (nearest, runtime_addrs, n, hits);
}

/* Choosing the file */

static bool
is_running_kernel (const PvModule *kernel)
{
    uint8_t notes[MAX_NOTES_BYTES];
    uint8_t build_id[PV_BUILD_ID_MAX];
    int fd = open ("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    ssize_t len = read (fd, notes, sizeof notes);
    close (fd);
    if (len <= 0)
        return false;
    size_t size = pv_build_id_find (pv_cursor (notes, (size_t)len, false), 4, build_id);
    return pv_build_ids_equal (build_id, size, kernel->build_id, kernel->build_id_size);
}

/* The search for a usable file. */
typedef struct {
    const PvModule *kernel;
    PvKallsymsResult result;
    uint64_t bias;
    char *path; /* the file to use */
} Search;

/* Tries a file of the right kernel; needs_reference: only accepts it if its reference symbol is at
 * the recorded address. */
static bool
try_file (Search *search, const char *path, bool needs_reference)
{
    const PvModule *kernel = search->kernel;

    if (path == NULL)
        return false;
    Survey survey = survey_file (path, kernel->reference_symbol);
    if (!survey.is_readable)
        return false;
    if (!survey.has_addresses) {
        search->result = PV_KALLSYMS_HIDDEN;
        return false;
    }
    bool has_reference = survey.reference_addr != 0 && kernel->reference_addr != 0;
    if (needs_reference && (!has_reference || survey.reference_addr != kernel->reference_addr))
        return false;
    search->bias = has_reference ? kernel->reference_addr - survey.reference_addr : 0;
    search->path = g_strdup (path);
    search->result = PV_KALLSYMS_FOUND;
    return true;
}

/* [kernel.kcore]/ID/DATE/kallsyms */
static bool
try_kcore_copies (Search *search, const char *folder)
{
    DIR *listing = opendir (folder);
    bool found = false;

    while (listing != NULL && !found) {
        struct dirent *entry = readdir (listing);
        if (entry == NULL)
            break;
        g_autofree char *path = g_strconcat (folder, "/", entry->d_name, "/", "kallsyms", NULL);
        found = entry->d_name[0] != '.' && try_file (search, path, false);
    }
    if (listing != NULL)
        closedir (listing);
    return found;
}

static bool
try_tree (Search *search, const char *folder, const char *hex)
{
    g_autofree char *named = g_strdup_printf ("/[kernel.kallsyms]/%s/kallsyms", hex);
    g_autofree char *named_path = pv_path_in_root (folder, named);
    g_autofree char *linked_path = pv_build_id_path (folder, hex, "/kallsyms");
    g_autofree char *kcore = g_strdup_printf ("/[kernel.kcore]/%s", hex);
    g_autofree char *kcore_path = pv_path_in_root (folder, kcore);

    return try_file (search, named_path, false) || try_file (search, linked_path, false) ||
           (kcore_path != NULL && try_kcore_copies (search, kcore_path));
}

/* A file from the user, or the one that perf stores with its recording. */
static bool
try_folder (Search *search, const char *folder)
{
    g_autofree char *direct = pv_path_in_root (folder, "kallsyms");
    g_autofree char *beside = pv_path_in_root (folder, "kcore_dir/kallsyms");

    return try_file (search, direct, false) || try_file (search, beside, false);
}

static void
find_file (PvFileRoots *roots, Search *search)
{
    const PvModule *kernel = search->kernel;
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders);
    g_autofree char *hex = kernel->build_id_size >= 2
                               ? pv_build_id_to_hex (kernel->build_id, kernel->build_id_size)
                               : NULL;

    if (roots->no_other_files)
        return;
    for (size_t i = 0; i < n_folders; i++)
        if (try_folder (search, folders[i]) || (hex != NULL && try_tree (search, folders[i], hex)))
            return;
    if (roots->sysroot != NULL && try_folder (search, roots->sysroot))
        return;
    if (hex != NULL && roots->build_id_cache != NULL &&
        try_tree (search, roots->build_id_cache, hex))
        return;
    if (kernel->build_id_size > 0) {
        if (is_running_kernel (kernel))
            try_file (search, "/proc/kallsyms", false);
    } else {
        try_file (search, "/proc/kallsyms", true);
    }
}

PvKallsymsResult
pv_kallsyms_open (PvFileRoots *roots, const PvModule *kernel, PvKallsyms *ret_kallsyms)
{
    g_assert (roots != NULL && kernel != NULL && ret_kallsyms != NULL);

    Search search = {.kernel = kernel, .result = PV_KALLSYMS_NONE};

    find_file (roots, &search);
    *ret_kallsyms = (PvKallsyms){search.path, search.bias};
    return search.result;
}

void
pv_kallsyms_clear (PvKallsyms *kallsyms)
{
    g_assert (kallsyms != NULL);

    g_clear_pointer (&kallsyms->path, g_free);
}

PvKallsymsResult
pv_kallsyms_find (PvFileRoots *roots, const PvModule *kernel, const uint64_t *runtime_addrs,
                  size_t n, PvSymbolHit *hits, PvArena *arena, const char **ret_path)
{
    g_assert (roots != NULL && kernel != NULL && arena != NULL && ret_path != NULL);

    PvKallsyms kallsyms;
    PvKallsymsResult result = pv_kallsyms_open (roots, kernel, &kallsyms);
    if (kallsyms.path == NULL)
        return result;
    bool found = pv_kallsyms_read (&kallsyms, runtime_addrs, n, hits, arena);
    if (found)
        *ret_path = pv_arena_strndup (arena, kallsyms.path, strlen (kallsyms.path));
    pv_kallsyms_clear (&kallsyms);
    return found ? PV_KALLSYMS_FOUND : PV_KALLSYMS_NONE;
}

uint64_t
pv_kernel_get_bias (const PvModule *kernel, PvElfImage *vmlinux)
{
    g_assert (kernel != NULL && vmlinux != NULL);

    const char *symbol = kernel->reference_symbol != NULL ? kernel->reference_symbol : "_text";
    uint64_t runtime_addr =
        kernel->reference_addr != 0 ? kernel->reference_addr : kernel->load_addr;
    uint64_t link_addr;

    if (runtime_addr == 0 || !pv_elf_symbols_find_name (vmlinux, symbol, &link_addr))
        return 0;
    return runtime_addr - link_addr;
}
