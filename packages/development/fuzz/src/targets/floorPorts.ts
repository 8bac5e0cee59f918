import type { Chain } from "@vedette/chain";
import type { F1r3nodeParts } from "@vedette/chain/testing";
import { floorPortOf } from "@vedette/executor";
import type { SyncOptions } from "@vedette/sync";

/**
 * The ports by which nodes of f1r3node's networks send each other requests beside blocks and states; none on others.
 */
export function floorPorts(
  { dag, blocks }: Pick<Chain, "dag" | "blocks">,
  f1r3node: F1r3nodeParts | undefined,
): Required<{ readonly [Port in "floors" | "entries"]: NonNullable<SyncOptions[Port]> }> | undefined {
  if (f1r3node === undefined) return undefined;
  const { cache, consensus } = f1r3node;
  const { floors, prepare } = consensus;
  return {
    floors: floorPortOf({ dag, blocks, cache, floors, prepare, tolerance: async () => 0n }),
    // States are made up, and have no numbers.
    entries: { find: async ({ hash }) => hash, take: async () => undefined, make: async () => undefined },
  };
}
