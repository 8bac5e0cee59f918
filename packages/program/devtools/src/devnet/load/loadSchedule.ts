import { SeededNumbers } from "./SeededNumbers.js";

/** The parameters of a load. */
export interface LoadShape {
  readonly seed: number;
  /** Transfers in a second. */
  readonly transfersPerSecond: number;
  /** Contract calls in a second. */
  readonly callsPerSecond: number;
  readonly durationMs: number;
  readonly wallets: number;
  readonly validators: number;
  readonly cells: number;
}

/** One deploy that is to be sent. */
export type LoadAction = {
  /** From the beginning of the load. */
  readonly atMs: number;
  readonly wallet: number;
  readonly validator: number;
  readonly amount: number;
} & ({ readonly kind: "transfer"; readonly toWallet: number } | { readonly kind: "call"; readonly cell: number });

const largestAmount = 1_000;

/**
 * The deploys of a load in the order of time: a Poisson-like stream with the wanted mean rate, kinds mixed by their
 * shares, validators in turn.
 */
export function* loadSchedule(shape: LoadShape): Generator<LoadAction, void, undefined> {
  const { seed, transfersPerSecond, callsPerSecond, durationMs, wallets, validators, cells } = shape;
  const perSecond = transfersPerSecond + callsPerSecond;
  if (perSecond <= 0) return;
  const numbers = new SeededNumbers(seed);
  const stepMs = 1_000 / perSecond;
  for (let index = 0; ; index++) {
    // Each in its own step, anywhere in it: the rate is kept exactly, the rhythm is not that of a machine.
    const atMs = (index + numbers.share()) * stepMs;
    if (atMs >= durationMs) return;
    const wallet = numbers.below(wallets);
    const amount = 1 + numbers.below(largestAmount);
    const common = { atMs, wallet, validator: index % validators, amount };
    if (numbers.share() * perSecond < transfersPerSecond) {
      const toWallet = wallets === 1 ? wallet : (wallet + 1 + numbers.below(wallets - 1)) % wallets;
      yield { ...common, kind: "transfer", toWallet };
    } else yield { ...common, kind: "call", cell: numbers.below(cells) };
  }
}
