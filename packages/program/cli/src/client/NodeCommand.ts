import type { NodeClient } from "@vedette/client/node";
import { type DialectName, findDialectName } from "@vedette/config";
import type { DeployKey } from "@vedette/protocol";
import { answerWith, type CommandAnswer } from "./CommandAnswer.js";
import type { CommandHost } from "./CommandHost.js";
import { apiKeyHeaders } from "./CommandHost.js";
import { networkDialects } from "./networkDialects.js";
import { findKey, type KeySources, requireKey } from "./privateKey.js";

/** The command line as commander read it: options by their names. */
export type Options = Readonly<Record<string, unknown>>;

/** The parts that a command with a node works with. */
export interface NodeCommand {
  readonly client: NodeClient;
  readonly host: CommandHost;
  readonly options: Options;
  readonly signal: AbortSignal;
}

const msPerSecond = 1_000;

/**
 * Connects, runs a command, prints its answer.
 *
 * @param chosen the options with the node that is to be used
 */
export function answerFromNode(
  host: CommandHost,
  given: Options,
  run: (command: NodeCommand) => Promise<CommandAnswer>,
  chosen: () => Options = () => given,
): Promise<void> {
  const isJson = given["json"] === true || given["format"] === "json";
  return answerWith(host, isJson, async (signal) => {
    const options = chosen();
    const { NodeClient } = await import("@vedette/client/node");
    const address = {
      host: textOption(options, "grpcHost") ?? textOption(options, "host") ?? "localhost",
      port: Number(options["grpcPort"] ?? options["port"]),
      timeoutMs: Number(options["timeout"]) * msPerSecond,
      maxMessageBytes: Number(options["grpcMaxRecvMessageSize"]),
      headers: apiKeyHeaders(host),
      signal,
    };
    const dialect = dialectOf(options);
    using client = new NodeClient(address, dialect && (await networkDialects[dialect].loadTerms()));
    return await run({ client, host, options, signal });
  });
}

/** The value of an option, if it was given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** The dialect of the network; default: that of rnode. */
export function dialectOf(options: Options): DialectName | undefined {
  return findDialectName(options["dialect"]);
}

/** The user's key. */
export function requireKeyOf(options: Options, host: CommandHost): Promise<DeployKey> {
  return requireKey(keySources(options), host);
}

/** The user's key, where one is given. */
export function findKeyOf(options: Options, host: CommandHost): Promise<DeployKey | undefined> {
  return findKey(keySources(options), host);
}

/** How long to wait for a deploy or a block. */
export function waitMs(options: Options): number {
  return Number(options["waitTimeout"]) * msPerSecond;
}

function keySources(options: Options): KeySources {
  return {
    privateKey: textOption(options, "privateKey"),
    privateKeyFile: textOption(options, "privateKeyFile") ?? textOption(options, "privateKeyPath"),
  };
}
