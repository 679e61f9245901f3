/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/write/callgrind.h"

#include <string.h>

#include "core/base/intern.h"
#include "core/write/escape.h"

enum { PIECE_BYTES = 1 << 16 };

/* Names of each kind have numbers of their own. */
typedef enum { OBJECTS, FILES, FUNCTIONS, N_KINDS } Kind;

struct PvCallgrindWriter {
    PvWriter *out;
    GString *text; /* not written yet */
    uint32_t n_events;
    PvInterner *names[N_KINDS];

    PvStringId object, file_of_function, file_here;
};

static PvStringId
add_name (PvCallgrindWriter *self, Kind kind, const char *name, bool *ret_is_new)
{
    uint32_t n = pv_interner_get_count (self->names[kind]);
    PvStringId id =
        pv_interner_add (self->names[kind], name != NULL && *name != '\0' ? name : "???");
    *ret_is_new = pv_interner_get_count (self->names[kind]) > n;
    return id;
}

/* "fn=(1) name" the first time, "fn=(1)" from then on. */
static void
append_spec (PvCallgrindWriter *self, const char *spec, Kind kind, PvStringId id, bool is_new)
{
    g_string_append (self->text, spec);
    g_string_append (self->text, "=(");
    pv_append_number (self->text, id);
    g_string_append_c (self->text, ')');
    if (is_new) {
        g_string_append_c (self->text, ' ');
        g_string_append (self->text, pv_interner_get (self->names[kind], id));
    }
    g_string_append_c (self->text, '\n');
}

static PvStringId
append_name (PvCallgrindWriter *self, const char *spec, Kind kind, const char *name)
{
    bool is_new;
    PvStringId id = add_name (self, kind, name, &is_new);
    append_spec (self, spec, kind, id, is_new);
    return id;
}

static void
append_costs (PvCallgrindWriter *self, uint32_t line, const uint64_t *costs)
{
    uint32_t n = self->n_events;
    while (n > 1 && costs[n - 1] == 0)
        n--;
    pv_append_number (self->text, line);
    for (uint32_t i = 0; i < n; i++) {
        g_string_append_c (self->text, ' ');
        pv_append_number (self->text, costs[i]);
    }
    g_string_append_c (self->text, '\n');
    if (self->text->len >= PIECE_BYTES)
        pv_writer_take (self->text, self->out);
}

PvCallgrindWriter *
pv_callgrind_writer_new (PvWriter *out, const char *command, const char *const *events,
                         uint32_t n_events, const uint64_t *totals)
{
    g_assert (out != NULL && events != NULL && n_events > 0 && totals != NULL);
    PvCallgrindWriter *self = g_new0 (PvCallgrindWriter, 1);
    g_autofree char *shown = command != NULL ? pv_make_showable (command, strlen (command)) : NULL;
    self->out = out;
    self->n_events = n_events;
    for (Kind kind = 0; kind < N_KINDS; kind++)
        self->names[kind] = pv_interner_new ();
    self->text = g_string_new ("# callgrind format\nversion: 1\ncreator: profview\ncmd: ");
    g_string_append (self->text, shown != NULL ? shown : "");
    g_string_append (self->text, "\npart: 1\ndesc: Calls: not counted, so that each is written as "
                                 "one\npositions: line\nevents:");
    for (uint32_t i = 0; i < n_events; i++)
        g_string_append_printf (self->text, " %s", events[i]);
    g_string_append (self->text, "\nsummary:");
    for (uint32_t i = 0; i < n_events; i++)
        g_string_append_printf (self->text, " %" G_GUINT64_FORMAT, totals[i]);
    g_string_append (self->text, "\n");
    return self;
}

void
pv_callgrind_writer_free (PvCallgrindWriter *self)
{
    if (self == NULL)
        return;
    g_string_free (self->text, TRUE);
    for (Kind kind = 0; kind < N_KINDS; kind++)
        pv_interner_free (self->names[kind]);
    g_free (self);
}

void
pv_callgrind_writer_begin_function (PvCallgrindWriter *self, const PvCallgrindFunction *function)
{
    g_assert (self != NULL && function != NULL);
    g_string_append_c (self->text, '\n');
    self->object = append_name (self, "ob", OBJECTS, function->object);
    self->file_of_function = append_name (self, "fl", FILES, function->file);
    self->file_here = self->file_of_function;
    append_name (self, "fn", FUNCTIONS, function->name);
}

/* Lines of other files than the function's are of code that is included or inlined. */
static void
change_file (PvCallgrindWriter *self, const char *file)
{
    bool is_new = false;
    PvStringId id = self->file_of_function;
    if (file != NULL)
        id = add_name (self, FILES, file, &is_new);
    if (id != self->file_here)
        append_spec (self, id == self->file_of_function ? "fe" : "fi", FILES, id, is_new);
    self->file_here = id;
}

void
pv_callgrind_writer_add_line (PvCallgrindWriter *self, const char *file, uint32_t line,
                              const uint64_t *costs)
{
    g_assert (self != NULL && costs != NULL);
    change_file (self, file);
    append_costs (self, line, costs);
}

void
pv_callgrind_writer_add_call (PvCallgrindWriter *self, const char *file, uint32_t line,
                              const PvCallgrindFunction *callee, uint32_t callee_line,
                              const uint64_t *costs)
{
    g_assert (self != NULL && callee != NULL && costs != NULL);
    change_file (self, file);
    append_name (self, "cob", OBJECTS, callee->object);
    append_name (self, "cfi", FILES, callee->file);
    append_name (self, "cfn", FUNCTIONS, callee->name);
    g_string_append (self->text, "calls=1 ");
    pv_append_number (self->text, callee_line);
    g_string_append_c (self->text, '\n');
    append_costs (self, line, costs);
}

void
pv_callgrind_writer_finish (PvCallgrindWriter *self)
{
    g_assert (self != NULL);
    pv_writer_take (self->text, self->out);
}
