/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layouts of profiles:
 *   flat    {"nodes": [{"id", "callFrame", "hitCount", "children" or "parent"}], "samples": [ID],
 *            "timeDeltas", "startTime", "endTime"}, times in microseconds, lines from 0 on
 *   heap    {"head": {"callFrame", "selfSize", "children": [...]}}
 *   old     {"head": {"functionName", "hitCount", "id", "children": [...]}, "samples": [ID],
 *            "timestamps"}, start and end in seconds, lines from 1 on
 *   counted {"samples": [{"sf": ID, "weight", "name", "ts", "pid", "tid"}],
 *            "stackFrames": {ID: {"name", "parent"}}} beside the events of a trace, times in
 *            microseconds; numbers may be strings
 */
#include "core/read/v8/v8-data.h"

#include <math.h>
#include <string.h>

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
    pv_array_clear (&data->counted);
    pv_array_clear (&data->deltas);
    pv_array_clear (&data->timestamps);
    v8_data_init (data);
}

bool
v8_data_is_empty (const V8Data *data)
{
    return data->nodes.len == 0 && data->samples.len == 0 && data->counted.len == 0 &&
           data->deltas.len == 0 && isnan (data->start) && isnan (data->end);
}

/* --- nodes --- */

static void
take_call_frame (PvJson *json, void *member, void *user)
{
    static const PvJsonField fields[] = {
        {"functionName", pv_json_take_text, offsetof (V8Node, name)},
        {"url", pv_json_take_text, offsetof (V8Node, url)},
        {"lineNumber", pv_json_take_integer, offsetof (V8Node, line)},
        {"columnNumber", pv_json_take_integer, offsetof (V8Node, column)},
        PV_JSON_NO_MORE_FIELDS,
    };
    V8Node *node = member;
    node->line = node->column = -1;
    pv_json_take_object (json, fields, node, user);
    node->line = CLAMP (node->line, -1, UINT32_MAX - 1) + 1;
    node->column = CLAMP (node->column, -1, UINT32_MAX - 1) + 1;
}

static void
take_old_name (PvJson *json, void *member, void *user)
{
    V8Data *data = user;
    pv_json_take_text (json, member, user);
    data->is_old = true;
}

static void
take_hits (PvJson *json, void *member, void *user)
{
    V8Data *data = user;
    int64_t *n_hits = member;
    *n_hits = MAX (pv_json_get_integer (json, 0), 0);
    data->has_hits |= *n_hits > 0;
}

static void
take_self_size (PvJson *json, void *member, void *user)
{
    V8Data *data = user;
    *(uint64_t *)member = (uint64_t)MAX (pv_json_get_integer (json, 0), 0);
    data->has_sizes = true;
}

/* All keys of a node but its children. */
static const PvJsonField node_fields[] = {
    {"callFrame", take_call_frame, 0},
    {"functionName", take_old_name, offsetof (V8Node, name)},
    {"url", pv_json_take_text, offsetof (V8Node, url)},
    {"lineNumber", pv_json_take_integer, offsetof (V8Node, line)},
    {"columnNumber", pv_json_take_integer, offsetof (V8Node, column)},
    {"id", pv_json_take_id, offsetof (V8Node, id)},
    {"parent", pv_json_take_id, offsetof (V8Node, parent)},
    {"hitCount", take_hits, offsetof (V8Node, n_hits)},
    {"selfSize", take_self_size, offsetof (V8Node, self_bytes)},
    PV_JSON_NO_MORE_FIELDS,
};

static const char *const children_key[] = {"children", NULL};

static void
read_children (V8Data *data, PvJson *json)
{
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        V8Link link = {.child = pv_json_get_id (json)};
        if (link.child != 0) {
            pv_array_push (&data->links, link);
            pv_json_count_bytes (json, sizeof link);
        }
    }
}

static void
push_node (V8Data *data, PvJson *json, V8Node node)
{
    pv_array_push (&data->nodes, node);
    pv_json_count_bytes (json, sizeof node);
}

static void
take_nodes (PvJson *json, void *member, void *user)
{
    V8Data *data = member;
    int key;
    if (!pv_json_enter_array (json))
        return;
    while (pv_json_next_element (json)) {
        V8Node node = {0};
        size_t first_link = data->links.len;
        if (!pv_json_enter_object (json))
            continue;
        while (pv_json_next_key (json, children_key, &key)) {
            if (key == 0)
                read_children (data, json);
            else
                pv_json_take_field (json, node_fields, &node, user);
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
take_head (PvJson *json, void *member, void *user)
{
    V8Data *data = member;
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
        } else if (!pv_json_next_key (json, children_key, &key)) {
            levels.len--;
        } else if (key == 0) {
            level->is_in_children = pv_json_enter_array (json);
        } else {
            pv_json_take_field (json, node_fields, &data->nodes.data[level->node], user);
        }
    }
    pv_array_clear (&levels);
}

/* --- the profile --- */

static void
take_counted (PvJson *json, void *user)
{
    static const PvJsonField fields[] = {
        {"pid", pv_json_take_loose_integer, offsetof (V8Counted, pid)},
        {"tid", pv_json_take_loose_integer, offsetof (V8Counted, tid)},
        {"ts", pv_json_take_loose_number, offsetof (V8Counted, ts)},
        {"weight", pv_json_take_loose_number, offsetof (V8Counted, weight)},
        {"sf", pv_json_take_id, offsetof (V8Counted, node)},
        {"name", pv_json_take_text, offsetof (V8Counted, name)},
        PV_JSON_NO_MORE_FIELDS,
    };
    V8Data *data = user;
    V8Counted counted = {.weight = 1};
    if (!pv_json_take_object (json, fields, &counted, NULL) || counted.node == 0)
        return; /* a sample of a heap, which the sizes of nodes have */
    pv_array_push (&data->counted, counted);
    pv_json_count_bytes (json, sizeof counted);
}

static void
take_samples (PvJson *json, void *member, void *user)
{
    pv_json_append_ids (json, member, take_counted, user);
}

static void
take_stack_frames (PvJson *json, void *member, void *user)
{
    static const char *const no_keys[] = {NULL};
    V8Data *data = member;
    int key;
    if (!pv_json_enter_object (json))
        return;
    while (pv_json_next_key (json, no_keys, &key)) {
        static const PvJsonField fields[] = {
            {"name", pv_json_take_text, offsetof (V8Node, name)},
            {"parent", pv_json_take_id, offsetof (V8Node, parent)},
            PV_JSON_NO_MORE_FIELDS,
        };
        size_t size_bytes;
        const char *text = pv_json_get_key (json, &size_bytes);
        V8Node node = {.id = pv_json_make_id (text, size_bytes)};
        if (pv_json_take_object (json, fields, &node, user))
            push_node (data, json, node);
    }
}

static void
take_deltas (PvJson *json, void *member, void *user)
{
    (void)user;
    pv_json_append_numbers (json, member, 0);
}

const PvJsonField v8_data_fields[] = {
    {"nodes", take_nodes, 0},
    {"head", take_head, 0},
    {"samples", take_samples, offsetof (V8Data, samples)},
    {"stackFrames", take_stack_frames, 0},
    {"timeDeltas", take_deltas, offsetof (V8Data, deltas)},
    {"timestamps", pv_json_take_numbers, offsetof (V8Data, timestamps)},
    {"startTime", pv_json_take_number, offsetof (V8Data, start)},
    {"endTime", pv_json_take_number, offsetof (V8Data, end)},
    PV_JSON_NO_MORE_FIELDS,
};
