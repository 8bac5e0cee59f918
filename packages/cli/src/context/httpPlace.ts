import { ContextFile, contextFilePath } from "@vedette/config";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { nodeVariable } from "./nodePlace.js";

/** @spec 50 §5.3 */
const usualHttpPort = 40_403;

/**
 * Where the HTTP API is that a command asks: of `-H` and `--http-port`, else of the host in the environment, else of
 * the context's node for questions, else of this machine.
 *
 * @throws {ContextError}
 */
export function httpPlace(host: CommandHost, options: Options): string {
  const named = host.environment[nodeVariable]?.replace(/:\d+$/, "");
  const isGiven = options["host"] !== undefined || options["httpPort"] !== undefined;
  const path = contextFilePath(host.environment);
  const reads =
    isGiven || (named !== undefined && named !== "") || path === undefined
      ? undefined
      : new ContextFile(path).current()?.reads;
  const address = String(options["host"] ?? (isGiven ? "localhost" : (reads?.host ?? (named || "localhost"))));
  const authority = address.includes(":") && !address.startsWith("[") ? `[${address}]` : address;
  return `http://${authority}:${String(options["httpPort"] ?? reads?.httpPort ?? usualHttpPort)}`;
}
