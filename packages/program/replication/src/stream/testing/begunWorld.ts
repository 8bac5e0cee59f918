import { toHex } from "@vedette/crypto";
import { tablesOf } from "@vedette/store";
import type { LoggedChain } from "./LoggedChain.js";
import { ReplicaWorld } from "./ReplicaWorld.js";

/** A replica that began with a snapshot of a chain: it has all states, genesis, and the blocks of some heights. */
export function begunWorld(origin: LoggedChain, lowest: number, highest: number): ReplicaWorld {
  const world = new ReplicaWorld();
  for (const name of tablesOf("state"))
    world.stateStore.write((tables) => {
      for (const [key, value] of origin.state.table(name).range()) tables(name).put(key, value);
    });
  const { chain } = world.open();
  const hashes = new Map<string, Uint8Array>();
  for (let entry = 1; entry <= origin.log.newest(); entry += 1) {
    const { hash } = origin.log.read(entry)!;
    hashes.set(toHex(hash), hash);
  }
  const there = [...hashes.values()]
    .map((hash) => origin.blocks.read(hash)!)
    .filter(({ number }) => number === 0n || (number >= BigInt(lowest) && number <= BigInt(highest)))
    .toSorted((one, other) => Number(other.number - one.number));
  for (const block of there) chain.blocks.put(block);
  const [block, ...others] = there;
  chain.adoptImported(
    { candidate: { block: block!, requiredSignatures: 0 }, signatures: [] },
    others.map(({ hash }) => ({ hash, isInvalid: false })),
  );
  return world;
}
