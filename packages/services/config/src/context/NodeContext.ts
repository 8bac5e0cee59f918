import { type DialectName, dialectNames, findDialectName } from "../dialectName.js";

/** Where a node listens. */
export interface ContextAddress {
  readonly host: string;
  /** The public gRPC server. */
  readonly grpcPort: number;
  /** gRPC for its operator: proposals, and deploys. */
  readonly operatorPort: number;
  readonly httpPort: number;
  /** HTTP for its operator, where commands use it. */
  readonly adminPort?: number;
}

/** The nodes that commands use by default. @spec 50 §5.6 */
export interface NodeContext {
  /** Letters, digits, `.`, `_`, `-`; 64 at most. */
  readonly name: string;
  /** Takes deploys and makes blocks. */
  readonly writes: ContextAddress;
  /** Answers questions, and runs programs on states. */
  readonly reads: ContextAddress;
  /** The dialect of the network; default: rnode's. */
  readonly dialect?: DialectName | undefined;
  /** The process that the nodes end with; left out where they are not of this machine. */
  readonly pid?: number | undefined;
}

/** Why a text is no list of contexts; `undefined` when it is one. */
export function wrongWithContexts(value: unknown): string | undefined {
  if (!isObject(value) || !Array.isArray(value["contexts"])) return "it has no list `contexts`";
  const { contexts } = value as { readonly contexts: readonly unknown[] };
  for (const [index, context] of contexts.entries()) {
    const wrong = wrongWithContext(context);
    if (wrong !== undefined) return `contexts[${index}] ${wrong}`;
  }
  return undefined;
}

/** Returns why a value is not a context, as the rest of a sentence. */
export function wrongWithContext(value: unknown): string | undefined {
  if (!isObject(value)) return "is no object";
  const { name, pid, dialect } = value;
  if (typeof name !== "string" || !/^[\w.-]{1,64}$/.test(name))
    return "has a name of other signs than letters, digits, `.`, `_`, `-`, or of more than 64";
  if (pid !== undefined && !(Number.isSafeInteger(pid) && (pid as number) > 0)) return "has a pid that is none";
  if (dialect !== undefined && findDialectName(dialect) === undefined)
    return `has a dialect that is none of ${dialectNames.join(", ")}`;
  for (const member of ["writes", "reads"]) {
    const wrong = wrongWithAddress(value[member]);
    if (wrong !== undefined) return `has ${member} ${wrong}`;
  }
  return undefined;
}

function wrongWithAddress(value: unknown): string | undefined {
  if (!isObject(value)) return "that are no object";
  const { host } = value;
  if (typeof host !== "string" || !/^[\w.:%[\]-]{1,255}$/.test(host)) return "without a host";
  const ports = ["grpcPort", "operatorPort", "httpPort", ...("adminPort" in value ? ["adminPort"] : [])];
  const wrong = ports.find((port) => !isPort(value[port]));
  return wrong === undefined ? undefined : `whose ${wrong} is not a whole number from 1 to 65535`;
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 65_535;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
