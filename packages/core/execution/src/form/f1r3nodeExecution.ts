import { concatBytes } from "@vedette/crypto";
import { f1r3nodeInterpreter } from "@vedette/rholang";
import { detectTies, GDeployerId, GDeployId, Par } from "@vedette/terms";
import { ExecutionError } from "../ExecutionError.js";
import { numberOf } from "../numberChannels.js";
import type { ExecutionDialect } from "./ExecutionDialect.js";
import { programStart } from "./programStart.js";

/** Blocks on f1r3node networks. @spec 61 §9, §10 */
export const f1r3nodeExecution: ExecutionDialect = {
  grammar: f1r3nodeInterpreter.grammar,
  terms: f1r3nodeInterpreter.terms,
  matchDatum: f1r3nodeInterpreter.matchDatum,
  guardHolds: f1r3nodeInterpreter.guardHolds,
  install: f1r3nodeInterpreter.install,
  bootstrap: f1r3nodeInterpreter.bootstrap,
  // Quirk 61 §9: a copy draws, so that the program's first name is the return channel once more.
  start: programStart(f1r3nodeInterpreter, (random) => random.copy().next()),
  deployEnvironment({ signature, deployer }) {
    const deployId = Par.of({ unforgeables: [new GDeployId(signature)] });
    const deployerId = Par.of({ unforgeables: [new GDeployerId(deployer)] });
    return new Map([
      ["rho:rchain:deployId", deployId],
      ["rho:rchain:deployerId", deployerId],
      ["rho:system:deployId", deployId],
      ["rho:system:deployerId", deployerId],
    ]);
  },
  injectionsOf: (environment) => new Map([...environment].sort(([left], [right]) => (left < right ? -1 : 1))),
  proofOfStakeUrn: "rho:system:pos",
  vaultsUrn: "rho:vault:system",
  explorePhloLimit: 5_000_000n,
  queryPhloLimit: (1n << 63n) - 1n,
  systemPhloLimit: (1n << 63n) - 1n,
  slashSeed: (blockSeed, invalidBlockHash) => concatBytes(blockSeed, invalidBlockHash),
  playDetermined(play) {
    const { result, hasTies } = detectTies(play);
    if (hasTies) throw new ExecutionError({ code: "undetermined" });
    return result;
  },
  numberIn: numberOf,
};
