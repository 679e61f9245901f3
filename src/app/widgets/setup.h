/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

/* Parts of which the code that sets up a class or a widget is made. */

/* Signals */

/* Calls handler (object, arguments of the signal without its instance …) for as long as both
 * objects live. Returns the handler's id. */
#define pv_connect(instance, signal, handler, object)                                              \
    g_signal_connect_object (instance, signal, G_CALLBACK (handler), object, G_CONNECT_SWAPPED)

/* Adds a signal, which returns nothing, to a class: pv_signal_new (class, "chosen", 1,
 * G_TYPE_UINT) has one parameter. Returns its id. */
#define pv_signal_new(class, name, ...)                                                            \
    g_signal_new (name, G_TYPE_FROM_CLASS (class), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,         \
                  G_TYPE_NONE, __VA_ARGS__)

/* Adds an event controller or a gesture, which the widget takes, and connects its signals: names,
 * each with a handler (object, arguments of the signal …), then NULL. Returns the controller. */
gpointer pv_add_controller (GtkWidget *widget, gpointer controller, gpointer object,
                            ...) G_GNUC_NULL_TERMINATED;
/* The same of keys: handles "key-pressed", in this phase. */
#define pv_add_keys(widget, phase, handler, object)                                                \
    gtk_event_controller_set_propagation_phase (                                                   \
        pv_add_controller (widget, gtk_event_controller_key_new (), object, "key-pressed",         \
                           handler, NULL),                                                         \
        phase)

/* Widgets */

/* Takes all children out of a widget that gives them places by itself, such as a box. */
void pv_remove_children (GtkWidget *widget);
void pv_set_css_class (GtkWidget *widget, const char *css_class, gboolean is_set);

/* Templates */

/*
 * PV_SET_TEMPLATE (widget_class, "tree-page", PV_TYPE_TEXT_CELL);
 *
 * The template of a class is this resource, without its folder and suffix. The types are those of
 * ours which it names, so that they are known.
 */
#define PV_SET_TEMPLATE(widget_class, name, ...)                                                   \
    pv_set_template (widget_class, "/org/profview/Profview/" name ".ui",                           \
                     (const GType[]){__VA_ARGS__ __VA_OPT__ (, ) G_TYPE_INVALID})

void pv_set_template (GtkWidgetClass *widget_class, const char *resource, const GType *types);

/*
 * PV_BIND_CHILDREN (widget_class, PvTreePage, view, columns_button);
 *
 * These fields of the class's instances are the objects with these ids in its template, which is
 * set. At most 80.
 */
#define PV_BIND_CHILDREN(widget_class, type, ...)                                                  \
    pv_bind_children (widget_class, (const PvTemplateChild[]){PV_EXPAND (                          \
                                        PV_LIST_CHILDREN (type, __VA_ARGS__)){NULL, 0}})

typedef struct {
    const char *id;
    gssize offset;
} PvTemplateChild;

void pv_bind_children (GtkWidgetClass *widget_class, const PvTemplateChild *children);

/* The same of a field that is an array of widgets, with the ids of each. */
#define PV_BIND_ARRAY(widget_class, type, array, ...)                                              \
    pv_bind_array (widget_class, G_STRUCT_OFFSET (type, array), (const char *[]){__VA_ARGS__, NULL})

void pv_bind_array (GtkWidgetClass *widget_class, gssize offset, const char *const *ids);

/* A macro that calls itself: each PV_EXPAND has the preprocessor look at the rest once more. */
#define PV_LIST_CHILDREN(type, child, ...)                                                         \
    {#child, G_STRUCT_OFFSET (type, child)},                                                       \
        __VA_OPT__ (PV_LIST_CHILDREN_AGAIN PV_PARENTHESES (type, __VA_ARGS__))
#define PV_LIST_CHILDREN_AGAIN() PV_LIST_CHILDREN
#define PV_PARENTHESES           ()
#define PV_EXPAND(...)           PV_EXPAND_3 (PV_EXPAND_3 (PV_EXPAND_3 (PV_EXPAND_3 (__VA_ARGS__))))
#define PV_EXPAND_3(...)         PV_EXPAND_2 (PV_EXPAND_2 (PV_EXPAND_2 (PV_EXPAND_2 (__VA_ARGS__))))
#define PV_EXPAND_2(...)         PV_EXPAND_1 (PV_EXPAND_1 (PV_EXPAND_1 (PV_EXPAND_1 (__VA_ARGS__))))
#define PV_EXPAND_1(...)         __VA_ARGS__
