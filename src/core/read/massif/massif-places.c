/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/massif/massif-places.h"

#include "core/base/hash.h"

const char *
massif_keep (PvProfileBuilder *builder, PvText text)
{
    g_assert (builder != NULL);
    if (pv_text_len (text) == 0)
        return NULL;
    return pv_profile_builder_string_len (builder, text.at, pv_text_len (text));
}

PvModuleId
massif_get_module (PvProfileBuilder *builder, PvHashMap *module_of_path, PvText path)
{
    g_assert (builder != NULL && module_of_path != NULL);
    if (pv_text_len (path) == 0)
        return pv_profile_builder_unknown_module (builder, false);
    uint32_t *slot =
        pv_hash_map_slot (module_of_path, pv_hash_bytes (path.at, pv_text_len (path), 0));
    if (*slot == 0) {
        g_autofree char *string = g_strndup (path.at, pv_text_len (path));
        PvModule module = {
            .path = string, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_RUNTIME};
        *slot = pv_profile_builder_add_module (builder, &module);
    }
    return *slot;
}
