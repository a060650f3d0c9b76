// SPDX-License-Identifier: MIT

#if Metrics
import CoreMetrics
import LuaRouteMetrics
import LuaRouting

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here.
enum DocumentationExamples {
    static func record(_ router: Router) {
        let recording = router.record(in: MetricsSystem.factory)
        recording.cancel()
    }
}
#endif
