import { useQuery } from "@tanstack/react-query";
import { ClientError } from "@vedette/client";
import { node } from "../../data/node.js";

/** Longer ones are hashes that happen to have digits only. */
const maxDigitsOfHeight = 15;

/** A block by its hash, the first digits of it, or its height: of several at one height the first. */
export function useBlock(name: string) {
  return useQuery({
    queryKey: ["block", name],
    queryFn: async ({ signal }) => {
      if (!/^\d+$/.test(name) || name.length > maxDigitsOfHeight) return node.block(name, { signal });
      const height = Number(name);
      const [block] = await node.blockSpan(height, height, { signal });
      const messages = [`This node has no block at the height ${name}.`];
      if (block === undefined) throw new ClientError({ code: "refused", call: "block", messages });
      return node.block(block.blockHash, { signal });
    },
    // Its reported fault tolerance changes until it is final.
    staleTime: 5_000,
    refetchInterval: (query) => (query.state.data === undefined ? 5_000 : 20_000),
  });
}
