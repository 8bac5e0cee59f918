import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { LocalNetworkError } from "../LocalNetworkError.js";

/** A server that a fleet needs and that is no program of ours. */
export interface KnownServer {
  readonly name: string;
  readonly howToGet: string;
}

/** NATS, for the stream. */
export const natsServer: KnownServer = {
  name: "nats-server",
  howToGet:
    "get it from https://github.com/nats-io/nats-server/releases, by `brew install nats-server` or `go install github.com/nats-io/nats-server/v2@v2.15.2`, and name it with --nats-server unless it is in the PATH",
};

/** HAProxy, for the one name. */
export const haproxy: KnownServer = {
  name: "haproxy",
  howToGet:
    "get it by `apt-get install haproxy` or `brew install haproxy`, and name it with --haproxy unless it is in the PATH",
};

/**
 * Finds a server's program.
 *
 * @param given its path, where one was named
 * @returns `undefined` where none was named and none is in the search path
 * @throws {LocalNetworkError} `serverMissing` where what was named is no program
 */
export function findServer(
  { name, howToGet }: KnownServer,
  given: string | undefined,
  searchPath: string = process.env["PATH"] ?? "",
): string | undefined {
  if (given === undefined)
    return searchPath
      .split(delimiter)
      .filter((folder) => folder !== "")
      .map((folder) => join(folder, name))
      .find(isProgram);
  if (!isProgram(given)) throw new LocalNetworkError({ code: "serverMissing", server: given, howToGet });
  return given;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
