/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "folded-profile.h"

static void
free_stack (gpointer data)
{
    g_autofree ReferenceStack *stack = data;
    g_strfreev (stack->frames);
}

static GPtrArray *
expand_frames (const char *stack_text, bool no_inline)
{
    GPtrArray *frames = g_ptr_array_new_with_free_func (g_free);
    g_auto (GStrv) parts = g_strsplit_set (stack_text, ";", -1);
    for (char **part = parts; *part != NULL; part++) {
        const char *mark = strchr (*part, '!');
        g_autofree char *module =
            mark != NULL ? g_strndup (*part, (gsize)(mark - *part)) : g_strdup ("prog");
        g_auto (GStrv) chain = g_strsplit_set (mark != NULL ? mark + 1 : *part, ">", -1);
        for (char **name = chain; *name != NULL; name++) {
            g_ptr_array_add (frames, g_strdup_printf ("%s!%s", module, *name));
            if (no_inline)
                break;
        }
    }
    return frames;
}

/* The text after the prefix; *ret_prefix is "" without one. */
static const char *
split_prefix (const char *expression, const char **ret_prefix)
{
    static const char *const prefixes[] = {"function:", "file:", "module:", "package:"};
    *ret_prefix = "";
    for (unsigned i = 0; i < G_N_ELEMENTS (prefixes); i++) {
        if (g_str_has_prefix (expression, prefixes[i])) {
            *ret_prefix = prefixes[i];
            return expression + strlen (prefixes[i]);
        }
    }
    return expression;
}

/* Functions of these profiles have no packages. */
static bool
frame_matches (const char *frame, GRegex *regex, const char *prefix)
{
    const char *mark = strchr (frame, '!');
    g_autofree char *module = g_strndup (frame, (gsize)(mark - frame));
    g_autofree char *file = g_strdup_printf ("/src/%s.c", mark + 1);
    bool is_merged = strcmp (module, mark + 1) == 0;
    bool is_any = *prefix == '\0';
    return ((is_any || strcmp (prefix, "function:") == 0) &&
            g_regex_match (regex, mark + 1, 0, NULL)) ||
           ((is_any || strcmp (prefix, "module:") == 0) &&
            g_regex_match (regex, module, 0, NULL)) ||
           ((is_any || strcmp (prefix, "file:") == 0) && !is_merged &&
            g_regex_match (regex, file, 0, NULL));
}

static char *
module_of_frame (const char *frame)
{
    return g_strndup (frame, (gsize)(strchr (frame, '!') - frame));
}

static GPtrArray *
filter_frames (const GPtrArray *frames, PvTransformKind kind, GRegex *regex, const char *prefix)
{
    GPtrArray *kept = g_ptr_array_new_with_free_func (g_free);
    bool has_started = false;
    const char *previous = NULL;
    g_autofree char *merged = NULL; /* the module that the frame before belongs to, if merged */
    for (guint i = 0; i < frames->len; i++) {
        const char *frame = frames->pdata[i];
        bool is_match = regex != NULL && frame_matches (frame, regex, prefix);
        has_started |= is_match;
        bool keep = true;
        g_autofree char *replacement = NULL;
        if (kind == PV_TRANSFORM_HIDE)
            keep = !is_match;
        else if (kind == PV_TRANSFORM_SHOW || (kind == PV_TRANSFORM_MY_CODE && regex != NULL))
            keep = is_match;
        else if (kind == PV_TRANSFORM_SHOW_FROM)
            keep = has_started;
        else if (kind == PV_TRANSFORM_HIDE_ALLOCATORS)
            keep = i == 0 || (!is_match && strcmp (strchr (frame, '!'), "!malloc") != 0);
        else if (kind == PV_TRANSFORM_COLLAPSE_RECURSION)
            keep = previous == NULL || strcmp (previous, frame) != 0;
        else if (kind == PV_TRANSFORM_MERGE_MODULE) {
            g_autofree char *module = module_of_frame (frame);
            bool is_module_match = g_regex_match (regex, module, 0, NULL);
            keep = !is_module_match || g_strcmp0 (merged, module) != 0;
            g_clear_pointer (&merged, g_free);
            if (is_module_match) {
                replacement = g_strdup_printf ("%s!%s", module, module);
                merged = g_steal_pointer (&module);
            }
        }
        if (keep)
            g_ptr_array_add (kept, g_strdup (replacement != NULL ? replacement : frame));
        previous = frame;
    }
    return kept;
}

static bool
any_match (const GPtrArray *frames, GRegex *regex, const char *prefix)
{
    for (guint i = 0; i < frames->len; i++)
        if (frame_matches (frames->pdata[i], regex, prefix))
            return true;
    return false;
}

/* NULL if the stack is dropped. */
static GPtrArray *
transform_frames (GPtrArray *frames, const PvQuery *query)
{
    for (uint32_t t = 0; t < query->n_transforms && frames != NULL; t++) {
        const PvTransform *transform = &query->transforms[t];
        const char *prefix = "";
        g_autoptr (GRegex) regex = NULL;
        if (transform->expression != NULL)
            regex = g_regex_new (split_prefix (transform->expression, &prefix), 0, 0, NULL);
        if (transform->kind == PV_TRANSFORM_FOCUS || transform->kind == PV_TRANSFORM_IGNORE) {
            if (any_match (frames, regex, prefix) != (transform->kind == PV_TRANSFORM_FOCUS))
                g_clear_pointer (&frames, g_ptr_array_unref);
            continue;
        }
        GPtrArray *kept = filter_frames (frames, transform->kind, regex, prefix);
        g_ptr_array_unref (frames);
        frames = kept;
        if (frames->len == 0)
            g_clear_pointer (&frames, g_ptr_array_unref);
    }
    return frames;
}

GPtrArray *
reference_stacks (const char *text, const PvQuery *query)
{
    GPtrArray *stacks = g_ptr_array_new_with_free_func (free_stack);
    g_auto (GStrv) lines = g_strsplit_set (text, "\n", -1);
    for (unsigned i = 0; lines[i] != NULL && lines[i][0] != '\0'; i++) {
        char *space = strrchr (lines[i], ' ');
        *space = '\0';
        char *at = strchr (lines[i], '@');
        if (at != NULL)
            *at = '\0';
        GPtrArray *frames = expand_frames (lines[i], query->no_inline);
        frames = transform_frames (frames, query);
        if (frames == NULL)
            continue;
        ReferenceStack *stack = g_new0 (ReferenceStack, 1);
        stack->weight = g_ascii_strtoull (space + 1, NULL, 10);
        stack->tid = at != NULL ? atoi (at + 1) : 11;
        stack->index = i;
        g_ptr_array_add (frames, NULL);
        stack->frames = (char **)g_ptr_array_free (frames, FALSE);
        g_ptr_array_add (stacks, stack);
    }
    return stacks;
}

char *
reference_name (const PvCallTree *tree, PvFunctionId function)
{
    const PvFunction *row = &tree->symbols->functions[function];
    return g_strdup_printf ("%s!%s", tree->profile->modules[row->module].name, row->name);
}

char *
reference_frame_of_node (const PvCallTree *tree, PvNodeId node)
{
    if (tree->function_of_node[node] == 0)
        return g_strdup (pv_call_tree_get_name (tree, node));
    return reference_name (tree, tree->function_of_node[node]);
}

void
reference_random_transforms (GRand *random, PvQuery *query)
{
    static const char *const expressions[] = {"f1",      "^f2$",     "libx",           "prog",
                                              "f[035]",  "/src/f4",  "f[1-8]",         "nothing",
                                              "file:f3", "module:o", "function:f[24]", "package:f"};
    const unsigned n_for_modules = 8;
    unsigned n = (unsigned)g_rand_int_range (random, 0, 4);
    for (unsigned i = 0; i < n; i++) {
        PvTransformKind kind =
            (PvTransformKind)g_rand_int_range (random, 0, PV_TRANSFORM_MY_CODE + 1);
        unsigned e = (unsigned)g_rand_int_range (random, 0,
                                                 (gint32)(kind == PV_TRANSFORM_MERGE_MODULE
                                                              ? n_for_modules
                                                              : G_N_ELEMENTS (expressions)));
        pv_query_add_transform (query, kind,
                                pv_transforms[kind].may_have_expression ? expressions[e] : NULL);
    }
}
