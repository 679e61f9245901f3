/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/widgets/row-model.h"

#include <string.h>

#include "app/widgets/setup.h"

enum {
    N_FIRST = 28,       /* a good part of a screen */
    MIN_STEP = 16,      /* rows that are made in a few milliseconds */
    STEP_FRACTION = 8,  /* of the rows there are; far from the screen they cost nothing */
    MAX_MOVED = 1 << 14 /* selected rows that are found again in some milliseconds */
};

struct _PvRowModel {
    GObject parent;
    GArray *keys;     /* uint32_t */
    uint32_t n_shown; /* length of the GListModel */
    gboolean is_frozen;
    gboolean is_changed; /* since it was frozen */
    guint fill_source;
    GtkBitset *selected; /* positions */
    uint32_t lead;       /* see pv_row_model_get_selected () */
};

enum { REPLACED, FILLED, N_SIGNALS };
static guint signals[N_SIGNALS];

static GType
get_item_type (GListModel *model)
{
    return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
    return PV_ROW_MODEL (model)->n_shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
    return position < PV_ROW_MODEL (model)->n_shown ? g_object_new (G_TYPE_OBJECT, NULL) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
    iface->get_item_type = get_item_type;
    iface->get_n_items = get_n_items;
    iface->get_item = get_item;
}

/* Selection */

static void
find_lead (PvRowModel *self)
{
    if (gtk_bitset_is_empty (self->selected))
        self->lead = GTK_INVALID_LIST_POSITION;
    else if (!gtk_bitset_contains (self->selected, self->lead))
        self->lead = gtk_bitset_get_minimum (self->selected);
}

/* Takes selected; wanted becomes the lead if it is among them. */
static void
change_selection (PvRowModel *self, GtkBitset *selected, uint32_t wanted)
{
    uint32_t old_lead = self->lead;
    g_autoptr (GtkBitset) old = self->selected;
    g_autoptr (GtkBitset) changed = gtk_bitset_copy (old);

    self->selected = selected;
    gtk_bitset_difference (changed, selected); /* is symmetric */
    self->lead = wanted;
    find_lead (self);
    if (self->lead != old_lead && gtk_bitset_contains (selected, self->lead))
        gtk_bitset_add (changed, self->lead);
    /* The view does not know of rows that are still to come. */
    gtk_bitset_splice (changed, self->n_shown, G_MAXUINT32 - self->n_shown, 0);
    if (!gtk_bitset_is_empty (changed)) {
        guint first = gtk_bitset_get_minimum (changed);
        gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), first,
                                               gtk_bitset_get_maximum (changed) - first + 1);
    }
}

static gboolean
is_selected (GtkSelectionModel *model, guint position)
{
    return gtk_bitset_contains (PV_ROW_MODEL (model)->selected, position);
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model, guint position, guint n_items)
{
    (void)position, (void)n_items; /* the rest of what is returned has no meaning */
    return gtk_bitset_copy (PV_ROW_MODEL (model)->selected);
}

static gboolean
set_selection (GtkSelectionModel *model, GtkBitset *selected, GtkBitset *mask)
{
    PvRowModel *self = PV_ROW_MODEL (model);
    g_autoptr (GtkBitset) added = gtk_bitset_copy (selected);
    GtkBitset *all = gtk_bitset_copy (self->selected);

    gtk_bitset_intersect (added, mask);
    gtk_bitset_subtract (all, mask);
    gtk_bitset_union (all, added);
    gtk_bitset_splice (all, self->keys->len, G_MAXUINT32 - self->keys->len, 0);
    change_selection (self, all, self->lead);
    return TRUE;
}

static gboolean
select_rows (PvRowModel *self, guint position, guint n_items, gboolean unselect_rest, uint32_t lead)
{
    GtkBitset *all = unselect_rest ? gtk_bitset_new_empty () : gtk_bitset_copy (self->selected);

    if (position < self->keys->len)
        gtk_bitset_add_range (all, position, MIN (n_items, self->keys->len - position));
    change_selection (self, all, lead);
    return TRUE;
}

static gboolean
select_range (GtkSelectionModel *model, guint position, guint n_items, gboolean unselect_rest)
{
    PvRowModel *self = PV_ROW_MODEL (model);
    return select_rows (self, position, n_items, unselect_rest, self->lead);
}

static gboolean
select_item (GtkSelectionModel *model, guint position, gboolean unselect_rest)
{
    return select_rows (PV_ROW_MODEL (model), position, 1, unselect_rest, position);
}

static gboolean
unselect_range (GtkSelectionModel *model, guint position, guint n_items)
{
    PvRowModel *self = PV_ROW_MODEL (model);
    GtkBitset *all = gtk_bitset_copy (self->selected);

    gtk_bitset_remove_range (all, position, n_items);
    change_selection (self, all, self->lead);
    return TRUE;
}

static gboolean
unselect_item (GtkSelectionModel *model, guint position)
{
    return unselect_range (model, position, 1);
}

static gboolean
select_all (GtkSelectionModel *model)
{
    return select_range (model, 0, PV_ROW_MODEL (model)->keys->len, TRUE);
}

static gboolean
unselect_all (GtkSelectionModel *model)
{
    change_selection (PV_ROW_MODEL (model), gtk_bitset_new_empty (), GTK_INVALID_LIST_POSITION);
    return TRUE;
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
    iface->is_selected = is_selected;
    iface->get_selection_in_range = get_selection_in_range;
    iface->select_item = select_item;
    iface->unselect_item = unselect_item;
    iface->select_range = select_range;
    iface->unselect_range = unselect_range;
    iface->select_all = select_all;
    iface->unselect_all = unselect_all;
    iface->set_selection = set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PvRowModel, pv_row_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                                   G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL,
                                                          selection_model_init))

static void
pv_row_model_finalize (GObject *object)
{
    g_clear_handle_id (&PV_ROW_MODEL (object)->fill_source, g_source_remove);
    g_array_unref (PV_ROW_MODEL (object)->keys);
    gtk_bitset_unref (PV_ROW_MODEL (object)->selected);
    G_OBJECT_CLASS (pv_row_model_parent_class)->finalize (object);
}

static void
pv_row_model_class_init (PvRowModelClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_row_model_finalize;
    signals[REPLACED] = pv_signal_new (class, "replaced", 0);
    signals[FILLED] = pv_signal_new (class, "filled", 0);
}

static void
pv_row_model_init (PvRowModel *self)
{
    self->keys = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    self->selected = gtk_bitset_new_empty ();
    self->lead = GTK_INVALID_LIST_POSITION;
}

PvRowModel *
pv_row_model_new (void)
{
    return g_object_new (PV_TYPE_ROW_MODEL, NULL);
}

/* One step towards the full length; FALSE: there are more. */
static gboolean
change_length (PvRowModel *self)
{
    uint32_t before = self->n_shown, full = self->keys->len;
    uint32_t step = before == 0 ? N_FIRST : MAX (MIN_STEP, before / STEP_FRACTION);
    uint32_t same;

    self->n_shown =
        full > before ? MIN (full, before + step) : MAX (full, before - MIN (before, step));
    same = MIN (before, self->n_shown);
    if (self->n_shown != before)
        g_list_model_items_changed (G_LIST_MODEL (self), same, before - same, self->n_shown - same);
    return self->n_shown == full;
}

static gboolean
go_on (gpointer user)
{
    PvRowModel *self = user;

    if (self->is_frozen || !change_length (self))
        return G_SOURCE_CONTINUE;
    self->fill_source = 0;
    g_signal_emit (self, signals[FILLED], 0);
    return G_SOURCE_REMOVE;
}

static void
show_new (PvRowModel *self)
{
    g_clear_handle_id (&self->fill_source, g_source_remove);
    if (self->n_shown > 0)
        g_signal_emit (self, signals[REPLACED], 0);
    else
        change_length (self);
    if (self->n_shown != self->keys->len)
        self->fill_source = g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, go_on, self, NULL);
}

/* Before the GListModel says that rows have come and gone. */
static void
move_selection (PvRowModel *self, uint32_t position, uint32_t n_removed, uint32_t n_added)
{
    gtk_bitset_splice (self->selected, position, n_removed, n_added);
    if (self->lead != GTK_INVALID_LIST_POSITION && self->lead >= position + n_removed)
        self->lead += n_added - n_removed;
    else if (self->lead >= position)
        self->lead = GTK_INVALID_LIST_POSITION;
    find_lead (self);
}

void
pv_row_model_splice (PvRowModel *self, uint32_t position, uint32_t n_removed, const uint32_t *keys,
                     uint32_t n_added)
{
    uint32_t n_known = position < self->n_shown ? MIN (n_removed, self->n_shown - position) : 0;
    gboolean was_empty = self->keys->len == 0;

    g_assert (position <= self->keys->len && n_removed <= self->keys->len - position);
    g_assert (keys != NULL || n_added == 0);
    if (n_removed > 0)
        g_array_remove_range (self->keys, position, n_removed);
    if (n_added > 0)
        g_array_insert_vals (self->keys, position, keys, n_added);
    move_selection (self, position, n_removed, n_added);
    self->is_changed |= n_removed > 0 || n_added > 0;
    if (self->is_frozen || (n_removed == 0 && n_added == 0))
        return;
    if (was_empty) {
        show_new (self);
    } else if (position <= self->n_shown) {
        self->n_shown += n_added - n_known;
        g_list_model_items_changed (G_LIST_MODEL (self), position, n_known, n_added);
    }
}

void
pv_row_model_set (PvRowModel *self, const uint32_t *keys, uint32_t n_keys)
{
    g_assert (PV_IS_ROW_MODEL (self));
    unselect_all (GTK_SELECTION_MODEL (self));
    g_array_set_size (self->keys, n_keys);
    for (uint32_t i = 0; i < n_keys; i++)
        g_array_index (self->keys, uint32_t, i) = keys != NULL ? keys[i] : i;
    self->is_changed = TRUE;
    if (!self->is_frozen)
        show_new (self);
}

/* The positions of the selected rows once keys are theirs. */
static GtkBitset *
find_selected (PvRowModel *self, const uint32_t *keys)
{
    uint32_t n = self->keys->len, n_bytes = 1, position, start = 0;
    GtkBitset *found = gtk_bitset_new_empty ();
    g_autofree guchar *is_selected = NULL;
    GtkBitsetIter iter;
    gboolean has_more;

    if (gtk_bitset_is_empty (self->selected))
        return found;
    for (uint32_t i = 0; i < n; i++)
        n_bytes = MAX (n_bytes, keys[i] / 8 + 1);
    is_selected = g_malloc0 (n_bytes);
    for (has_more = gtk_bitset_iter_init_first (&iter, self->selected, &position); has_more;
         has_more = gtk_bitset_iter_next (&iter, &position)) {
        uint32_t key = g_array_index (self->keys, uint32_t, position);
        is_selected[key / 8] |= (guchar)(1 << key % 8);
    }
    for (uint32_t i = 0; i <= n; i++) {
        if (i < n && (is_selected[keys[i] / 8] & 1 << keys[i] % 8))
            continue;
        if (i > start)
            gtk_bitset_add_range (found, start, i - start);
        start = i + 1;
    }
    return found;
}

void
pv_row_model_reorder (PvRowModel *self, const uint32_t *keys, uint32_t n_keys)
{
    uint32_t lead_key = pv_row_model_get_key (self, self->lead), lead;
    guint64 n_selected = gtk_bitset_get_size (self->selected);
    gboolean is_all = n_selected == n_keys;
    GtkBitset *selected = NULL;

    g_assert (PV_IS_ROW_MODEL (self) && !self->is_frozen);
    g_assert (n_keys == self->keys->len && (keys != NULL || n_keys == 0));
    if (n_keys == 0)
        return;
    if (!is_all && n_selected <= MAX_MOVED)
        selected = find_selected (self, keys);
    memcpy (self->keys->data, keys, n_keys * sizeof (uint32_t));
    lead = lead_key != G_MAXUINT32 ? pv_row_model_find (self, lead_key) : GTK_INVALID_LIST_POSITION;
    if (is_all)
        selected = gtk_bitset_copy (self->selected);
    else if (selected == NULL)
        selected = gtk_bitset_new_range (lead, 1);
    change_selection (self, selected, lead);
    show_new (self);
}

void
pv_row_model_freeze (PvRowModel *self)
{
    g_assert (!self->is_frozen);
    self->is_frozen = TRUE;
    self->is_changed = FALSE;
}

void
pv_row_model_thaw (PvRowModel *self)
{
    g_assert (self->is_frozen);
    self->is_frozen = FALSE;
    if (self->is_changed)
        show_new (self);
}

uint32_t
pv_row_model_get_n_rows (PvRowModel *self)
{
    return self->keys->len;
}

uint32_t
pv_row_model_get_key (PvRowModel *self, uint32_t position)
{
    return position < self->keys->len ? g_array_index (self->keys, uint32_t, position)
                                      : G_MAXUINT32;
}

const uint32_t *
pv_row_model_get_keys (PvRowModel *self)
{
    g_assert (PV_IS_ROW_MODEL (self));
    return (const uint32_t *)(gpointer)self->keys->data;
}

uint32_t
pv_row_model_get_selected (PvRowModel *self)
{
    g_assert (PV_IS_ROW_MODEL (self));
    return self->lead;
}

GtkBitset *
pv_row_model_get_all_selected (PvRowModel *self)
{
    g_assert (PV_IS_ROW_MODEL (self));
    return self->selected;
}

uint32_t
pv_row_model_find (PvRowModel *self, uint32_t key)
{
    for (uint32_t i = 0; i < self->keys->len; i++)
        if (g_array_index (self->keys, uint32_t, i) == key)
            return i;
    return G_MAXUINT32;
}
