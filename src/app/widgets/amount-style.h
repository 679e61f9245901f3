/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/*
 * How strong the figures of a PvAmountCell are, as opacity. An amount is fainter than its share,
 * but has a contrast of 4.5:1 everywhere, also over the bar; what is zero is fainter still, at 3:1
 * (WCAG 2.1, 1.4.3 and 1.4.11).
 */
#define PV_AMOUNT_OPACITY    0.8f
#define PV_ZERO_OPACITY      0.75f /* of the whole cell */
#define PV_BAR_OPACITY_LIGHT 0.25f
#define PV_BAR_OPACITY_DARK  0.5f
