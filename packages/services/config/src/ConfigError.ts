import { errorClass } from "@vedette/errors";
import { printOrigin, type ValueLocation } from "./hocon/hoconNode.js";

/** One thing that is wrong with the configuration. */
export type ConfigProblem = {
  readonly code: ConfigProblemCode;
  /** The key that it is about, where there is one. */
  readonly key?: string;
  /** The fault and the action to take; never the value of a secret. */
  readonly text: string;
  readonly origin?: ValueLocation;
};

/** The kinds of problems. */
export type ConfigProblemCode =
  | "syntax"
  | "includeFailed"
  | "unresolved"
  | "tooLarge"
  | "unknownKey"
  | "wrongType"
  | "outOfRange"
  | "missing"
  | "unusableFile";

/**
 * The configuration cannot be used. The message has one line for every problem that was found.
 *
 * @spec 50 §5.4
 */
export class ConfigError extends errorClass("ConfigError", sentence) {}

function sentence({ problems }: { readonly code: "unusable"; readonly problems: readonly ConfigProblem[] }): string {
  return ["Can't build the configuration: ", ...problems.map(printProblem)].join("\n");
}

/** A problem as one line: where, which key, what. @spec 50 §5.4 */
export function printProblem({ key, text, origin }: ConfigProblem): string {
  const where = origin === undefined ? "" : `${printOrigin(origin)}: `;
  return `${where}${key === undefined ? "" : `${key}: `}${text}`;
}
