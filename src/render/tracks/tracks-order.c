/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "render/tracks/tracks-order.h"

#include <string.h>

struct PvTrackOrder {
    PvTimeRowKind kind;
    PvRowOrder by;
    char *search;       /* casefolded; or NULL */
    char *search_text;  /* as given */
    GHashTable *hidden; /* keys of rows */
    GArray *pinned;     /* the same, in order */
    GHashTable *rank;   /* of keys, for PV_ROWS_BY_HAND: from 1 on */
};

/* A row of whole tracks. */
typedef struct {
    uint32_t track;
    uint32_t heading; /* or PV_TRACK_NONE */
    uint32_t row;
    uint32_t key;
    PvProcessId process;
    uint64_t process_value; /* sort key, least first ... */
    uint64_t value;
    const char *process_name; /* ... and before these, if they are not NULL */
    const char *name;
} Entry;

PvTrackOrder *
pv_track_order_new (PvTimeRowKind kind)
{
    PvTrackOrder *order = g_new0 (PvTrackOrder, 1);
    order->kind = kind;
    order->by = kind == PV_TIME_CPUS ? PV_ROWS_BY_ID : PV_ROWS_BY_COST;
    order->search_text = g_strdup ("");
    order->hidden = g_hash_table_new (NULL, NULL);
    order->pinned = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    order->rank = g_hash_table_new (NULL, NULL);
    return order;
}

void
pv_track_order_free (PvTrackOrder *order)
{
    if (order == NULL)
        return;
    g_free (order->search);
    g_free (order->search_text);
    g_hash_table_unref (order->hidden);
    g_array_unref (order->pinned);
    g_hash_table_unref (order->rank);
    g_free (order);
}

/* Keys */

static uint32_t
get_key (const PvTimeIndex *index, uint32_t row)
{
    return index->kind == PV_TIME_CPUS ? index->rows[row].cpu : index->rows[row].thread;
}

static bool
is_hidden (const PvTrackOrder *order, uint32_t key)
{
    return g_hash_table_contains (order->hidden, GUINT_TO_POINTER (key));
}

static int
find_pin (const PvTrackOrder *order, uint32_t key)
{
    for (guint i = 0; i < order->pinned->len; i++)
        if (g_array_index (order->pinned, uint32_t, i) == key)
            return (int)i;
    return -1;
}

/* Sorting */

void
pv_track_order_set_sort (PvTrackOrder *order, PvRowOrder by)
{
    g_assert (order != NULL && by <= PV_ROWS_BY_HAND);
    order->by = by;
}

PvRowOrder
pv_track_order_get_sort (const PvTrackOrder *order)
{
    g_assert (order != NULL);
    return order->by;
}

static void
set_values (const PvTrackOrder *order, const PvTracks *whole, Entry *entry)
{
    const PvTimeIndex *index = whole->index;
    const PvTimeRow *row = &index->rows[entry->row];
    bool is_thread = index->kind == PV_TIME_THREADS;
    switch (order->by) {
    case PV_ROWS_BY_COST:
        /* Rows are in this order already, but not CPUs. */
        entry->value = is_thread ? entry->row : UINT64_MAX - row->weight;
        entry->process_value = entry->value;
        break;
    case PV_ROWS_BY_NAME:
        entry->name = is_thread ? index->profile->threads[row->thread].name : NULL;
        entry->process_name = is_thread ? index->profile->processes[row->process].name : NULL;
        G_GNUC_FALLTHROUGH;
    case PV_ROWS_BY_ID:
        entry->value = is_thread ? (uint64_t)index->profile->threads[row->thread].tid : row->cpu;
        entry->process_value =
            is_thread ? (uint64_t)index->profile->processes[row->process].pid : 0;
        break;
    case PV_ROWS_BY_FIRST:
        entry->process_value = entry->value = row->first_ns;
        break;
    case PV_ROWS_BY_HAND:
    default:
        entry->value =
            GPOINTER_TO_UINT (g_hash_table_lookup (order->rank, GUINT_TO_POINTER (entry->key)));
        entry->process_value = entry->value = entry->value > 0 ? entry->value : UINT64_MAX;
        break;
    }
}

static int
compare_names (const char *a, const char *b)
{
    return g_ascii_strcasecmp (a != NULL ? a : "", b != NULL ? b : "");
}

static int
compare_values (uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
    const Entry *x = a, *y = b;
    int order = compare_names (x->process_name, y->process_name);
    if (order == 0)
        order = compare_values (x->process_value, y->process_value);
    if (order == 0)
        order = compare_values (x->process, y->process);
    if (order == 0)
        order = compare_names (x->name, y->name);
    if (order == 0)
        order = compare_values (x->value, y->value);
    return order != 0 ? order : compare_values (x->row, y->row);
}

/* All threads of a process get the least value of one of them. */
static void
spread_process_values (GArray *entries, uint32_t n_processes)
{
    g_autofree uint64_t *least = g_new (uint64_t, MAX (n_processes, 1));
    for (uint32_t p = 0; p < n_processes; p++)
        least[p] = UINT64_MAX;
    for (guint i = 0; i < entries->len; i++) {
        const Entry *entry = &g_array_index (entries, Entry, i);
        least[entry->process] = MIN (least[entry->process], entry->process_value);
    }
    for (guint i = 0; i < entries->len; i++) {
        Entry *entry = &g_array_index (entries, Entry, i);
        entry->process_value = least[entry->process];
    }
}

/* All rows, hidden ones too, in order. */
static GArray *
list_entries (const PvTrackOrder *order, const PvTracks *whole)
{
    GArray *entries = g_array_sized_new (FALSE, FALSE, sizeof (Entry), whole->index->n_rows);
    uint32_t heading = PV_TRACK_NONE;
    for (uint32_t i = 0; i < whole->n_tracks; i++) {
        const PvTrack *track = &whole->tracks[i];
        if (track->row == PV_TRACK_NONE) {
            heading = i;
            continue;
        }
        Entry entry = {.track = i,
                       .heading = track->is_below_heading ? heading : PV_TRACK_NONE,
                       .row = track->row,
                       .key = get_key (whole->index, track->row),
                       .process = whole->index->rows[track->row].process};
        set_values (order, whole, &entry);
        g_array_append_val (entries, entry);
    }
    if (whole->index->kind == PV_TIME_THREADS)
        spread_process_values (entries, whole->index->profile->n_processes);
    g_array_sort (entries, compare_entries);
    return entries;
}

/* Searching */

void
pv_track_order_set_search (PvTrackOrder *order, const char *text)
{
    g_assert (order != NULL);
    g_free (order->search);
    g_free (order->search_text);
    order->search_text = g_strdup (text != NULL ? text : "");
    order->search = order->search_text[0] != '\0' ? g_utf8_casefold (text, -1) : NULL;
}

const char *
pv_track_order_get_search (const PvTrackOrder *order)
{
    g_assert (order != NULL);
    return order->search_text;
}

static bool
has_text (const PvTrackOrder *order, const PvTracks *whole, uint32_t track)
{
    g_autofree char *name = NULL;
    if (track == PV_TRACK_NONE)
        return false;
    name = g_utf8_casefold (whole->tracks[track].name, -1);
    return strstr (name, order->search) != NULL;
}

static bool
is_shown (const PvTrackOrder *order, const PvTracks *whole, const Entry *entry)
{
    if (is_hidden (order, entry->key))
        return false;
    return order->search == NULL || has_text (order, whole, entry->track) ||
           has_text (order, whole, entry->heading) || find_pin (order, entry->key) >= 0;
}

/* Hiding */

void
pv_track_order_hide (PvTrackOrder *order, const PvTracks *shown, uint32_t track)
{
    g_assert (order != NULL && shown != NULL && track < shown->n_tracks);
    uint32_t row = shown->tracks[track].row;
    if (row == PV_TRACK_NONE)
        pv_track_order_hide_process (order, shown, track);
    else
        g_hash_table_add (order->hidden, GUINT_TO_POINTER (get_key (shown->index, row)));
}

void
pv_track_order_hide_process (PvTrackOrder *order, const PvTracks *shown, uint32_t track)
{
    g_assert (order != NULL && shown != NULL && track < shown->n_tracks);
    PvProcessId process = pv_tracks_get_process (shown, track);
    for (uint32_t row = 0; row < shown->index->n_rows; row++)
        if (shown->index->rows[row].process == process)
            g_hash_table_add (order->hidden, GUINT_TO_POINTER (get_key (shown->index, row)));
}

void
pv_track_order_show_all (PvTrackOrder *order)
{
    g_assert (order != NULL);
    g_hash_table_remove_all (order->hidden);
    pv_track_order_set_search (order, NULL);
}

/* Pinning */

void
pv_track_order_set_pinned (PvTrackOrder *order, const PvTracks *shown, uint32_t track,
                           bool is_pinned)
{
    g_assert (order != NULL && shown != NULL && track < shown->n_tracks);
    g_assert (shown->tracks[track].row != PV_TRACK_NONE);
    uint32_t key = get_key (shown->index, shown->tracks[track].row);
    int pin = find_pin (order, key);
    if (is_pinned && pin < 0)
        g_array_append_val (order->pinned, key);
    else if (!is_pinned && pin >= 0)
        g_array_remove_index (order->pinned, (guint)pin);
}

/* Moving */

/* The rows of the process that begin with this track, without headings a row. */
static uint32_t
find_block_end (const PvTracks *shown, uint32_t first)
{
    uint32_t end = first + 1;
    while (shown->tracks[first].row == PV_TRACK_NONE && end < shown->n_tracks &&
           shown->tracks[end].is_below_heading)
        end++;
    return end;
}

/* The heading above, or the row itself. */
static uint32_t
find_block_start (const PvTracks *shown, uint32_t track)
{
    while (shown->tracks[track].is_below_heading)
        track--;
    return track;
}

bool
pv_track_order_find_next (const PvTracks *shown, uint32_t track, bool is_down, uint32_t *ret_first,
                          uint32_t *ret_end)
{
    g_assert (shown != NULL && track < shown->n_tracks);
    bool is_inner = shown->tracks[track].is_below_heading;
    uint32_t low = track < shown->n_pinned ? 0 : shown->n_pinned;
    uint32_t high = track < shown->n_pinned ? shown->n_pinned : shown->n_tracks;
    uint32_t end = is_inner ? track + 1 : find_block_end (shown, track);
    if (is_down) {
        if (end >= high || shown->tracks[end].is_below_heading != is_inner)
            return false;
        *ret_first = end;
        *ret_end = is_inner ? end + 1 : find_block_end (shown, end);
        return true;
    }
    if (track == low || (is_inner && !shown->tracks[track - 1].is_below_heading))
        return false;
    *ret_first = is_inner ? track - 1 : find_block_start (shown, track - 1);
    *ret_end = track;
    return true;
}

/* True if the entry is the track's row or, if the track is a heading, in its process. */
static bool
is_of (const PvTracks *shown, uint32_t track, const Entry *entry)
{
    uint32_t row = shown->tracks[track].row;
    return row != PV_TRACK_NONE ? entry->row == row
                                : entry->process == pv_tracks_get_process (shown, track);
}

static bool
is_any_of (const PvTracks *shown, uint32_t track, const Entry *entry, bool is_inner)
{
    /* If only one thread of a process is shown, its hidden threads move with it. */
    if (!is_inner && entry->heading != PV_TRACK_NONE)
        return entry->process == pv_tracks_get_process (shown, track);
    return is_of (shown, track, entry);
}

/* Gives ranks to all rows, so that those of one track come just before or after those of another.
 */
static void
rank_rows (PvTrackOrder *order, const PvTracks *whole, const PvTracks *shown, uint32_t track,
           uint32_t other, bool is_after)
{
    g_autoptr (GArray) entries = list_entries (order, whole);
    bool is_inner = shown->tracks[track].is_below_heading;
    guint first = entries->len, last = 0, rank = 0;
    for (guint i = 0; i < entries->len; i++)
        if (is_any_of (shown, other, &g_array_index (entries, Entry, i), is_inner)) {
            first = MIN (first, i);
            last = i;
        }
    g_hash_table_remove_all (order->rank);
    for (guint at = 0; at < entries->len; at++) {
        bool is_place = at == (is_after ? last : first);
        const Entry *entry = &g_array_index (entries, Entry, at);
        bool moves = is_any_of (shown, track, entry, is_inner);
        if (!moves && is_after)
            g_hash_table_insert (order->rank, GUINT_TO_POINTER (entry->key),
                                 GUINT_TO_POINTER (++rank));
        for (guint i = 0; is_place && i < entries->len; i++) {
            const Entry *moved = &g_array_index (entries, Entry, i);
            if (is_any_of (shown, track, moved, is_inner))
                g_hash_table_insert (order->rank, GUINT_TO_POINTER (moved->key),
                                     GUINT_TO_POINTER (++rank));
        }
        if (!moves && !is_after)
            g_hash_table_insert (order->rank, GUINT_TO_POINTER (entry->key),
                                 GUINT_TO_POINTER (++rank));
    }
    order->by = PV_ROWS_BY_HAND;
}

bool
pv_track_order_move (PvTrackOrder *order, const PvTracks *whole, const PvTracks *shown,
                     uint32_t track, bool is_down)
{
    g_assert (order != NULL && whole != NULL && whole->index == shown->index);
    uint32_t first, end;
    if (!pv_track_order_find_next (shown, track, is_down, &first, &end))
        return false;
    if (track >= shown->n_pinned) {
        rank_rows (order, whole, shown, track, first, is_down);
        return true;
    }
    int a = find_pin (order, get_key (shown->index, shown->tracks[track].row));
    int b = find_pin (order, get_key (shown->index, shown->tracks[first].row));
    g_assert (a >= 0 && b >= 0);
    uint32_t *pins = (uint32_t *)(gpointer)order->pinned->data;
    uint32_t key = pins[a];
    pins[a] = pins[b];
    pins[b] = key;
    return true;
}

/* Tracks */

static void
add_track (PvTracks *tracks, const PvTracks *whole, uint32_t track)
{
    PvTrack copy = whole->tracks[track];
    copy.name = g_strdup (copy.name);
    tracks->tracks[tracks->n_tracks++] = copy;
}

/* With the name of its process, which has no heading there. */
static void
add_pinned (PvTracks *tracks, const PvTracks *whole, const Entry *entry)
{
    const char *name = whole->tracks[entry->track].name;
    char *full = entry->heading != PV_TRACK_NONE
                     ? g_strdup_printf ("%s · %s", whole->tracks[entry->heading].name, name)
                     : g_strdup (name);
    tracks->tracks[tracks->n_tracks++] = (PvTrack){full, entry->row, false};
    tracks->n_pinned++;
}

static void
add_all_pinned (const PvTrackOrder *order, PvTracks *tracks, const PvTracks *whole,
                const GArray *entries)
{
    for (guint pin = 0; pin < order->pinned->len; pin++)
        for (guint i = 0; i < entries->len; i++) {
            const Entry *entry = &g_array_index (entries, Entry, i);
            if (entry->key == g_array_index (order->pinned, uint32_t, pin) &&
                !is_hidden (order, entry->key))
                add_pinned (tracks, whole, entry);
        }
}

PvTracks *
pv_track_order_apply (const PvTrackOrder *order, PvTracks *whole)
{
    g_assert (order != NULL && whole != NULL && whole->whole == NULL);
    g_assert (order->kind == whole->index->kind);
    g_autoptr (GArray) entries = list_entries (order, whole);
    PvTracks *tracks = g_new (PvTracks, 1);
    uint32_t heading = PV_TRACK_NONE;
    *tracks = *whole;
    tracks->ref_count = 1;
    tracks->whole = pv_tracks_ref (whole);
    tracks->n_tracks = 0;
    tracks->tracks = g_new (PvTrack, MAX (whole->n_tracks, 1));
    add_all_pinned (order, tracks, whole, entries);
    tracks->n_hidden = whole->index->n_rows - tracks->n_pinned;
    for (guint i = 0; i < entries->len; i++) {
        const Entry *entry = &g_array_index (entries, Entry, i);
        if (!is_shown (order, whole, entry) || find_pin (order, entry->key) >= 0)
            continue;
        if (entry->heading != PV_TRACK_NONE && entry->heading != heading)
            add_track (tracks, whole, entry->heading);
        heading = entry->heading;
        add_track (tracks, whole, entry->track);
        tracks->n_hidden--;
    }
    return tracks;
}
