import { InterpreterError } from "../InterpreterError.js";
import { parseProgram } from "../syntax/Parser.js";

const spelling: Readonly<Record<string, string>> = { identifier: "x", integer: "1", string: '"s"', uri: "`u`" };

/** The index of the token that the parser refuses; the number of tokens at the end of the text; -1 if it accepts. */
export function refusedToken(tokens: readonly string[]): number {
  const starts: number[] = [];
  let source = "";
  for (const token of tokens) {
    starts.push(source.length);
    source += `${spelling[token] ?? token} `;
  }
  try {
    parseProgram(source);
    return -1;
  } catch (error) {
    if (!(error instanceof InterpreterError) || error.failure.class !== "SyntaxError") throw error;
    return error.failure.found === undefined ? tokens.length : starts.indexOf(error.failure.at.offset!);
  }
}
