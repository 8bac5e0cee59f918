import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { errorClass, errorText } from "@vedette/errors";
import { type NodeContext, wrongWithContext, wrongWithContexts } from "./NodeContext.js";

/** Why the list of contexts cannot be used. */
export type ContextFailure =
  | { readonly code: "unreadable" | "unwritable" | "damaged"; readonly path: string; readonly reason: string }
  | { readonly code: "unknown"; readonly name: string; readonly known: readonly string[] }
  | { readonly code: "wrong"; readonly reason: string }
  | { readonly code: "tooMany"; readonly path: string };

/** The list of contexts cannot be used. @spec 50 §5.6 */
export class ContextError extends errorClass("ContextError", sentence) {}

/** The variable that names another file. */
export const contextFileVariable = "VEDETTE_CONTEXTS";

const maxBytes = 65_536;
const maxContexts = 64;

/** Returns the path of this user's contexts; `undefined` if the environment has no home. @spec 50 §5.6 */
export function contextFilePath(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = environment[contextFileVariable];
  if (given !== undefined && given !== "") return given;
  const home = environment["HOME"] ?? environment["USERPROFILE"];
  return home === undefined || home === "" ? undefined : join(home, ".vedette", "contexts.json");
}

/**
 * Stores the contexts of a user, the last one noted or chosen first. Commands use the first one with a running process,
 * so that a killed network does not hide the others.
 *
 * @spec 50 §5.6
 */
export class ContextFile {
  readonly #path: string;
  readonly #isAlive: (pid: number) => boolean;

  constructor(path: string, isAlive: (pid: number) => boolean = isRunning) {
    this.#path = path;
    this.#isAlive = isAlive;
  }

  /** @throws {ContextError} `unreadable`, `damaged` */
  list(): readonly NodeContext[] {
    return this.#stored().filter(({ pid }) => pid === undefined || this.#isAlive(pid));
  }

  /** The one that commands use. @throws {ContextError} `unreadable`, `damaged` */
  current(): NodeContext | undefined {
    return this.list()[0];
  }

  /** Takes a context up, in place of one of the same name, and chooses it. @throws {ContextError} */
  note(context: NodeContext): void {
    const wrong = wrongWithContext(context);
    if (wrong !== undefined) throw new ContextError({ code: "wrong", reason: wrong });
    const others = this.list().filter(({ name }) => name !== context.name);
    if (others.length >= maxContexts) throw new ContextError({ code: "tooMany", path: this.#path });
    this.#write([context, ...others]);
  }

  /** Has commands use a context. @throws {ContextError} `unknown` and others */
  choose(name: string): NodeContext {
    const all = this.list();
    const chosen = all.find((context) => context.name === name);
    if (chosen === undefined)
      throw new ContextError({ code: "unknown", name, known: all.map((context) => context.name) });
    this.#write([chosen, ...all.filter((context) => context !== chosen)]);
    return chosen;
  }

  /**
   * Takes a context out.
   *
   * @param pid only where it is of this process, since another one may have noted the same name meanwhile
   * @returns whether it was there
   * @throws {ContextError}
   */
  forget(name: string, pid?: number): boolean {
    const all = this.#stored();
    const rest = all.filter((context) => context.name !== name || (pid !== undefined && context.pid !== pid));
    if (rest.length === all.length) return false;
    this.#write(rest);
    return true;
  }

  #stored(): readonly NodeContext[] {
    const path = this.#path;
    let value: unknown;
    try {
      if (statSync(path).size > maxBytes) throw new RangeError(`it has more than ${maxBytes} bytes`);
      value = JSON.parse(readFileSync(path, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      const isDamaged = error instanceof SyntaxError || error instanceof RangeError;
      const code = isDamaged ? "damaged" : "unreadable";
      throw new ContextError({ code, path, reason: errorText(error) }, { cause: error });
    }
    const reason = wrongWithContexts(value);
    if (reason !== undefined) throw new ContextError({ code: "damaged", path, reason });
    return (value as { readonly contexts: readonly NodeContext[] }).contexts.slice(0, maxContexts);
  }

  /** Replaces the file in one step: another process reads either the old list or the new one. */
  #write(contexts: readonly NodeContext[]): void {
    const draft = `${this.#path}.${process.pid}.draft`;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      const file = openSync(draft, "w", 0o600);
      try {
        writeSync(file, `${JSON.stringify({ contexts }, undefined, 2)}\n`);
      } finally {
        closeSync(file);
      }
      chmodSync(draft, 0o600);
      renameSync(draft, this.#path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw new ContextError({ code: "unwritable", path: this.#path, reason: errorText(error) }, { cause: error });
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function sentence(failure: ContextFailure): string {
  switch (failure.code) {
    case "unreadable":
      return `The list of contexts ${failure.path} cannot be read: ${failure.reason}`;
    case "unwritable":
      return `The list of contexts ${failure.path} cannot be written: ${failure.reason}`;
    case "damaged":
      return `The list of contexts ${failure.path} is damaged: ${failure.reason}; mend it, or remove it and add contexts anew with \`vedette context add\``;
    case "unknown": {
      const known = failure.known.length === 0 ? "none is known" : `known are ${failure.known.join(", ")}`;
      return `There is no context ${failure.name}: ${known}; \`vedette context add\` adds one`;
    }
    case "wrong":
      return `The context ${failure.reason}`;
    case "tooMany":
      return `${failure.path} has ${maxContexts} contexts already; \`vedette context remove\` takes one out`;
  }
}
