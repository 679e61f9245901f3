/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "core/read/v8/v8-samples.h"

/* Events of a trace from which profiles are made. Initialise with zeros and the builder. */
typedef struct V8Trace V8Trace;

V8Trace *v8_trace_new (PvProfileBuilder *builder);
void v8_trace_free (V8Trace *trace);
/* Reads the array of events that is the current value of JSON. */
void v8_trace_read (V8Trace *trace, PvJson *json);
/* Adds the samples of all profiles, and notes. Returns how many profiles there are. */
uint32_t v8_trace_add (V8Trace *trace, V8Samples *samples);
/* Adds the samples with weights that the file has beside its events, with the names of threads. */
void v8_trace_add_counted (V8Trace *trace, V8Samples *samples, const V8Data *data);
