/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/analyze/findings/rules.h"

#include <glib/gi18n-lib.h>

static const char *const names[] = {"pthread_mutex_lock",
                                    "__pthread_mutex_lock*",
                                    "___pthread_mutex_lock*",
                                    "__GI___pthread_mutex_lock*",
                                    "pthread_rwlock_*lock*",
                                    "__pthread_rwlock_*lock*",
                                    "___pthread_rwlock_*lock*",
                                    "__lll_lock_wait*",
                                    "std::mutex::lock",
                                    "std::shared_mutex::lock*",
                                    "std::sys::sync::mutex::*",
                                    "std::sys::sync::rwlock::*",
                                    "std::sys::*::locks::futex_mutex::*",
                                    "parking_lot::raw_mutex::*",
                                    "parking_lot::raw_rwlock::*",
                                    "sync.(*Mutex).*",
                                    "sync.(*RWMutex).*",
                                    "internal/sync.(*Mutex).*",
                                    "g_mutex_lock*",
                                    "g_rec_mutex_lock*",
                                    "g_rw_lock_*lock*",
                                    "take_gil",
                                    "QMutex::lock*",
                                    "absl::Mutex::Lock*",
                                    NULL};

const PvFindingRule pv_rule_lock_waits = {
    .word = "lock-waits",
    .scope = PV_RULE_OF_WAITS,
    .names = names,
    .least = 0.03,
    .title = N_ ("Waiting for locks (%s) takes %s of %s"),
    .detail = N_ ("If the recording tells who woke whom, the Timeline shows which thread "
                  "held the lock."),
    .detail_of_holder = N_ ("“%s” held the lock, or delayed the thread that held it, for %s of "
                            "that time, according to the recorded wake-ups."),
};
