/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

/*
 * Gets what a server answers to a URL: once, or on an interval one answer after the other until it
 * is stopped. Main loop only.
 */
typedef struct PvFetcher PvFetcher;

typedef struct {
    void (*progress) (gpointer owner);
    void (*fetched) (gpointer owner, const char *path);
    /* It is over, with a PV_FETCH_ERROR or G_IO_ERROR_CANCELLED. */
    void (*failed) (gpointer owner, const GError *error);
} PvFetcherEvents;

/* interval_seconds from the start of one answer to that of the next; 0: only one. */
PvFetcher *pv_fetcher_new (gpointer owner, const PvFetcherEvents *events,
                           unsigned interval_seconds);
void pv_fetcher_start (PvFetcher *fetcher, const char *url);
/* While it fetches, failed () comes. Between two answers it is just over. */
void pv_fetcher_stop (PvFetcher *fetcher);
/* Fetching, or going to. */
gboolean pv_fetcher_is_active (const PvFetcher *fetcher);
unsigned pv_fetcher_get_interval (const PvFetcher *fetcher);

/* "Recording, 12 of 30 s"; -1: unknown. */
char *pv_fetcher_describe (const PvFetcher *fetcher);
double pv_fetcher_get_fraction (const PvFetcher *fetcher);

/* Stops and forgets the owner: no more events. Drops the caller's reference. */
void pv_fetcher_close (PvFetcher *fetcher);
