import type { Config } from "@vedette/config";
import { checkTokenMetadata } from "@vedette/execution";
import type { Executor } from "@vedette/workers/threads";
import { nativeTokenOf } from "./readGenesisParameters.js";

/**
 * Compares the configured token with that of a chain of the newer node, at the start.
 *
 * @param root a state of the chain
 * @throws {ExecutionError} `otherToken`, and the node must not go on; `query`
 * @spec 61 §11
 */
export async function checkNativeToken(
  config: Config,
  executor: Pick<Executor, "tokenMetadata">,
  root: Uint8Array,
): Promise<void> {
  checkTokenMetadata(await executor.tokenMetadata(root), nativeTokenOf(config));
}
