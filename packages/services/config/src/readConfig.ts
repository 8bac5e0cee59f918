import { ConfigError, printProblem } from "./ConfigError.js";
import { type ConfigSources, explainConfig } from "./explainConfig.js";
import type { Config } from "./keys.js";

/** A usable configuration, and the warnings and notices for its owner. @spec 50 §5.1, §5.4 */
export type ReadConfig = {
  readonly config: Config;
  /** The file that was read; `undefined` without one. */
  readonly file: string | undefined;
  /** Plain facts, such as that there is no file. */
  readonly notices: readonly string[];
  /** Probable mistakes: unknown keys. */
  readonly warnings: readonly string[];
};

/**
 * Reads the configuration: options override variables of the environment, those override the file, and that overrides
 * the built-in defaults, key by key. Substitutions see the result of all.
 *
 * @spec 50 §5.1, §5.4
 * @throws {ConfigError} with every problem that was found, each with its key and place
 */
export function readConfig(sources: ConfigSources): ReadConfig {
  const { config, file, notices, warnings, problems } = explainConfig(sources);
  if (config === undefined) throw new ConfigError({ code: "unusable", problems });
  return { config, file, notices, warnings: warnings.map(printProblem) };
}
