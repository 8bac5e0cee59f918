import type { Target } from "./driver/Target.js";

/** Every target by its name, in the order in which all of them are run. Loaded one by one: some are slow to load. */
const loaders: Readonly<Record<string, () => Promise<Target>>> = {
  "rholang-text": async () => (await import("./targets/rholangText.js")).rholangText,
  "rholang-grammar": async () => (await import("./targets/rholangGrammar.js")).rholangGrammar,
  "rholang-print": async () => (await import("./targets/rholangPrint.js")).rholangPrint,
  "term-bytes": async () => (await import("./targets/termBytes.js")).termBytes,
  "term-order": async () => (await import("./targets/termOrder.js")).termOrder,
  matcher: async () => (await import("./targets/matcher.js")).matcher,
  "program-price": async () => (await import("./targets/programPrice.js")).programPrice,
  "tuple-space": async () => (await import("./targets/tupleSpace.js")).tupleSpace,
  "radix-tree": async () => (await import("./targets/radixTree.js")).radixTree,
  "radix-node": async () => (await import("./targets/radixTree.js")).radixNode,
  "peer-packets": async () => (await import("./targets/peerPackets.js")).peerPackets,
  "joining-packets": async () => (await import("./targets/joiningPackets.js")).joiningPackets,
  "lie-orders": async () => (await import("./targets/forgedBlockOrder.js")).lieOrders,
  merging: async () => (await import("./targets/merging.js")).merging,
  "f1r3node-merging": async () => (await import("./targets/f1r3nodeMerging.js")).f1r3nodeMerging,
  "event-log": async () => (await import("./targets/eventLog.js")).eventLog,
  packets: async () => (await import("./targets/packets.js")).packets,
  "state-bytes": async () => (await import("./targets/stateBytes.js")).stateBytes,
  "grpc-frames": async () => (await import("./targets/grpcFrames.js")).grpcFrames,
  lz4: async () => (await import("./targets/lz4.js")).lz4,
  uris: async () => (await import("./targets/uris.js")).uris,
  certificates: async () => (await import("./targets/certificates.js")).certificates,
  config: async () => (await import("./targets/config.js")).config,
  "http-bodies": async () => (await import("./targets/httpBodies.js")).httpBodies,
  guard: async () => (await import("./targets/guard.js")).guard,
  "f1r3node-http-bodies": async () => (await import("./targets/f1r3nodeHttpBodies.js")).f1r3nodeHttpBodies,
  "grpc-bodies": async () => (await import("./targets/grpcBodies.js")).grpcBodies,
  "f1r3node-text": async () => (await import("./targets/f1r3nodeAnswerTerms.js")).f1r3nodeText,
  "f1r3node-terms": async () => (await import("./targets/f1r3nodeAnswerTerms.js")).f1r3nodeAnswerTerms,
  graphql: async () => (await import("./targets/graphql.js")).graphql,
  "graphql-conditions": async () => (await import("./targets/graphqlConditions.js")).graphqlConditions,
  sql: async () => (await import("./targets/sql.js")).sql,
  "feed-messages": async () => (await import("./targets/feedMessages.js")).feedMessages,
  "state-pages": async () => (await import("./targets/statePages.js")).statePages,
  "disk-images": async () => (await import("./targets/diskImages.js")).diskImages,
};

export const targetNames: readonly string[] = Object.keys(loaders);

/** @param name one of {@link targetNames} */
export function loadTarget(name: string): Promise<Target> {
  return loaders[name]!();
}
