(comment) @comment
(keyword) @keyword
(action) @function
(condition) @attribute
(connective) @keyword
(string) @string
(url) @string.special
[(number) (duration) (time)] @number
(constant) @constant
(parameter) @variable.special
(route) @function
(tag) @tag
(key) @property
(operator) @operator
((name) @type
  (#match? @type "^[A-Z]"))
