import { type ContextAddress, ContextFile, contextFilePath } from "@vedette/config";
import type { Command } from "commander";
import { CommandError } from "../client/CommandError.js";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";

/** How a command uses its node: writing ones need one that makes blocks. */
export type NodeAccess = "writes" | "reads";

/** The variable that names a node for all commands: `host`, or `host:port` with its gRPC port. */
const nodeVariable = "VEDETTE_NODE";

const hostOptions = ["host", "grpcHost"];
const portOptions = ["port", "grpcPort"];

/**
 * The options of a command with the node that it is to use: the one of `-H` and `-p`, else of the environment, else of
 * the context, else the one that a machine's only node would be.
 *
 * @throws {CommandError} `badArgument`; {ContextError}
 * @spec 50 §5.6
 */
export function withNode(command: Command, host: CommandHost, use: NodeAccess): Options {
  const options = command.opts<Options>();
  const isGiven = [...hostOptions, ...portOptions].some((name) => command.getOptionValueSource(name) === "cli");
  if (isGiven) return options;
  const named = host.environment[nodeVariable];
  if (named !== undefined && named !== "") return { ...options, ...placeOf(named) };
  const context = currentContext(host);
  if (context === undefined) return options;
  const { host: address, operatorPort, grpcPort, httpPort: usual } = context[use];
  const dialect = options["dialect"] ?? context.dialect;
  const httpPort = options["httpPort"] ?? usual;
  return { ...options, host: address, port: use === "writes" ? operatorPort : grpcPort, httpPort, dialect };
}

/**
 * Where the operator's HTTP API is that a command is to use: of `-H` and `--admin-port`, else of the host in the
 * environment, else of the context, else of this machine.
 *
 * @throws {CommandError} `badArgument`; {ContextError}
 * @spec 50 §5.6
 */
export function adminPlace(host: CommandHost, options: Options, use: NodeAccess = "writes"): string {
  return apiPlace(host, options, { use, port: "adminPort", usual: usualAdminPort });
}

/**
 * Where the public HTTP API is that a command is to use: of `-H` and `--http-port`, else of the host in the
 * environment, else of the context's node for questions, else of this machine.
 *
 * @throws {CommandError} `badArgument`; {ContextError}
 * @spec 50 §5.6
 */
export function resolveHttpUrl(host: CommandHost, options: Options): string {
  return apiPlace(host, options, { use: "reads", port: "httpPort", usual: usualHttpPort });
}

/** The address of an HTTP API. @param host a name, or an address with brackets or without */
export function httpUrl(host: string, port: unknown = usualHttpPort): string {
  const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `http://${authority}:${String(port)}`;
}

/** @spec 50 §5.3 */
const usualHttpPort = 40_403;
const usualAdminPort = 40_405;

interface ApiOfNode {
  readonly use: NodeAccess;
  readonly port: "httpPort" | "adminPort";
  /** Used where neither option nor environment gives one. */
  readonly usual: number;
}

function apiPlace(host: CommandHost, options: Options, { use, port, usual }: ApiOfNode): string {
  const isGiven = options["host"] !== undefined || options[port] !== undefined;
  const node = isGiven ? undefined : nodeOf(host, use);
  return httpUrl(String(options["host"] ?? node?.host ?? "localhost"), options[port] ?? node?.[port] ?? usual);
}

/** The host that the environment names (its port is for gRPC only), or the node of the context. */
function nodeOf(
  host: CommandHost,
  use: NodeAccess,
): (Pick<ContextAddress, "host"> & Partial<ContextAddress>) | undefined {
  const named = host.environment[nodeVariable];
  return named !== undefined && named !== "" ? { host: placeOf(named).host } : currentContext(host)?.[use];
}

function currentContext({ environment }: CommandHost) {
  const path = contextFilePath(environment);
  return path === undefined ? undefined : new ContextFile(path).current();
}

/** @throws {CommandError} `badArgument` */
function placeOf(text: string): { readonly host: string; readonly port?: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-fA-F:.%]+)\]|([^\s:/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const number = port === undefined ? undefined : Number(port);
  if (host === undefined || (number !== undefined && (number < 1 || number > 65_535)))
    throw new CommandError({
      code: "badArgument",
      name: nodeVariable,
      expected: "a host, or host:port with a gRPC port",
    });
  return number === undefined ? { host } : { host, port: number };
}
