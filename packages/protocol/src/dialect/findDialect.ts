import type { Dialect } from "./Dialect.js";
import { rnodeRust } from "./rnodeRust.js";
import { rnodeScala } from "./rnodeScala.js";

const dialects: readonly Dialect[] = [rnodeScala, rnodeRust];

/** The dialect of this name, whoever gave it; `undefined` where there is none. */
export function findDialect(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}
