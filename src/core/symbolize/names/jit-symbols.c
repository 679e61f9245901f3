/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code generated at run time. Its runtime may write /tmp/perf-PID.map, one line per piece of code:
 *
 *     START SIZE NAME
 *
 * in hexadecimal, with or without 0x; the name is the rest of the line. Addresses are run-time
 * addresses. Code may be discarded and its memory reused silently, so later lines win over earlier
 * ones. PID is the process's number in its own pid namespace, which a recording from outside its
 * container does not contain.
 */
#include "core/symbolize/names/jit-symbols.h"

#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/array.h"
#include "core/elf/address-claims.h"

#define MAX_NAME_BYTES 4096u
#define MAX_TRIED      256u
#define MAX_MAP_MIB    256u                          /* of one file */
#define MAX_SEARCHED   ((uint64_t)MAX_MAP_MIB << 22) /* bytes, of files of other processes */

void
pv_named_ranges_find (const PvModule *module, const uint64_t *addrs, size_t n, PvSymbolHit *hits,
                      PvFrameChain *chains, PvArena *arena)
{
    g_assert (module != NULL && arena != NULL);

    uint32_t r = 0;

    /* Both are sorted. */
    for (size_t i = 0; i < n && r < module->n_named_ranges; i++) {
        const PvNamedRange *range = &module->named_ranges[r];
        while (r + 1 < module->n_named_ranges && range[1].start <= addrs[i])
            range = &module->named_ranges[++r];
        if (addrs[i] < range->start || addrs[i] - range->start >= range->size_bytes ||
            hits[i].kind != PV_SYMBOL_NONE || range->name == NULL || *range->name == '\0')
            continue;
        hits[i] = (PvSymbolHit){.name = range->name,
                                .start = range->start,
                                .size_bytes = range->size_bytes,
                                .kind = PV_SYMBOL_NAMED};
        if (chains == NULL || range->file == NULL)
            continue;
        PvChainFrame *frame = pv_arena_alloc0 (arena, sizeof *frame);
        frame->linkage_name = range->name;
        frame->file = range->file;
        frame->line = range->line;
        frame->decl_file = range->file;
        frame->decl_line = range->line;
        chains[i] = (PvFrameChain){frame, 1};
    }
}

/* A line that covers an address. */
typedef struct {
    uint64_t start;
    uint64_t end;
    const char *name;
    size_t name_len;
} Line;

/* Reads one or more hexadecimal digits; advances after them and the mandatory space. */
static bool
read_hex (const char **pos, const char *end, uint64_t *ret_value)
{
    const char *s = *pos;
    uint64_t value = 0;

    if (end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    const char *digits = s;
    while (s < end && g_ascii_isxdigit (*s) && s - digits < 16)
        value = value << 4 | (uint64_t)g_ascii_xdigit_value (*s++);
    if (s == digits || s == end || *s != ' ')
        return false;
    *pos = s + 1;
    *ret_value = value;
    return true;
}

static bool
read_line (const char *pos, const char *end, Line *ret_line)
{
    uint64_t size_bytes;

    if (end > pos && end[-1] == '\r')
        end--;
    if (!read_hex (&pos, end, &ret_line->start) || !read_hex (&pos, end, &size_bytes) ||
        size_bytes == 0 || __builtin_add_overflow (ret_line->start, size_bytes, &ret_line->end))
        return false;
    while (pos < end && *pos == ' ')
        pos++;
    ret_line->name = pos;
    ret_line->name_len = MIN ((size_t)(end - pos), MAX_NAME_BYTES);
    return pos < end;
}

/* True if the line that has an address, given as its index + 1, names other code than this one. */
static bool
is_other_code (const Line *lines, uint32_t later, const Line *line)
{
    if (later == 0)
        return false;
    const Line *other = &lines[later - 1];
    return other->name_len != line->name_len || memcmp (other->name, line->name, line->name_len);
}

/* True if some of the addresses had another name before. */
static bool
find_in_text (const char *text, size_t size_bytes, const uint64_t *addrs, size_t n,
              PvSymbolHit *hits, PvArena *arena)
{
    bool is_reused = false;
    g_autofree uint32_t *line_of_addr = g_new0 (uint32_t, MAX (n, 1)); /* + 1; 0: none */
    PV_ARRAY (Line) lines = {0};
    const char *end = text + size_bytes;
    PvClaims claims;

    for (const char *pos = text; pos < end;) {
        const char *line_end = memchr (pos, '\n', (size_t)(end - pos));
        if (line_end == NULL)
            line_end = end;
        Line line;
        if (lines.len < UINT32_MAX - 1 && read_line (pos, line_end, &line)) {
            size_t i = pv_addresses_find (addrs, n, line.start);
            if (i < n && addrs[i] < line.end)
                pv_array_push (&lines, line);
        }
        pos = line_end + 1;
    }
    pv_claims_init (&claims, addrs, n);
    for (size_t l = lines.len; l > 0; l--) {
        const Line *line = &lines.data[l - 1];
        const char *name = NULL;
        size_t next = pv_addresses_find (addrs, n, line->start);
        size_t last = pv_addresses_find (addrs, n, line->end);
        for (size_t i = pv_claims_first (&claims, line->start);
             pv_claims_holds (&claims, i, line->end); i = pv_claims_take (&claims, i)) {
            is_reused |= i > next && is_other_code (lines.data, line_of_addr[next], line);
            next = i + 1;
            line_of_addr[i] = (uint32_t)l;
            if (hits[i].kind != PV_SYMBOL_NONE)
                continue;
            if (name == NULL)
                name = pv_arena_strndup (arena, line->name, line->name_len);
            hits[i] = (PvSymbolHit){.name = name,
                                    .start = line->start,
                                    .size_bytes = line->end - line->start,
                                    .kind = PV_SYMBOL_NAMED};
        }
        is_reused |= next < last && is_other_code (lines.data, line_of_addr[next], line);
    }
    pv_claims_clear (&claims);
    pv_array_clear (&lines);
    return is_reused;
}

/* Finding the file */

/* The module's addresses and their hits. */
typedef struct {
    const PvModule *module;
    const uint64_t *addrs;
    size_t n;
    PvSymbolHit *hits;
    PvArena *arena;
    bool *is_reused; /* set by the latest file: some addresses had several names */
} Search;

/* Large files, and those that begin with bytes of no text, are none of these. */
static bool
may_be_map (PvMappedFile *file)
{
    size_t size = pv_mapped_file_get_size (file);
    return size <= (size_t)MAX_MAP_MIB << 20 &&
           memchr (pv_mapped_file_get_data (file), '\0', MIN (size, MAX_NAME_BYTES)) == NULL;
}

static bool
find_in_file (const Search *search, PvMappedFile *file, PvSymbolHit *hits)
{
    if (file == NULL || !may_be_map (file))
        return false;
    *search->is_reused =
        find_in_text ((const char *)pv_mapped_file_get_data (file), pv_mapped_file_get_size (file),
                      search->addrs, search->n, hits, search->arena);
    return true;
}

/* Tries a file that may belong to another process: it is the right one if it names most of the
 * addresses. Returns the number of names; 0 for a wrong file. */
static size_t
try_file (const Search *search, PvMappedFile *file, PvSymbolHit *hits)
{
    size_t n_named = 0, n_unnamed = 0;
    memcpy (hits, search->hits, search->n * sizeof *hits);
    find_in_file (search, file, hits);
    for (size_t i = 0; i < search->n; i++) {
        n_unnamed += hits[i].kind == PV_SYMBOL_NONE;
        n_named += hits[i].kind != PV_SYMBOL_NONE && search->hits[i].kind == PV_SYMBOL_NONE;
    }
    return n_named > n_unnamed ? n_named : 0;
}

/* The pid of a process of this machine in its innermost pid namespace; 0 if it no longer runs. */
static int32_t
find_inner_pid (int32_t pid)
{
    g_autofree char *path = g_strdup_printf ("/proc/%d/status", (int)pid);
    g_autofree char *status = NULL;
    if (!g_file_get_contents (path, &status, NULL, NULL))
        return 0;
    const char *line = strstr (status, "\nNStgid:");
    const char *end = line != NULL ? strchr (line + 1, '\n') : NULL;
    if (end == NULL)
        return 0;
    while (end > line && g_ascii_isdigit (end[-1]))
        end--;
    return (int32_t)g_ascii_strtoll (end, NULL, 10);
}

/* Anybody can write a file to /tmp: it is only taken from root, the user, and the user of the
 * process, while that runs. */
static bool
is_trusted (PvMappedFile *file, int32_t pid)
{
    uid_t owner = pv_mapped_file_get_owner (file);
    g_autofree char *process = g_strdup_printf ("/proc/%d", (int)pid);
    struct stat status;
    return owner == 0 || owner == geteuid () ||
           (pid > 0 && stat (process, &status) == 0 && status.st_uid == owner);
}

/* The process's own map; *ret_problem: why it is not used. */
static PvMappedFile *
open_own_map (PvFileRoots *roots, const PvModule *module, const char *path, PvArena *arena,
              const char **ret_problem)
{
    PvMappedFile *file = pv_file_roots_open_given (roots, path);
    bool is_given = file != NULL;
    if (file == NULL)
        file = pv_file_roots_open_here (roots, path);
    if (file == NULL)
        return NULL;
    if (!is_given && !is_trusted (file, module->pid))
        *ret_problem = pv_arena_printf (
            arena, _ ("The names in %s are not used: the file belongs to another user."), path);
    else if (!may_be_map (file))
        *ret_problem = pv_arena_printf (
            arena,
            _ ("The names in %s are not used: the file has more than %u MiB, or is no text."), path,
            MAX_MAP_MIB);
    else
        return file;
    pv_mapped_file_unref (file);
    return NULL;
}

/* Looks in the files of a container that still runs on this machine. */
static const char *
find_in_running_process (const Search *search, PvSymbolHit *hits)
{
    int32_t inner_pid = find_inner_pid (search->module->pid);
    if (inner_pid <= 0)
        return NULL;
    g_autofree char *root = g_strdup_printf ("/proc/%d/root", (int)search->module->pid);
    g_autofree char *name = g_strdup_printf ("/tmp/perf-%d.map", (int)inner_pid);
    g_autofree char *path = pv_path_in_root (root, name);
    g_autoptr (PvMappedFile) file = path != NULL ? pv_mapped_file_open (path, NULL) : NULL;
    if (file == NULL || !is_trusted (file, search->module->pid) ||
        try_file (search, file, hits) == 0)
        return NULL;
    memcpy (search->hits, hits, search->n * sizeof *hits);
    return pv_arena_strndup (search->arena, path, strlen (path));
}

/* Looks for a file with any number in the user's folders. */
static const char *
find_in_folders (const Search *search, PvFileRoots *roots, PvSymbolHit *hits)
{
    const char *const *folders;
    size_t n_folders = pv_file_roots_get_folders (roots, &folders), most = 0;
    const char *found = NULL;
    unsigned n_tried = 0;
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < n_folders; i++) {
        g_autoptr (GDir) folder = g_dir_open (folders[i], 0, NULL);
        const char *name;
        while (folder != NULL && n_tried < MAX_TRIED && (name = g_dir_read_name (folder)) != NULL) {
            if (!g_str_has_prefix (name, "perf-") || !g_str_has_suffix (name, ".map"))
                continue;
            n_tried++;
            g_autofree char *path = pv_path_in_root (folders[i], name);
            g_autoptr (PvMappedFile) file = path != NULL ? pv_mapped_file_open (path, NULL) : NULL;
            n_bytes += file != NULL ? pv_mapped_file_get_size (file) : 0;
            if (n_bytes > MAX_SEARCHED)
                break;
            size_t n_named = file != NULL ? try_file (search, file, hits) : 0;
            if (n_named <= most)
                continue;
            most = n_named;
            found = pv_arena_strndup (search->arena, path, strlen (path));
        }
    }
    g_autoptr (PvMappedFile) file = found != NULL ? pv_mapped_file_open (found, NULL) : NULL;
    return find_in_file (search, file, search->hits) ? found : NULL;
}

const char *
pv_jit_map_find (PvFileRoots *roots, const PvModule *module, const uint64_t *runtime_addrs,
                 size_t n, PvSymbolHit *hits, PvArena *arena, bool *ret_is_reused,
                 const char **ret_problem)
{
    g_assert (roots != NULL && module != NULL && arena != NULL && ret_problem != NULL);

    *ret_problem = NULL;
    /* A process has another pid inside a container; that pid is in the file's name. */
    int32_t pids[] = {module->container_pid, module->pid};
    const Search search = {module, runtime_addrs, n, hits, arena, ret_is_reused};

    *ret_is_reused = false;
    if (roots->no_other_files)
        return NULL;
    for (size_t i = 0; i < G_N_ELEMENTS (pids); i++) {
        if (pids[i] <= 0 || (i > 0 && pids[i] == pids[0]))
            continue;
        const char *path = pv_arena_printf (arena, "/tmp/perf-%d.map", (int)pids[i]);
        g_autoptr (PvMappedFile) file = open_own_map (roots, module, path, arena, ret_problem);
        if (find_in_file (&search, file, hits))
            return path;
    }
    if (n == 0)
        return NULL;
    g_autofree PvSymbolHit *trial = g_new (PvSymbolHit, n);
    const char *path = find_in_folders (&search, roots, trial);
    if (path == NULL && roots->sysroot == NULL)
        path = find_in_running_process (&search, trial);
    *ret_is_reused &= path != NULL;
    return path;
}
