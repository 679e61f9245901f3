/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/nameless.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/path.h"
#include "core/load/load-private.h"
#include "core/model/build/builder.h"
#include "core/read/readers.h"
#include "core/symbolize/files/file-identity.h"

#define MAX_FILE_BYTES ((size_t)256 << 20)

typedef struct {
    PvLocationId location;
    uint64_t addr;
} Nameless;

typedef struct {
    PV_ARRAY (Nameless) rows;
} Telling;

static void
take (void *teller, PvLocationId location, uint64_t runtime_addr)
{
    Telling *telling = teller;
    const Nameless row = {location, runtime_addr};
    pv_array_push (&telling->rows, row);
}

/* True if names come from a file that is the one that ran. */
static bool
is_named_here (PvModuleFiles *files, const PvModule *module, bool is_here)
{
    if (module->kind != PV_MODULE_FILE && module->kind != PV_MODULE_VDSO)
        return false;
    const PvModuleFile *file = pv_module_files_get (files, module);
    if (file->binary == NULL)
        return false;
    const char *path = pv_elf_image_get_path (file->binary);
    size_t plain_len = pv_path_get_plain_len (module->path);
    bool is_given = strlen (path) != plain_len || strncmp (path, module->path, plain_len) != 0;
    if (module->build_id_size > 0 || is_given)
        return true;
    PvFileComparison comparison =
        pv_file_identity_compare (&module->identity, pv_elf_image_get_file (file->binary), path, 0);
    return comparison == PV_FILE_SAME || (is_here && comparison != PV_FILE_OTHER);
}

/* Text of Go has names behind the stacks. */
static bool
has_given (const PvProfile *profile, PvLocationId location)
{
    return profile->given_of_location != NULL && profile->given_of_location[location] != UINT32_MAX;
}

static int
compare_addrs (const void *a_, const void *b_)
{
    uint64_t a = *(const uint64_t *)a_, b = *(const uint64_t *)b_;
    return (a > b) - (a < b);
}

static uint64_t *
choose (const Telling *telling, const PvProfile *profile, PvModuleFiles *files, bool is_here,
        size_t *ret_n)
{
    g_autofree bool *is_named = g_new0 (bool, profile->n_modules);
    g_autofree uint64_t *addrs = g_new (uint64_t, MAX (telling->rows.len, 1));
    size_t n = 0, n_unique = 0;
    for (PvModuleId m = 0; m < profile->n_modules; m++)
        is_named[m] = is_named_here (files, &profile->modules[m], is_here);
    for (size_t i = 0; i < telling->rows.len; i++) {
        const Nameless *row = &telling->rows.data[i];
        if (row->addr != 0 && !is_named[profile->module_of_location[row->location]] &&
            !has_given (profile, row->location))
            addrs[n++] = row->addr;
    }
    if (n == 0)
        return NULL;
    qsort (addrs, n, sizeof *addrs, compare_addrs);
    for (size_t i = 0; i < n; i++)
        if (n_unique == 0 || addrs[n_unique - 1] != addrs[i])
            addrs[n_unique++] = addrs[i];
    *ret_n = n_unique;
    return g_steal_pointer (&addrs);
}

/* True for the formats of services, if it does not take long to read the file once more. */
static bool
has_addresses (const char *path)
{
    g_autoptr (PvMappedFile) file = pv_mapped_file_open (path, NULL);
    if (file == NULL || pv_mapped_file_get_size (file) > MAX_FILE_BYTES)
        return false;
    const PvReader *reader = pv_read_find_obvious_reader (file);
    return reader == &pv_pprof_reader || reader == &pv_legacy_reader;
}

uint64_t *
pv_load_find_nameless (const char *path, bool is_here, const void *symbols, PvJob *job,
                       size_t *ret_n)
{
    g_assert (path != NULL && ret_n != NULL);
    const char *const paths[] = {path, NULL};
    PvSymbolOptions options =
        symbols != NULL ? *(const PvSymbolOptions *)symbols : (PvSymbolOptions){0};
    g_autoptr (PvModuleFiles) files = pv_load_open_module_files (paths, &options);
    g_autoptr (PvProfileBuilder) builder = pv_profile_builder_new ();
    Telling telling = {0};
    PvReadContext context = {
        .open_side_file = pv_load_open_side_file,
        .find_relative = pv_load_find_relative,
        .user = files,
        .tell_nameless = take,
        .teller = &telling,
        .budget = pv_budget_new (0),
        .n_workers = options.n_workers,
        .job = job,
    };
    uint64_t *addrs = NULL;
    if (has_addresses (path) && pv_read (path, 0, builder, &context, NULL) &&
        telling.rows.len > 0 && !pv_job_is_cancelled (job)) {
        g_autoptr (PvProfile) profile = pv_profile_builder_snapshot (builder);
        addrs = choose (&telling, profile, files, is_here, ret_n);
    }
    pv_array_clear (&telling.rows);
    return addrs;
}
