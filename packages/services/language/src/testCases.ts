/** Whether a text is a file of test cases, which has directives and macros and is no program by itself. */
export function hasCases(text: string): boolean {
  return /^\/\/: case /m.test(text);
}
