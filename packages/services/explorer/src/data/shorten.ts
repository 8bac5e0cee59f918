/** `a1b2c3d4…e5f6a7`. */
export function shorten(text: string, first = 8, last = 6): string {
  return text.length <= first + last + 1 ? text : `${text.slice(0, first)}…${text.slice(-last)}`;
}
