// Takes comments and the text of strings out of a source, so that names can be looked for with regular expressions.

/** A comment, a string, a template or a regular expression; a `/` after a value is a division. */
const parts =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`|(?<=[=(,:;!&|?{}[\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/g;

/** The code of a source: lines stay where they are; of templates, what is between `${` and `}` stays. */
export function codeOf(text) {
  return text.replace(parts, (part) => {
    if (part[0] !== "`") return blank(part);
    return part.replace(/\\[\s\S]|\$\{[^}]*\}|[^$\n]|\$/g, (piece) =>
      piece.startsWith("${") ? ` ${codeOf(piece.slice(2, -1))} ` : blank(piece),
    );
  });
}

function blank(part) {
  return part[0] === '"' || part[0] === "'" ? '""' : part.replace(/[^\n]/g, " ");
}
