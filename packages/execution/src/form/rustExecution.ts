import { concatBytes } from "@vedette/crypto";
import { rustInterpreter } from "@vedette/rholang";
import { GDeployerId, GDeployId, noticingTies, Par } from "@vedette/terms";
import { ExecutionError } from "../ExecutionError.js";
import { numberOf } from "../numberChannels.js";
import type { ExecutionForm } from "./ExecutionForm.js";
import { programStart } from "./programStart.js";

/** Blocks on networks of the newer node. @spec 61 §9, §10 */
export const rustExecution: ExecutionForm = {
  grammar: rustInterpreter.grammar,
  terms: rustInterpreter.terms,
  matchDatum: rustInterpreter.matchDatum,
  guardHolds: rustInterpreter.guardHolds,
  install: rustInterpreter.install,
  bootstrap: rustInterpreter.bootstrap,
  // Quirk 61 §9: a copy draws, so that the program's first name is the return channel once more.
  start: programStart(rustInterpreter, (random) => random.copy().next()),
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
    const { result, hasTies } = noticingTies(play);
    if (hasTies) throw new ExecutionError({ code: "undetermined" });
    return result;
  },
  numberIn: numberOf,
};
