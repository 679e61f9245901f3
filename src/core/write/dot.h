/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Graphs in the language of Graphviz (https://graphviz.org/doc/info/lang.html). Texts may be
 * anything: what means something to Graphviz is escaped, and what is no UTF-8 is replaced. Nodes
 * are called N1, N2 and so on. Appends to a string.
 */
typedef struct {
    const char *name;    /* in lines of its own parts, as names are long */
    const char *amounts; /* lines below it */
    const char *tip;     /* the whole name */
    double font_size;    /* points */
    uint32_t fill;       /* 0xrrggbb */
    uint64_t self;       /* for programs: attributes that Graphviz does not know */
    uint64_t total;
} PvDotNode;

typedef struct {
    uint32_t from; /* numbers of nodes, 1 first */
    uint32_t to;
    const char *label;
    double width;    /* of the line, in points */
    unsigned weight; /* how short and straight it should be */
    bool is_dashed;
    uint64_t amount; /* for programs */
} PvDotEdge;

/* title may have several lines, which are above the graph; the first one is its name. */
void pv_dot_begin (GString *out, const char *title);
void pv_dot_append_node (GString *out, uint32_t number, const PvDotNode *node);
void pv_dot_append_edge (GString *out, const PvDotEdge *edge);
void pv_dot_end (GString *out);
