/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * yajl calls back for each token of the bytes that it is given. Those of one piece of the file are
 * kept here until the reader has asked for them; then the next piece is parsed.
 */
#include "core/read/json/json.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <yajl/yajl_parse.h>

#include "core/read/json/json-number.h"

enum {
    PIECE_BYTES = 128 << 10,
    MAX_KEPT_BYTES = 4 << 20, /* buffers that grew beyond that are freed when they are empty */
};

typedef enum {
    TOKEN_END, /* nothing more will come */
    TOKEN_NULL,
    TOKEN_FALSE,
    TOKEN_TRUE,
    TOKEN_INTEGER,
    TOKEN_REAL,
    TOKEN_STRING,
    TOKEN_KEY,
    TOKEN_ARRAY,
    TOKEN_OBJECT,
    TOKEN_CLOSE,
} TokenType;

typedef struct {
    uint32_t type;
    uint32_t size_bytes; /* of text */
    union {
        int64_t integer;
        double real;
        size_t text; /* where it begins in `text` */
    };
} Token;

static const Token end_token = {.type = TOKEN_END};

struct PvJson {
    PvUnpackStream *stream;
    const PvReadContext *context;
    yajl_handle parser;
    PvJsonEnd end;
    uint64_t position;   /* bytes that were given to the parser */
    uint64_t kept_bytes; /* by the reader */

    /* The piece that was parsed last. */
    PV_ARRAY (uint8_t) piece;
    PV_ARRAY (Token) tokens;
    size_t next; /* token */
    PV_ARRAY (char) text;

    /* Of the parser, which is ahead of the reader. */
    uint32_t depth;
    uint32_t dropped_depth;    /* what is deeper makes no tokens; 0: all do */
    uint64_t token_end_before; /* where in the file the last token was, about */
    bool had_token;

    /* Of the reader. */
    bool has_value; /* `next` is the current value, not yet taken */
    PV_ARRAY (char) key;
};

/* --- what yajl calls --- */

static int
fail (PvJson *self, PvJsonEnd end)
{
    self->end = end;
    return 0;
}

static int
add (PvJson *self, Token token)
{
    self->had_token = true;
    if (self->dropped_depth == 0)
        pv_array_push (&self->tokens, token);
    return 1;
}

static int
add_text (PvJson *self, TokenType type, const unsigned char *text, size_t size_bytes)
{
    self->had_token = true;
    if (self->dropped_depth > 0)
        return 1;
    if (size_bytes > PV_JSON_MAX_TOKEN_BYTES)
        return fail (self, PV_JSON_END_TOO_LARGE);
    Token token = {.type = type, .size_bytes = (uint32_t)size_bytes, .text = self->text.len};
    pv_array_append (&self->text, (const char *)text, size_bytes);
    pv_array_push (&self->text, '\0');
    pv_array_push (&self->tokens, token);
    return 1;
}

static int
open_one (PvJson *self, TokenType type)
{
    add (self, (Token){.type = type});
    return ++self->depth <= PV_JSON_MAX_DEPTH ? 1 : fail (self, PV_JSON_END_TOO_LARGE);
}

static int
close_one (PvJson *self)
{
    if (--self->depth < self->dropped_depth)
        self->dropped_depth = 0;
    return add (self, (Token){.type = TOKEN_CLOSE});
}

static int
on_null (void *user)
{
    return add (user, (Token){.type = TOKEN_NULL});
}

static int
on_boolean (void *user, int value)
{
    return add (user, (Token){.type = value ? TOKEN_TRUE : TOKEN_FALSE});
}

static int
on_number (void *user, const char *text, size_t size_bytes)
{
    PvJson *self = user;
    Token token = {0};
    double real;
    int64_t integer;
    self->had_token = true;
    if (self->dropped_depth > 0)
        return 1;
    if (pv_json_parse_number (text, size_bytes, &integer, &real)) {
        token.type = TOKEN_INTEGER;
        token.integer = integer;
    } else {
        token.type = TOKEN_REAL;
        token.real = real;
    }
    return add (self, token);
}

static int
on_string (void *user, const unsigned char *text, size_t size_bytes)
{
    return add_text (user, TOKEN_STRING, text, size_bytes);
}

static int
on_key (void *user, const unsigned char *text, size_t size_bytes)
{
    return add_text (user, TOKEN_KEY, text, size_bytes);
}

static int
on_object (void *user)
{
    return open_one (user, TOKEN_OBJECT);
}

static int
on_array (void *user)
{
    return open_one (user, TOKEN_ARRAY);
}

static int
on_close (void *user)
{
    return close_one (user);
}

static const yajl_callbacks callbacks = {
    .yajl_null = on_null,
    .yajl_boolean = on_boolean,
    .yajl_number = on_number,
    .yajl_string = on_string,
    .yajl_start_map = on_object,
    .yajl_map_key = on_key,
    .yajl_end_map = on_close,
    .yajl_start_array = on_array,
    .yajl_end_array = on_close,
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
    self->parser = yajl_alloc (&callbacks, NULL, self);
    g_assert (self->parser != NULL);
    /* Strings are made showable where they are interned. What follows the value is not read. */
    yajl_config (self->parser, yajl_dont_validate_strings, 1);
    yajl_config (self->parser, yajl_allow_trailing_garbage, 1);
    return self;
}

void
pv_json_free (PvJson *json)
{
    if (json == NULL)
        return;
    yajl_free (json->parser);
    pv_array_clear (&json->piece);
    pv_array_clear (&json->tokens);
    pv_array_clear (&json->text);
    pv_array_clear (&json->key);
    g_free (json);
}

static void
empty_buffers (PvJson *self)
{
    self->next = self->tokens.len = self->text.len = 0;
    if (self->tokens.cap * sizeof (Token) > MAX_KEPT_BYTES)
        pv_array_clear (&self->tokens);
    if (self->text.cap > MAX_KEPT_BYTES)
        pv_array_clear (&self->text);
    if (self->piece.cap > MAX_KEPT_BYTES)
        pv_array_clear (&self->piece);
}

static void
skip_byte_order_mark (PvJson *self, size_t *start)
{
    static const uint8_t mark[] = {0xef, 0xbb, 0xbf};
    if (self->position == 0 && self->piece.len >= sizeof mark &&
        memcmp (self->piece.data, mark, sizeof mark) == 0)
        *start = sizeof mark;
}

/* yajl looks at a string from its beginning again with each piece, so pieces grow with it. */
static bool
read_piece (PvJson *self)
{
    uint64_t pending_bytes = self->position - self->token_end_before;
    if (pending_bytes > PV_JSON_MAX_TOKEN_BYTES)
        return fail (self, PV_JSON_END_TOO_LARGE);
    size_t size_bytes = MAX ((size_t)PIECE_BYTES, (size_t)pending_bytes / 2);
    pv_array_reserve (&self->piece, size_bytes);
    self->piece.len = pv_unpack_stream_read (self->stream, self->piece.data, size_bytes);
    pv_job_set_done (self->context->job, pv_unpack_stream_get_position (self->stream));
    if (pv_job_is_cancelled (self->context->job))
        return fail (self, PV_JSON_END_CANCELLED);
    if (self->piece.len > 0)
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

/* Parses the next piece. What came before an error in it is still given to the reader. */
static void
parse_piece (PvJson *self)
{
    empty_buffers (self);
    if (!read_piece (self))
        return;
    size_t start = 0;
    skip_byte_order_mark (self, &start);
    self->had_token = false;
    yajl_status status =
        yajl_parse (self->parser, self->piece.data + start, self->piece.len - start);
    self->position += self->piece.len;
    if (self->had_token)
        self->token_end_before = self->position;
    if (self->end != PV_JSON_END_OPEN)
        return;
    if (status == yajl_status_error)
        self->end = PV_JSON_END_DAMAGED;
    else if (self->depth == 0 && self->had_token)
        self->end = PV_JSON_END_COMPLETE;
}

static const Token *
peek (PvJson *self)
{
    while (self->next == self->tokens.len) {
        if (self->end != PV_JSON_END_OPEN)
            return &end_token;
        parse_piece (self);
    }
    return &self->tokens.data[self->next];
}

/* Skips until so many arrays and objects are closed. What the parser has not seen yet makes no
 * tokens, but for the last of their ends. */
static void
skip_open (PvJson *self, uint32_t n_open)
{
    while (n_open > 0) {
        if (self->next == self->tokens.len && self->end == PV_JSON_END_OPEN) {
            self->dropped_depth = self->depth - n_open + 1;
            n_open = 1;
        }
        const Token *token = peek (self);
        if (token->type == TOKEN_END)
            return;
        self->next++;
        if (token->type == TOKEN_CLOSE)
            n_open--;
        else if (token->type == TOKEN_ARRAY || token->type == TOKEN_OBJECT)
            n_open++;
    }
}

static void
skip_value (PvJson *self)
{
    const Token *token = peek (self);
    self->has_value = false;
    if (token->type == TOKEN_END)
        return;
    self->next++;
    if (token->type == TOKEN_ARRAY || token->type == TOKEN_OBJECT)
        skip_open (self, 1);
}

/* --- the budget --- */

static void
end_here (PvJson *self, PvJsonEnd end)
{
    self->end = end;
    self->next = self->tokens.len;
}

static void
check_budget (PvJson *self)
{
    if (self->kept_bytes > pv_budget_get_bytes (&self->context->budget, self->position))
        end_here (self, PV_JSON_END_NO_MEMORY);
}

/* Of one that grows: counts half of it too, as much as it may have in reserve. */
static void
count_cell (PvJson *self, size_t size_bytes)
{
    self->kept_bytes += size_bytes + size_bytes / 2;
    if (self->next == self->tokens.len)
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
intern (PvJson *self, const Token *token, PvInterner *interner)
{
    uint32_t n_before = pv_interner_get_count (interner);
    PvStringId id =
        pv_interner_add_len (interner, self->text.data + token->text, token->size_bytes);
    if (pv_interner_get_count (interner) > n_before)
        self->kept_bytes += token->size_bytes + PV_INTERNED_BYTES;
    return id;
}

/* --- the current value --- */

static const Token *
peek_value (PvJson *json)
{
    g_assert (json != NULL);
    return json->has_value ? peek (json) : &end_token;
}

PvJsonType
pv_json_get_type (PvJson *json)
{
    static const PvJsonType types[] = {
        [TOKEN_END] = PV_JSON_NONE,       [TOKEN_NULL] = PV_JSON_NULL,
        [TOKEN_FALSE] = PV_JSON_BOOLEAN,  [TOKEN_TRUE] = PV_JSON_BOOLEAN,
        [TOKEN_INTEGER] = PV_JSON_NUMBER, [TOKEN_REAL] = PV_JSON_NUMBER,
        [TOKEN_STRING] = PV_JSON_STRING,  [TOKEN_KEY] = PV_JSON_NONE,
        [TOKEN_ARRAY] = PV_JSON_ARRAY,    [TOKEN_OBJECT] = PV_JSON_OBJECT,
        [TOKEN_CLOSE] = PV_JSON_NONE,
    };
    return types[peek_value (json)->type];
}

bool
pv_json_get_boolean (PvJson *json, bool otherwise)
{
    TokenType type = peek_value (json)->type;
    return type == TOKEN_TRUE || (type != TOKEN_FALSE && otherwise);
}

double
pv_json_get_number (PvJson *json, double otherwise)
{
    const Token *token = peek_value (json);
    return token->type == TOKEN_REAL      ? token->real
           : token->type == TOKEN_INTEGER ? (double)token->integer
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
    const Token *token = peek_value (json);
    return token->type == TOKEN_INTEGER ? token->integer
           : token->type == TOKEN_REAL  ? round_to_integer (token->real)
                                        : otherwise;
}

const char *
pv_json_get_string (PvJson *json, size_t *ret_size_bytes)
{
    const Token *token = peek_value (json);
    if (token->type != TOKEN_STRING)
        return NULL;
    if (ret_size_bytes != NULL)
        *ret_size_bytes = token->size_bytes;
    return json->text.data + token->text;
}

PvStringId
pv_json_intern (PvJson *json, PvInterner *interner)
{
    g_assert (interner != NULL);
    const Token *token = peek_value (json);
    return token->type == TOKEN_STRING ? intern (json, token, interner) : 0;
}

/* --- into it and on --- */

static bool
enter (PvJson *json, TokenType type)
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
    return enter (json, TOKEN_OBJECT);
}

bool
pv_json_enter_array (PvJson *json)
{
    return enter (json, TOKEN_ARRAY);
}

/* The first token after the current value, which is a key, a value, or the end of what was entered;
 * the end is taken. */
static const Token *
go_on (PvJson *json)
{
    g_assert (json != NULL);
    if (json->has_value)
        skip_value (json);
    const Token *token = peek (json);
    if (token->type == TOKEN_CLOSE)
        json->next++;
    return token;
}

bool
pv_json_next_element (PvJson *json)
{
    const Token *token = go_on (json);
    json->has_value = token->type != TOKEN_CLOSE && token->type != TOKEN_END;
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
    const Token *token = go_on (json);
    if (token->type != TOKEN_KEY)
        return false;
    json->next++;
    json->has_value = true;
    json->key.len = 0;
    pv_array_append (&json->key, json->text.data + token->text, token->size_bytes + 1);
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

/* --- whole columns --- */

/* The next element of a column, which is taken; NULL after the last one. What is inside of an
 * element is skipped. */
static const Token *
next_cell (PvJson *json)
{
    const Token *token = peek (json);
    if (token->type == TOKEN_END)
        return NULL;
    json->next++;
    if (token->type == TOKEN_ARRAY || token->type == TOKEN_OBJECT) {
        skip_open (json, 1);
        return &end_token;
    }
    return token->type == TOKEN_CLOSE ? NULL : token;
}

static int64_t
get_cell (const Token *cell, int64_t otherwise)
{
    switch (cell->type) {
    case TOKEN_INTEGER:
        return cell->integer;
    case TOKEN_REAL:
        return fabs (cell->real) < 0x1p63 ? (int64_t)cell->real : otherwise;
    case TOKEN_TRUE:
    case TOKEN_FALSE:
        return cell->type == TOKEN_TRUE;
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
    for (const Token *cell; (cell = next_cell (json)) != NULL;) {
        int64_t value = get_cell (cell, otherwise);
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
    for (const Token *cell; (cell = next_cell (json)) != NULL;) {
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
    for (const Token *cell; (cell = next_cell (json)) != NULL;) {
        pv_array_push (column, cell->type == TOKEN_REAL      ? cell->real
                               : cell->type == TOKEN_INTEGER ? (double)cell->integer
                                                             : otherwise);
        count_cell (json, sizeof *column->data);
    }
    return true;
}

bool
pv_json_append_strings (PvJson *json, PvStringColumn *column, PvInterner *interner)
{
    g_assert (column != NULL && interner != NULL);
    if (!pv_json_enter_array (json))
        return false;
    for (const Token *cell; (cell = next_cell (json)) != NULL;) {
        PvStringId string = cell->type == TOKEN_STRING ? intern (json, cell, interner) : 0;
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
    return json->next < json->tokens.len ? PV_JSON_END_OPEN : json->end;
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
        return _ ("The file ends early. Everything before that is shown.");
    case PV_JSON_END_DAMAGED:
        return _ ("The file is damaged. Everything before that point is shown.");
    case PV_JSON_END_TOO_LARGE:
        return _ ("The file is too large, or a part of it is. Everything before that point is "
                  "shown.");
    case PV_JSON_END_NO_MEMORY:
        return _ ("The file needs more memory than is allowed for its size. Everything before that "
                  "point is shown.");
    case PV_JSON_END_OPEN:
    case PV_JSON_END_COMPLETE:
    case PV_JSON_END_CANCELLED:
        break;
    }
    return NULL;
}

void
pv_json_add_note (const PvJson *json, PvProfileBuilder *builder)
{
    g_assert (json != NULL && builder != NULL);
    const char *text = describe_end (pv_json_get_end (json));
    if (text != NULL)
        pv_profile_builder_note (builder, PV_NOTE_WARNING, PV_NOTE_TRUNCATED_FILE, 0, "%s", text);
}
