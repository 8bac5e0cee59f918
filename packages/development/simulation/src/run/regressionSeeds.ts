import type { SimulationRequest } from "./SimulationRequest.js";

/** A run that once failed, and what was found by it. */
export interface RegressionSeed {
  readonly request: SimulationRequest;
  readonly found: string;
  /** Whether the default tests run it; the others are for the share and the long tests. */
  readonly isShort?: boolean;
}

const ledger = { steps: 5_000, execution: "fake", rule: "evidence", laterFaults: false } as const;

/** Runs that failed before something was mended. They are part of every share. */
export const regressionSeeds: readonly RegressionSeed[] = [
  {
    request: { ...ledger, seed: 24, faults: [5, 4, 1] },
    found: "a node that joined by state judged a merge by a view of finality that ended at its own first block",
  },
  {
    request: { ...ledger, seed: 35, calmAtStep: 1_562 },
    found: "a node that joined by state never took a block beside its first one, and judged no block that builds on it",
  },
  {
    request: { ...ledger, seed: 31_620, steps: 800 },
    found:
      "a node that joined by state took a side of a slashed validator for an invalid block, and honest blocks for false witnesses",
  },
  {
    request: { ...ledger, seed: 20_261_122_084 },
    found: "a node that joined by state got a block above its first one that its event log did not record",
  },
  {
    request: { ...ledger, seed: 110_238, steps: 2_000, maxNodes: 4 },
    found:
      "the end waited for a block of a validator that had no reason for one: others kept the last final block young",
  },
  {
    request: { ...ledger, seed: 803_634, steps: 200, maxNodes: 9, faults: [1, 0, 3], calmAtStep: 150, index: true },
    found: "a node that joined by state could read nothing of blocks with missing parents, where others were invalid",
  },
  {
    request: { ...ledger, seed: 4, steps: 400, maxNodes: 4 },
    found: "a merge of several parents began beside what was final, which was in no state from then on",
    isShort: true,
  },
  {
    request: { ...ledger, seed: 807_481, steps: 2_000, maxNodes: 8, faults: [1], calmAtStep: 1_562 },
    found: "a node that joined by state reported rejected deploys as final, until its finality went on or for good",
  },
  {
    request: { ...ledger, seed: 808_982, steps: 800, maxNodes: 5 },
    found:
      "two slashes side by side: the validator of the heaviest tip had nothing to build on, and the others waited for more",
  },
  {
    request: {
      seed: 5_200_266,
      execution: "fake",
      rule: "evidence",
      steps: 2_000,
      maxNodes: 6,
      faults: [10, 5, 1_007, 1_000],
      calmAtStep: 1_812,
    },
    found: "after an undone transaction a damaged entry left a part of the chain in memory, without a last final block",
    isShort: true,
  },
  {
    request: { seed: 5_208_441, execution: "fake", rule: "evidence", steps: 2_000, maxNodes: 4 },
    found: "where the disk was full after the first of two blocks, the status counted a block that waited no longer",
    isShort: true,
  },
  {
    request: { seed: 6_856, execution: "fake", rule: "evidence", steps: 319, maxNodes: 6 },
    found: "a node that began at a state called a final block far below it orphaned",
    isShort: true,
  },
];
