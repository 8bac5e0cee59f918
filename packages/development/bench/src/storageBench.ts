import { join } from "node:path";
import {
  blake2b256,
  createPlainBackend,
  isNativeSecp256k1,
  secp256k1Backend,
  secp256k1PublicKeyOf,
} from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { dataKey, emptyRoot, type HistoryAction, StateStore, updateTree } from "@vedette/tuplespace";
import type { Measurements } from "./Measurements.js";

const keysPerCommit = 400;
const commits = 60;

/** Measures the growth of a state's tree on disk: the cost of a block with this many changed channels. */
export async function benchHistory(measurements: Measurements, directory: string): Promise<void> {
  await using store = new LmdbStore(join(directory, "history"), { tables: tablesOf("state") });
  const states = new StateStore(store);
  let root = emptyRoot;
  let number = 0;
  const start = performance.now();
  for (let i = 0; i < commits; i += 1) {
    const actions: HistoryAction[] = [];
    for (let j = 0; j < keysPerCommit; j += 1) {
      number += 1;
      const hash = blake2b256(new TextEncoder().encode(String(number)));
      actions.push({ key: dataKey(hash), value: hash });
    }
    const update = updateTree(states, root, actions);
    states.commit({ root: update.root, newNodes: update.newNodes, newLeaves: [] });
    root = update.root;
  }
  const seconds = (performance.now() - start) / 1000;
  measurements.add("history inserts, flushed to disk", (commits * keysPerCommit) / seconds, "inserts/s");
  measurements.add(`history commits of ${keysPerCommit} inserts`, commits / seconds, "commits/s");
}

/** Measures checks of signatures by the native addon and by its JavaScript replacement. */
export function benchSignatures(measurements: Measurements): void {
  const privateKey = new Uint8Array(32).fill(7);
  const hash = blake2b256(privateKey);
  const publicKey = secp256k1PublicKeyOf(privateKey);
  const plain = createPlainBackend();
  const signature = plain.sign(hash, privateKey);
  const check = (backend: typeof plain, repeats: number) => (): number => {
    for (let i = 0; i < repeats; i += 1)
      if (!backend.verify(signature, hash, publicKey)) throw new Error("a good signature is refused");
    return repeats;
  };
  if (isNativeSecp256k1) measurements.rate("secp256k1 signatures, native", "checks/s", check(secp256k1Backend, 50));
  else measurements.skip("secp256k1 signatures, native", "the addon is not there");
  measurements.rate("secp256k1 signatures, JavaScript", "checks/s", check(plain, 5));
}
