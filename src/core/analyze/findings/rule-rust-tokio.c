/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {
    "tokio::runtime::scheduler::multi_thread::worker::Context::park*",
    "tokio::runtime::scheduler::current_thread::Context::park*",
    "tokio::runtime::thread_pool::worker::Context::park*",
    "tokio::runtime::basic_scheduler::Context::park*",
    "tokio::runtime::io::driver::*",
    "tokio::runtime::time::Driver::park*",
    "tokio::runtime::driver::Driver::park*",
    "tokio::runtime::park::*",
    NULL};

const PvFindingRule pv_rule_rust_tokio = {
    .word = "rust-tokio",
    .names = names,
    .least = 0.1,
    .title = N_ ("Workers of Tokio that look for work or go to sleep (%s) take %s of %s"),
    .detail = N_ ("Tasks are too short or too few for so many workers: use fewer worker "
                  "threads, or give each task more to do."),
};
