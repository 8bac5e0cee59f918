import { PrintError } from "./PrintError.js";

/** Longer texts are of use to nobody: indents alone make deep terms grow with the square of their depth. */
const maxTextLength = 1 << 26;

/** What `write` makes, if the engine can hold it. @throws {PrintError} */
export function boundedText(write: () => string): string {
  const text = written(write);
  if (text.length > maxTextLength) throw new PrintError({ code: "tooLong", limit: maxTextLength });
  return text;
}

function written(write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // The longest text that the engine can hold, or the stack.
    const isTooLong = error.message.includes("string length");
    throw new PrintError(isTooLong ? { code: "tooLong", limit: maxTextLength } : { code: "tooDeep" }, { cause: error });
  }
}
