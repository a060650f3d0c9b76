(define-derived-mode luaroute-mode prog-mode "luaroute"
  (setq-local comment-start "# "))
(add-to-list 'auto-mode-alist '("\\.scenario\\'" . luaroute-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
    '((luaroute-mode lua-mode) . ("luaroute" "lsp" :initializationOptions (:trusted t)))))
(add-hook 'luaroute-mode-hook #'eglot-ensure)
