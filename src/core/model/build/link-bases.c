/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/model/build/link-bases.h"

#include <string.h>

#include "core/base/idmap.h"

#define LOW_END (UINT64_C (1) << 32)

static uint64_t
hash_path (const char *path)
{
    return pv_hash_bytes (path, strlen (path), 0).a | 1;
}

/* Notes what a mapping tells. */
static void
add_bias (PvProfileBuilder *builder, PvModuleId module, uint64_t link_bias)
{
    PvFileIdentity *identity = &pv_profile_builder_module (builder, module)->identity;
    if (identity->n_biases == 0 || (identity->n_biases == 1 && identity->link_bias != link_bias))
        identity->n_biases++;
    identity->link_bias = link_bias;
}

void
pv_link_bases_take_data (PvLinkBases *bases, uint64_t start, uint64_t file_offset, const char *path)
{
    g_assert (bases != NULL && path != NULL);
    bases->has_data = true;
    if (file_offset != 0 || path[0] != '/')
        return;
    bases->image_start = start;
    bases->image_path = hash_path (path);
}

void
pv_link_bases_take_code (PvLinkBases *bases, PvProfileBuilder *builder, uint64_t start,
                         uint64_t file_offset, const char *path, PvModuleId module)
{
    g_assert (bases != NULL && builder != NULL && path != NULL);
    const PvModule *row = pv_profile_builder_module (builder, module);
    uint64_t bias = start - file_offset; /* of run-time addresses */
    if (row->address_kind != PV_ADDRESS_FILE_OFFSET)
        return;
    if (start < LOW_END && bases->low_main == module) {
        add_bias (builder, module, bias);
    } else if (start < LOW_END && bases->low_main == 0 && row->is_main) {
        bases->low_main = module;
        bases->low_bias = bias;
    }
    if (start < LOW_END)
        return;
    if (bases->low_main != 0) /* the process has 64 bits */
        add_bias (builder, bases->low_main, bases->low_bias);
    bases->low_main = 0;
    if (row->kind != PV_MODULE_FILE)
        return;
    if (bases->image_path == hash_path (path) && bases->image_start <= bias)
        add_bias (builder, module, bias - bases->image_start);
    else if (file_offset == 0 && bases->has_data) /* all mappings are told, and this is the first */
        add_bias (builder, module, 0);
}
