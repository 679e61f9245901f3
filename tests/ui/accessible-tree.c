/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * accessible-tree ADDRESS: tells what a screen reader is told of a program.
 *
 * Each line of standard input, "NAME PATH", names a widget on the bus of accessibility at ADDRESS.
 * The answer is a line for it and for everything visible below it, parents first and in order: its
 * depth, path, role (a number), states (hexadecimal) and name, with tabs between; then an empty
 * line. With " all" after the path, each parent is asked for its children, which takes long.
 *
 * Asking every widget takes seconds for a large window, so most of the answer is one call, GetItems
 * of org.a11y.atspi.Cache. A parent is asked for its children only where not as many are known from
 * there as it says, or their places are not 0, 1, 2 and so on. For that must not be counted:
 * - Those that are not yet there: GTK tells only of those whose parent somebody has asked.
 * - Those that are hidden. They stay in the cache, and GTK 4.8 says of all that they are visible;
 *   each has the place of the one that follows it. But signals tell when they go and come.
 * - Pages of stacks, in GTK 4.8. They are no widgets, so they have no interface Component, and name
 *   the stack as their parent; but the stack's children are the widgets, and these name the page.
 */
#include <gio/gio.h>
#include <stdio.h>

enum { MAX_DEPTH = 80, MAX_ROUNDS = 20, TIMEOUT_MS = 15000, STATE_VISIBLE = 30 };

typedef struct {
    char *path;
    char *parent;
    char *name;
    guint32 role;
    guint64 states;
    int place; /* among the children of parent */
    int n_children;
    unsigned depth; /* below the widget that was asked for */
    gboolean is_widget;
    gboolean is_placed;
    GPtrArray *known;    /* of Item: those that name it as their parent and are visible; borrowed */
    GPtrArray *children; /* of Item; borrowed */
} Item;

typedef struct {
    GDBusConnection *bus;
    const char *program;
    GHashTable *items; /* path -> Item */
    GHashTable *new;   /* paths that are not among them, each asked once */
    GHashTable *gone;  /* paths of those that their parents have hidden; borrowed */
    unsigned n_pending;
    gboolean asks_all;
} Tree;

typedef struct {
    Tree *tree;
    Item *item; /* NULL: of a widget that is not among the items */
} Question;

static void ask_children (Tree *tree, const char *path, Item *item);
static void find_children (Tree *tree, Item *item);

static void
free_item (gpointer data)
{
    Item *item = data;
    g_free (item->path);
    g_free (item->parent);
    g_free (item->name);
    g_ptr_array_unref (item->known);
    g_ptr_array_unref (item->children);
    g_free (item);
}

/* --- what the cache says ---------------------------------------------------------------------- */

static Item *
new_item (GVariant *tuple)
{
    Item *item = g_new0 (Item, 1);
    g_autoptr (GVariantIter) interfaces = NULL, states = NULL;
    const char *interface;
    guint32 word;
    g_variant_get (tuple, "((so)(so)(so)iiassusau)", NULL, &item->path, NULL, NULL, NULL,
                   &item->parent, &item->place, &item->n_children, &interfaces, &item->name,
                   &item->role, NULL, &states);
    while (g_variant_iter_next (interfaces, "&s", &interface))
        item->is_widget |= g_str_equal (interface, "org.a11y.atspi.Component");
    for (unsigned i = 0; i < 2 && g_variant_iter_next (states, "u", &word); i++)
        item->states |= (guint64)word << 32 * i;
    item->known = g_ptr_array_new ();
    item->children = g_ptr_array_new ();
    return item;
}

/* The signal has a word, the child's place, nothing, the child and what else there is. */
static void
on_children_changed (GDBusConnection *bus, const char *program, const char *path,
                     const char *interface, const char *signal, GVariant *arguments, gpointer gone)
{
    g_autoptr (GVariant) word = g_variant_get_child_value (arguments, 0);
    g_autoptr (GVariant) boxed = g_variant_get_child_value (arguments, 3);
    g_autoptr (GVariant) reference = g_variant_get_variant (boxed);
    g_autofree char *child = NULL;

    g_variant_get (reference, "(so)", NULL, &child);
    if (g_str_has_prefix (g_variant_get_string (word, NULL), "remove"))
        g_hash_table_add (gone, g_steal_pointer (&child));
    else
        g_hash_table_remove (gone, child);
}

static gboolean
is_visible (const Item *item)
{
    return (item->states >> STATE_VISIBLE & 1) != 0;
}

static void
find_known_children (Tree *tree)
{
    GHashTableIter iter;
    gpointer value;

    g_hash_table_iter_init (&iter, tree->items);
    while (g_hash_table_iter_next (&iter, NULL, &value)) {
        Item *item = value, *parent = g_hash_table_lookup (tree->items, item->parent);
        if (parent != NULL && item->is_widget && is_visible (item) &&
            !g_hash_table_contains (tree->gone, item->path))
            g_ptr_array_add (parent->known, item);
    }
}

static void
get_items (Tree *tree)
{
    g_autoptr (GError) error = NULL;
    g_autoptr (GVariant) answer = g_dbus_connection_call_sync (
        tree->bus, tree->program, "/org/a11y/atspi/cache", "org.a11y.atspi.Cache", "GetItems", NULL,
        NULL, G_DBUS_CALL_FLAGS_NONE, TIMEOUT_MS, NULL, &error);
    g_autoptr (GVariant) tuples = NULL;

    /* Signals that were sent before the answer. */
    while (g_main_context_iteration (NULL, FALSE))
        ;
    g_hash_table_remove_all (tree->items);
    if (answer == NULL)
        return; /* the program has gone */
    tuples = g_variant_get_child_value (answer, 0);
    for (gsize i = 0; i < g_variant_n_children (tuples); i++) {
        g_autoptr (GVariant) tuple = g_variant_get_child_value (tuples, i);
        Item *item = new_item (tuple);
        g_hash_table_insert (tree->items, item->path, item);
    }
    find_known_children (tree);
}

/* --- what parents say ------------------------------------------------------------------------- */

static gboolean
is_shown (const Item *item)
{
    return item->depth <= 1 || (item->depth < MAX_DEPTH && is_visible (item));
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
    const Item *one = *(Item *const *)a, *other = *(Item *const *)b;
    return (one->place > other->place) - (one->place < other->place);
}

/* Whether the cache has all children of item. */
static gboolean
knows_children (const Tree *tree, Item *item)
{
    if (tree->asks_all || item->known->len != (guint)item->n_children)
        return FALSE;
    g_ptr_array_sort (item->known, compare_places);
    for (guint i = 0; i < item->known->len; i++)
        if (((Item *)item->known->pdata[i])->place != (int)i)
            return FALSE;
    return TRUE;
}

static void
place_child (Tree *tree, Item *parent, Item *child)
{
    if (child->is_placed)
        return;
    child->is_placed = TRUE;
    child->depth = parent->depth + 1;
    g_ptr_array_add (parent->children, child);
    if (child->n_children > 0 && is_shown (child))
        find_children (tree, child);
}

static void
find_children (Tree *tree, Item *item)
{
    if (!knows_children (tree, item)) {
        ask_children (tree, item->path, item);
        return;
    }
    for (guint i = 0; i < item->known->len; i++)
        place_child (tree, item, item->known->pdata[i]);
}

static void
take_child (Tree *tree, Item *parent, const char *path)
{
    Item *child = g_hash_table_lookup (tree->items, path);
    if (child == NULL) {
        if (g_hash_table_add (tree->new, g_strdup (path)))
            ask_children (tree, path, NULL);
    } else if (parent != NULL) {
        place_child (tree, parent, child);
    }
}

static void
take_children (Question *question, GVariant *answer)
{
    g_autoptr (GVariantIter) iter = NULL;
    const char *path;

    g_variant_get (answer, "(a(so))", &iter);
    while (g_variant_iter_next (iter, "(&s&o)", NULL, &path))
        take_child (question->tree, question->item, path);
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

/* --- the answer ------------------------------------------------------------------------------- */

static void
print_item (const Item *item)
{
    if (!is_shown (item))
        return;
    g_autofree char *name = g_strescape (item->name, NULL);
    printf ("%u\t%s\t%u\t%" G_GINT64_MODIFIER "x\t%s\n", item->depth, item->path, item->role,
            item->states, name);
    for (unsigned i = 0; i < item->children->len; i++)
        print_item (item->children->pdata[i]);
}

static void
answer_line (GDBusConnection *bus, GHashTable *gone, char *line)
{
    char *path = strchr (line, ' ');
    Tree tree = {.bus = bus, .program = line, .gone = gone};
    Item *top = NULL;

    g_assert (path != NULL);
    *path++ = '\0';
    g_strchomp (path);
    if (g_str_has_suffix (path, " all")) {
        tree.asks_all = TRUE;
        path[strlen (path) - strlen (" all")] = '\0';
    }
    tree.items = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, free_item);
    tree.new = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned round = 0; round < MAX_ROUNDS; round++) {
        g_hash_table_remove_all (tree.new);
        get_items (&tree);
        top = g_hash_table_lookup (tree.items, path);
        if (top == NULL)
            break;
        top->is_placed = TRUE;
        find_children (&tree, top);
        while (tree.n_pending > 0)
            g_main_context_iteration (NULL, TRUE);
        if (g_hash_table_size (tree.new) == 0)
            break;
    }
    if (top != NULL)
        print_item (top);
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
    g_autoptr (GHashTable) gone = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_dbus_connection_signal_subscribe (bus, NULL, "org.a11y.atspi.Event.Object", "ChildrenChanged",
                                        NULL, NULL, G_DBUS_SIGNAL_FLAGS_NONE, on_children_changed,
                                        gone, NULL);
    while (fgets (line, sizeof line, stdin) != NULL)
        answer_line (bus, gone, line);
    return 0;
}
