/**
 * A text that cannot drive the terminal, nor show itself in another order than it has: control characters but line
 * ends and tabs, and those that turn the direction of writing, become question marks.
 */
export function plainText(text: string): string {
  let plain = "";
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (!isControl(text.charCodeAt(index))) continue;
    plain += `${text.slice(start, index)}?`;
    start = index + 1;
  }
  return start === 0 ? text : plain + text.slice(start);
}

/** A text with such characters as escapes, which JSON reads as the same characters. */
export function escapeControls(text: string): string {
  let plain = "";
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!isControl(code)) continue;
    plain += `${text.slice(start, index)}\\u${code.toString(16).padStart(4, "0")}`;
    start = index + 1;
  }
  return start === 0 ? text : plain + text.slice(start);
}

/** Whether a character does something other than being shown. */
export function isControl(code: number): boolean {
  if (code < 0xa0) return (code < 0x20 && code !== 0x0a && code !== 0x09) || code >= 0x7f;
  return (
    code === 0x061c ||
    code === 0x180e ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff
  );
}
