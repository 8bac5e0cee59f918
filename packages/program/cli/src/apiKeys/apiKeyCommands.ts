import { readConfig } from "@vedette/config";
import {
  type ApiKey,
  ApiKeyFileError,
  changeApiKeys,
  hashOfApiKey,
  makeApiKey,
  readApiKeys,
} from "@vedette/server/keys";
import { CommandError } from "../client/CommandError.js";
import { exitCodes } from "../exitCodes.js";
import { configSourcesOf, countOf, type GivenOptions, textOf } from "../runOptions.js";

const maxRequests = 999_999;
const usual = { requestsPerSecond: 200, requestsAtOnce: 2_000 } as const;

type Print = (line: string) => void;
const toOutput: Print = (line) => void process.stdout.write(`${line}\n`);

/** Makes a key and prints it: it is nowhere else. @returns the exit code @throws {ApiKeyFileError}, {CommandError}, {ConfigError} */
export function createApiKey(name: string, given: GivenOptions, print: Print = toOutput): number {
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(name))
    throw new CommandError({
      code: "badArgument",
      name: "<name>",
      expected: "1 to 64 letters, digits, dots, hyphens or low lines",
    });
  const requestsPerSecond = countOf(given, "--requests-per-second", maxRequests) ?? usual.requestsPerSecond;
  const requestsAtOnce = countOf(given, "--request-burst", maxRequests) ?? usual.requestsAtOnce;
  const path = pathOf(given);
  const key = makeApiKey();
  const created = new Date().toISOString();
  changeApiKeys(path, (keys) => {
    if (keys.some((one) => one.name === name)) throw new ApiKeyFileError({ code: "nameTaken", name });
    return [...keys, { name, sha256: hashOfApiKey(key), requestsPerSecond, requestsAtOnce, created }];
  });
  if (given["json"] === true) print(JSON.stringify({ name, key, requestsPerSecond, requestsAtOnce, created }));
  else {
    print(key);
    process.stderr.write(`This is the key of ${name}; it is shown only now. ${path} has its hash.\n`);
  }
  return exitCodes.success;
}

/** @returns the exit code @throws {ApiKeyFileError}, {CommandError}, {ConfigError} */
export function listApiKeys(given: GivenOptions, print: Print = toOutput): number {
  const keys = readApiKeys(pathOf(given));
  if (given["json"] === true) print(JSON.stringify(keys));
  else if (keys.length === 0) print("There are no API keys.");
  else for (const line of table(keys)) print(line);
  return exitCodes.success;
}

/** @returns the exit code @throws {ApiKeyFileError}, {CommandError}, {ConfigError} */
export function revokeApiKey(name: string, given: GivenOptions, print: Print = toOutput): number {
  const path = pathOf(given);
  changeApiKeys(path, (keys) => {
    if (!keys.some((one) => one.name === name)) throw new ApiKeyFileError({ code: "nameUnknown", name });
    return keys.filter((one) => one.name !== name);
  });
  print(given["json"] === true ? JSON.stringify({ name }) : `${name} is revoked.`);
  return exitCodes.success;
}

function table(keys: readonly ApiKey[]): string[] {
  const rows = [
    ["name", "requests/s", "at once", "made"],
    ...keys.map((key) => [key.name, String(key.requestsPerSecond), String(key.requestsAtOnce), key.created]),
  ];
  const widths = [0, 1, 2].map((at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows.map(
    ([name, ...others]) =>
      `${name!.padEnd(widths[0]!)}  ${others[0]!.padStart(widths[1]!)}  ${others[1]!.padStart(widths[2]!)}  ${others[2]}`,
  );
}

/** @throws {CommandError} `missingArgument`; {ConfigError} */
function pathOf(given: GivenOptions): string {
  const path = textOf(given, "file") ?? readConfig(configSourcesOf(given)).config["api-server.keys.file"];
  if (path !== "") return path;
  throw new CommandError({ code: "missingArgument", expected: "--file, or set api-server.keys.file" });
}
