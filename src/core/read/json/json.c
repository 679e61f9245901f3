/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tokens of one piece of the file are kept until the reader has asked for them; then the next
 * piece is parsed.
 */
#include "core/read/json/json.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/read/json/json-lexer.h"
#include "core/read/json/json-number.h"

enum {
    PIECE_BYTES = 32 << 10,   /* the processor's cache has its tokens */
    MAX_KEPT_BYTES = 4 << 20, /* buffers that grew beyond that are freed when they are empty */
};

static const PvJsonToken end_token = {.type = PV_JSON_TOKEN_END};

struct PvJson {
    PvUnpackStream *stream;
    const PvReadContext *context;
    PvJsonEnd end;
    uint64_t position;   /* bytes that have been read */
    uint64_t kept_bytes; /* by the reader */

    /* State of the piece that was parsed last. The lexer is ahead of the reader. */
    PV_ARRAY (char) piece; /* or what is left of it: the beginning of a token */
    size_t n_taken;        /* bytes of it */
    bool has_more;         /* the piece has more tokens than were made */
    PvJsonLexer lexer;
    size_t next;               /* token */
    uint64_t token_end_before; /* where in the file the last token ended */

    /* State of the reader. */
    bool has_value; /* `next` is the current value, not yet taken */
    PV_ARRAY (char) key;
    PvProfileBuilder *builder; /* of strings */
    PvInterner *interner;
};

/* --- pieces --- */

PvJson *
pv_json_new (PvUnpackStream *stream, const PvReadContext *context)
{
    g_assert (stream != NULL && context != NULL);
    PvJson *self = g_new0 (PvJson, 1);
    self->stream = stream;
    self->context = context;
    self->has_value = true;
    return self;
}

void
pv_json_free (PvJson *json)
{
    if (json == NULL)
        return;
    pv_array_clear (&json->piece);
    pv_json_lexer_clear (&json->lexer);
    pv_array_clear (&json->key);
    g_free (json);
}

static void
empty_buffers (PvJson *self)
{
    self->next = self->lexer.tokens.len = self->lexer.text.len = 0;
    if (self->lexer.tokens.cap * sizeof (PvJsonToken) > MAX_KEPT_BYTES)
        pv_array_clear (&self->lexer.tokens);
    if (self->lexer.text.cap > MAX_KEPT_BYTES)
        pv_array_clear (&self->lexer.text);
    if (self->piece.cap > MAX_KEPT_BYTES && self->piece.len == 0)
        pv_array_clear (&self->piece);
}

/* How many bytes the byte order mark has, with which the file may begin. */
static size_t
find_start (const PvJson *self)
{
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = strlen (mark);
    return self->piece.len >= n && memcmp (self->piece.data, mark, n) == 0 ? n : 0;
}

static bool
fail (PvJson *self, PvJsonEnd end)
{
    self->end = end;
    return false;
}

/* Appends to what is left. The lexer looks at a string from its beginning again with each piece, so
 * pieces grow with it. */
static bool
read_piece (PvJson *self)
{
    uint64_t pending_bytes = self->position - self->token_end_before;
    if (pending_bytes > PV_JSON_MAX_TOKEN_BYTES)
        return fail (self, PV_JSON_END_TOO_LARGE);
    size_t size_bytes = MAX ((size_t)PIECE_BYTES, (size_t)pending_bytes / 2);
    pv_array_reserve (&self->piece, self->piece.len + size_bytes);
    size_t n_read =
        pv_unpack_stream_read (self->stream, self->piece.data + self->piece.len, size_bytes);
    pv_job_set_done (self->context->job, pv_unpack_stream_get_position (self->stream));
    if (pv_job_is_cancelled (self->context->job))
        return fail (self, PV_JSON_END_CANCELLED);
    self->piece.len += n_read;
    self->position += n_read;
    if (n_read > 0)
        return true;
    switch (pv_unpack_stream_get_end (self->stream)) {
    case PV_UNPACK_DAMAGED:
        return fail (self, PV_JSON_END_DAMAGED);
    case PV_UNPACK_TOO_LARGE:
        return fail (self, PV_JSON_END_TOO_LARGE);
    default:
        return fail (self, PV_JSON_END_TRUNCATED);
    }
}

/* Parses the next piece, or more of it. The reader still gets the values before an error in it.
 * Long pieces may have very many tokens, so not all are made at once. */
static void
parse_piece (PvJson *self)
{
    bool is_first = self->position == 0;
    empty_buffers (self);
    if (!self->has_more && !read_piece (self))
        return;
    if (is_first)
        self->n_taken = find_start (self);
    self->lexer.had_token = false;
    self->n_taken += pv_json_lexer_take (&self->lexer, self->piece.data + self->n_taken,
                                         self->piece.len - self->n_taken, &self->end);
    self->has_more = self->lexer.tokens.len == PV_JSON_MAX_TOKENS;
    if (self->lexer.had_token)
        self->token_end_before = self->position - (self->piece.len - self->n_taken);
    if (self->has_more)
        return;
    self->piece.len -= self->n_taken;
    memmove (self->piece.data, self->piece.data + self->n_taken, self->piece.len);
    self->n_taken = 0;
}

static const PvJsonToken *
peek (PvJson *self)
{
    while (self->next == self->lexer.tokens.len) {
        if (self->end != PV_JSON_END_OPEN)
            return &end_token;
        parse_piece (self);
    }
    return &self->lexer.tokens.data[self->next];
}

/* Skips until so many arrays and objects are closed. Bytes not parsed yet make no tokens, except
 * for the last of their ends. */
static void
skip_open (PvJson *self, uint32_t n_open)
{
    while (n_open > 0) {
        if (self->next == self->lexer.tokens.len && self->end == PV_JSON_END_OPEN) {
            self->lexer.dropped_depth = self->lexer.depth - n_open + 1;
            n_open = 1;
        }
        const PvJsonToken *token = peek (self);
        if (token->type == PV_JSON_TOKEN_END)
            return;
        self->next++;
        if (token->type == PV_JSON_TOKEN_CLOSE)
            n_open--;
        else if (token->type == PV_JSON_TOKEN_ARRAY || token->type == PV_JSON_TOKEN_OBJECT)
            n_open++;
    }
}

static void
skip_value (PvJson *self)
{
    const PvJsonToken *token = peek (self);
    self->has_value = false;
    if (token->type == PV_JSON_TOKEN_END)
        return;
    self->next++;
    if (token->type == PV_JSON_TOKEN_ARRAY || token->type == PV_JSON_TOKEN_OBJECT)
        skip_open (self, 1);
}

/* --- the budget --- */

static void
end_here (PvJson *self, PvJsonEnd end)
{
    self->end = end;
    self->next = self->lexer.tokens.len;
}

static void
check_budget (PvJson *self)
{
    if (self->kept_bytes > pv_budget_get_bytes (&self->context->budget, self->position))
        end_here (self, PV_JSON_END_NO_MEMORY);
}

/* Counts a cell of a growing column, and half of it again, which may be in reserve. */
static void
count_cell (PvJson *self, size_t size_bytes)
{
    self->kept_bytes += size_bytes + size_bytes / 2;
    if (self->next == self->lexer.tokens.len)
        check_budget (self);
}

void
pv_json_count_bytes (PvJson *json, uint64_t n_bytes)
{
    g_assert (json != NULL);
    json->kept_bytes += n_bytes;
    check_budget (json);
}

static PvStringId
intern (PvJson *self, const PvJsonToken *token, PvInterner *interner)
{
    uint32_t n_before = pv_interner_get_count (interner);
    PvStringId id =
        pv_interner_add_len (interner, self->lexer.text.data + token->text, token->size_bytes);
    if (pv_interner_get_count (interner) > n_before)
        self->kept_bytes += token->size_bytes + PV_INTERNED_BYTES;
    return id;
}

/* --- the current value --- */

static const PvJsonToken *
peek_value (PvJson *json)
{
    g_assert (json != NULL);
    return json->has_value ? peek (json) : &end_token;
}

PvJsonType
pv_json_get_type (PvJson *json)
{
    static const PvJsonType types[] = {
        [PV_JSON_TOKEN_END] = PV_JSON_NONE,       [PV_JSON_TOKEN_NULL] = PV_JSON_NULL,
        [PV_JSON_TOKEN_FALSE] = PV_JSON_BOOLEAN,  [PV_JSON_TOKEN_TRUE] = PV_JSON_BOOLEAN,
        [PV_JSON_TOKEN_INTEGER] = PV_JSON_NUMBER, [PV_JSON_TOKEN_REAL] = PV_JSON_NUMBER,
        [PV_JSON_TOKEN_STRING] = PV_JSON_STRING,  [PV_JSON_TOKEN_KEY] = PV_JSON_NONE,
        [PV_JSON_TOKEN_ARRAY] = PV_JSON_ARRAY,    [PV_JSON_TOKEN_OBJECT] = PV_JSON_OBJECT,
        [PV_JSON_TOKEN_CLOSE] = PV_JSON_NONE,
    };
    return types[peek_value (json)->type];
}

bool
pv_json_get_boolean (PvJson *json, bool otherwise)
{
    PvJsonTokenType type = peek_value (json)->type;
    return type == PV_JSON_TOKEN_TRUE || (type != PV_JSON_TOKEN_FALSE && otherwise);
}

double
pv_json_get_number (PvJson *json, double otherwise)
{
    const PvJsonToken *token = peek_value (json);
    return token->type == PV_JSON_TOKEN_REAL      ? token->real
           : token->type == PV_JSON_TOKEN_INTEGER ? (double)token->integer
                                                  : otherwise;
}

static int64_t
round_to_integer (double real)
{
    return real >= 0x1p63 ? INT64_MAX : real <= -0x1p63 ? INT64_MIN : (int64_t)real;
}

int64_t
pv_json_get_integer (PvJson *json, int64_t otherwise)
{
    const PvJsonToken *token = peek_value (json);
    return token->type == PV_JSON_TOKEN_INTEGER ? token->integer
           : token->type == PV_JSON_TOKEN_REAL  ? round_to_integer (token->real)
                                                : otherwise;
}

const char *
pv_json_get_string (PvJson *json, size_t *ret_size_bytes)
{
    const PvJsonToken *token = peek_value (json);
    if (token->type != PV_JSON_TOKEN_STRING)
        return NULL;
    if (ret_size_bytes != NULL)
        *ret_size_bytes = token->size_bytes;
    return json->lexer.text.data + token->text;
}

/* Keeps identities from being 0. */
#define ID_SALT UINT64_C (0x9d5c8f3ae1b2647b)

static uint64_t
make_id_of_real (const PvJsonToken *token)
{
    uint64_t bits;
    if (fabs (token->real) < 0x1p63 && token->real == trunc (token->real))
        return (uint64_t)(int64_t)token->real ^ ID_SALT;
    memcpy (&bits, &token->real, sizeof bits);
    return pv_hash_mix (bits ^ (uint64_t)token->size_bytes << 16) ^ ID_SALT;
}

uint64_t
pv_json_make_id (const char *text, size_t size_bytes)
{
    g_assert (text != NULL || size_bytes == 0);
    PvJsonToken token = {0};
    bool is_number = size_bytes > 0;
    for (size_t i = 0; i < size_bytes && is_number; i++)
        is_number = g_ascii_isdigit (text[i]) || (i == 0 && *text == '-' && size_bytes > 1);
    if (!is_number)
        return pv_hash_bytes (text, size_bytes, 0).a ^ ID_SALT;
    if (pv_json_parse_number (text, size_bytes, &token.integer, &token.real))
        return (uint64_t)token.integer ^ ID_SALT;
    token.size_bytes = (uint32_t)pv_hash_bytes (text, size_bytes, 0).a;
    return make_id_of_real (&token);
}

static uint64_t
get_id (const PvJson *self, const PvJsonToken *token)
{
    switch (token->type) {
    case PV_JSON_TOKEN_INTEGER:
        return (uint64_t)token->integer ^ ID_SALT;
    case PV_JSON_TOKEN_REAL:
        return make_id_of_real (token);
    case PV_JSON_TOKEN_STRING:
        return pv_json_make_id (self->lexer.text.data + token->text, token->size_bytes);
    default:
        return 0;
    }
}

uint64_t
pv_json_get_id (PvJson *json)
{
    return get_id (json, peek_value (json));
}

PvStringId
pv_json_intern (PvJson *json, PvInterner *interner)
{
    g_assert (interner != NULL);
    const PvJsonToken *token = peek_value (json);
    return token->type == PV_JSON_TOKEN_STRING ? intern (json, token, interner) : 0;
}

/* --- into it and on --- */

static bool
enter (PvJson *json, PvJsonTokenType type)
{
    if (peek_value (json)->type != type)
        return false;
    json->next++;
    json->has_value = false;
    return true;
}

bool
pv_json_enter_object (PvJson *json)
{
    return enter (json, PV_JSON_TOKEN_OBJECT);
}

bool
pv_json_enter_array (PvJson *json)
{
    return enter (json, PV_JSON_TOKEN_ARRAY);
}

/* The first token after the current value, which is a key, a value, or the end of what was entered;
 * the end is taken. */
static const PvJsonToken *
go_on (PvJson *json)
{
    g_assert (json != NULL);
    if (json->has_value)
        skip_value (json);
    const PvJsonToken *token = peek (json);
    if (token->type == PV_JSON_TOKEN_CLOSE)
        json->next++;
    return token;
}

bool
pv_json_next_element (PvJson *json)
{
    const PvJsonToken *token = go_on (json);
    json->has_value = token->type != PV_JSON_TOKEN_CLOSE && token->type != PV_JSON_TOKEN_END;
    return json->has_value;
}

static int
find_key (const PvJson *json, const char *const *keys)
{
    for (int i = 0; keys[i] != NULL; i++)
        if (strcmp (json->key.data, keys[i]) == 0)
            return i;
    return -1;
}

bool
pv_json_next_key (PvJson *json, const char *const *keys, int *ret_key)
{
    g_assert (keys != NULL && ret_key != NULL);
    const PvJsonToken *token = go_on (json);
    if (token->type != PV_JSON_TOKEN_KEY)
        return false;
    json->next++;
    json->has_value = true;
    json->key.len = 0;
    pv_array_append (&json->key, json->lexer.text.data + token->text, token->size_bytes + 1);
    *ret_key = find_key (json, keys);
    return true;
}

const char *
pv_json_get_key (PvJson *json, size_t *ret_size_bytes)
{
    g_assert (json != NULL && json->key.len > 0);
    if (ret_size_bytes != NULL)
        *ret_size_bytes = json->key.len - 1;
    return json->key.data;
}

void
pv_json_leave (PvJson *json)
{
    g_assert (json != NULL);
    if (json->has_value)
        skip_value (json);
    skip_open (json, 1);
}

/* --- whole objects --- */

void
pv_json_take_field (PvJson *json, const PvJsonField *fields, void *row, void *user)
{
    g_assert (json != NULL && fields != NULL);
    const char *key = json->key.data;
    while (fields->key != NULL && (*fields->key != *key || strcmp (fields->key, key) != 0))
        fields++;
    if (fields->take != NULL)
        fields->take (json, (char *)row + fields->offset, user);
}

bool
pv_json_take_object (PvJson *json, const PvJsonField *fields, void *row, void *user)
{
    static const char *const no_keys[] = {NULL};
    int key;
    if (!pv_json_enter_object (json))
        return false;
    while (pv_json_next_key (json, no_keys, &key))
        pv_json_take_field (json, fields, row, user);
    return true;
}

void
pv_json_keep_strings (PvJson *json, PvProfileBuilder *builder, PvInterner *interner)
{
    g_assert (json != NULL);
    json->builder = builder;
    json->interner = interner;
}

void
pv_json_take_text (PvJson *json, void *member, void *user)
{
    (void)user;
    size_t size_bytes = 0;
    const char *text = pv_json_get_string (json, &size_bytes), **kept = member;
    if (size_bytes > 0)
        *kept = pv_profile_builder_string_len (json->builder, text, size_bytes);
}

void
pv_json_take_interned (PvJson *json, void *member, void *user)
{
    (void)user;
    *(PvStringId *)member = pv_json_intern (json, json->interner);
}

void
pv_json_take_number (PvJson *json, void *member, void *user)
{
    (void)user;
    double *number = member;
    *number = pv_json_get_number (json, *number);
}

void
pv_json_take_integer (PvJson *json, void *member, void *user)
{
    (void)user;
    int64_t *integer = member;
    *integer = pv_json_get_integer (json, *integer);
}

void
pv_json_take_loose_number (PvJson *json, void *member, void *user)
{
    const char *text = pv_json_get_string (json, NULL);
    char *end = NULL;
    double number = text != NULL ? g_ascii_strtod (text, &end) : 0;
    if (text == NULL)
        pv_json_take_number (json, member, user);
    else if (end > text && *end == '\0' && isfinite (number))
        *(double *)member = number;
}

void
pv_json_take_loose_integer (PvJson *json, void *member, void *user)
{
    const char *text = pv_json_get_string (json, NULL);
    gint64 integer;
    if (text == NULL)
        pv_json_take_integer (json, member, user);
    else if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &integer, NULL))
        *(int64_t *)member = integer;
}

void
pv_json_take_id (PvJson *json, void *member, void *user)
{
    (void)user;
    *(uint64_t *)member = pv_json_get_id (json);
}

void
pv_json_take_uint32 (PvJson *json, void *member, void *user)
{
    (void)user;
    uint32_t *integer = member;
    *integer = (uint32_t)CLAMP (pv_json_get_integer (json, *integer), 0, UINT32_MAX);
}

void
pv_json_take_index (PvJson *json, void *member, void *user)
{
    (void)user;
    int32_t *index = member;
    *index = (int32_t)CLAMP (pv_json_get_integer (json, *index), -1, INT32_MAX);
}

void
pv_json_take_boolean (PvJson *json, void *member, void *user)
{
    (void)user;
    bool *value = member;
    *value = pv_json_get_boolean (json, *value);
}

void
pv_json_take_numbers (PvJson *json, void *member, void *user)
{
    (void)user;
    pv_json_append_numbers (json, member, NAN);
}

/* --- whole columns --- */

/* Takes the next element of a column, but skips any values inside it; NULL after the last one. */
static const PvJsonToken *
next_cell (PvJson *json)
{
    const PvJsonToken *token = peek (json);
    if (token->type == PV_JSON_TOKEN_END)
        return NULL;
    json->next++;
    if (token->type == PV_JSON_TOKEN_ARRAY || token->type == PV_JSON_TOKEN_OBJECT) {
        skip_open (json, 1);
        return &end_token;
    }
    return token->type == PV_JSON_TOKEN_CLOSE ? NULL : token;
}

static int64_t
get_cell (const PvJsonToken *cell, int64_t otherwise)
{
    switch (cell->type) {
    case PV_JSON_TOKEN_INTEGER:
        return cell->integer;
    case PV_JSON_TOKEN_REAL:
        return fabs (cell->real) < 0x1p63 ? (int64_t)cell->real : otherwise;
    case PV_JSON_TOKEN_TRUE:
    case PV_JSON_TOKEN_FALSE:
        return cell->type == PV_JSON_TOKEN_TRUE;
    default:
        return otherwise;
    }
}

bool
pv_json_append_int32s (PvJson *json, PvInt32Column *column, int32_t otherwise)
{
    g_assert (column != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (const PvJsonToken *cell; (cell = next_cell (json)) != NULL;) {
        int64_t value = get_cell (cell, otherwise);
        pv_array_push (column, value == (int32_t)value ? (int32_t)value : otherwise);
        count_cell (json, sizeof *column->data);
    }
    return true;
}

bool
pv_json_append_flat_int32s (PvJson *json, PvInt32Column *column, int32_t otherwise)
{
    g_assert (column != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (uint32_t depth = 1; depth > 0;) {
        const PvJsonToken *cell = peek (json);
        if (cell->type == PV_JSON_TOKEN_END)
            break;
        json->next++;
        if (cell->type == PV_JSON_TOKEN_ARRAY) {
            depth++;
            continue;
        }
        if (cell->type == PV_JSON_TOKEN_CLOSE) {
            depth--;
            continue;
        }
        int64_t value = get_cell (cell, otherwise);
        if (cell->type == PV_JSON_TOKEN_OBJECT)
            skip_open (json, 1);
        pv_array_push (column, value == (int32_t)value ? (int32_t)value : otherwise);
        count_cell (json, sizeof *column->data);
    }
    return true;
}

bool
pv_json_append_int64s (PvJson *json, PvInt64Column *column, int64_t otherwise)
{
    g_assert (column != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (const PvJsonToken *cell; (cell = next_cell (json)) != NULL;) {
        pv_array_push (column, get_cell (cell, otherwise));
        count_cell (json, sizeof *column->data);
    }
    return true;
}

bool
pv_json_append_numbers (PvJson *json, PvNumberColumn *column, double otherwise)
{
    g_assert (column != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (const PvJsonToken *cell; (cell = next_cell (json)) != NULL;) {
        pv_array_push (column, cell->type == PV_JSON_TOKEN_REAL      ? cell->real
                               : cell->type == PV_JSON_TOKEN_INTEGER ? (double)cell->integer
                                                                     : otherwise);
        count_cell (json, sizeof *column->data);
    }
    return true;
}

bool
pv_json_append_ids (PvJson *json, PvIdColumn *column,
                    void (*take_object) (PvJson *json, void *user), void *user)
{
    g_assert (column != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (;;) {
        if (take_object != NULL && peek (json)->type == PV_JSON_TOKEN_OBJECT) {
            json->has_value = true;
            take_object (json, user);
            if (json->has_value)
                skip_value (json);
            continue;
        }
        const PvJsonToken *cell = next_cell (json);
        if (cell == NULL)
            return true;
        pv_array_push (column, get_id (json, cell));
        count_cell (json, sizeof *column->data);
    }
}

bool
pv_json_append_strings (PvJson *json, PvStringColumn *column, PvInterner *interner)
{
    g_assert (column != NULL && interner != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (const PvJsonToken *cell; (cell = next_cell (json)) != NULL;) {
        PvStringId string = cell->type == PV_JSON_TOKEN_STRING ? intern (json, cell, interner) : 0;
        pv_array_push (column, string);
        count_cell (json, sizeof *column->data);
    }
    return true;
}

/* --- the end --- */

PvJsonEnd
pv_json_get_end (const PvJson *json)
{
    g_assert (json != NULL);
    return json->next < json->lexer.tokens.len ? PV_JSON_END_OPEN : json->end;
}

uint64_t
pv_json_get_position (const PvJson *json)
{
    g_assert (json != NULL);
    return json->position;
}

static const char *
describe_end (PvJsonEnd end)
{
    switch (end) {
    case PV_JSON_END_TRUNCATED:
        return _ ("The file ends early. Everything up to that point is shown.");
    case PV_JSON_END_DAMAGED:
        return _ ("The file is damaged. Everything up to that point is shown.");
    case PV_JSON_END_TOO_LARGE:
        return _ (
            "The file is too large, or a part of it is. Everything up to that point is shown.");
    case PV_JSON_END_NO_MEMORY:
        return _ ("The file needs more memory than is allowed for its size. Everything up to that "
                  "point is shown.");
    case PV_JSON_END_OPEN:
    case PV_JSON_END_COMPLETE:
    case PV_JSON_END_CANCELLED:
        break;
    }
    return NULL;
}

/* True if another object or array begins behind the end of what was read. */
static bool
has_another (PvJson *self)
{
    size_t i = 0;
    while (i < self->piece.len && strchr (" \t\r\n", self->piece.data[i]) != NULL)
        i++;
    if (i == self->piece.len) {
        self->piece.len = i = 0;
        if (!read_piece (self))
            return false;
        while (i < self->piece.len && strchr (" \t\r\n", self->piece.data[i]) != NULL)
            i++;
    }
    return i < self->piece.len && (self->piece.data[i] == '{' || self->piece.data[i] == '[');
}

void
pv_json_add_note (PvJson *json, PvProfileBuilder *builder)
{
    g_assert (json != NULL && builder != NULL);
    PvJsonEnd end = pv_json_get_end (json), end_of_lexer = json->end;
    const char *text = describe_end (end);
    if (text != NULL)
        pv_note_truncated (builder, "%s", text);
    else if (end == PV_JSON_END_COMPLETE && has_another (json))
        pv_reader_note_several (builder);
    json->end = end_of_lexer;
}
