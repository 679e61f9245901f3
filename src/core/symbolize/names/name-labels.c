/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name is split into its short form and the parts that this leaves out, and each part into
 * arguments. Names with equal short forms and parts at the same positions are compared part by part
 * and argument by argument, like columns of a table: a column is shown if it separates names that
 * were equal so far. The texts of a shown column are shortened to labels in the same way.
 */
#include "core/symbolize/names/name-labels.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/hash.h"
#include "core/base/idmap.h"
#include "core/symbolize/names/demangle.h"

/* Further arguments count as one; names nested deeper are shown in full. */
enum { MAX_COLUMNS = 32, MAX_DEPTH = 6 };

enum { GROUPS_PER_CHUNK = 8, GROUPS_PER_BATCH = 1 << 10 };

#define ELLIPSIS "…"

typedef struct {
    const char *start; /* NULL: none */
    size_t len;
} Piece;

typedef struct {
    Piece columns[MAX_COLUMNS]; /* n arguments */
    unsigned n;
    char open;
    char close;
    Piece tail; /* " const"; or the whole of a clone suffix */
} Arguments;

/* Text under construction. Workers make labels, so not GString, whose allocator ThreadSanitizer
 * cannot follow. */
typedef PV_ARRAY (char) Text;

typedef struct {
    const char *text;
    char *short_form;
    size_t short_len;
    PvNameParts parts;
    uint32_t form;     /* same for equal short forms with parts at the same positions */
    uint32_t class_id; /* same for names that nothing shown so far tells apart */
    Text label;        /* not terminated */
    size_t shown;      /* bytes of the short form already in the label */
} Name;

static void
append (Text *text, const char *piece)
{
    pv_array_append (text, piece, strlen (piece));
}

static void make_labels (const Piece *texts, size_t n, unsigned depth, char **ret_labels);

/* Ids of equal items */

static uint32_t
get_id (PvHashMap *ids, uint32_t *n_ids, PvHash hash)
{
    uint32_t *slot = pv_hash_map_slot (ids, hash);
    if (*slot == 0)
        *slot = ++*n_ids;
    return *slot;
}

static PvHash
hash_piece (Piece piece, uint64_t seed)
{
    return pv_hash_bytes (piece.start != NULL ? piece.start : "", piece.len,
                          seed << 1 | (piece.start != NULL));
}

static PvHash
hash_form (const Name *name)
{
    PvHash hash = pv_hash_bytes (name->short_form, name->short_len, name->parts.len);
    for (size_t p = 0; p < name->parts.len; p++) {
        uint64_t place[] = {hash.a, hash.b, name->parts.data[p].at,
                            (unsigned char)*name->parts.data[p].start};
        hash = pv_hash_bytes (place, sizeof place, 0);
    }
    return hash;
}

/* The arguments of a part */

static Piece
trim (const char *start, const char *end)
{
    while (start < end && *start == ' ')
        start++;
    while (end > start && end[-1] == ' ')
        end--;
    return (Piece){start, (size_t)(end - start)};
}

static bool
opens (char c)
{
    return c == '<' || c == '(' || c == '[' || c == '{';
}

static void
split_arguments (const char *start, const char *end, Arguments *arguments)
{
    const char *from = start;
    for (const char *s = start; s < end && arguments->n < MAX_COLUMNS - 1;) {
        if (*s == ',') {
            arguments->columns[arguments->n++] = trim (from, s);
            from = s + 1;
        }
        const char *close = opens (*s) ? pv_find_close_bracket (s) : NULL;
        s = close != NULL && close <= end ? close : s + 1;
    }
    Piece last = trim (from, end);
    if (last.len > 0 || arguments->n > 0)
        arguments->columns[arguments->n++] = last;
}

static void
read_arguments (const PvNamePart *part, Arguments *arguments)
{
    const char *start = part->start, *end = start + part->len;
    memset (arguments, 0, sizeof *arguments);
    const char *close = strchr ("<([", *start) != NULL ? pv_find_close_bracket (start) : NULL;
    if (close == NULL || close > end) {
        arguments->tail = (Piece){start, part->len};
        return;
    }
    arguments->open = *start;
    arguments->close = close[-1];
    split_arguments (start + 1, close - 1, arguments);
    if (close < end)
        arguments->tail = (Piece){close, (size_t)(end - close)};
}

/* Columns */

/* Separates names by a column. True if this gives more classes; else changes nothing. */
static bool
separate (Name **names, const Piece *column, size_t n, uint32_t *n_classes)
{
    PvHashMap ids = {0};
    uint32_t n_ids = 0;
    if (*n_classes == n) /* all are distinct already */
        return false;
    g_autofree uint32_t *class_ids = g_new (uint32_t, n);
    for (size_t i = 0; i < n; i++)
        class_ids[i] = get_id (&ids, &n_ids, hash_piece (column[i], names[i]->class_id));
    pv_hash_map_clear (&ids);
    if (n_ids <= *n_classes)
        return false;
    for (size_t i = 0; i < n; i++)
        names[i]->class_id = class_ids[i];
    *n_classes = n_ids;
    return true;
}

typedef struct {
    bool is_shown[MAX_COLUMNS];
    char **labels[MAX_COLUMNS]; /* of shown columns, one per name; NULL if it has none */
    bool is_tail_shown;
} Shown;

static char **
make_column_labels (const Piece *column, size_t n, unsigned depth)
{
    char **labels = g_new0 (char *, n);
    make_labels (column, n, depth + 1, labels);
    return labels;
}

/* "<…, 4>" */
static void
append_arguments (Text *label, const Arguments *arguments, const Shown *shown, size_t i)
{
    bool was_hidden = false;
    bool is_operator = label->len > 0 && label->data[label->len - 1] == '<'; /* operator< <int> */
    if (arguments->open == '<' && is_operator)
        pv_array_push (label, ' ');
    pv_array_push (label, arguments->open);
    for (unsigned c = 0; c < arguments->n; c++) {
        if (!shown->is_shown[c] && was_hidden)
            continue;
        if (c > 0)
            append (label, ", ");
        append (label, shown->is_shown[c] ? shown->labels[c][i] : ELLIPSIS);
        was_hidden = !shown->is_shown[c];
    }
    pv_array_push (label, arguments->close);
}

static void
append_up_to (Name *name, size_t at)
{
    pv_array_append (&name->label, name->short_form + name->shown, at - name->shown);
    name->shown = at;
}

static void
append_part (Name *name, const PvNamePart *part, const Arguments *arguments, const Shown *shown,
             size_t i)
{
    append_up_to (name, part->at);
    if (arguments->open != '\0')
        append_arguments (&name->label, arguments, shown, i);
    if (arguments->open == '[')
        name->shown += strlen (PV_GO_GENERIC);
    if (shown->is_tail_shown && arguments->tail.start != NULL)
        pv_array_append (&name->label, arguments->tail.start, arguments->tail.len);
}

/* Compares part p of names of one form, and appends it if it tells some of them apart or if
 * is_always. */
static void
compare_part (Name **names, size_t n, size_t p, bool is_always, unsigned depth, uint32_t *n_classes)
{
    g_autofree Arguments *arguments = g_new (Arguments, n);
    g_autofree Piece *column = g_new (Piece, n);
    Shown shown = {0};
    unsigned n_columns = 0;
    bool is_any_shown = is_always;
    for (size_t i = 0; i < n; i++) {
        read_arguments (&names[i]->parts.data[p], &arguments[i]);
        n_columns = MAX (n_columns, arguments[i].n);
    }
    for (unsigned c = 0; c < n_columns; c++) {
        for (size_t i = 0; i < n; i++)
            column[i] = arguments[i].columns[c];
        shown.is_shown[c] = separate (names, column, n, n_classes);
        is_any_shown |= shown.is_shown[c];
        if (shown.is_shown[c])
            shown.labels[c] = make_column_labels (column, n, depth);
    }
    for (size_t i = 0; i < n; i++)
        column[i] = arguments[i].tail;
    shown.is_tail_shown = separate (names, column, n, n_classes) || is_always;
    for (size_t i = 0; i < n && (is_any_shown || shown.is_tail_shown); i++)
        append_part (names[i], &names[i]->parts.data[p], &arguments[i], &shown, i);
    for (unsigned c = 0; c < n_columns; c++) {
        for (size_t i = 0; i < n && shown.labels[c] != NULL; i++)
            g_free (shown.labels[c][i]);
        g_free (shown.labels[c]);
    }
}

/* Labels names of one form, all different. If another form looks the same, like "f" and "f<int>",
 * always shows the brackets. */
static void
label_form (Name **names, size_t n, bool looks_alike, unsigned depth)
{
    uint32_t n_classes = 1;
    for (size_t p = 0; p < names[0]->parts.len && (n_classes < n || looks_alike); p++)
        compare_part (names, n, p, looks_alike, depth, &n_classes);
}

/* Names */

/* Numbers the forms of the names from 1, in the order of the names. Returns the number of forms. */
static uint32_t
find_forms (Name *names, size_t n)
{
    PvHashMap ids = {0};
    uint32_t n_forms = 0;
    for (size_t i = 0; i < n; i++)
        names[i].form = get_id (&ids, &n_forms, hash_form (&names[i]));
    pv_hash_map_clear (&ids);
    return n_forms;
}

/* For each form, whether another one looks the same without its parts. */
static bool *
find_look_alikes (const Name *names, size_t n, uint32_t n_forms)
{
    PvHashMap looks = {0};
    bool *looks_alike = g_new0 (bool, (size_t)n_forms + 1);
    for (size_t i = 0; i < n; i++) {
        PvHash hash = pv_hash_bytes (names[i].short_form, names[i].short_len, 0);
        uint32_t *form = pv_hash_map_slot (&looks, hash);
        if (*form == 0)
            *form = names[i].form;
        if (*form != names[i].form)
            looks_alike[*form] = looks_alike[names[i].form] = true;
    }
    pv_hash_map_clear (&looks);
    return looks_alike;
}

/* The names grouped by form, otherwise in order: those of form f are [first[f], first[f + 1]). */
static Name **
sort_by_form (Name *names, size_t n, uint32_t n_forms, size_t *first)
{
    Name **sorted = g_new (Name *, n);
    for (size_t i = 0; i < n; i++)
        first[names[i].form + 1]++;
    for (uint32_t f = 1; f <= n_forms + 1; f++)
        first[f] += first[f - 1];
    for (size_t i = 0; i < n; i++)
        sorted[first[names[i].form]++] = &names[i];
    for (uint32_t f = n_forms + 1; f > 0; f--)
        first[f] = first[f - 1];
    first[0] = 0;
    return sorted;
}

/* Replaces labels that are still the same by the full names. */
static void
show_whole_where_alike (Name *names, size_t n)
{
    PvHashMap ids = {0};
    g_autofree uint32_t *count = g_new0 (uint32_t, n + 1);
    g_autofree uint32_t *id_of_name = g_new (uint32_t, n);
    uint32_t n_ids = 0;
    for (size_t i = 0; i < n; i++) {
        const Text *label = &names[i].label;
        id_of_name[i] = get_id (&ids, &n_ids, pv_hash_bytes (label->data, label->len, 0));
        count[id_of_name[i]]++;
    }
    pv_hash_map_clear (&ids);
    for (size_t i = 0; i < n; i++) {
        if (count[id_of_name[i]] > 1) {
            names[i].label.len = 0;
            append (&names[i].label, names[i].text);
        }
    }
}

/* The names are all different. */
static void
label_names (Name *names, size_t n, unsigned depth)
{
    uint32_t n_forms = find_forms (names, n);
    g_autofree bool *looks_alike = find_look_alikes (names, n, n_forms);
    g_autofree size_t *first = g_new0 (size_t, (size_t)n_forms + 2);
    g_autofree Name **sorted = sort_by_form (names, n, n_forms, first);
    for (uint32_t f = 1; f <= n_forms; f++) {
        label_form (sorted + first[f], first[f + 1] - first[f], looks_alike[f], depth);
    }
    for (size_t i = 0; i < n; i++)
        append_up_to (&names[i], names[i].short_len);
    show_whole_where_alike (names, n);
}

static void
open_name (Name *name, Piece text)
{
    *name = (Name){.text = g_strndup (text.start, text.len)};
    name->short_form = pv_shorten_name_parts (name->text, &name->parts);
    name->short_len = strlen (name->short_form);
    pv_array_reserve (&name->label, name->short_len + 1);
}

static void
close_name (Name *name)
{
    g_free ((char *)name->text);
    g_free (name->short_form);
    pv_array_clear (&name->parts);
    pv_array_clear (&name->label);
}

/* texts may repeat or be missing; the label of a missing one is NULL. */
static void
make_labels (const Piece *texts, size_t n, unsigned depth, char **ret_labels)
{
    PvHashMap ids = {0};
    uint32_t n_names = 0;
    g_autofree uint32_t *name_of_text = g_new0 (uint32_t, n);
    PV_ARRAY (Name) names = {0};
    for (size_t i = 0; i < n; i++) {
        if (texts[i].start == NULL)
            continue;
        name_of_text[i] = get_id (&ids, &n_names, hash_piece (texts[i], 0));
        if (n_names > names.len) {
            Name name;
            open_name (&name, texts[i]);
            pv_array_push (&names, name);
        }
    }
    pv_hash_map_clear (&ids);
    if (depth < MAX_DEPTH && n_names > 0)
        label_names (names.data, names.len, depth);
    for (size_t i = 0; i < n; i++) {
        if (texts[i].start == NULL)
            continue;
        const Name *name = &names.data[name_of_text[i] - 1];
        ret_labels[i] = depth < MAX_DEPTH ? g_strndup (name->label.data, name->label.len)
                                          : g_strdup (name->text);
    }
    for (size_t i = 0; i < names.len; i++)
        close_name (&names.data[i]);
    pv_array_clear (&names);
}

/* The end of the name before the suffix in "f(int)@plt". */
static const char *
find_plt (const char *name)
{
    static const char plt[] = "@plt";
    size_t len = strlen (name);
    bool is_plt = len > strlen (plt) && strcmp (name + len - strlen (plt), plt) == 0;
    return name + len - (is_plt ? strlen (plt) : 0);
}

void
pv_name_labels_make (const char *const *names, size_t n, char **ret_labels)
{
    g_assert (n == 0 || (names != NULL && ret_labels != NULL));
    g_autofree Piece *pieces = g_new (Piece, n);
    for (size_t i = 0; i < n; i++)
        pieces[i] = (Piece){names[i], (size_t)(find_plt (names[i]) - names[i])};
    make_labels (pieces, n, 0, ret_labels);
    for (size_t i = 0; i < n; i++) {
        char *label = ret_labels[i];
        if (names[i][pieces[i].len] == '\0')
            continue;
        ret_labels[i] = g_strconcat (label, names[i] + pieces[i].len, NULL);
        g_free (label);
    }
}

/* Functions of a builder */

struct PvNameLabels {
    PvSymbolBuilder *builder;
    uint32_t n_seen;
    PvIdMap last_of_name; /* (module, short name) -> the last function with it */
    PV_ARRAY (PvFunctionId) previous_of_function; /* previous function of the same name; 0: none */
};

PvNameLabels *
pv_name_labels_new (PvSymbolBuilder *builder)
{
    g_assert (builder != NULL);
    PvNameLabels *labels = g_new0 (PvNameLabels, 1);
    labels->builder = builder;
    return labels;
}

void
pv_name_labels_free (PvNameLabels *labels)
{
    if (labels == NULL)
        return;
    pv_id_map_clear (&labels->last_of_name);
    pv_array_clear (&labels->previous_of_function);
    g_free (labels);
}

/* A builder's strings are unique, so the pointer identifies the name. */
static uint64_t
key_of_name (const PvFunction *function)
{
    return pv_hash_mix ((uint64_t)(uintptr_t)function->short_name) ^ function->module;
}

/* The functions of a name, with the last one first, and their labels. */
typedef struct {
    PvFunctionId last;
    PV_ARRAY (PvFunctionId) ids;
    char **labels;
} Group;

typedef struct {
    PvNameLabels *labels;
    const PvFunction *functions;
    Group *ready; /* of the batch before */
    size_t n_ready;
    Group *groups; /* of the current batch */
    size_t n_groups;
} Relabeling;

static void
label_group (const Relabeling *relabeling, Group *group)
{
    const PvFunctionId *previous = relabeling->labels->previous_of_function.data;
    PV_ARRAY (const char *) names = {0};
    for (PvFunctionId f = group->last; f != 0; f = previous[f]) {
        pv_array_push (&group->ids, f);
        pv_array_push (&names, relabeling->functions[f].name);
    }
    group->labels = g_new0 (char *, names.len);
    pv_name_labels_make (names.data, names.len, group->labels);
    pv_array_clear (&names);
}

static void
give_labels (PvNameLabels *labels, Group *group)
{
    for (size_t i = 0; i < group->ids.len; i++) {
        pv_symbol_builder_set_label (labels->builder, group->ids.data[i], group->labels[i]);
        g_free (group->labels[i]);
    }
    g_free (group->labels);
    pv_array_clear (&group->ids);
}

/* Item 0 gives labels that are ready; it is the only one that uses the builder. */
static void
work_on_groups (void *data, size_t item, unsigned worker)
{
    const Relabeling *relabeling = data;
    (void)worker;
    if (item == 0) {
        for (size_t i = 0; i < relabeling->n_ready; i++)
            give_labels (relabeling->labels, &relabeling->ready[i]);
        return;
    }
    size_t first = (item - 1) * GROUPS_PER_CHUNK;
    size_t end = MIN (first + GROUPS_PER_CHUNK, relabeling->n_groups);
    for (size_t i = first; i < end; i++)
        label_group (relabeling, &relabeling->groups[i]);
}

/* All workers make labels, one at a time hands them to the builder; in batches, because they are
 * copied. */
static void
relabel (PvNameLabels *labels, PvPool *pool, const PvFunctionId *lasts, size_t n)
{
    g_autofree Group *ready = g_new (Group, GROUPS_PER_BATCH);
    g_autofree Group *groups = g_new (Group, GROUPS_PER_BATCH);
    uint32_t n_functions;
    Relabeling relabeling = {
        .labels = labels,
        .functions = pv_symbol_builder_get_functions (labels->builder, &n_functions),
        .ready = ready,
        .groups = groups,
    };
    for (size_t first = 0; first < n || relabeling.n_ready > 0; first += relabeling.n_ready) {
        relabeling.n_groups = MIN (n - first, GROUPS_PER_BATCH);
        for (size_t i = 0; i < relabeling.n_groups; i++)
            relabeling.groups[i] = (Group){.last = lasts[first + i]};
        pv_pool_run (pool, 1 + (relabeling.n_groups + GROUPS_PER_CHUNK - 1) / GROUPS_PER_CHUNK,
                     work_on_groups, &relabeling);
        Group *given = relabeling.ready;
        relabeling.ready = relabeling.groups;
        relabeling.groups = given;
        relabeling.n_ready = relabeling.n_groups;
    }
}

void
pv_name_labels_update (PvNameLabels *labels, PvPool *pool)
{
    g_assert (labels != NULL && pool != NULL);
    uint32_t n_functions;
    const PvFunction *functions = pv_symbol_builder_get_functions (labels->builder, &n_functions);
    uint32_t first = MAX (labels->n_seen, 1);
    PV_ARRAY (PvFunctionId)
    lasts = {0}; /* of names that several functions have, some of them new */
    pv_array_resize (&labels->previous_of_function, n_functions);
    for (PvFunctionId f = first; f < n_functions; f++) {
        if (functions[f].kind != PV_FUNCTION_NAMED)
            continue;
        uint32_t *last = pv_id_map_slot (&labels->last_of_name, key_of_name (&functions[f]));
        labels->previous_of_function.data[f] = *last;
        *last = f;
    }
    for (PvFunctionId f = first; f < n_functions; f++) {
        bool has_others = labels->previous_of_function.data[f] != 0;
        if (has_others && pv_id_map_find (&labels->last_of_name, key_of_name (&functions[f])) == f)
            pv_array_push (&lasts, f);
    }
    relabel (labels, pool, lasts.data, lasts.len);
    pv_array_clear (&lasts);
    labels->n_seen = n_functions;
}
