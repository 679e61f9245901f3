/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/load/page/page-names.h"

#include <string.h>

#include "core/analyze/renames/renames.h"
#include "core/base/array.h"
#include "core/base/idmap.h"
#include "core/write/escape.h"
#include "core/write/html/html-page.h"

/* Names of templates may be of any length; nobody reads on. */
#define MAX_NAME_BYTES ((size_t)1000)

typedef struct {
    uint32_t name, short_name, label, module, file; /* strings */
    uint32_t more; /* about a function of a comparison, a string; or 0 */
    uint32_t line;
    uint8_t hue;
} Function;

typedef struct {
    int64_t function; /* twice its number, and 1 if inlined; of a group -1 - a string */
    uint32_t file;    /* string */
    uint32_t line;
    uint64_t address;
} Frame;

struct PvPageNames {
    const PvProfile *profile;
    const PvPageColors *colors;
    PvGranularity granularity;
    PvHashMap string_ids; /* + 1 */
    PvIdMap function_ids; /* + 1 */
    PvHashMap frame_ids;  /* + 1 */
    uint32_t n_strings;
    GString *strings; /* as JSON, without the end */
    bool has_more;
    PV_ARRAY (Function) functions;
    PV_ARRAY (Frame) frames;
};

PvPageNames *
pv_page_names_new (const PvProfile *profile, const PvQuery *query, const PvPageColors *colors)
{
    g_assert (profile != NULL && query != NULL && colors != NULL);
    PvPageNames *self = g_new0 (PvPageNames, 1);
    self->profile = profile;
    self->colors = colors;
    self->granularity = query->granularity;
    self->strings = g_string_new (NULL);
    pv_page_names_string (self, "");
    const Frame none = {.function = -1};
    pv_array_push (&self->frames, none); /* PV_PAGE_ROOT */
    pv_array_push (&self->frames, none); /* PV_PAGE_FOLDED */
    return self;
}

void
pv_page_names_free (PvPageNames *self)
{
    if (self == NULL)
        return;
    pv_hash_map_clear (&self->string_ids);
    pv_id_map_clear (&self->function_ids);
    pv_hash_map_clear (&self->frame_ids);
    g_string_free (self->strings, TRUE);
    pv_array_clear (&self->functions);
    pv_array_clear (&self->frames);
    g_free (self);
}

uint32_t
pv_page_names_string (PvPageNames *self, const char *string)
{
    if (string == NULL)
        string = "";
    uint32_t *id = pv_hash_map_slot (&self->string_ids, pv_hash_bytes (string, strlen (string), 0));
    if (*id == 0) {
        g_autofree char *cut = pv_format_cut (string, MAX_NAME_BYTES);
        g_string_append (self->strings, self->n_strings == 0 ? "[" : ",\n");
        pv_html_append_string (self->strings, cut);
        *id = ++self->n_strings;
    }
    return *id - 1;
}

uint32_t
pv_page_names_function (PvPageNames *self, const PvSymbolTable *symbols, PvFunctionId id)
{
    g_assert (self != NULL && symbols != NULL && id != 0 && id < symbols->n_functions);
    uint32_t *slot = pv_id_map_slot (&self->function_ids, id);
    if (*slot != 0)
        return *slot - 1;
    *slot = (uint32_t)self->functions.len + 1;
    const PvFunction *function = &symbols->functions[id];
    Function row = {
        .name = pv_page_names_string (self, function->name),
        .short_name = pv_page_names_string (self, function->short_name),
        .label = pv_page_names_string (self, function->label),
        .file = pv_page_names_string (self, function->file),
        .line = function->line,
        .hue = self->colors->get_hue (self->profile, symbols, id),
    };
    g_autofree char *more = pv_renames_describe (symbols, id);
    row.more = more != NULL ? pv_page_names_string (self, more) : 0;
    self->has_more = self->has_more || more != NULL;
    if (function->module != 0)
        row.module = pv_page_names_string (self, self->profile->modules[function->module].name);
    pv_array_push (&self->functions, row);
    return (uint32_t)self->functions.len - 1;
}

static uint32_t
add_frame (PvPageNames *self, const Frame *frame)
{
    const uint64_t key[] = {(uint64_t)frame->function, (uint64_t)frame->file << 32 | frame->line,
                            frame->address};
    uint32_t *id = pv_hash_map_slot (&self->frame_ids, pv_hash_bytes (key, sizeof key, 0));
    if (*id == 0) {
        pv_array_push (&self->frames, *frame);
        *id = (uint32_t)self->frames.len;
    }
    return *id - 1;
}

static uint32_t
add_place (PvPageNames *self, const PvSymbolTable *symbols, PvFunctionId function,
           const PvFrame *place, PvLocationId location, bool is_inlined)
{
    Frame frame = {.function =
                       (int64_t)pv_page_names_function (self, symbols, function) * 2 + is_inlined};
    if (self->granularity != PV_BY_FUNCTION && place != NULL) {
        frame.file = pv_page_names_string (self, place->file);
        frame.line = place->line;
    }
    if (self->granularity == PV_BY_ADDRESS)
        frame.address = pv_symbol_table_get_address (symbols, self->profile, location);
    return add_frame (self, &frame);
}

uint32_t
pv_page_names_frame (PvPageNames *self, const PvCallTree *tree, PvNodeId node)
{
    g_assert (self != NULL && tree != NULL && node < tree->n_nodes);
    const PvFrame *place = tree->frame_of_node[node];
    if (node == 0)
        return PV_PAGE_ROOT;
    if (pv_call_tree_count_folded (tree, node) > 0)
        return PV_PAGE_FOLDED;
    if (tree->function_of_node[node] != 0)
        return add_place (self, tree->symbols, tree->function_of_node[node], place,
                          tree->location_of_node[node], place != NULL && place->is_inlined);
    uint32_t name = pv_page_names_string (self, pv_call_tree_get_name (tree, node));
    return add_frame (self, &(Frame){.function = -1 - (int64_t)name});
}

uint32_t
pv_page_names_row (PvPageNames *self, const PvSymbolTable *symbols, PvFunctionId function,
                   const PvFrame *frame, PvLocationId location)
{
    g_assert (self != NULL);
    return add_place (self, symbols, function, frame, location, false);
}

/* Appends a member with a number for each row. */
#define APPEND_COLUMN(out, key, rows, value)                                                       \
    do {                                                                                           \
        pv_html_begin_member ((out), (key));                                                       \
        g_string_append_c ((out), '[');                                                            \
        for (size_t i = 0; i < (rows)->len; i++) {                                                 \
            if (i > 0)                                                                             \
                g_string_append_c ((out), ',');                                                    \
            pv_append_number ((out), (rows)->data[i].value);                                       \
        }                                                                                          \
        g_string_append_c ((out), ']');                                                            \
    } while (0)

static void
append_functions (const PvPageNames *self, GString *out)
{
    pv_html_begin_member (out, "functions");
    g_string_append_c (out, '{');
    APPEND_COLUMN (out, "name", &self->functions, name);
    APPEND_COLUMN (out, "short", &self->functions, short_name);
    APPEND_COLUMN (out, "label", &self->functions, label);
    APPEND_COLUMN (out, "module", &self->functions, module);
    APPEND_COLUMN (out, "file", &self->functions, file);
    APPEND_COLUMN (out, "line", &self->functions, line);
    APPEND_COLUMN (out, "hue", &self->functions, hue);
    if (self->has_more)
        APPEND_COLUMN (out, "more", &self->functions, more);
    g_string_append_c (out, '}');
}

static void
append_frames (const PvPageNames *self, GString *out)
{
    pv_html_begin_member (out, "frames");
    g_string_append_c (out, '{');
    pv_html_begin_member (out, "function");
    for (size_t i = 0; i < self->frames.len; i++)
        g_string_append_printf (out, "%c%" G_GINT64_FORMAT, i == 0 ? '[' : ',',
                                self->frames.data[i].function);
    g_string_append_c (out, ']');
    if (self->granularity != PV_BY_FUNCTION) {
        APPEND_COLUMN (out, "file", &self->frames, file);
        APPEND_COLUMN (out, "line", &self->frames, line);
    }
    if (self->granularity == PV_BY_ADDRESS) {
        pv_html_begin_member (out, "address"); /* a script's numbers have not as many bits */
        for (size_t i = 0; i < self->frames.len; i++)
            g_string_append_printf (out, "%c\"%" G_GINT64_MODIFIER "x\"", i == 0 ? '[' : ',',
                                    self->frames.data[i].address);
        g_string_append_c (out, ']');
    }
    g_string_append_c (out, '}');
}

void
pv_page_names_append (const PvPageNames *self, GString *out)
{
    g_assert (self != NULL && out != NULL);
    pv_html_begin_member (out, "strings");
    g_string_append_len (out, self->strings->str, (gssize)self->strings->len);
    g_string_append_c (out, ']');
    append_functions (self, out);
    append_frames (self, out);
}
