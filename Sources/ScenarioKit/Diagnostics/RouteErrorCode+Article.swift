// SPDX-License-Identifier: MIT

internal import LuaRouting

extension RouteError.Code {
    /// What is told about the code.
    var article: CodeArticle {
        switch self {
        case .notFound: Self.notFoundArticle
        case .wrongKind: Self.wrongKindArticle
        case .badInfo: Self.badInfoArticle
        case .forbidden: Self.forbiddenArticle
        case .startNotFound: Self.startNotFoundArticle
        case .typeMismatch: Self.typeMismatchArticle
        case .composition: Self.compositionArticle
        case .notDismissible: Self.notDismissibleArticle
        case .stopped: Self.stoppedArticle
        case .redirectLoop: Self.redirectLoopArticle
        case .disabled: Self.disabledArticle
        case .missingDependency: Self.missingDependencyArticle
        case .timeout: Self.timeoutArticle
        case .busy: Self.busyArticle
        case .script: Self.scriptArticle
        case .cancelled: Self.cancelledArticle
        case .superseded: Self.supersededArticle
        case .budget: Self.budgetArticle
        case .host: Self.hostArticle
        case .parse: Self.parseArticle
        default: preconditionFailure("the code '\(rawValue)' has no article")
        }
    }
}
