(define-derived-mode luaroute-mode prog-mode "luaroute"
  (setq-local comment-start "# ")
  (setq-local font-lock-defaults
    '((("\\(?:^\\|[ \t]\\)\\(#.*\\)" 1 'font-lock-comment-face)
       ("^[a-z]+" . 'font-lock-keyword-face)
       ("^[ \t]+\\([A-Za-z]+\\)" 1 'font-lock-function-name-face)
       ("\\_<[A-Z][A-Za-z0-9_./-]*" . 'font-lock-type-face)))))
(add-to-list 'auto-mode-alist '("\\.scenario\\'" . luaroute-mode))
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
    '((luaroute-mode lua-mode) . ("luaroute" "lsp" :initializationOptions (:trusted t)))))
(add-hook 'luaroute-mode-hook #'eglot-ensure)
