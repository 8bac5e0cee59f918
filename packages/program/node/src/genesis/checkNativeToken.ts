import type { Config } from "@vedette/config";
import { checkTokenMetadata } from "@vedette/execution";
import type { ExecutorClient } from "@vedette/executor/threads";
import { nativeTokenOf } from "./readGenesisParameters.js";

/**
 * Compares the configured token with that of a chain of f1r3node, at the start.
 *
 * @param roots states of the chain: the first one that is here is read; without any nothing is compared
 * @throws {ExecutionError} `otherToken`, and the node must not go on; `query`
 * @spec 61 §11
 */
export async function checkNativeToken(
  config: Config,
  executor: Pick<ExecutorClient, "hasRoot" | "tokenMetadata">,
  roots: readonly Uint8Array[],
): Promise<void> {
  for (const root of roots) {
    if (!(await executor.hasRoot(root))) continue;
    checkTokenMetadata(await executor.tokenMetadata(root), nativeTokenOf(config));
    return;
  }
}
