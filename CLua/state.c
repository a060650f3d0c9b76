// SPDX-License-Identifier: MIT
#include "CLuaRoute.h"
