/** A part of a text, and its replacement. */
interface Change {
  readonly before: string;
  readonly after: string;
}

const inPlaceOf = "//: in place of";
const stands = "//: stands";

/**
 * Applies a list of changes to a text. In the list every change is a line `//: in place of`, lines of the text, a line
 * `//: stands`, and the lines that replace them; what is before the first one is for readers.
 *
 * @param name of the list, for messages
 * @throws Error for a part that the text does not have, or has several times
 */
export function applyChanges(text: string, changes: string, name: string): string {
  return changesIn(changes, name).reduce((changed, { before, after }) => {
    const [head, tail, ...more] = changed.split(before);
    if (head === undefined || tail === undefined || more.length > 0)
      throw new Error(`${name}: the contract does not have this once: ${before.trim().slice(0, 100)}`);
    return head + after + tail;
  }, text);
}

function changesIn(text: string, name: string): Change[] {
  const [, ...parts] = text.split(`${inPlaceOf}\n`);
  return parts.map((part) => {
    const [before, after, ...more] = part.split(`${stands}\n`);
    if (before === undefined || before === "" || after === undefined || more.length > 0)
      throw new Error(`${name}: each change has two parts, not ${part.trim().slice(0, 100)}`);
    return { before, after };
  });
}
