import { PrintError } from "./PrintError.js";

/** Maximum length of a printed text. Indents alone make the text of a deep term grow with the square of its depth. */
const maxTextLength = 1 << 26;

/** Returns the text that `write` makes, if the engine can hold it. @throws {PrintError} */
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
