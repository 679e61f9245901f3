/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../cases.h"
#include "../scratch.h"
#include "core/symbolize/dwarf/dwarf-index.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/symbolizer.h"

/*
 * Our reader against libdw. Addresses are random with a fixed seed, half of them anywhere in the
 * executable segment and half inside of what libdw calls units, so each reader has to know what the
 * other one knows. The chains at each address must be the same: names, files, lines and what is
 * inlined into what. Two conventions of ours are followed here: of units that claim the same
 * address the one that begins last has it, and names without linkage name are qualified.
 */
#define N_ADDRS 1000

typedef struct {
    uint64_t start, end;
    Dwarf_Off unit; /* of the unit's DIE */
} Range;

typedef struct {
    int fd;
    Elf *elf;
    Dwarf *dwarf;
    GArray *ranges; /* Range, as the units say */
} Oracle;

static void
add_unit_ranges (Oracle *oracle, Dwarf_Die *unit)
{
    Dwarf_Addr base, start, end;
    for (ptrdiff_t at = 0; (at = dwarf_ranges (unit, at, &base, &start, &end)) > 0;) {
        Range range = {start, end, dwarf_dieoffset (unit)};
        if (start < end)
            g_array_append_val (oracle->ranges, range);
    }
}

static bool
open_oracle (Oracle *oracle, const char *path)
{
    *oracle = (Oracle){.fd = open (path, O_RDONLY | O_CLOEXEC)};
    elf_version (EV_CURRENT);
    oracle->elf = elf_begin (oracle->fd, ELF_C_READ_MMAP, NULL);
    oracle->dwarf = dwarf_begin_elf (oracle->elf, DWARF_C_READ, NULL);
    oracle->ranges = g_array_new (FALSE, FALSE, sizeof (Range));
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    uint8_t type;
    while (oracle->dwarf != NULL &&
           dwarf_get_units (oracle->dwarf, unit, &unit, NULL, &type, &die, NULL) == 0)
        if (type == DW_UT_compile)
            add_unit_ranges (oracle, &die);
    return oracle->ranges->len > 0;
}

static void
close_oracle (Oracle *oracle)
{
    dwarf_end (oracle->dwarf);
    elf_end (oracle->elf);
    close (oracle->fd);
    g_array_unref (oracle->ranges);
}

/* Chains as text */

/* A line for each frame, innermost first. */
static void
append_frame (GString *text, const char *name, const char *folder, const char *file, uint64_t line)
{
    g_autofree char *from = g_build_filename ("/", folder, NULL);
    g_autofree char *path = file != NULL ? g_canonicalize_filename (file, from) : NULL;
    g_string_append_printf (text, "%s %s:%" G_GUINT64_FORMAT "\n", name != NULL ? name : "?",
                            path != NULL ? path : "?", line);
}

/* Ours has the namespaces around a name without linkage name in front of it. */
static bool
is_same_frame (const char *ours, const char *theirs)
{
    size_t size = strlen (ours), their_size = strlen (theirs);
    if (size == their_size)
        return strcmp (ours, theirs) == 0;
    return size > their_size + 2 && strcmp (ours + size - their_size, theirs) == 0 &&
           memcmp (ours + size - their_size - 2, "::", 2) == 0;
}

static bool
is_same_chain (const char *ours, const char *theirs)
{
    g_auto (GStrv) our_frames = g_strsplit (ours, "\n", -1);
    g_auto (GStrv) their_frames = g_strsplit (theirs, "\n", -1);
    bool is_same = g_strv_length (our_frames) == g_strv_length (their_frames);
    for (guint i = 0; is_same && our_frames[i] != NULL; i++)
        is_same = is_same_frame (our_frames[i], their_frames[i]);
    return is_same;
}

static char *
print_ours (const PvFrameChain *chain)
{
    GString *text = g_string_new (NULL);
    for (uint32_t i = 0; i < chain->n_frames; i++) {
        const PvChainFrame *frame = &chain->frames[i];
        const char *name = frame->linkage_name != NULL ? frame->linkage_name : frame->name;
        append_frame (text, name, "", frame->file, frame->line);
    }
    return g_string_free (text, FALSE);
}

static const char *
get_name (Dwarf_Die *die)
{
    Dwarf_Attribute attr;
    if (dwarf_attr_integrate (die, DW_AT_linkage_name, &attr) != NULL ||
        dwarf_attr_integrate (die, DW_AT_MIPS_linkage_name, &attr) != NULL)
        return dwarf_formstring (&attr);
    return dwarf_diename (die);
}

static uint64_t
get_number (Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attr;
    Dwarf_Word number = 0;
    return dwarf_formudata (dwarf_attr (die, name, &attr), &number) == 0 ? number : 0;
}

#define MAX_SCOPES 64

typedef struct {
    Dwarf_Die scopes[MAX_SCOPES]; /* outermost first */
    size_t n;
} Scopes;

/* True if the address is in a function below the DIE; finds the function and inlined calls around
 * it. (dwarf_getscopes () finds nothing where the origin of an inlined call is in another unit or
 * was declared apart, as link-time optimisation and clang write it.) */
static bool
find_scopes (Dwarf_Die *die, uint64_t addr, Scopes *scopes)
{
    Dwarf_Die child;
    for (int status = dwarf_child (die, &child); status == 0;
         status = dwarf_siblingof (&child, &child)) {
        int tag = dwarf_tag (&child);
        bool is_inlined = tag == DW_TAG_inlined_subroutine;
        bool is_scope = (is_inlined || tag == DW_TAG_subprogram) && dwarf_haspc (&child, addr) > 0;
        if ((is_inlined && !is_scope) || scopes->n == MAX_SCOPES)
            continue;
        if (is_scope)
            scopes->scopes[scopes->n++] = child;
        if (find_scopes (&child, addr, scopes) || is_scope)
            return true;
    }
    return false;
}

static char *
print_theirs_in (Dwarf_Die *unit, uint64_t addr)
{
    GString *text = g_string_new (NULL);
    Dwarf_Attribute attr;
    const char *folder = dwarf_formstring (dwarf_attr (unit, DW_AT_comp_dir, &attr));
    folder = folder != NULL ? folder : "";
    Dwarf_Line *row = dwarf_getsrc_die (unit, addr);
    const char *file = row != NULL ? dwarf_linesrc (row, NULL, NULL) : NULL;
    int row_line = 0;
    if (row != NULL)
        dwarf_lineno (row, &row_line);
    uint64_t line = (uint64_t)row_line;
    Dwarf_Files *files;
    size_t n_files;
    if (dwarf_getsrcfiles (unit, &files, &n_files) != 0)
        n_files = 0;
    Scopes scopes = {.n = 0};
    find_scopes (unit, addr, &scopes);
    if (scopes.n == 0 && row != NULL)
        append_frame (text, NULL, folder, file, line);
    while (scopes.n > 0) {
        Dwarf_Die *scope = &scopes.scopes[--scopes.n];
        append_frame (text, get_name (scope), folder, file, line);
        uint64_t index = get_number (scope, DW_AT_call_file);
        bool has_file = dwarf_hasattr (scope, DW_AT_call_file) && index < n_files;
        file = has_file ? dwarf_filesrc (files, index, NULL, NULL) : NULL;
        line = get_number (scope, DW_AT_call_line);
    }
    return g_string_free (text, FALSE);
}

static char *
print_theirs (const Oracle *oracle, uint64_t addr)
{
    const Range *best = NULL;
    for (guint i = 0; i < oracle->ranges->len; i++) {
        const Range *range = &g_array_index (oracle->ranges, Range, i);
        if (addr >= range->start && addr < range->end &&
            (best == NULL || range->start > best->start ||
             (range->start == best->start && range->end <= best->end)))
            best = range;
    }
    Dwarf_Die unit;
    return best != NULL && dwarf_offdie (oracle->dwarf, best->unit, &unit) != NULL
               ? print_theirs_in (&unit, addr)
               : g_strdup ("");
}

/* Addresses */

static int
compare_addrs (const void *a, const void *b)
{
    const uint64_t *first = a, *second = b;
    return *first < *second ? -1 : *first > *second;
}

static uint64_t
pick_in (GRand *random, uint64_t start, uint64_t end)
{
    return start + (uint64_t)(g_rand_double (random) * (double)(end - start));
}

/* A function in the code: where the linker has dropped one, its range starts at 0. */
static const Range *
pick_range (GRand *random, const Oracle *oracle, uint64_t start, uint64_t end)
{
    const Range *range;
    do {
        gint32 i = g_rand_int_range (random, 0, (gint32)oracle->ranges->len);
        range = &g_array_index (oracle->ranges, Range, (guint)i);
    } while (range->start < start || range->end > end);
    return range;
}

static void
pick_addrs (const Oracle *oracle, const PvElfImage *image, uint64_t *addrs)
{
    g_autoptr (GRand) random = g_rand_new_with_seed (42);
    const PvElfSegment *segments, *code = NULL;
    size_t n_segments = pv_elf_image_get_segments (image, &segments);
    for (size_t i = 0; i < n_segments; i++)
        if (segments[i].is_executable)
            code = &segments[i];
    g_assert_nonnull (code);
    uint64_t start = code->link_addr, end = start + code->mem_size_bytes;
    for (size_t i = 0; i < N_ADDRS; i++) {
        const Range *range = pick_range (random, oracle, start, end);
        addrs[i] =
            i % 2 == 0 ? pick_in (random, start, end) : pick_in (random, range->start, range->end);
    }
    qsort (addrs, N_ADDRS, sizeof *addrs, compare_addrs);
}

/* The comparison */

typedef struct {
    size_t n_named, n_inlined, n_different;
} Counts;

static void
compare (const Oracle *oracle, const char *path, uint64_t addr, const PvFrameChain *chain,
         Counts *counts)
{
    g_autofree char *ours = print_ours (chain);
    g_autofree char *theirs = print_theirs (oracle, addr);
    counts->n_named += *ours != '\0';
    counts->n_inlined += chain->n_frames > 1;
    if (is_same_chain (ours, theirs))
        return;
    counts->n_different++;
    g_test_message ("%s %" G_GINT64_MODIFIER "x\nours\n%stheirs\n%s", path, addr, ours, theirs);
}

static void
check_file (const PvModuleFile *file, const char *path)
{
    Oracle oracle;
    uint64_t addrs[N_ADDRS];
    Counts counts = {0};
    const char *problem;
    g_autoptr (PvDwarfUnits) units = pv_dwarf_units_new (file, NULL, &problem);
    g_assert_true (open_oracle (&oracle, pv_elf_image_get_path (file->debug)));
    g_assert_nonnull (units);
    g_autoptr (PvDwarfWorker) worker = pv_dwarf_worker_new (units);
    pick_addrs (&oracle, file->binary, addrs);
    g_autoptr (PvArena) arena = pv_arena_new ();
    for (size_t first = 0, end; first < N_ADDRS; first = end) {
        PvFrameChain chains[N_ADDRS] = {0};
        uint32_t unit = pv_dwarf_units_find (units, addrs[first]);
        for (end = first + 1; end < N_ADDRS; end++)
            if (pv_dwarf_units_find (units, addrs[end]) != unit)
                break;
        if (unit != UINT32_MAX)
            pv_dwarf_worker_resolve (worker, unit, addrs + first, end - first, chains, arena, NULL);
        for (size_t i = first; i < end; i++)
            compare (&oracle, path, addrs[i], &chains[i - first], &counts);
    }
    close_oracle (&oracle);
    g_test_message ("%s: %zu of %d addresses named, %zu inlined, %zu different", path,
                    counts.n_named, N_ADDRS, counts.n_inlined, counts.n_different);
    g_assert_cmpuint (counts.n_named, >, N_ADDRS / 4);
    if (counts.n_different > 0)
        g_test_fail ();
}

/* Names a file that libdw can open; false where there is none with debug information. */
static bool
check_module (const char *sysroot, const char *path)
{
    PvSymbolOptions options = {.sysroot = sysroot};
    g_autoptr (PvModuleFiles) files = pv_module_files_new (&options);
    PvModule module = {.path = path, .kind = PV_MODULE_FILE};
    const PvModuleFile *file = pv_module_files_get (files, &module);
    if (file->binary == NULL || file->debug == NULL || !pv_elf_image_has_debug_info (file->debug))
        return false;
    check_file (file, path);
    return true;
}

TEST (samples)
{
    static const char *const names[] = {
        "calls", "calls-nofp",      "inlining",     "threads",   "inlining-nofp", "heap",
        "depot", "heap-containers", "libplugin.so", "recursion", "signals-nofp",  "loader"};
    g_autofree char *sysroot = get_data ("sysroot");
    for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
        g_autofree char *path = g_build_filename ("/opt/samples/bin", names[i], NULL);
        g_assert_true (check_module (sysroot, path));
    }
}

TEST (foreign)
{
    g_assert_true (check_module (g_getenv ("PV_TEST_DATA"), "/dwarf/foreign"));
}

static int
check_loaded (struct dl_phdr_info *info, size_t size, void *user)
{
    g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
    *(unsigned *)user += check_module (NULL, *info->dlpi_name != '\0' ? info->dlpi_name : self);
    return 0;
}

/* A program of some size, by the compiler and with the options of this build. */
TEST (profview)
{
    g_autofree char *path = g_build_filename (g_getenv ("PV_BUILD"), "src", "profview", NULL);
    if (!check_module (NULL, path))
        g_test_skip ("profview was built without debug information");
}

/* This program, and the libraries it runs with whose debug information is installed. */
TEST (loaded)
{
    unsigned n_checked = 0;
    dl_iterate_phdr (check_loaded, &n_checked);
    if (n_checked == 0)
        g_test_skip ("this program was built without debug information");
}
