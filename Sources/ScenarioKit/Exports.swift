// SPDX-License-Identifier: MIT

// Diagnostics and their locations are part of the interface.
@_exported public import ScenarioLanguage
