/** A text that cannot drive the terminal: control characters but line ends and tabs become question marks. */
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

/** Whether a character does something other than stand there. */
export function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x0a && code !== 0x09) || (code >= 0x7f && code < 0xa0);
}
