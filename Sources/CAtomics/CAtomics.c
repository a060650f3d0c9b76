/* SPDX-License-Identifier: MIT */
#include "CAtomics.h"
