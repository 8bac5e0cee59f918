import { type BlockTable, ChainError } from "@vedette/chain";
import { hashKey } from "@vedette/protocol";
import { type ExecutorClient, withOperations } from "../executor/ExecutorClient.js";
import type { MergeScopeAnswer, MergeScopeCall, ScopeBlock } from "../executor/F1r3nodeExecutor.js";

/**
 * An executor that is given the blocks of a merge by their hashes: their bytes go to the thread where it has not seen
 * them lately, also when another thread has taken its place.
 *
 * @param blocks throws {ChainError} `blockMissing` where one is not there
 */
export function withBlockBytes<Given extends Pick<ExecutorClient, "mergeScope">>(
  executor: Given,
  blocks: Pick<BlockTable, "findBytes">,
): Given {
  const bytesOf = (hash: Uint8Array): Uint8Array => {
    const bytes = blocks.findBytes(hash);
    if (bytes === undefined) throw new ChainError({ code: "blockMissing", hash });
    return bytes;
  };
  const mergeScope = async (call: MergeScopeCall): Promise<MergeScopeAnswer> => {
    const answer = await executor.mergeScope(call);
    if (answer.kind !== "unknown") return answer;
    const wanted = new Set(answer.hashes.map(hashKey));
    const listOf = (list: readonly ScopeBlock[]): ScopeBlock[] =>
      list.map(({ hash }) => ({ hash, bytes: wanted.has(hashKey(hash)) ? bytesOf(hash) : undefined }));
    return executor.mergeScope({ ...call, merged: listOf(call.merged), lineage: listOf(call.lineage) });
  };
  return withOperations(executor, { mergeScope });
}
