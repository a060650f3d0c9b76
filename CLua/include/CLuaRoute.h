// SPDX-License-Identifier: MIT
#ifndef CLUAROUTE_H
#define CLUAROUTE_H
#endif
