/** The properties that every network of a simulation must have. */
export type Check =
  | "finality agrees"
  | "verdicts agree"
  | "finality stays"
  | "no validator that is honest signs two sides"
  | "no validator that is honest is slashed"
  | "a deploy is in a chain once"
  | "a deploy takes effect once"
  | "what is final stays in the state"
  | "nodes report what is in the state"
  | "nothing is made or lost"
  | "finality goes on"
  | "accepted deploys become final"
  | "every validator that is honest goes on"
  | "a state is whole"
  | "memory holds what the disk holds"
  | "event logs record what happened"
  | "an index is what a rebuild is"
  | "queues are bounded"
  | "an honest block is valid"
  | "a node stops on request"
  | "nothing fails unforeseen";

/** A check that does not hold. */
export class SimulationFailure extends Error {
  override readonly name = "SimulationFailure";
  readonly check: Check;
  readonly detail: string;

  constructor(check: Check, detail: string) {
    super(`${check}: ${detail}`);
    this.check = check;
    this.detail = detail;
  }
}
