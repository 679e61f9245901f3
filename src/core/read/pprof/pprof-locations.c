/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds the locations that samples use to the builder.
 *
 * If the file names functions, they are passed on. Otherwise the symbolizer finds them by the
 * mapping's file and the position in it. Addresses point to or into the running or calling
 * instruction, never after it.
 */
#include "core/read/pprof/pprof-locations.h"

#include <pthread.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/path.h"
#include "core/read/pprof/pprof-strings.h"
#include "core/read/text/text.h"

#define KERNEL_SPACE      (UINT64_C (1) << 63)
#define STACKS_FOR_THREAD (1u << 18)

typedef struct {
    PprofFile *file;
    PvModuleId *module_of_mapping; /* by row; 0: not created yet */
    PvHashMap module_of_key;
    uint32_t n_named; /* locations without an address */
    PV_ARRAY (PvGivenFrame) frames;
} Places;

/* Modules */

/* "/tmp/perf-4711.map": perf's name for code that a process generated at run time. */
static bool
is_jit_map (const char *path)
{
    const char *base = pv_path_get_base (path);
    if (!g_str_has_prefix (base, "perf-"))
        return false;
    const char *end = base + strlen ("perf-");
    while (g_ascii_isdigit (*end))
        end++;
    return end > base + strlen ("perf-") && strcmp (end, ".map") == 0;
}

/* True for an address outside all mappings that a kernel may have: those of x86 and ARM begin with
 * ones, those of POWER with 0xc. Others are what a broken stack ended in. */
static bool
is_of_kernel (uint64_t address)
{
    return address >> 56 == 0xff || address >> 60 == 0xc;
}

/* Code without a file: generated at run time, or from a script. */
static bool
has_no_file (const char *path, bool has_build_id)
{
    bool is_url = g_str_has_prefix (path, "http://") || g_str_has_prefix (path, "https://");
    return (*path == '\0' && !has_build_id) || pv_path_get_base (path)[0] == '[' ||
           is_jit_map (path) || strcmp (path, "//anon") == 0 ||
           g_str_has_prefix (path, "/memfd:") || g_str_has_prefix (path, "/dev/dri/") ||
           g_str_has_prefix (path, "anon_inode:") || (is_url && !has_build_id);
}

static bool
is_kernel_module (const PprofMapping *mapping, const char *path)
{
    g_autofree char *name = pv_path_name_kernel_module (path);
    return mapping->start >= KERNEL_SPACE &&
           (name != NULL || (path[0] == '[' && strcmp (path, "[vsyscall]") != 0));
}

/* "[kernel.kallsyms]_text": the path ends with the reference symbol of the mapping's addresses. */
static void
set_kernel (const PprofMapping *mapping, PvModule *module, char **ret_path)
{
    const char *end = strchr (module->path, ']');
    module->kind = PV_MODULE_KERNEL;
    module->address_kind = PV_ADDRESS_RUNTIME;
    module->is_kernel = true;
    if (end == NULL)
        return;
    module->reference_symbol = end[1] != '\0' ? end + 1 : "_stext";
    module->reference_addr =
        mapping->file_offset >= KERNEL_SPACE ? mapping->file_offset : mapping->start;
    module->path = *ret_path = g_strndup (module->path, (size_t)(end + 1 - module->path));
}

/* Sets the kind of code in a mapping, and the kind of its addresses. The caller frees *ret_path. */
static void
describe_mapping (const PprofMapping *mapping, PvModule *module, char **ret_path)
{
    const char *path = module->path, *base = pv_path_get_base (path);
    bool covers_all = mapping->limit == 0 || mapping->limit == UINT64_MAX;
    module->kind = PV_MODULE_FILE;
    module->address_kind = PV_ADDRESS_FILE_OFFSET;
    if (g_str_has_prefix (path, "[kernel.kallsyms]") || g_str_has_prefix (path, "[guest.kernel") ||
        (mapping->start >= KERNEL_SPACE && g_str_has_prefix (base, "vmlinux"))) {
        set_kernel (mapping, module, ret_path);
    } else if (g_str_has_prefix (base, "[vdso") || g_str_has_prefix (base, "linux-vdso") ||
               g_str_has_prefix (base, "linux-gate")) {
        module->kind = PV_MODULE_VDSO;
        module->path = "[vdso]";
    } else if (is_kernel_module (mapping, path)) {
        module->kind = PV_MODULE_KERNEL_MODULE;
        module->address_kind = PV_ADDRESS_RUNTIME;
        module->is_kernel = true;
    } else if (has_no_file (path, module->build_id_size > 0)) {
        module->kind = PV_MODULE_UNKNOWN;
        module->address_kind = PV_ADDRESS_RUNTIME;
    } else if (mapping->start == 0 && mapping->file_offset == 0 && covers_all) {
        module->address_kind = PV_ADDRESS_LINK; /* made up: addresses are link addresses */
    }
}

/* The name that the module would have in a recording, like "[ext4]" or "[JIT]"; NULL: the file's
 * name. */
static char *
make_name (const PvModule *module, const char *build_id)
{
    if (*module->path == '\0')
        return g_strdup_printf ("[build-id %s]", build_id);
    if (is_jit_map (module->path))
        return g_strdup ("[JIT]");
    bool is_kernel_module = module->kind == PV_MODULE_KERNEL_MODULE;
    return is_kernel_module ? pv_path_name_kernel_module (module->path) : NULL;
}

/* A file with several mappings is one module. */
static PvModuleId
make_module (Places *places, uint32_t row)
{
    const PprofMapping *mapping = &places->file->mappings.data[row];
    PvProfileBuilder *builder = places->file->builder;
    const char *build_id = pprof_string (places->file, mapping->build_id);
    g_autofree char *path = NULL, *name = NULL;
    PvModule module = {
        .path = pprof_string (places->file, mapping->file),
        .load_addr = mapping->start,
        .end_addr = mapping->limit,
    };
    /* Other text identifies builds in a way that ELF files do not know. */
    pv_text_set_build_id (pv_text_of (build_id), &module);
    if (*module.path == '\0' && module.build_id_size == 0)
        return pv_profile_builder_unknown_module (places->file->builder,
                                                  mapping->start >= KERNEL_SPACE);

    describe_mapping (mapping, &module, &path);
    module.is_main = row == 0 && module.kind == PV_MODULE_FILE;
    module.name = name = make_name (&module, build_id);
    PvHash key = pv_hash_bytes (module.build_id, sizeof module.build_id,
                                (uint64_t)module.kind << 8 | module.address_kind);
    key = pv_hash_bytes (module.path, strlen (module.path), key.a);
    uint32_t *slot = pv_hash_map_slot (&places->module_of_key, key);
    if (*slot == 0) {
        *slot = pv_profile_builder_add_module (builder, &module);
        return *slot;
    }
    PvModule *known = pv_profile_builder_module (builder, *slot);
    known->load_addr = MIN (known->load_addr, mapping->start);
    known->end_addr = MAX (known->end_addr, mapping->limit);
    return *slot;
}

/* The row + 1 that describes a used id, or 0. */
static uint32_t
find_row (const PprofIds *described, const PprofIds *used, uint32_t number)
{
    return number != 0 ? pprof_ids_find (described, used->id_of_number.data[number - 1]) : 0;
}

/* NULL and module 0 for locations without a mapping. */
static const PprofMapping *
find_mapping (Places *places, uint32_t number, PvModuleId *ret_module)
{
    PprofFile *file = places->file;
    uint32_t row = find_row (&file->mapping_ids, &file->used_mappings, number);
    *ret_module = 0;
    if (row == 0)
        return NULL;
    PvModuleId *module = &places->module_of_mapping[row - 1];
    if (*module == 0)
        *module = make_module (places, row - 1);
    *ret_module = *module;
    return &file->mappings.data[row - 1];
}

/* Locations */

static PvGivenFrame
make_frame (Places *places, const PprofLine *line)
{
    PprofFile *file = places->file;
    PvGivenFrame frame = {.line = line->line};
    uint32_t row = find_row (&file->function_ids, &file->used_functions, line->function);
    if (row == 0)
        return frame;
    const PprofFunction *function = &file->functions.data[row - 1];
    const char *name = pprof_find_string (file, function->name);
    const char *system_name = pprof_find_string (file, function->system_name);
    frame.name = name != NULL ? name : system_name;
    frame.raw_name = system_name != frame.name ? system_name : NULL;
    frame.file = pprof_find_string (file, function->file);
    frame.start_line = function->start_line;
    return frame;
}

/* Collects the frames that the file has for a location; none if no frame has a name. */
static void
gather_frames (Places *places, const PprofLocation *location)
{
    bool has_names = false;
    places->frames.len = 0;
    for (uint32_t i = 0; i < location->n_lines; i++) {
        PvGivenFrame frame =
            make_frame (places, &places->file->lines.data[location->first_line + i]);
        has_names |= frame.name != NULL;
        pv_array_push (&places->frames, frame);
    }
    if (!has_names)
        places->frames.len = 0;
}

static uint64_t
convert_address (const PprofMapping *mapping, const PvModule *module, uint64_t address)
{
    return module->address_kind == PV_ADDRESS_FILE_OFFSET
               ? address - mapping->start + mapping->file_offset
               : address;
}

static PvLocationId
add_location (Places *places, const PprofLocation *location)
{
    PvProfileBuilder *builder = places->file->builder;
    PvModuleId module;
    const PprofMapping *mapping = find_mapping (places, location->mapping, &module);
    gather_frames (places, location);
    uint64_t address = location->address;
    PvLocationKind kind = address != 0 ? PV_LOCATION_EXACT : PV_LOCATION_NAMED;
    bool is_outside = mapping != NULL && address < mapping->start;
    bool is_bare = kind == PV_LOCATION_EXACT && places->frames.len == 0;
    if (module == 0 || (is_outside && is_bare))
        module = pv_profile_builder_unknown_module (builder, is_of_kernel (address));
    else if (kind == PV_LOCATION_EXACT && !is_outside)
        address = convert_address (mapping, pv_profile_builder_module (builder, module), address);
    places->file->has_bare_addresses |=
        is_bare && pv_profile_builder_module (builder, module)->kind == PV_MODULE_UNKNOWN;
    places->file->has_missing_locations |= kind == PV_LOCATION_NAMED && places->frames.len == 0;
    if (kind == PV_LOCATION_NAMED)
        address = ++places->n_named;
    PvLocationId id = pv_profile_builder_add_location (builder, module, address, kind);
    if (is_bare && places->file->context->tell_nameless != NULL)
        places->file->context->tell_nameless (places->file->context->teller, id, location->address);
    pv_profile_builder_give_frames (builder, id, places->frames.data, (uint32_t)places->frames.len);
    return id;
}

/* Adds a location that stacks use but the file does not describe. */
static PvLocationId
add_missing_location (Places *places)
{
    PvModuleId module = pv_profile_builder_unknown_module (places->file->builder, false);
    places->file->has_missing_locations = true;
    return pv_profile_builder_add_location (places->file->builder, module, ++places->n_named,
                                            PV_LOCATION_NAMED);
}

/* The builder numbers locations in the order of their addition, so our numbers are its ids. */
static void
add_locations (Places *places)
{
    PprofFile *file = places->file;
    for (uint32_t number = 1; number <= file->used_locations.id_of_number.len; number++) {
        uint32_t row = find_row (&file->location_ids, &file->used_locations, number);
        PvLocationId id = row != 0 ? add_location (places, &file->locations.data[row - 1])
                                   : add_missing_location (places);
        g_assert (id == number);
    }
}

typedef struct {
    PprofStacks *stacks;
    uint32_t *parent, *location;
} TakingStacks;

static void *
take_stacks (void *data)
{
    TakingStacks *taking = data;
    pprof_stacks_take (taking->stacks, &taking->parent, &taking->location);
    return NULL;
}

/* Finishes the stacks in a thread of their own if there are many. */
void
pprof_add_places (PprofFile *file)
{
    TakingStacks taking = {.stacks = &file->stacks};
    pthread_t thread;
    uint32_t n_stacks = (uint32_t)file->stacks.location.len;
    bool has_thread = n_stacks >= STACKS_FOR_THREAD && file->context->n_workers != 1 &&
                      pthread_create (&thread, NULL, take_stacks, &taking) == 0;
    Places places = {.file = file};
    places.module_of_mapping = g_new0 (PvModuleId, file->mappings.len + 1);
    add_locations (&places);
    if (has_thread)
        pthread_join (thread, NULL);
    else
        take_stacks (&taking);
    pv_profile_builder_take_stacks (file->builder, taking.parent, taking.location, n_stacks);
    g_free (places.module_of_mapping);
    pv_hash_map_clear (&places.module_of_key);
    pv_array_clear (&places.frames);
}
