import { readFileSync, statSync } from "node:fs";
import { type Config, ConfigError } from "@vedette/config";
import { errorText } from "@vedette/errors";

const maxBytes = 1 << 20;
const maxLabels = 5_000;
const maxLength = 60;

/**
 * The operator's names for accounts, which the explorer shows: a JSON object, `{"<address or public key>": "name"}`.
 *
 * @returns names by what they are of; empty where no file is named
 * @throws {ConfigError} `unusableFile`
 */
export function readAccountLabels(config: Config): Readonly<Record<string, string>> {
  const path = config["api-server.explorer-labels"];
  if (path === undefined) return {};
  const text = readText(path);
  let labels: unknown;
  try {
    labels = JSON.parse(text);
  } catch (error) {
    throw unusable(path, `is no JSON: ${errorText(error)}`);
  }
  if (typeof labels !== "object" || labels === null || Array.isArray(labels))
    throw unusable(path, "must be a JSON object, with a name for each address or public key");
  const entries = Object.entries(labels as Record<string, unknown>);
  if (entries.length > maxLabels) throw unusable(path, `has ${entries.length} names; ${maxLabels} are read at most`);
  for (const [account, label] of entries)
    if (typeof label !== "string" || label.length === 0 || label.length > maxLength)
      throw unusable(path, `names ${account.slice(0, 140)} by no text of 1 to ${maxLength} characters`);
  return labels as Record<string, string>;
}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxBytes) throw unusable(path, `has more than ${maxBytes} bytes`);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw unusable(path, `cannot be read: ${errorText(error)}`);
  }
}

function unusable(path: string, reason: string): ConfigError {
  return new ConfigError({
    code: "unusable",
    problems: [{ code: "unusableFile", key: "api-server.explorer-labels", text: `${path} ${reason}` }],
  });
}
