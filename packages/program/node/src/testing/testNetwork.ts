import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, type DialectName, type KeyName, readConfig } from "@vedette/config";
import { dialectOf } from "../dialect/dialectOf.js";
import type { NodeDialect } from "../dialect/NodeDialect.js";

/** The rules of a network, and what is configured of it. */
export interface TestNetwork {
  readonly dialect: NodeDialect;
  readonly config: Config;
}

const networks = new Map<DialectName, TestNetwork>();

/** A network as it is configured by default. */
export function testNetwork(name: DialectName): TestNetwork {
  const known = networks.get(name);
  if (known !== undefined) return known;
  const home = join(tmpdir(), "vedette-nothing-configured");
  const options = new Map<KeyName, string | boolean>([["dialect", name]]);
  const { config } = readConfig({ home, options, environment: {} });
  const network = { dialect: dialectOf(config), config };
  networks.set(name, network);
  return network;
}
