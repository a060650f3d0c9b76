// SPDX-License-Identifier: MIT

#if Logging
import LuaRouteLogging
import LuaRouting
import Logging

/// The Swift examples of the documentation, word for word, so that they compile.
///
/// `DocumentationTests` looks for each of them here.
enum DocumentationExamples {
    static func log(_ router: Router) {
        let logging = router.log(to: Logger(label: "routing"))
        logging.cancel()
    }
}
#endif
