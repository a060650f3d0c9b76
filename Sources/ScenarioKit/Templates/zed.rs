use zed_extension_api::{self as zed, serde_json, LanguageServerId, Result, Worktree};

struct Luaroute;

impl zed::Extension for Luaroute {
    fn new() -> Self {
        Luaroute
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<zed::Command> {
        Ok(zed::Command {
            command: worktree.which("luaroute").ok_or("'luaroute' is not in PATH")?,
            args: vec!["lsp".into()],
            env: worktree.shell_env(),
        })
    }

    fn language_server_initialization_options(
        &mut self,
        _: &LanguageServerId,
        _: &Worktree,
    ) -> Result<Option<serde_json::Value>> {
        Ok(Some(serde_json::json!({ "trusted": true })))
    }
}

zed::register_extension!(Luaroute);
