import { readFileSync, statSync } from "node:fs";
import { errorText } from "@vedette/errors";
import { type Checkpoint, LightError, readCheckpoint } from "@vedette/light";

const maxCheckpointBytes = 65_536;

/** Reads a file as `vedette checkpoint` writes it. @throws {LightError} `form`; what the file system says */
export function readCheckpointFile(file: string): Checkpoint {
  if (statSync(file).size > maxCheckpointBytes) throw noCheckpoint(`has more than ${maxCheckpointBytes} bytes`);
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw noCheckpoint(`is not JSON: ${errorText(cause)}`);
  }
  return readCheckpoint(json);
}

function noCheckpoint(problem: string): LightError {
  return new LightError({ code: "form", field: "checkpoint", problem });
}
