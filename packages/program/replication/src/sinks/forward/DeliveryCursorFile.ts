import { existsSync, readFileSync } from "node:fs";
import { replaceFile } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import * as Type from "typebox";
import { Check } from "typebox/value";
import { SinkError } from "../SinkError.js";

const note = Type.Object({ cursor: Type.String({ minLength: 1, maxLength: 128 }) });

/** The file with the last event up to which all have been delivered. */
export class DeliveryCursorFile {
  readonly path: string;
  #written: string | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** @returns `undefined` where nothing was handed on yet @throws {SinkError} `noteWrong` */
  read(): string | undefined {
    if (!existsSync(this.path)) return undefined;
    let value: unknown;
    try {
      value = JSON.parse(readFileSync(this.path, "utf8"));
    } catch (error) {
      throw this.#wrong(errorText(error), error);
    }
    if (!Check(note, value)) throw this.#wrong("it has no cursor");
    this.#written = value.cursor;
    return value.cursor;
  }

  /** @throws {SinkError} `noteWrong` */
  write(cursor: string): void {
    if (cursor === this.#written) return;
    try {
      replaceFile(this.path, `${JSON.stringify({ cursor })}\n`, 0o644);
    } catch (error) {
      throw this.#wrong(errorText(error), error);
    }
    this.#written = cursor;
  }

  #wrong(reason: string, cause?: unknown): SinkError {
    return new SinkError({ code: "noteWrong", path: this.path, reason }, { cause });
  }
}
