import { addressOfKey, transferTerm } from "@vedette/client";
import { startExecutorThread } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { SoloValidator, testKey, userDeploy } from "@vedette/node/testing";
import type { Block } from "@vedette/protocol";
import { rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";

const users = ["u1", "u2", "u3", "v1"];

/**
 * Makes a chain on a recorded first block, with further blocks that are all alike. So a replay's work in one span of
 * them can be compared with that in another.
 */
export async function makeLongChain(
  dataDir: string,
  genesis: Block,
  { blocks, transfers }: { readonly blocks: number; readonly transfers: number },
): Promise<void> {
  await using directory = await openDataDirectory(dataDir, rnode.name);
  await using executor = startExecutorThread({ stateDirectory: directory.state });
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  const one = await SoloValidator.begin("v1", genesis, { executor, store, nowMs: Date.now });
  let made = 0;
  for (let number = 0; number < blocks; number += 1) {
    const validAfterBlockNumber = one.chain.dag.nextBlockNumber() - 1n;
    for (let index = 0; index < transfers; index += 1, made += 1) {
      const [from, to] = [users[made % users.length]!, users[(made + 1) % users.length]!];
      const term = transferTerm(addressOf(from), addressOf(to), BigInt(made + 1));
      await one.proposing.submit(userDeploy(from, term, { validAfterBlockNumber }));
    }
    const { body } = await one.make();
    if (body.deploys.length !== transfers || body.deploys.some(({ failed }) => failed))
      throw new Error(`block ${number + 1} of the long chain does not have its ${transfers} transfers`);
  }
}

function addressOf(user: string): string {
  return addressOfKey({ algorithm: "secp256k1", ...testKey(user) });
}
