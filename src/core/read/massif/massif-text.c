/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/massif/massif-text.h"

#include <glib.h>

#define SNIFFED_LINES 16u

bool
massif_parse_node (PvText line, MassifNode *ret)
{
    if (!pv_text_take_next (&line, "n") || !pv_text_take_number (&line, &ret->n_children) ||
        !pv_text_take (&line, ": ") || !pv_text_take_number (&line, &ret->size_bytes) ||
        !pv_text_take (&line, " "))
        return false;
    ret->text = line;
    return true;
}

static bool
take_address (PvText *text, uint64_t *ret)
{
    return pv_text_take (text, "0x") && pv_text_take_hex (text, ret) && pv_text_take (text, ": ");
}

/* " (", where the last group of a text that ends with ")" begins; NULL: none does. */
static const char *
find_last_group (PvText text)
{
    size_t depth = 0;
    if (pv_text_len (text) < 4 || text.end[-1] != ')')
        return NULL;
    for (const char *at = text.end; at > text.at + 1; at--) {
        depth += at[-1] == ')';
        if (at[-1] == '(' && --depth == 0)
            return at[-2] == ' ' ? at - 2 : NULL;
    }
    return NULL;
}

static void
parse_place (PvText place, MassifFrame *frame)
{
    if (pv_text_take (&place, "in ")) {
        frame->object = place;
        return;
    }
    const char *colon = pv_text_find_last (place, ':');
    uint64_t line = 0;
    frame->file = place;
    if (colon != NULL && pv_text_parse_number ((PvText){colon + 1, place.end}, &line) &&
        line <= UINT32_MAX) {
        frame->file.end = colon;
        frame->line = (uint32_t)line;
    }
}

bool
massif_parse_frame (PvText text, MassifFrame *ret)
{
    *ret = (MassifFrame){.file = {text.end, text.end}, .object = {text.end, text.end}};
    if (!take_address (&text, &ret->address))
        return false;
    const char *group = find_last_group (text);
    ret->function = text;
    if (group != NULL) {
        parse_place ((PvText){group + 2, text.end - 1}, ret);
        ret->function.end = group;
    }
    if (pv_text_equals (ret->function, "???"))
        ret->function.end = ret->function.at;
    return true;
}

bool
massif_sniff (const uint8_t *data, size_t size_bytes)
{
    PvText text = pv_text (data, size_bytes), line;
    size_t n_lines = 0, n_keys = 0;
    while (n_lines++ < SNIFFED_LINES && pv_text_next_line (&text, &line)) {
        if (pv_text_take (&line, "desc:") || pv_text_take (&line, "cmd:"))
            n_keys++;
        else if (pv_text_take (&line, "time_unit:"))
            return n_keys > 0;
        else if (n_keys == 0)
            return false; /* another file that has such a line somewhere */
    }
    return false;
}

PvModuleId
massif_get_module (PvProfileBuilder *builder, PvHashMap *module_of_path, PvText path)
{
    g_assert (builder != NULL && module_of_path != NULL);
    if (pv_text_len (path) == 0)
        return pv_profile_builder_unknown_module (builder, false);
    uint32_t *slot = pv_hash_map_slot (module_of_path, pv_text_hash (path, 0));
    if (*slot == 0) {
        g_autofree char *string = pv_text_copy (path);
        PvModule module = {
            .path = string, .kind = PV_MODULE_FILE, .address_kind = PV_ADDRESS_RUNTIME};
        *slot = pv_profile_builder_add_module (builder, &module);
    }
    return *slot;
}

PvGivenFrame
massif_give_frame (PvProfileBuilder *builder, const MassifFrame *frame)
{
    g_assert (builder != NULL && frame != NULL);
    PvGivenFrame given = {
        .name = pv_text_keep (frame->function, builder),
        .file = pv_text_keep (frame->file, builder),
        .line = frame->line,
    };
    if (given.name == NULL) {
        g_autofree char *name = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", frame->address);
        given.name = pv_profile_builder_string (builder, name);
        given.is_unknown = true;
    }
    return given;
}
