import { rnodeInterpreter } from "@vedette/rholang";
import { GDeployerId, GDeployId, Par } from "@vedette/terms";
import { requireNumber } from "../numberChannels.js";
import type { ExecutionDialect } from "./ExecutionDialect.js";
import { programStart } from "./programStart.js";

/** Blocks on rnode networks. @spec 41 §1–§4 */
export const rnodeExecution: ExecutionDialect = {
  grammar: rnodeInterpreter.grammar,
  terms: rnodeInterpreter.terms,
  matchDatum: rnodeInterpreter.matchDatum,
  guardHolds: rnodeInterpreter.guardHolds,
  install: rnodeInterpreter.install,
  bootstrap: rnodeInterpreter.bootstrap,
  start: programStart(rnodeInterpreter, (random) => random.next()),
  deployEnvironment: ({ signature, deployer }) =>
    new Map([
      ["rho:rchain:deployId", Par.of({ unforgeables: [new GDeployId(signature)] })],
      ["rho:rchain:deployerId", Par.of({ unforgeables: [new GDeployerId(deployer)] })],
    ]),
  injectionsOf: (environment) => environment,
  proofOfStakeUrn: "rho:rchain:pos",
  vaultsUrn: "rho:rchain:asiVault",
  explorePhloLimit: 100_000_000n,
  queryPhloLimit: 100_000_000n,
  systemPhloLimit: 2147483647n,
  slashSeed: (blockSeed) => blockSeed,
  playDetermined: (play) => play(),
  numberIn: requireNumber,
};
