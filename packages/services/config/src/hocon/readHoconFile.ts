import { closeSync, openSync, readSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { errorText } from "@vedette/errors";
import { ConfigError, type ConfigProblemCode } from "../ConfigError.js";
import type { ObjectNode, ValueLocation } from "./hoconNode.js";
import { type IncludeRequest, parseHocon } from "./parseHocon.js";

const includeDepthLimit = 10;
const fileCountLimit = 50;
const fileLimitBytes = 1_048_576;

/**
 * Parses a file and all that it includes; names of included files are relative to the file.
 *
 * @spec 50 §5.2
 * @returns `undefined` where the file does not exist
 * @throws {ConfigError} `syntax`, `includeFailed`, `tooLarge`
 */
export function readHoconFile(path: string): ObjectNode | undefined {
  return new FileReader().read(path, { source: path }, [], 0);
}

class FileReader {
  #count = 0;

  read(path: string, origin: ValueLocation, prefix: readonly string[], depth: number): ObjectNode | undefined {
    if (depth > includeDepthLimit) {
      fail("tooLarge", `files include each other more than ${includeDepthLimit} deep: ${path}`, origin);
    }
    if (++this.#count > fileCountLimit) fail("tooLarge", `more than ${fileCountLimit} files are included`, origin);
    const text = readText(path, origin);
    if (text === undefined) return undefined;
    const readInclude = (request: IncludeRequest) => this.#include(path, request, depth);
    return parseHocon({ text, name: path, prefix, readInclude });
  }

  #include(from: string, request: IncludeRequest, depth: number): ObjectNode | undefined {
    const { origin, prefix, isRequired } = request;
    const path = isAbsolute(request.path) ? request.path : join(dirname(from), request.path);
    const found = this.read(path, origin, prefix, depth + 1);
    if (found === undefined && isRequired) fail("includeFailed", `the required file ${path} does not exist`, origin);
    return found;
  }
}

function readText(path: string, origin: ValueLocation): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    const content = Buffer.alloc(fileLimitBytes + 1);
    let length = 0;
    for (let more = -1; more !== 0 && length < content.length; length += more) {
      more = readSync(file, content, length, content.length - length, null);
    }
    if (length > fileLimitBytes) fail("tooLarge", `${path} is larger than ${fileLimitBytes} bytes`, origin);
    return content.toString("utf8", 0, length);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return undefined;
    }
    return fail("includeFailed", `${path} cannot be read: ${errorText(error)}`, origin);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function fail(code: ConfigProblemCode, text: string, origin: ValueLocation): never {
  throw new ConfigError({ code: "unusable", problems: [{ code, text, origin }] });
}
