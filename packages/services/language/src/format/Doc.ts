/**
 * The layout of a program before its line breaks: a group is written on one line if it fits, else all of its own lines
 * are broken. `hard` means that a part of it must not be on one line.
 */
export type Doc =
  | { readonly kind: "text"; readonly text: string; readonly hard: boolean }
  | { readonly kind: "all"; readonly parts: readonly Doc[]; readonly hard: boolean }
  | { readonly kind: "indent"; readonly inner: Doc; readonly hard: boolean }
  | { readonly kind: "group"; readonly inner: Doc; readonly broken: boolean; readonly hard: boolean }
  | { readonly kind: "line"; readonly flat: string; readonly hard: false }
  | { readonly kind: "emptyLine" | "freshLine" | "lineEnd"; readonly hard: true }
  | { readonly kind: "gap"; readonly hard: false };

/** A line break, or a blank on one line. */
export const line: Doc = { kind: "line", flat: " ", hard: false };
/** A line break, or nothing on one line. */
export const softLine: Doc = { kind: "line", flat: "", hard: false };
/** One line without anything. */
export const emptyLine: Doc = { kind: "emptyLine", hard: true };
/** The next part begins a line. */
export const freshLine: Doc = { kind: "freshLine", hard: true };
/** This line must end here. */
export const lineEnd: Doc = { kind: "lineEnd", hard: true };
/** A blank, unless a line ends or a blank is here anyhow. */
export const gap: Doc = { kind: "gap", hard: false };

/** As it is; may have line breaks of its own. */
export function text(value: string): Doc {
  return { kind: "text", text: value, hard: value.includes("\n") };
}

/** A few, one after the other. */
export function all(...parts: readonly Doc[]): Doc {
  return sequence(parts);
}

/** As many as there are, one after the other. */
export function sequence(parts: readonly Doc[]): Doc {
  return { kind: "all", parts, hard: parts.some(({ hard }) => hard) };
}

/** Lines within begin one step further right. */
export function indent(inner: Doc): Doc {
  return { kind: "indent", inner, hard: inner.hard };
}

/** @param broken whether it must not be on one line even if it fits */
export function group(inner: Doc, broken = false): Doc {
  return { kind: "group", inner, broken: broken || inner.hard, hard: broken || inner.hard };
}
