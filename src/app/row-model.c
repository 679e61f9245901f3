#include "app/row-model.h"

struct _PvRow {
    GObject parent;
    uint32_t key;
};

G_DEFINE_FINAL_TYPE (PvRow, pv_row, G_TYPE_OBJECT)

static void
pv_row_class_init (PvRowClass *class)
{
}

static void
pv_row_init (PvRow *self)
{
}

uint32_t
pv_row_get_key (PvRow *self)
{
    return self->key;
}

struct _PvRowModel {
    GObject parent;
    GArray *keys; /* uint32_t */
};

static GType
get_item_type (GListModel *model)
{
    return PV_TYPE_ROW;
}

static guint
get_n_items (GListModel *model)
{
    return PV_ROW_MODEL (model)->keys->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
    PvRowModel *self = PV_ROW_MODEL (model);
    PvRow *row;

    if (position >= self->keys->len)
        return NULL;
    row = g_object_new (PV_TYPE_ROW, NULL);
    row->key = g_array_index (self->keys, uint32_t, position);
    return row;
}

static void
list_model_init (GListModelInterface *iface)
{
    iface->get_item_type = get_item_type;
    iface->get_n_items = get_n_items;
    iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PvRowModel, pv_row_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
pv_row_model_finalize (GObject *object)
{
    g_array_unref (PV_ROW_MODEL (object)->keys);
    G_OBJECT_CLASS (pv_row_model_parent_class)->finalize (object);
}

static void
pv_row_model_class_init (PvRowModelClass *class)
{
    G_OBJECT_CLASS (class)->finalize = pv_row_model_finalize;
}

static void
pv_row_model_init (PvRowModel *self)
{
    self->keys = g_array_new (FALSE, FALSE, sizeof (uint32_t));
}

PvRowModel *
pv_row_model_new (void)
{
    return g_object_new (PV_TYPE_ROW_MODEL, NULL);
}

void
pv_row_model_splice (PvRowModel *self, uint32_t position, uint32_t n_removed, const uint32_t *keys,
                     uint32_t n_added)
{
    if (n_removed > 0)
        g_array_remove_range (self->keys, position, n_removed);
    if (n_added > 0)
        g_array_insert_vals (self->keys, position, keys, n_added);
    if (n_removed > 0 || n_added > 0)
        g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, n_added);
}

void
pv_row_model_set (PvRowModel *self, const uint32_t *keys, uint32_t n_keys)
{
    uint32_t n_removed = self->keys->len;

    g_array_set_size (self->keys, n_keys);
    for (uint32_t i = 0; i < n_keys; i++)
        g_array_index (self->keys, uint32_t, i) = keys != NULL ? keys[i] : i;
    if (n_removed > 0 || n_keys > 0)
        g_list_model_items_changed (G_LIST_MODEL (self), 0, n_removed, n_keys);
}

uint32_t
pv_row_model_get_key (PvRowModel *self, uint32_t position)
{
    g_assert (position < self->keys->len);
    return g_array_index (self->keys, uint32_t, position);
}

uint32_t
pv_row_model_find (PvRowModel *self, uint32_t key)
{
    for (uint32_t i = 0; i < self->keys->len; i++)
        if (g_array_index (self->keys, uint32_t, i) == key)
            return i;
    return G_MAXUINT32;
}
