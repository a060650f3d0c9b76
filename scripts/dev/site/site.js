// SPDX-License-Identifier: MIT
//
// Additions to the pages that docc renders: it colours Lua and scenarios, which the renderer does not know, by the
// classes that the renderer styles, and links the search of the text.
const languages = {
  lua: /(?<comment>--.*)|(?<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|\b(?<keyword>and|break|do|else|elseif|end|false|for|function|goto|if|in|local|nil|not|or|repeat|return|then|true|until|while)\b|\b(?<number>0x[\da-f]+|\d+(?:\.\d+)?)\b/gi,
  scenario: /(?<comment>(?:^|(?<=\s))#(?=\s).*)|(?<string>"(?:\\.|[^"\\])*")|(?<=^\s*)(?<keyword>[a-z]\w*)(?=\s|$)|\b(?<number>\d+(?:\.\d+)?)(?:ms|s|m|h)?\b/g,
};

// The language of code whose fence names none: a scenario, if its lines look like one.
function languageOf(name, text) {
  if (name) return name;
  const opens = /^(scenario|known|skip|only|explore|macro) ["A-Za-z]|^background$|^use \S+$/m;
  const steps = /^(  )+(given|start|navigate|open|dispatch|user|expect|check|close|back|stub|do|let|call) /m;
  return opens.test(text) || (steps.test(text) && /^\s*expect /m.test(text)) ? "scenario" : null;
}

// The parts of a line, in order, each with its kind; null for plain text.
function parts(line, language) {
  const result = [];
  let end = 0;
  for (const match of line.matchAll(languages[language])) {
    const kind = Object.keys(match.groups).find((key) => match.groups[key] !== undefined);
    if (match.index > end) result.push([line.slice(end, match.index), null]);
    result.push([match[0], kind]);
    end = match.index + match[0].length;
  }
  if (end < line.length) result.push([line.slice(end), null]);
  return result;
}

function colour(listing) {
  const lines = [...listing.querySelectorAll(".code-line")];
  const text = lines.map((line) => line.textContent).join("\n");
  const language = languageOf(listing.dataset.syntax, text);
  if (!(language in languages)) return;
  for (const line of lines) {
    line.replaceChildren(
      ...parts(line.textContent, language).map(([text, kind]) => {
        if (!kind) return text;
        const span = document.createElement("span");
        span.className = `syntax-${kind}`;
        span.textContent = text;
        return span;
      })
    );
  }
}

if (typeof document !== "undefined") {
  const seen = new WeakSet();
  const update = () => {
    for (const listing of document.querySelectorAll(".code-listing")) {
      if (seen.has(listing) || !listing.querySelector(".code-line")) continue;
      seen.add(listing);
      colour(listing);
    }
  };
  new MutationObserver(update).observe(document.documentElement, { childList: true, subtree: true });
  addEventListener("DOMContentLoaded", () => {
    const link = document.createElement("a");
    link.href = `${baseUrl}search.html`;
    link.textContent = "Search the text";
    link.style = "position: fixed; right: 1em; bottom: 1em; z-index: 9";
    document.body.append(link);
  });
} else {
  module.exports = { languageOf, parts };
}
