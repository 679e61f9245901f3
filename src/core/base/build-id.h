/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The longest build-id that is stored; linkers write 8, 16 or 20 bytes. */
#define PV_BUILD_ID_MAX 32
