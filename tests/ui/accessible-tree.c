/*
 * accessible-tree ADDRESS: tells what a screen reader is told of a program.
 *
 * Each line of standard input, "NAME PATH", names a widget on the bus of accessibility at ADDRESS.
 * The answer is a line for it and for everything visible below it, parents first and in order: its
 * depth, path, role (a number), states (hexadecimal) and name, with tabs between; then an empty
 * line.
 *
 * Asking every widget takes seconds for a large window, so most of the answer is one call, GetItems
 * of org.a11y.atspi.Cache. But GTK puts there only widgets that somebody has asked their parents
 * for, and leaves them there when they are hidden. Where that may be so, parents are asked for
 * their children.
 */
#include <gio/gio.h>
#include <stdio.h>

enum { MAX_DEPTH = 80, MAX_ROUNDS = 20, TIMEOUT_MS = 15000, STATE_VISIBLE = 30 };

typedef struct {
    char *path;
    char *name;
    guint32 role;
    guint64 states;
    int index;
    int n_children;
    GPtrArray *children; /* of Item; borrowed */
} Item;

typedef struct {
    GDBusConnection *bus;
    const char *program;
    GHashTable *items; /* path -> Item */
    GHashTable *new;   /* paths that are not among them, each asked once */
    unsigned n_pending;
} Tree;

typedef struct {
    Tree *tree;
    Item *item; /* NULL: of a widget that is not among the items */
} Question;

static void ask_children (Tree *tree, const char *path, Item *item);

static void
free_item (gpointer data)
{
    Item *item = data;
    g_free (item->path);
    g_free (item->name);
    g_ptr_array_unref (item->children);
    g_free (item);
}

static int
compare_indexes (gconstpointer a, gconstpointer b)
{
    return (*(Item **)a)->index - (*(Item **)b)->index;
}

/* --- what the cache says ---------------------------------------------------------------------- */

static Item *
new_item (GVariant *tuple, const char **ret_parent)
{
    Item *item = g_new0 (Item, 1);
    g_autoptr (GVariantIter) states = NULL;
    guint32 word;
    g_variant_get (tuple, "((so)(so)(&s&o)iiassusau)", NULL, &item->path, NULL, NULL, NULL,
                   ret_parent, &item->index, &item->n_children, NULL, &item->name, &item->role,
                   NULL, &states);
    for (unsigned i = 0; i < 2 && g_variant_iter_next (states, "u", &word); i++)
        item->states |= (guint64)word << 32 * i;
    item->children = g_ptr_array_new ();
    return item;
}

static void
get_items (Tree *tree)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) answer = g_dbus_connection_call_sync (
        tree->bus, tree->program, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", NULL,
        NULL, G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, &error);
    g_autoptr (GVariant) tuples = NULL;
    g_autoptr (GHashTable) parents = g_hash_table_new (NULL, NULL);
    GHashTableIter iter;
    gpointer item, path;
    const char *parent;

    g_hash_table_remove_all (tree->items);
    if (answer == NULL)
        return; /* the program has gone */
    tuples = g_variant_get_child_value (answer, 0);
    for (gsize i = 0; i < g_variant_n_children (tuples); i++) {
        g_autoptr (GVariant) tuple = g_variant_get_child_value (tuples, i);
        Item *new = new_item (tuple, &parent);
        g_hash_table_insert (tree->items, new->path, new);
        g_hash_table_insert (parents, new, (gpointer)parent);
    }
    g_hash_table_iter_init (&iter, parents);
    while (g_hash_table_iter_next (&iter, &item, &path)) {
        Item *above = g_hash_table_lookup (tree->items, path);
        if (above != NULL && above != item)
            g_ptr_array_add (above->children, item);
    }
    g_hash_table_iter_init (&iter, tree->items);
    while (g_hash_table_iter_next (&iter, NULL, &item))
        g_ptr_array_sort (((Item *)item)->children, compare_indexes);
}

/* --- what parents say ------------------------------------------------------------------------- */

static void
take_children (Question *question, GVariant *answer)
{
    Tree *tree = question->tree;
    g_autoptr (GVariantIter) iter = NULL;
    const char *path;

    if (question->item != NULL)
        g_ptr_array_set_size (question->item->children, 0);
    g_variant_get (answer, "(a(so))", &iter);
    while (g_variant_iter_next (iter, "(&s&o)", NULL, &path)) {
        Item *child = g_hash_table_lookup (tree->items, path);
        if (child == NULL) {
            if (g_hash_table_add (tree->new, g_strdup (path)))
                ask_children (tree, path, NULL);
        } else if (question->item != NULL) {
            g_ptr_array_add (question->item->children, child);
        }
    }
}

/* What has gone away by now gives no answer. */
static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
    g_autofree Question *question = data;
    g_autoptr (GVariant) answer =
        g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
    if (answer != NULL)
        take_children (question, answer);
    question->tree->n_pending--;
}

static void
ask_children (Tree *tree, const char *path, Item *item)
{
    Question *question = g_new (Question, 1);
    *question = (Question){tree, item};
    tree->n_pending++;
    g_dbus_connection_call (tree->bus, tree->program, path, "org.a11y.atspi.Accessible",
                            "GetChildren", NULL, NULL, G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL,
                            on_answer, question);
}

/* An only child may have taken the place of another. */
static gboolean
is_doubtful (const Item *item)
{
    gboolean is_other = item->n_children == 1 || item->n_children != (int)item->children->len;
    for (unsigned i = 0; i < item->children->len && !is_other; i++)
        is_other = ((Item *)item->children->pdata[i])->index != (int)i;
    return is_other;
}

static gboolean
is_shown (const Item *item, unsigned depth)
{
    return depth <= 1 || (depth < MAX_DEPTH && (item->states >> STATE_VISIBLE & 1) != 0);
}

static void
ask_where_doubtful (Tree *tree, Item *item, unsigned depth)
{
    if (!is_shown (item, depth))
        return;
    if (is_doubtful (item))
        ask_children (tree, item->path, item);
    for (unsigned i = 0; i < item->children->len; i++)
        ask_where_doubtful (tree, item->children->pdata[i], depth + 1);
}

/* --- the answer ------------------------------------------------------------------------------- */

static void
print_item (const Item *item, unsigned depth)
{
    if (!is_shown (item, depth))
        return;
    g_autofree char *name = g_strescape (item->name, NULL);
    printf ("%u\t%s\t%u\t%" G_GINT64_MODIFIER "x\t%s\n", depth, item->path, item->role,
            item->states, name);
    for (unsigned i = 0; i < item->children->len; i++)
        print_item (item->children->pdata[i], depth + 1);
}

static void
answer_line (GDBusConnection *bus, char *line)
{
    char *path = strchr (line, ' ');
    Tree tree = {.bus = bus, .program = line};
    Item *top = NULL;

    g_assert (path != NULL);
    *path++ = '\0';
    g_strchomp (path);
    tree.items = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_item);
    tree.new = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        g_hash_table_remove_all (tree.new);
        get_items (&tree);
        top = g_hash_table_lookup (tree.items, path);
        if (top == NULL)
            break;
        ask_where_doubtful (&tree, top, 0);
        while (tree.n_pending > 0)
            g_main_context_iteration (NULL, TRUE);
        if (g_hash_table_size (tree.new) == 0)
            break;
    }
    if (top != NULL)
        print_item (top, 0);
    puts ("");
    fflush (stdout);
    g_hash_table_unref (tree.items);
    g_hash_table_unref (tree.new);
}

int
main (int argc, char **argv)
{
    char line[4096];
    g_autoptr (GError) error = NULL;
    g_assert (argc == 2);
    g_autoptr (GDBusConnection) bus =
        g_dbus_connection_new_for_address_sync (argv[1],
                                                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                    G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                NULL, NULL, &error);
    g_assert_no_error (error);
    while (fgets (line, sizeof line, stdin) != NULL)
        answer_line (bus, line);
    return 0;
}
