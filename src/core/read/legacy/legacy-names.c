/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/read/legacy/legacy-names.h"

#include <string.h>

#include "core/read/legacy/legacy-samples.h"

/* Go */

typedef struct {
    uint64_t addr;
    PvGivenFrame frame;
} NamedAddress;

typedef PV_ARRAY (NamedAddress) NamedAddressArray;
typedef PV_ARRAY (PvLabel) LabelArray;

/* "FILE:LINE" */
static void
take_place (LegacySession *session, PvText text, PvGivenFrame *frame)
{
    const char *colon = pv_text_find_last (text, ':');
    int64_t number = 0; /* Java writes -1 for none */
    if (colon != NULL) {
        PvText digits = {colon + 1, text.end};
        if (!legacy_take_signed (&digits, &number) || digits.at != digits.end)
            colon = NULL;
    }
    size_t len = (size_t)((colon != NULL ? colon : text.end) - text.at);
    if (len > 0)
        frame->file = pv_profile_builder_string_len (session->builder, text.at, len);
    frame->line = colon != NULL ? (uint32_t)CLAMP (number, 0, UINT32_MAX) : 0;
}

/* "#\tADDR\tNAME+OFFSET\tFILE:LINE", with any number of tabs between. */
static bool
parse_comment (LegacySession *session, PvText line, NamedAddress *ret)
{
    NamedAddress named = {0};
    if (!pv_text_take_next (&line, "#") || !legacy_take_address (&line, &named.addr) ||
        line.at == line.end || *line.at != '\t')
        return false;
    pv_text_skip_blanks (&line);
    const char *tab = pv_text_find_char (line, '\t');
    PvText name = {line.at, tab != NULL ? tab : line.end}, place = {name.end, line.end};
    const char *plus = pv_text_find_last (name, '+');
    if (plus != NULL)
        name.end = plus;
    if (name.at == name.end)
        return false;
    named.frame.name = pv_text_keep (name, session->builder);
    take_place (session, pv_text_trim_start (place), &named.frame);
    *ret = named;
    return true;
}

/* Takes a text between quotes. Backslashes are only escapes before quotes and backslashes. */
static bool
take_quoted (LegacySession *session, PvText *line, const char **ret_text)
{
    if (!pv_text_take_next (line, "\""))
        return false;
    g_autoptr (GString) text = g_string_new (NULL);
    for (; line->at < line->end && *line->at != '"'; line->at++) {
        if (*line->at == '\\' && line->at + 1 < line->end &&
            (line->at[1] == '"' || line->at[1] == '\\'))
            line->at++;
        g_string_append_c (text, *line->at);
    }
    *ret_text = pv_profile_builder_string_len (session->builder, text->str, text->len);
    return pv_text_take_next (line, "\"");
}

/* "# labels: {"KEY":"TEXT", ...}" */
static void
take_labels (LegacySession *session, PvText line, LabelArray *labels)
{
    PvLabel label = {0};
    if (!pv_text_take_next (&line, "#") || !pv_text_take_next (&line, "labels:") ||
        !pv_text_take_next (&line, "{"))
        return;
    while (take_quoted (session, &line, &label.key) && pv_text_take_next (&line, ":") &&
           take_quoted (session, &line, &label.text)) {
        pv_array_push (labels, label);
        if (!pv_text_take_next (&line, ","))
            return;
    }
}

/* The number of names from at on for this return address; each inlined function has a line of its
 * own. */
static size_t
count_names (const NamedAddressArray *names, size_t at, uint64_t addr)
{
    size_t n = 0;
    while (at + n < names->len &&
           (names->data[at + n].addr == addr - 1 || names->data[at + n].addr == addr))
        n++;
    return n;
}

/* Both are leaf first. Go omits its own functions at both ends of the names, so drop them here. */
static void
give_names (LegacySession *session, const NamedAddressArray *names)
{
    size_t at = 0, n_hidden = 0, end = session->addrs.len;
    for (size_t i = 0, n_same; i < session->addrs.len; i += n_same) {
        uint64_t addr = session->addrs.data[i];
        for (n_same = 1; i + n_same < session->addrs.len; n_same++)
            if (session->addrs.data[i + n_same] != addr)
                break;
        size_t n = count_names (names, at, addr);
        if (n == 0)
            continue;
        if (at == 0)
            n_hidden = i;
        /* A recursive function has its names once per call. */
        size_t n_once = n % n_same == 0 ? n / n_same : n;
        session->frames.len = 0;
        for (size_t k = 0; k < n_once; k++)
            pv_array_push (&session->frames, names->data[at + k].frame);
        legacy_give_frames (session, legacy_location (session, addr, PV_LOCATION_RETURN));
        at += n;
        end = i + n_same;
    }
    session->addrs.len = end - n_hidden;
    if (n_hidden > 0)
        memmove (session->addrs.data, session->addrs.data + n_hidden,
                 session->addrs.len * sizeof *session->addrs.data);
}

uint32_t
legacy_take_go_comments (LegacySession *session)
{
    NamedAddressArray names = {0};
    LabelArray labels = {0};
    PvText rest = session->text, line;
    while (pv_text_next_trimmed (&rest, &line) && pv_text_begins (line, "#")) {
        NamedAddress named;
        if (parse_comment (session, line, &named))
            pv_array_push (&names, named);
        else
            take_labels (session, line, &labels);
        session->text = rest;
    }
    if (names.len > 0)
        give_names (session, &names);
    uint32_t label_set =
        pv_profile_builder_label_set (session->builder, labels.data, (uint32_t)labels.len);
    pv_array_clear (&names);
    pv_array_clear (&labels);
    return label_set;
}

/* Java */

PvLocationId
legacy_java_location (LegacySession *session, uint64_t id)
{
    if (session->java_module == 0) {
        PvModule module = {
            .path = "",
            .name = "[java]",
            .kind = PV_MODULE_UNKNOWN,
            .address_kind = PV_ADDRESS_ORDINAL,
        };
        session->java_module = pv_profile_builder_add_module (session->builder, &module);
    }
    uint32_t *slot = pv_id_map_slot (&session->exact_locations, id);
    if (*slot == 0)
        *slot = pv_profile_builder_location (session->builder, session->java_module, id,
                                             PV_LOCATION_NAMED);
    return *slot;
}

/* "NAME (FILE:LINE)", "NAME (LIBRARY)" or "NAME" */
static PvGivenFrame
parse_java_name (LegacySession *session, PvText text)
{
    PvGivenFrame frame = {0};
    PvText name = text;
    const char *open = pv_text_find_last (text, '(');
    bool has_place = open != NULL && open > text.at && open[-1] == ' ' && text.end[-1] == ')';
    if (has_place) {
        name.end = open;
        take_place (session, (PvText){open + 1, text.end - 1}, &frame);
    }
    while (name.end > name.at && name.end[-1] == ' ')
        name.end--;
    if (pv_text_find (name, "generated stub/JIT") != NULL)
        frame.name = pv_profile_builder_string (session->builder, "STUB");
    else
        frame.name = pv_text_keep (name, session->builder);
    return frame;
}

void
legacy_take_java_names (LegacySession *session)
{
    PvText line;
    uint64_t id;
    while (legacy_session_next_line (session, &line)) {
        if (!legacy_take_address (&line, &id) || line.at == line.end || *line.at != ' ') {
            if (!legacy_is_comment (line))
                legacy_add_odd_line (session, line);
            continue;
        }
        uint32_t location = pv_id_map_find (&session->exact_locations, id);
        while (line.at < line.end && *line.at == ' ')
            line.at++;
        if (location == 0 || line.at == line.end)
            continue;
        session->frames.len = 0;
        pv_array_push (&session->frames, parse_java_name (session, line));
        legacy_give_frames (session, location);
    }
}
