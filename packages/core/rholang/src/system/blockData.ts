import { GDeployerId, GDeployId, GInt, Par } from "@vedette/terms";
import { groundValue } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `rho:block:data(ack)`: block number, timestamp, sender. @spec 21 §7.3 */
export const blockData: SystemProcess = (args, { blockData: { blockNumber, timestamp, sender } }) => ({
  ack: args[0]!,
  values: [integer(blockNumber), integer(timestamp), groundValue(sender)],
});

/** `rho:deploy:data(ack)`: timestamp, deployer, deploy id. @spec 21 §7.3 */
export const deployData: SystemProcess = (args, { deployData: { timestamp, deployer, deployId } }) => ({
  ack: args[0]!,
  values: [
    integer(timestamp),
    Par.of({ unforgeables: [new GDeployerId(deployer)] }),
    Par.of({ unforgeables: [new GDeployId(deployId)] }),
  ],
});

/** `rho:casper:invalidBlocks(ack)`: one map, block hash → validator. @spec 21 §7.3 */
export const invalidBlocks: SystemProcess = (args, facts) => ({ ack: args[0]!, values: [facts.invalidBlocks] });

function integer(value: bigint): Par {
  return Par.of({ exprs: [new GInt(value)] });
}
