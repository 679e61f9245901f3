/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layouts of profiles:
 *   flat    {"nodes": [{"id", "callFrame", "hitCount", "children" or "parent"}], "samples": [ID],
 *            "timeDeltas", "startTime", "endTime"}, times in microseconds, lines from 0 on
 *   heap    {"head": {"callFrame", "selfSize", "children": [...]}}
 *   old     {"head": {"functionName", "hitCount", "id", "children": [...]}, "samples": [ID],
 *            "timestamps"}, start and end in seconds, lines from 1 on
 */
#include "core/read/v8/v8-data.h"

#include <math.h>

void
v8_data_init (V8Data *data)
{
    *data = (V8Data){.start = NAN, .end = NAN};
}

void
v8_data_clear (V8Data *data)
{
    pv_array_clear (&data->nodes);
    pv_array_clear (&data->links);
    pv_array_clear (&data->samples);
    pv_array_clear (&data->deltas);
    pv_array_clear (&data->timestamps);
    v8_data_init (data);
}

bool
v8_data_is_empty (const V8Data *data)
{
    return data->nodes.len == 0 && data->samples.len == 0 && data->deltas.len == 0 &&
           isnan (data->start) && isnan (data->end);
}

/* --- nodes --- */

#define CALL_FRAME_KEYS "functionName", "url", "lineNumber", "columnNumber"
enum { FUNCTION_NAME, URL, LINE, COLUMN, N_CALL_FRAME_KEYS };

static const char *
take_text (PvJson *json, PvProfileBuilder *builder)
{
    size_t size_bytes;
    const char *text = pv_json_get_string (json, &size_bytes);
    return text != NULL ? pv_profile_builder_string_len (builder, text, size_bytes) : NULL;
}

static void
read_call_frame_key (V8Node *node, PvJson *json, PvProfileBuilder *builder, int key)
{
    switch (key) {
    case FUNCTION_NAME:
        node->name = take_text (json, builder);
        break;
    case URL:
        node->url = take_text (json, builder);
        break;
    case LINE:
        node->line = pv_json_get_integer (json, 0);
        break;
    case COLUMN:
        node->column = pv_json_get_integer (json, 0);
        break;
    default:
        break;
    }
}

static void
read_call_frame (V8Node *node, PvJson *json, PvProfileBuilder *builder)
{
    static const char *const keys[] = {CALL_FRAME_KEYS, NULL};
    int key;
    node->line = node->column = -1;
    if (pv_json_enter_object (json))
        while (pv_json_next_key (json, keys, &key))
            read_call_frame_key (node, json, builder, key);
    node->line = CLAMP (node->line, -1, UINT32_MAX - 1) + 1;
    node->column = CLAMP (node->column, -1, UINT32_MAX - 1) + 1;
}

static void
read_children (V8Data *data, PvJson *json)
{
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        V8Link link = {.child = pv_json_get_integer (json, 0)};
        if (link.child > 0) {
            pv_array_push (&data->links, link);
            pv_json_count_bytes (json, sizeof link);
        }
    }
}

enum {
    NODE_CALL_FRAME = N_CALL_FRAME_KEYS,
    NODE_ID,
    NODE_PARENT,
    NODE_HITS,
    NODE_SELF_SIZE,
    NODE_CHILDREN,
};
static const char *const node_keys[] = {CALL_FRAME_KEYS, "callFrame", "id",       "parent",
                                        "hitCount",      "selfSize",  "children", NULL};

/* All keys of a node but its children. */
static void
read_node_key (V8Data *data, V8Node *node, PvJson *json, PvProfileBuilder *builder, int key)
{
    switch (key) {
    case NODE_CALL_FRAME:
        read_call_frame (node, json, builder);
        break;
    case NODE_ID:
        node->id = pv_json_get_integer (json, 0);
        break;
    case NODE_PARENT:
        node->parent = pv_json_get_integer (json, 0);
        break;
    case NODE_HITS:
        node->n_hits = MAX (pv_json_get_integer (json, 0), 0);
        data->has_hits |= node->n_hits > 0;
        break;
    case NODE_SELF_SIZE:
        node->self_bytes = (uint64_t)MAX (pv_json_get_integer (json, 0), 0);
        data->has_sizes = true;
        break;
    default:
        read_call_frame_key (node, json, builder, key);
        data->is_old |= key == FUNCTION_NAME;
        break;
    }
}

static void
push_node (V8Data *data, PvJson *json, V8Node node)
{
    pv_array_push (&data->nodes, node);
    pv_json_count_bytes (json, sizeof node);
}

static void
read_nodes (V8Data *data, PvJson *json, PvProfileBuilder *builder)
{
    int key;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        V8Node node = {0};
        size_t first_link = data->links.len;
        if (!pv_json_enter_object (json))
            continue;
        while (pv_json_next_key (json, node_keys, &key)) {
            if (key == NODE_CHILDREN)
                read_children (data, json);
            else
                read_node_key (data, &node, json, builder, key);
        }
        for (size_t i = first_link; i < data->links.len; i++)
            data->links.data[i].parent = node.id;
        push_node (data, json, node);
    }
}

/* A node whose children are in it, and so on. */
typedef struct {
    size_t node;
    bool is_in_children;
} Level;

static void
read_head (V8Data *data, PvJson *json, PvProfileBuilder *builder)
{
    PV_ARRAY (Level) levels = {0};
    if (pv_json_enter_object (json)) {
        Level root = {.node = data->nodes.len};
        push_node (data, json, (V8Node){0});
        pv_array_push (&levels, root);
    }
    while (levels.len > 0) {
        Level *level = &levels.data[levels.len - 1];
        int key;
        if (level->is_in_children) {
            if (!pv_json_next_element (json)) {
                level->is_in_children = false;
            } else if (pv_json_enter_object (json)) {
                Level child = {.node = data->nodes.len};
                V8Node node = {.parent_row = (uint32_t)level->node + 1};
                push_node (data, json, node);
                pv_array_push (&levels, child);
            }
        } else if (!pv_json_next_key (json, node_keys, &key)) {
            levels.len--;
        } else if (key == NODE_CHILDREN) {
            level->is_in_children = pv_json_enter_array (json);
        } else {
            read_node_key (data, &data->nodes.data[level->node], json, builder, key);
        }
    }
    pv_array_clear (&levels);
}

/* --- the profile --- */

void
v8_data_read_key (V8Data *data, PvJson *json, PvProfileBuilder *builder, int key)
{
    switch (key) {
    case 0:
        read_nodes (data, json, builder);
        break;
    case 1:
        read_head (data, json, builder);
        break;
    case 2:
        pv_json_append_int64s (json, &data->samples, -1);
        break;
    case 3:
        pv_json_append_numbers (json, &data->deltas, 0);
        break;
    case 4:
        pv_json_append_numbers (json, &data->timestamps, NAN);
        break;
    case 5:
        data->start = pv_json_get_number (json, NAN);
        break;
    case 6:
        data->end = pv_json_get_number (json, NAN);
        break;
    default:
        break;
    }
}

void
v8_data_read (V8Data *data, PvJson *json, PvProfileBuilder *builder)
{
    static const char *const keys[] = {V8_DATA_KEYS, NULL};
    int key;
    if (pv_json_enter_object (json))
        while (pv_json_next_key (json, keys, &key))
            v8_data_read_key (data, json, builder, key);
}
