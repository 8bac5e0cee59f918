import { ManyValidators, type RuleKind, type StepTimes } from "@vedette/chain/testing";
import type { Measurements } from "./Measurements.js";

const kinds: readonly RuleKind[] = ["rnode", "evidence", "f1r3node"];
const counts = [3, 10, 30, 100] as const;
const parts = ["forkChoice", "validation", "finality", "insertion"] as const;
/** In blocks of each validator, after which something becomes final with each block. */
const warmRounds = 2;

/** The options of the benchmark. */
export interface ValidatorsBenchOptions {
  /** Blocks of each network, after those that warm up. */
  readonly blocks: number;
  /** Parents of a block, and blocks that are made at once. */
  readonly parents: readonly number[];
}

/**
 * Measures the processor time of a block beside its execution, by the number of validators; states are made up.
 *
 * @spec 40 §5, §7, §8, 61 §13, §14
 */
export async function benchValidators(measurements: Measurements, options: ValidatorsBenchOptions): Promise<void> {
  for (const kind of kinds)
    for (const parents of options.parents) {
      const costs: number[] = [];
      for (const validators of counts) {
        const network = new ManyValidators({ kind, validators, together: Math.min(parents, validators) });
        const times = await timesOf(network, validators, options.blocks);
        const name = `${kind}, ${validators} validators, ${Math.min(parents, validators)} parents`;
        for (const part of parts) measurements.add(`${name}: ${part}`, meanOf(times, part), "ms/block");
        const cost = parts.reduce((sum, part) => sum + meanOf(times, part), 0);
        measurements.add(`${name}: all`, cost, "ms/block");
        costs.push(cost);
      }
      const growth = costs.at(-1)! / costs[1]!;
      measurements.add(`${kind}, ${parents} parents: 100 validators to 10 (linear: 10)`, growth, "times");
    }
}

async function timesOf(network: ManyValidators, validators: number, blocks: number): Promise<readonly StepTimes[]> {
  for (let made = 0; made < warmRounds * validators; ) made += (await network.step()).length;
  const times: StepTimes[] = [];
  while (times.length < blocks) times.push(...(await network.step()));
  if (network.chain.dag.lastFinalized()!.number === 0n) throw new TypeError("nothing has become final");
  return times;
}

function meanOf(times: readonly StepTimes[], part: keyof StepTimes): number {
  return times.reduce((sum, one) => sum + one[part], 0) / times.length;
}
