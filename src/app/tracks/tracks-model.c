/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/tracks/tracks-model.h"

#include <glib/gi18n.h>

#include "app/pictures/color-choice.h"
#include "app/widgets/setup.h"

#define DATA_KEY "pv-tracks-model"

#define N_KINDS ((unsigned)PV_TIME_CPUS + 1)

typedef struct {
    PvTracksModel *model;
    PvTimeRowKind kind;
    PvTask *set_task;
    PvTask *lit_task;
    PvTrackOrder *order;
    PvTrackSet *set;    /* or NULL */
    PvTimeIndex *lit;   /* of the set and the light wanted last; or NULL */
    PvTimeLight wanted; /* the light that lit_task looks for */
} Kind;

struct _PvTracksModel {
    GObject parent;

    PvDocument *document;
    Kind kinds[N_KINDS];
    GArray *marks;       /* of PvRangeMark */
    PvRangeMark removed; /* the last one; letter 0: no mark */
};

G_DEFINE_FINAL_TYPE (PvTracksModel, pv_tracks_model, G_TYPE_OBJECT)

static guint changed_signal;

static void
tell (PvTracksModel *self)
{
    g_signal_emit (self, changed_signal, 0);
}

/* Lit samples */

static void
forget_lit (Kind *kind)
{
    pv_task_cancel (kind->lit_task);
    pv_clear_later (&kind->lit, pv_time_index_unref);
    pv_time_light_clear (&kind->wanted);
}

/* A set does not depend on the time range. */
static gboolean
is_of (const PvTrackSet *set, const PvCallTree *tree)
{
    PvQuery a = set->tree->query, b = tree->query;

    a.start_ns = b.start_ns = 0;
    a.end_ns = b.end_ns = UINT64_MAX;
    return set->tree->profile == tree->profile && set->tree->symbols == tree->symbols &&
           pv_query_equal (&a, &b);
}

/* Nothing in a set whose names are others. The node is of a tree of the same query, as far as the
 * set is of the document's. */
static void
make_light (const Kind *kind, PvTimeLight *ret_light)
{
    const PvDocumentData *data = pv_document_get (kind->model->document);
    const PvAnswer *answer = data->answer;

    *ret_light = (PvTimeLight){0};
    if (answer->flame_tree == NULL || answer->flame_tree->symbols != kind->set->tree->symbols)
        return;
    if (data->look.is_node_selected)
        pv_time_light_set_node (ret_light, answer->flame_tree, data->look.selected);
    else
        ret_light->function = data->look.function;
    if (data->search_term.text != NULL && data->search_error == NULL)
        pv_search_term_copy (&ret_light->search, &data->search_term);
}

static void
request_lit (Kind *kind)
{
    g_auto (PvTimeLight) light = {0};
    PvLitInput *input;

    make_light (kind, &light);
    if (pv_time_light_equal (&light, &kind->wanted))
        return;
    if (pv_time_light_is_empty (&light)) {
        forget_lit (kind);
        tell (kind->model);
        return;
    }
    input = g_new0 (PvLitInput, 1);
    input->tree = pv_call_tree_ref (kind->set->tree);
    input->tracks = pv_tracks_ref (kind->set->tracks);
    pv_time_light_copy (&input->light, &light);
    pv_time_light_clear (&kind->wanted);
    pv_time_light_copy (&kind->wanted, &light);
    pv_task_start (kind->lit_task, input);
}

static void
on_lit (gpointer owner, gpointer result, const GError *error)
{
    Kind *kind = owner;

    if (result == NULL)
        return;
    pv_clear_later (&kind->lit, pv_time_index_unref);
    kind->lit = result;
    tell (kind->model);
}

/* Tracks */

static void
request_set (Kind *kind, PvCallTree *tree)
{
    PvColorScheme colors = pv_color_choice_find_scheme (kind->model->document);
    PvTrackSetInput *input;

    if (kind->set != NULL && kind->set->colors == colors && is_of (kind->set, tree)) {
        pv_task_cancel (kind->set_task);
        return;
    }
    input = g_new0 (PvTrackSetInput, 1);
    input->tree = pv_call_tree_ref (tree);
    input->kind = kind->kind;
    input->colors = colors;
    input->previous = kind->set != NULL ? pv_tracks_ref (kind->set->whole) : NULL;
    pv_task_start (kind->set_task, input);
}

/* Their number is that of threads: this is quick. */
static void
apply_order (Kind *kind)
{
    PvTracks *tracks = pv_track_order_apply (kind->order, kind->set->whole);

    pv_clear_later (&kind->set->tracks, pv_tracks_unref);
    kind->set->tracks = tracks;
}

static void
on_set (gpointer owner, gpointer result, const GError *error)
{
    Kind *kind = owner;

    if (result == NULL)
        return;
    forget_lit (kind);
    pv_clear_later (&kind->set, pv_track_set_free);
    kind->set = result;
    apply_order (kind);
    tell (kind->model);
    request_lit (kind);
}

void
pv_tracks_model_request (PvTracksModel *self, PvTimeRowKind which)
{
    PvCallTree *tree = pv_document_get (self->document)->answer->tree;
    Kind *kind = &self->kinds[which];

    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)which < N_KINDS);
    if (tree == NULL || !pv_time_index_can_build (tree->profile, tree->query.measure))
        return;
    request_set (kind, tree);
    if (kind->set != NULL)
        request_lit (kind);
}

/* A tree for the new query is on its way, and with it the next request: until then, nothing takes
 * processors from it. */
static void
on_document_changed (PvTracksModel *self, guint what)
{
    if ((what & PV_CHANGED_QUERY) == 0)
        return;
    for (unsigned i = 0; i < N_KINDS; i++)
        pv_task_cancel (self->kinds[i].set_task);
}

const PvTrackSet *
pv_tracks_model_get_set (PvTracksModel *self, PvTimeRowKind kind)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)kind < N_KINDS);
    return self->kinds[kind].set;
}

PvTimeIndex *
pv_tracks_model_get_lit (PvTracksModel *self, PvTimeRowKind kind)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)kind < N_KINDS);
    return self->kinds[kind].lit;
}

gboolean
pv_tracks_model_get_light (PvTracksModel *self, PvTimeRowKind kind, PvTimeLight *ret_light)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)kind < N_KINDS && ret_light != NULL);
    pv_time_light_copy (ret_light, &self->kinds[kind].wanted);
    return !pv_time_light_is_empty (ret_light);
}

char *
pv_tracks_model_name_selected (PvTracksModel *self, const PvTimeLight *light)
{
    const PvDocumentData *data = pv_document_get (self->document);
    const PvAnswer *answer = data->answer;

    g_assert (PV_IS_TRACKS_MODEL (self) && light != NULL);
    if (light->has_node && data->look.selected != PV_NODE_NONE && light->n_keys > 1)
        /* Translators: a function, where it is selected in a call tree. */
        return g_strdup_printf (_ ("%s (this call path)"),
                                pv_call_tree_get_label (answer->flame_tree, data->look.selected));
    if (light->has_node && data->look.selected != PV_NODE_NONE)
        return g_strdup (pv_call_tree_get_label (answer->flame_tree, data->look.selected));
    if (light->function != 0 && answer->flame_tree != NULL &&
        light->function < answer->flame_tree->symbols->n_functions)
        return g_strdup (answer->flame_tree->symbols->functions[light->function].label);
    return NULL;
}

PvTrackOrder *
pv_tracks_model_get_order (PvTracksModel *self, PvTimeRowKind kind)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)kind < N_KINDS);
    return self->kinds[kind].order;
}

void
pv_tracks_model_order_changed (PvTracksModel *self, PvTimeRowKind kind)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && (unsigned)kind < N_KINDS);
    if (self->kinds[kind].set == NULL)
        return;
    apply_order (&self->kinds[kind]);
    tell (self);
}

/* Marks */

const PvRangeMark *
pv_tracks_model_get_marks (PvTracksModel *self, guint *ret_n_marks)
{
    g_assert (PV_IS_TRACKS_MODEL (self) && ret_n_marks != NULL);
    *ret_n_marks = self->marks->len;
    return (const PvRangeMark *)(gpointer)self->marks->data;
}

const PvRangeMark *
pv_tracks_model_find_mark (PvTracksModel *self, char letter)
{
    g_assert (PV_IS_TRACKS_MODEL (self));
    for (guint i = 0; i < self->marks->len; i++)
        if (g_array_index (self->marks, PvRangeMark, i).letter == letter)
            return &g_array_index (self->marks, PvRangeMark, i);
    return NULL;
}

gboolean
pv_tracks_model_mark (PvTracksModel *self, uint64_t start_ns, uint64_t end_ns)
{
    PvRangeMark mark = {'A', start_ns, end_ns};
    guint place = 0;

    g_assert (PV_IS_TRACKS_MODEL (self));
    for (guint i = 0; i < self->marks->len; i++) {
        const PvRangeMark *other = &g_array_index (self->marks, PvRangeMark, i);
        if (other->start_ns == start_ns && other->end_ns == end_ns)
            return FALSE;
        if (other->letter == mark.letter) {
            mark.letter++;
            place = i + 1;
        }
    }
    if (mark.letter > 'Z' || start_ns >= end_ns)
        return FALSE;
    g_array_insert_val (self->marks, place, mark);
    tell (self);
    return TRUE;
}

void
pv_tracks_model_remove_mark (PvTracksModel *self, char letter)
{
    g_assert (PV_IS_TRACKS_MODEL (self));
    for (guint i = 0; i < self->marks->len; i++)
        if (g_array_index (self->marks, PvRangeMark, i).letter == letter) {
            self->removed = g_array_index (self->marks, PvRangeMark, i);
            g_array_remove_index (self->marks, i);
            tell (self);
            return;
        }
}

const PvRangeMark *
pv_tracks_model_get_removed_mark (PvTracksModel *self)
{
    g_assert (PV_IS_TRACKS_MODEL (self));
    return self->removed.letter != 0 &&
                   pv_tracks_model_find_mark (self, self->removed.letter) == NULL
               ? &self->removed
               : NULL;
}

void
pv_tracks_model_restore_mark (PvTracksModel *self)
{
    guint place = 0;

    g_assert (PV_IS_TRACKS_MODEL (self));
    if (pv_tracks_model_get_removed_mark (self) == NULL)
        return;
    while (place < self->marks->len &&
           g_array_index (self->marks, PvRangeMark, place).letter < self->removed.letter)
        place++;
    g_array_insert_val (self->marks, place, self->removed);
    self->removed.letter = 0;
    tell (self);
}

/* Object */

PvTracksModel *
pv_tracks_model_get (PvDocument *document)
{
    PvTracksModel *self = g_object_get_data (G_OBJECT (document), DATA_KEY);

    g_assert (PV_IS_DOCUMENT (document));
    if (self != NULL)
        return g_object_ref (self);
    self = g_object_new (PV_TYPE_TRACKS_MODEL, NULL);
    self->document = g_object_ref (document);
    g_object_set_data (G_OBJECT (document), DATA_KEY, self); /* until it is disposed of */
    pv_connect (document, "changed", on_document_changed, self);
    return self;
}

static void
pv_tracks_model_dispose (GObject *object)
{
    PvTracksModel *self = PV_TRACKS_MODEL (object);

    for (unsigned i = 0; i < N_KINDS; i++) {
        Kind *kind = &self->kinds[i];
        g_clear_pointer (&kind->set_task, pv_task_close);
        g_clear_pointer (&kind->lit_task, pv_task_close);
        pv_clear_later (&kind->lit, pv_time_index_unref);
        pv_clear_later (&kind->set, pv_track_set_free);
    }
    if (self->document != NULL)
        g_object_set_data (G_OBJECT (self->document), DATA_KEY, NULL);
    g_clear_object (&self->document);
    G_OBJECT_CLASS (pv_tracks_model_parent_class)->dispose (object);
}

static void
pv_tracks_model_finalize (GObject *object)
{
    for (unsigned i = 0; i < N_KINDS; i++)
        pv_track_order_free (PV_TRACKS_MODEL (object)->kinds[i].order);
    g_array_unref (PV_TRACKS_MODEL (object)->marks);
    G_OBJECT_CLASS (pv_tracks_model_parent_class)->finalize (object);
}

static void
pv_tracks_model_class_init (PvTracksModelClass *class)
{
    G_OBJECT_CLASS (class)->dispose = pv_tracks_model_dispose;
    G_OBJECT_CLASS (class)->finalize = pv_tracks_model_finalize;
    changed_signal = pv_signal_new (class, "changed", 0);
}

static void
pv_tracks_model_init (PvTracksModel *self)
{
    self->marks = g_array_new (FALSE, FALSE, sizeof (PvRangeMark));
    for (unsigned i = 0; i < N_KINDS; i++) {
        Kind *kind = &self->kinds[i];
        kind->model = self;
        kind->kind = (PvTimeRowKind)i;
        kind->order = pv_track_order_new (kind->kind);
        kind->set_task = pv_track_set_task_new (kind, on_set);
        kind->lit_task = pv_lit_task_new (kind, on_lit);
    }
}
