import { type ContextAddress, ContextError, ContextFile, contextFilePath, type NodeContext } from "@vedette/config";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import { type Options, textOption } from "../client/NodeCommand.js";

/** `vedette context list`. @spec 50 §5.6 */
export async function list(host: CommandHost): Promise<CommandAnswer> {
  const contexts = fileOf(host).list();
  const none =
    "No context: commands use localhost. `vedette context add` adds one; so do `vedette network` and `vedette dev`.";
  const rows = contexts.map((context, index) => `${index === 0 ? "*" : " "} ${rowOf(context)}`);
  return {
    text: rows.length === 0 ? none : rows.join("\n"),
    json: contexts.map((context, index) => ({ ...jsonOf(context), isUsed: index === 0 })),
  };
}

/** `vedette context use`. @spec 50 §5.6 */
export async function use(host: CommandHost, _options: Options, name = ""): Promise<CommandAnswer> {
  const chosen = fileOf(host).choose(name);
  return { text: `Commands use ${rowOf(chosen)}`, json: jsonOf(chosen) };
}

/** `vedette context add`. @spec 50 §5.6 */
export async function add(host: CommandHost, options: Options, name = ""): Promise<CommandAnswer> {
  const writes: ContextAddress = {
    host: textOption(options, "host") ?? "localhost",
    grpcPort: Number(options["grpcPort"]),
    operatorPort: Number(options["operatorPort"]),
    httpPort: Number(options["httpPort"]),
  };
  const reads: ContextAddress = {
    ...writes,
    host: textOption(options, "readHost") ?? writes.host,
    grpcPort: Number(options["readGrpcPort"] ?? writes.grpcPort),
    httpPort: Number(options["readHttpPort"] ?? writes.httpPort),
  };
  const context = { name, writes, reads };
  fileOf(host).note(context);
  return { text: `Commands use ${rowOf(context)}`, json: jsonOf(context) };
}

/** `vedette context remove`. @spec 50 §5.6 */
export async function remove(host: CommandHost, _options: Options, name = ""): Promise<CommandAnswer> {
  const file = fileOf(host);
  const known = file.list().map((context) => context.name);
  if (!file.forget(name)) throw new ContextError({ code: "unknown", name, known });
  return { text: `Removed ${name}`, json: { removed: name } };
}

function fileOf({ environment }: CommandHost): ContextFile {
  const path = contextFilePath(environment);
  if (path === undefined)
    throw new ContextError({ code: "wrong", reason: "list has no place: set HOME, or VEDETTE_CONTEXTS to a file" });
  return new ContextFile(path);
}

function rowOf({ name, writes, reads, pid }: NodeContext): string {
  const isOne = writes.host === reads.host && writes.grpcPort === reads.grpcPort;
  const read = isOne ? "" : `, reads ${reads.host}:${reads.grpcPort}`;
  const process = pid === undefined ? "" : ` (process ${pid})`;
  return `${name}: writes ${writes.host}:${writes.operatorPort}${read}${process}`;
}

function jsonOf({ name, writes, reads, pid }: NodeContext) {
  return { name, writes: { ...writes }, reads: { ...reads }, pid };
}
