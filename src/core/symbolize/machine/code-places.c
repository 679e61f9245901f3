/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/symbolize/machine/code-places.h"

#include <elf.h>
#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/error.h"
#include "core/base/search.h"
#include "core/elf/address-claims.h"
#include "core/symbolize/files/file-search.h"
#include "core/symbolize/go/go-pclntab.h"
#include "core/symbolize/machine/code-image.h"
#include "core/symbolize/machine/jit-code.h"
#include "core/symbolize/names/demangle.h"
#include "core/symbolize/names/jit-symbols.h"
#include "core/symbolize/names/languages.h"

enum { CANCEL_STEPS = 65536 };

typedef struct {
    const PvProfile *profile;
    const PvSymbolTable *symbols;
    PvFunctionId function;
    uint32_t recorded;
    PvCodePlaces *places;
    PvArena *arena;
    PvJitDump *dump;           /* of code that was made at run time; else NULL */
    PV_ARRAY (uint64_t) addrs; /* of the function's locations; then sorted and unique */
} Find;

/* --- the file --- */

/* Why code of this kind is in no file; NULL: it is in one. */
static const char *
find_kind_problem (const PvModule *module)
{
    if (module->address_kind == PV_ADDRESS_ORDINAL)
        return _ ("The profile has only names of functions, no addresses of instructions.");
    if (module->kind == PV_MODULE_UNKNOWN)
        return _ ("The file that this code came from is unknown.");
    if (module->kind == PV_MODULE_KERNEL_MODULE && module->n_named_ranges > 0)
        return _ ("The kernel generated this code at run time (a BPF program or a trampoline), and "
                  "no copy of it was kept.");
    return NULL;
}

/* Why the running kernel cannot provide the missing code, translated. */
static const char *
describe_kernel_problem (PvKernelCodeResult result)
{
    switch (result) {
    case PV_KERNEL_CODE_FORBIDDEN:
        return _ ("Only root can read it from the running kernel (/proc/kcore).");
    case PV_KERNEL_CODE_UNREADABLE:
        return _ ("It cannot be read from the running kernel (/proc/kcore) either.");
    case PV_KERNEL_CODE_MOVED:
        return _ (
            "The machine has been restarted since the recording, so its kernel modules are at "
            "other addresses now.");
    default:
        return _ ("A different kernel is running now.");
    }
}

/* True if the kernel's image was found with its code: debug files may lack it. */
static bool
has_code (const PvModuleFile *file)
{
    return file->binary != NULL && pv_elf_image_find_stored (file->binary, ".text") != NULL;
}

static bool
open_kernel (Find *find, PvModuleFiles *files, const PvModule *module, GError **error)
{
    PvCodePlaces *places = find->places;
    if (module->kind == PV_MODULE_KERNEL) {
        places->file = pv_module_files_get (files, module);
        pv_link_addresses_init (&places->addresses, module, places->file);
        if (has_code (places->file))
            return true;
    }
    places->file = &places->own;
    /* The addresses stay as they were when the kernel ran. */
    places->addresses = (PvLinkAddresses){.file = places->file, .kind = PV_ADDRESS_RUNTIME};
    PvKernelCodeResult result = pv_kernel_code_open (pv_module_files_get_roots (files),
                                                     find->profile, module, &places->kernel);
    if (result == PV_KERNEL_CODE_FOUND)
        return true;
    g_autofree char *problem = g_strconcat (
        module->kind == PV_MODULE_KERNEL
            ? _ ("The kernel's code is in its image “vmlinux”, which was not found: install the "
                 "kernel's debug symbols, or add a folder that has it.")
            : _ ("Kernel modules are patched when they are loaded, so their files do not contain "
                 "the code that ran."),
        " ", describe_kernel_problem (result), NULL);
    return pv_read_fail (error, PV_READ_ERROR_NOT_FOUND, "%s", problem);
}

static bool
open_file (Find *find, PvModuleFiles *files, GError **error)
{
    PvCodePlaces *places = find->places;
    const PvModule *module = find->recorded != 0
                                 ? &find->profile->compared->recorded[find->recorded].module
                                 : &find->profile->modules[places->module];
    const char *problem = find_kind_problem (module);
    if (problem != NULL)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED, "%s", problem);
    if (module->kind == PV_MODULE_JIT && find->profile->compared != NULL && find->recorded == 0)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED, "%s",
                             _ ("This code was generated at run time, and it is not known in which "
                                "of the programs."));
    if (module->kind == PV_MODULE_JIT) {
        places->named = module;
        places->file = &places->own;
        pv_link_addresses_init (&places->addresses, module, places->file);
        find->dump = pv_jit_dump_open (files, module, error);
        return find->dump != NULL;
    }
    if (module->kind == PV_MODULE_KERNEL || module->kind == PV_MODULE_KERNEL_MODULE)
        return open_kernel (find, files, module, error);
    places->file = pv_module_files_get (files, module);
    if (places->file->binary == NULL)
        return pv_read_fail (
            error, PV_READ_ERROR_NOT_FOUND, /* Translators: the path of a program, and a sentence
                                               that says why */
            _ ("No binary for “%s”: %s"), *module->path != '\0' ? module->path : module->name,
            places->file->reason != NULL ? places->file->reason : _ ("The file was not found."));
    pv_link_addresses_init (&places->addresses, module, places->file);
    return true;
}

/* --- the function's addresses --- */

static bool
has_function (const Find *find, PvLocationId location)
{
    uint32_t n_frames;
    const PvFrame *frames = pv_symbol_table_frames (find->symbols, location, &n_frames);
    for (uint32_t f = 0; f < n_frames; f++)
        if (frames[f].function == find->function)
            return true;
    return false;
}

static uint32_t
count_locations (const Find *find)
{
    return MIN (find->profile->n_locations, find->symbols->n_locations);
}

/* The module that has the function; 0: none. */
static PvModuleId
find_module (const Find *find)
{
    PvModuleId module = find->symbols->functions[find->function].module;
    for (PvLocationId l = 1; module == 0 && l < count_locations (find); l++)
        if (has_function (find, l))
            module = find->profile->module_of_location[l];
    return module;
}

static bool
get_address (const Find *find, PvLocationId location, uint64_t *ret_addr)
{
    if (find->recorded != 0 &&
        find->profile->compared->recorded_of_location[location] != find->recorded)
        return false;
    return find->profile->module_of_location[location] == find->places->module &&
           find->profile->kind_of_location[location] != PV_LOCATION_NAMED &&
           find->profile->address_of_location[location] != 0 &&
           pv_link_addresses_convert (&find->places->addresses,
                                      pv_profile_lookup_address (find->profile, location),
                                      ret_addr);
}

static bool
gather_addresses (Find *find, PvJob *job, GError **error)
{
    for (PvLocationId l = 1; l < count_locations (find); l++) {
        uint64_t addr;
        if (l % CANCEL_STEPS == 0 && !pv_job_check (job, error))
            return false;
        if (has_function (find, l) && get_address (find, l, &addr))
            pv_array_push (&find->addrs, addr);
    }
    if (find->addrs.len == 0)
        return pv_read_fail (error, PV_READ_ERROR_UNSUPPORTED, "%s",
                             _ ("The profile has no addresses of instructions for this function."));
    find->addrs.len = pv_sort_numbers (find->addrs.data, find->addrs.len);
    return true;
}

/* --- places --- */

/* The function of Go's own table at an address; false if it has no such function. */
static bool
find_in_go_table (const PvGoTable *table, uint64_t addr, PvGoFunction *ret_function)
{
    uint64_t low = 0, high = table != NULL ? pv_go_table_get_n_functions (table) : 0;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (!pv_go_table_get_function (table, middle, ret_function))
            return false;
        if (addr < ret_function->start)
            high = middle;
        else if (addr >= ret_function->end)
            low = middle + 1;
        else
            return true;
    }
    return false;
}

static char *
make_name (const Find *find, const char *symbol, uint64_t start)
{
    if (symbol == NULL)
        return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x",
                                find->profile->modules[find->places->module].name, start);
    g_autofree char *showable = pv_make_showable (symbol, strlen (symbol));
    char *demangled = pv_demangle_from (showable, find->places->name_source);
    return demangled != NULL ? demangled : g_steal_pointer (&showable);
}

/* The code around an address of the function, which the next symbol ends if nothing else does. */
static PvCodePlace
make_place (const Find *find, const PvGoTable *table, const PvSymbolHit *hit, uint64_t addr,
            uint64_t end)
{
    PvCodePlace place = {.start = hit->start, .end = hit->start};
    const char *name = hit->kind == PV_SYMBOL_NAMED ? hit->name : NULL;
    PvGoFunction go;

    if (hit->kind != PV_SYMBOL_NONE && hit->size_bytes > 0) {
        __builtin_add_overflow (hit->start, hit->size_bytes, &place.end);
    } else if (find_in_go_table (table, addr, &go)) {
        place.start = go.start;
        place.end = go.end;
        name = go.name;
    } else {
        if (hit->kind == PV_SYMBOL_NONE)
            place.start = addr;
        place.end = MAX (end, addr + 1);
    }
    if (place.end <= addr || place.start > addr) { /* wraps around, or is damaged */
        place.start = addr;
        place.end = addr < UINT64_MAX ? addr + 1 : addr;
    }
    place.is_cut = place.end - place.start > PV_CODE_MAX_BYTES;
    if (place.is_cut)
        place.end = place.start + PV_CODE_MAX_BYTES;
    place.name = make_name (find, name, place.start);
    return place;
}

/* By address: where its code ends at most; of those whose symbol has a size 0. */
static uint64_t *
find_ends (const Find *find, const PvSymbolHit *hits)
{
    const size_t n = find->addrs.len;
    uint64_t *ends = g_new0 (uint64_t, n);
    g_autofree uint64_t *open = g_new (uint64_t, n);
    g_autofree uint64_t *found = g_new (uint64_t, n);
    size_t n_open = 0;

    for (size_t i = 0; i < n; i++)
        if (hits[i].kind == PV_SYMBOL_NONE || hits[i].size_bytes == 0)
            open[n_open++] = find->addrs.data[i];
    pv_elf_symbols_find_ends (find->places->file, open, n_open, found);
    for (size_t i = n; i-- > 0;)
        if (hits[i].kind == PV_SYMBOL_NONE || hits[i].size_bytes == 0)
            ends[i] = found[--n_open];
    return ends;
}

static int
compare_places (const void *a_, const void *b_)
{
    const PvCodePlace *a = a_, *b = b_;
    return pv_order (a->start, b->start);
}

/* The code that was made at run time around an address, and its bytes. */
static PvCodePlace
make_jit_place (const Find *find, uint64_t addr, PvCodePiece *ret_piece)
{
    const PvModule *module = find->places->named;
    PvCodePlace place = {.start = addr, .end = addr < UINT64_MAX ? addr + 1 : addr};
    PvJitPiece piece;
    const char *name = NULL;

    if (pv_jit_piece_find (module, addr, &piece)) {
        place.start = piece.start;
        place.end = piece.end;
        name = piece.name;
        ret_piece->bytes = pv_jit_dump_read (find->dump, &piece, &ret_piece->size_bytes);
    }
    place.is_cut = place.end - place.start > PV_CODE_MAX_BYTES;
    if (place.is_cut)
        place.end = place.start + PV_CODE_MAX_BYTES;
    ret_piece->addr = place.start;
    ret_piece->size_bytes = MIN (ret_piece->size_bytes, place.end - place.start);
    place.name = make_name (find, name, place.start);
    return place;
}

/* The machine of the recording; if it does not tell, the most common one. */
static uint16_t
get_machine (const PvProfile *profile)
{
    const char *arch = profile->facts.arch;

    if (arch == NULL)
        return EM_X86_64;
    if (strcmp (arch, "aarch64") == 0)
        return EM_AARCH64;
    return g_str_has_prefix (arch, "i") ? EM_386 : EM_X86_64;
}

/* Pieces are sorted and do not overlap, so an address is in the last one or in none so far. */
static bool
find_jit_places (Find *find, PvJob *job, GError **error)
{
    PvCodePlaces *places = find->places;
    PV_ARRAY (PvCodePlace) found = {0};
    PV_ARRAY (PvCodePiece) pieces = {0};

    for (size_t i = 0; i < find->addrs.len && !pv_job_is_cancelled (job); i++) {
        PvCodePiece piece = {0};
        if (found.len > 0 && find->addrs.data[i] < found.data[found.len - 1].end)
            continue;
        PvCodePlace place = make_jit_place (find, find->addrs.data[i], &piece);
        pv_array_push (&found, place);
        if (piece.bytes != NULL)
            pv_array_push (&pieces, piece);
    }
    PvCodeMachine machine = pv_jit_dump_find_machine (find->dump, get_machine (find->profile));
    places->own.binary =
        pv_code_image_new (&machine, pieces.data, pieces.len, places->named->code_path);
    places->n_places = (uint32_t)found.len;
    places->places = pv_array_steal (&found);
    pv_array_clear (&pieces);
    return pv_job_check (job, error);
}

/* Reads the places' bytes from the kernel's memory. */
static void
read_kernel (PvCodePlaces *places)
{
    PV_ARRAY (PvCodePiece) pieces = {0};
    const PvKernelCode *kernel = places->kernel;

    for (uint32_t p = 0; p < places->n_places; p++) {
        const PvCodePlace *place = &places->places[p];
        PvCodePiece piece = {.addr = place->start};
        uint8_t *bytes = g_malloc (place->end - place->start);
        piece.bytes = bytes;
        piece.size_bytes =
            pv_kernel_code_read (kernel, place->start, bytes, place->end - place->start);
        pv_array_push (&pieces, piece);
    }
    places->own.binary = pv_code_image_new (pv_kernel_code_get_machine (kernel), pieces.data,
                                            pieces.len, pv_kernel_code_get_path (kernel));
    for (size_t p = 0; p < pieces.len; p++)
        g_free ((gpointer)pieces.data[p].bytes);
    pv_array_clear (&pieces);
}

static bool
find_kernel_places (Find *find, PvJob *job, GError **error)
{
    PvCodePlaces *places = find->places;
    PV_ARRAY (PvCodePlace) found = {0};
    const size_t n = find->addrs.len;
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, n);

    pv_kallsyms_read (pv_kernel_code_get_kallsyms (places->kernel), find->addrs.data, n, hits,
                      find->arena);
    for (size_t i = 0; i < n && !pv_job_is_cancelled (job); i++) {
        const uint64_t addr = find->addrs.data[i];
        if (found.len > 0 && addr < found.data[found.len - 1].end)
            continue;
        PvCodePlace place = {.start = addr, .end = addr < UINT64_MAX ? addr + 1 : addr};
        if (hits[i].size_bytes > 0) {
            place.start = hits[i].start;
            place.end = hits[i].start + hits[i].size_bytes;
        }
        place.name = make_name (find, hits[i].name, place.start);
        pv_array_push (&found, place);
    }
    places->n_places = (uint32_t)found.len;
    places->places = pv_array_steal (&found);
    read_kernel (places);
    return pv_job_check (job, error);
}

static bool
find_file_places (Find *find, PvJob *job, GError **error)
{
    PvCodePlaces *places = find->places;
    PV_ARRAY (PvCodePlace) found = {0};
    const uint64_t *addrs = find->addrs.data;
    const size_t n = find->addrs.len;
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, n);

    pv_elf_symbols_find (places->file, addrs, n, hits, find->arena);
    g_autofree uint64_t *ends = find_ends (find, hits);
    g_autoptr (PvGoTable) table = pv_go_table_new (places->file->binary, NULL);
    for (size_t i = 0; i < n && !pv_job_is_cancelled (job); i++) {
        const PvCodePlace *last = found.len > 0 ? &found.data[found.len - 1] : NULL;
        bool is_same = last != NULL && addrs[i] < last->end && addrs[i] >= last->start &&
                       (hits[i].kind == PV_SYMBOL_NONE || hits[i].start == last->start);
        /* A cut one holds only the beginning of its symbol. */
        is_same |= last != NULL && last->is_cut && hits[i].kind != PV_SYMBOL_NONE &&
                   hits[i].start == last->start;
        if (!is_same)
            pv_array_push (&found, make_place (find, table, &hits[i], addrs[i], ends[i]));
    }
    places->n_places = (uint32_t)found.len;
    places->places = pv_array_steal (&found);
    qsort (places->places, places->n_places, sizeof (PvCodePlace), compare_places);
    return pv_job_check (job, error);
}

static bool
find_places (Find *find, PvJob *job, GError **error)
{
    if (find->dump != NULL)
        return find_jit_places (find, job, error);
    return find->places->kernel != NULL ? find_kernel_places (find, job, error)
                                        : find_file_places (find, job, error);
}

/* --- all that runs there --- */

/* The last place that begins at or before the address, and holds it; 0: none. */
static uint32_t
find_place (const PvCodePlaces *places, uint64_t addr)
{
    uint32_t low = pv_bisect (0, places->n_places, i, places->places[i].start <= addr);
    return low > 0 && addr < places->places[low - 1].end ? low : 0;
}

static bool
place_locations (Find *find, PvJob *job, GError **error)
{
    PvCodePlaces *places = find->places;
    places->place_of_location = g_new0 (uint32_t, MAX (find->profile->n_locations, 1));
    places->addr_of_location = g_new0 (uint64_t, MAX (find->profile->n_locations, 1));
    places->is_function_there = g_new0 (bool, MAX (find->symbols->n_functions, 1));
    for (PvLocationId l = 1; l < count_locations (find); l++) {
        uint64_t addr;
        if (l % CANCEL_STEPS == 0 && !pv_job_check (job, error))
            return false;
        uint32_t place = get_address (find, l, &addr) ? find_place (places, addr) : 0;
        if (place == 0)
            continue;
        places->place_of_location[l] = place;
        places->addr_of_location[l] = addr;
        uint32_t n_frames;
        const PvFrame *frames = pv_symbol_table_frames (find->symbols, l, &n_frames);
        for (uint32_t f = 0; f < n_frames; f++)
            places->is_function_there[frames[f].function] = true;
    }
    return true;
}

PvCodePlaces *
pv_code_places_find (const PvProfile *profile, const PvSymbolTable *symbols, PvFunctionId function,
                     uint32_t recorded, PvCodeFiles *files, PvJob *job, GError **error)
{
    g_assert (profile != NULL && symbols != NULL && files != NULL);
    g_assert (function > 0 && function < symbols->n_functions);
    g_assert (recorded == 0 ||
              (profile->compared != NULL && recorded < profile->compared->n_recorded));

    g_autoptr (PvCodePlaces) places = g_new0 (PvCodePlaces, 1);
    g_autoptr (PvArena) arena = pv_arena_new ();
    Find find = {.profile = profile,
                 .symbols = symbols,
                 .function = function,
                 .recorded = recorded,
                 .places = places,
                 .arena = arena};
    places->files = pv_code_files_ref (files);
    places->module = find_module (&find);
    places->name_source = pv_module_get_name_source (&profile->modules[places->module]);
    bool is_found = open_file (&find, pv_code_files_get_modules (files), error) &&
                    gather_addresses (&find, job, error) && find_places (&find, job, error) &&
                    place_locations (&find, job, error);
    pv_array_clear (&find.addrs);
    pv_jit_dump_free (find.dump);
    return is_found ? g_steal_pointer (&places) : NULL;
}

void
pv_code_places_free (PvCodePlaces *places)
{
    if (places == NULL)
        return;
    for (uint32_t p = 0; places->places != NULL && p < places->n_places; p++)
        g_free (places->places[p].name);
    g_free (places->places);
    g_free (places->place_of_location);
    g_free (places->addr_of_location);
    g_free (places->is_function_there);
    pv_module_file_clear (&places->own);
    pv_kernel_code_free (places->kernel);
    pv_code_files_unref (places->files);
    g_free (places);
}

/* Pieces may have many lines: each is looked for once. */
static void
find_jit_symbols (const PvModule *module, const uint64_t *addrs, size_t n, PvSymbolHit *hits)
{
    PvJitPiece piece = {0};
    for (size_t i = 0; i < n; i++)
        if ((addrs[i] >= piece.start && addrs[i] < piece.end) ||
            pv_jit_piece_find (module, addrs[i], &piece))
            hits[i] = (PvSymbolHit){.name = piece.name,
                                    .start = piece.start,
                                    .size_bytes = piece.end - piece.start,
                                    .kind = PV_SYMBOL_NAMED};
}

void
pv_code_places_find_symbols (const PvCodePlaces *places, const uint64_t *link_addrs, size_t n,
                             PvSymbolHit *hits, PvArena *arena)
{
    g_assert (places != NULL && arena != NULL);

    memset (hits, 0, n * sizeof *hits);
    if (places->named != NULL)
        find_jit_symbols (places->named, link_addrs, n, hits);
    else if (places->kernel != NULL)
        pv_kallsyms_read (pv_kernel_code_get_kallsyms (places->kernel), link_addrs, n, hits, arena);
    else
        pv_elf_symbols_find (places->file, link_addrs, n, hits, arena);
}

bool
pv_code_places_find_lines (const PvCodePlaces *places, const uint64_t *link_addrs, size_t n,
                           PvFrameChain *chains, PvArena *arena)
{
    g_assert (places != NULL && arena != NULL);

    if (places->named == NULL)
        return false;
    bool has_lines = false;
    g_autofree PvSymbolHit *hits = g_new0 (PvSymbolHit, MAX (n, 1));
    pv_named_ranges_find (places->named, link_addrs, n, hits, chains, arena);
    for (size_t i = 0; i < n && !has_lines; i++)
        has_lines = chains[i].n_frames > 0;
    return has_lines;
}
