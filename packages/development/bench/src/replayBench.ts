import { join } from "node:path";
import { openDataDirectory } from "@vedette/node/machine";
import { RecordedChain, type ReplaySummary, replayChain } from "@vedette/node/replay";
import { rnode } from "@vedette/protocol";
import type { Measurements } from "./Measurements.js";

const sampleMs = 20;

/** The parts of the replayed chain that later benchmarks use. */
export interface ReplayedState {
  readonly stateDirectory: string;
  /** The last block's post-state. */
  readonly root: Uint8Array;
  /** Public key of an account with a vault. */
  readonly owner: Uint8Array;
}

/** The whole way of a block: decoded, checked, executed, stored on disk. */
export async function benchReplay(
  measurements: Measurements,
  chainDirectory: string,
  dataDirectory: string,
): Promise<ReplayedState> {
  const chain = new RecordedChain(chainDirectory);
  let peakBytes = 0;
  const sample = () => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, sampleMs);
  let genesisMs = 0;
  const start = performance.now();
  let summary: ReplaySummary;
  let stateDirectory: string;
  {
    await using directory = await openDataDirectory(join(dataDirectory, "solo"), rnode.name);
    stateDirectory = directory.state;
    const progress = ({ blocks }: { readonly blocks: number }) => {
      if (blocks === 1) genesisMs = performance.now() - start;
    };
    const { signal } = new AbortController();
    summary = await replayChain({ chain, directory, start: "genesis", signal, progress });
  }
  const totalMs = performance.now() - start;
  clearInterval(timer);
  sample();
  if (summary.differences.length > 0) throw new Error(`the replay differs: ${summary.differences.join("; ")}`);
  const genesisDeploys = countGenesisDeploys(chain);
  const seconds = (totalMs - genesisMs) / 1000;
  measurements.add("genesis of solo, with the start of the executor", genesisMs / 1000, "s");
  measurements.add("replay of solo after genesis", (summary.blocks - 1) / seconds, "blocks/s");
  measurements.add("replay of solo after genesis", (summary.deploys - genesisDeploys) / seconds, "deploys/s");
  measurements.add("replay of solo with genesis", summary.blocks / (totalMs / 1000), "blocks/s");
  measurements.add("replay of solo with genesis", summary.deploys / (totalMs / 1000), "deploys/s");
  measurements.add("replay of solo with genesis", summary.events / (totalMs / 1000), "events/s");
  measurements.add("replay of solo, peak memory", peakBytes / 1e6, "MB");
  return { stateDirectory, ...lastState(chain) };
}

function countGenesisDeploys(chain: RecordedChain): number {
  for (const block of chain.blocks()) return block.body.deploys.length;
  return 0;
}

function lastState(chain: RecordedChain): { readonly root: Uint8Array; readonly owner: Uint8Array } {
  let root = new Uint8Array(0);
  let owner = new Uint8Array(0);
  for (const { body } of chain.blocks()) {
    root = Uint8Array.from(body.state.postStateHash);
    const deployer = body.deploys[0]?.deploy.deployer;
    if (deployer !== undefined) owner = Uint8Array.from(deployer);
  }
  return { root, owner };
}
