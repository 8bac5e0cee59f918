import { existsSync, readFileSync, statSync } from "node:fs";
import { errorText } from "@vedette/errors";
import { type Checkpoint, LightError, readCheckpoint } from "@vedette/light";
import { CommandError } from "../client/CommandError.js";
import { type GivenOptions, textOf } from "../runOptions.js";
import { checkpointPath, releasedCheckpoints } from "./releasedCheckpoints.js";

const maxCheckpointBytes = 65_536;

/**
 * Reads a file as `vedette checkpoint` writes it, or one that the release carries.
 *
 * @param given the path of the file, or the name of a network
 * @throws {CommandError} `unreadableFile` where there is no such file and no such network
 * @throws {LightError} `form`; the file system's error
 */
export function readCheckpointFile(given: string): Checkpoint {
  const file = checkpointPath(given);
  if (!existsSync(file)) {
    const names = [...releasedCheckpoints().keys()].join(", ") || "none";
    const reason = `there is no such file, and no such network of this release (${names})`;
    throw new CommandError({ code: "unreadableFile", path: given, reason });
  }
  if (statSync(file).size > maxCheckpointBytes) throw noCheckpoint(`has more than ${maxCheckpointBytes} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw noCheckpoint(`is not JSON: ${errorText(cause)}`);
  }
  return readCheckpoint(json);
}

/** The checkpoint that the user trusts, of the option `--checkpoint`. @throws {CommandError} `unreadableFile` */
export function givenCheckpoint(options: GivenOptions): Checkpoint | undefined {
  const path = textOf(options, "checkpoint");
  try {
    return path === undefined ? undefined : readCheckpointFile(path);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError({ code: "unreadableFile", path: path!, reason: errorText(cause) }, { cause });
  }
}

function noCheckpoint(problem: string): LightError {
  return new LightError({ code: "form", field: "checkpoint", problem });
}
