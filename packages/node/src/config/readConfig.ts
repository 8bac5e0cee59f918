import { ConfigError, printProblem } from "./ConfigError.js";
import { explainConfig } from "./explainConfig.js";
import type { Config, KeyName } from "./keys.js";

/** Where the configuration comes from. @spec 50 §5.1 */
export type ConfigSources = {
  /** The owner's home folder, where the data folder of the default profile is. */
  readonly home: string;
  /** `default` or `docker`; any other name means `default`. */
  readonly profile?: string | undefined;
  /** What `-c` says; else it is `rnode.conf` in the data folder. */
  readonly configFile?: string | undefined;
  /** Values of options of `run`, by key; `true` is an option without value. */
  readonly options?: ReadonlyMap<KeyName, string | boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** A configuration that can be used, and what its owner should be told. @spec 50 §5.1, §5.4 */
export type ReadConfig = {
  readonly config: Config;
  /** The file that was read; `undefined` where there is none. */
  readonly file: string | undefined;
  /** Plain facts, such as that there is no file. */
  readonly notices: readonly string[];
  /** What is probably a mistake: unknown keys. */
  readonly warnings: readonly string[];
};

/**
 * Reads the configuration: options stand above variables of the environment, those above the file,
 * and that above the built-in defaults, key by key. Substitutions see the result of all.
 *
 * @spec 50 §5.1, §5.4
 * @throws {ConfigError} with every problem that was found, each with its key and place
 */
export function readConfig(sources: ConfigSources): ReadConfig {
  const { config, file, notices, warnings, problems } = explainConfig(sources);
  if (config === undefined) throw new ConfigError(problems);
  return { config, file, notices, warnings: warnings.map(printProblem) };
}
