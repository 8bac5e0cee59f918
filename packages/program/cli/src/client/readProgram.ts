import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { errorText } from "@vedette/errors";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";
import { hideKeys } from "./hideKeys.js";

// The largest message that a node accepts, unless configured otherwise.
const largestProgram = 16_777_216;

/** Reads a Rholang program from a file, or from the standard input for `-`. @throws {CommandError} `unreadableFile`, `inputTooLarge` */
export async function readProgram(path: string, host: CommandHost): Promise<string> {
  // A key in the place of a file must not come back in the message.
  const shown = hideKeys(path);
  const bytes = path === "-" ? await host.readInput() : readFile(path, shown);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new CommandError(
      { code: "unreadableFile", path: shown, reason: "it is no UTF-8 text; save it as UTF-8" },
      { cause: error },
    );
  }
}

function readFile(path: string, shown: string): Uint8Array {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const facts = fstatSync(file);
    if (facts.isDirectory())
      throw new CommandError({ code: "unreadableFile", path: shown, reason: "it is a directory, not a program" });
    if (facts.size > largestProgram) {
      throw new CommandError({ code: "inputTooLarge", name: shown, limit: largestProgram });
    }
    return readFileSync(file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const reason = hideKeys(errorText(error));
    throw new CommandError({ code: "unreadableFile", path: shown, reason });
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
