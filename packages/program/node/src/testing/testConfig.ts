import { type Config, type KeyName, readConfig } from "@vedette/config";

/** Keys of the configuration, and their values. */
export type TestSettings = readonly (readonly [KeyName, string])[];

/** Makes the configuration of a node from these settings alone. */
export function testConfig(home: string, settings: TestSettings): Config {
  const sources = { home, profile: undefined, configFile: undefined, environment: {} };
  return readConfig({ ...sources, options: new Map(settings) }).config;
}
