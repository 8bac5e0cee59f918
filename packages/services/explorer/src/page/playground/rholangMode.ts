import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

const words =
  /^(?:new|in|for|contract|match|matches|where|select|if|else|let|bundle[+\-0]?|not|and|or|Nil|true|false|Set|Bool|Int|String|ByteArray|Uri)\b/;

/** Colours for what is being typed: it need not be a program yet. */
const rholang = StreamLanguage.define<{ inNote: boolean }>({
  name: "rholang",
  startState: () => ({ inNote: false }),
  token: (stream, state) => {
    if (state.inNote) {
      state.inNote = !stream.match(/^[\s\S]*?\*\//);
      if (state.inNote) stream.skipToEnd();
      return "comment";
    }
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match("/*")) {
      state.inNote = true;
      return "comment";
    }
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/^`[^`]*`?/)) return "link";
    if (stream.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:[fiu]\d+|[nr]|p\d+)?\b/)) return "number";
    if (stream.match(words)) return "keyword";
    if (stream.match(/^[A-Za-z_]\w*/)) return null;
    stream.next();
    return null;
  },
  languageData: {
    commentTokens: { line: "//", block: { open: "/*", close: "*/" } },
    closeBrackets: { brackets: ["(", "[", "{", '"', "`"] },
  },
});

/** By the same classes as programs elsewhere in the explorer. */
const style = HighlightStyle.define([
  { tag: tags.keyword, class: "t-word" },
  { tag: tags.string, class: "t-text" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.comment, class: "t-note" },
  { tag: tags.link, class: "t-place" },
]);

export const rholangMode = [rholang, syntaxHighlighting(style)];
