import { amountLiteral } from "./literal.js";

/** What the proof-of-stake contract tells everybody. @spec 41 §10.3 */
export type PosQuery =
  | "getBonds"
  | "getActiveValidators"
  | "getQuarantineLength"
  | "getEpochLength"
  | "getCurrentEpochRewards"
  | "getRewards"
  | "getWithdrawers"
  | "getPendingWithdrawer";

/** Asks the proof-of-stake contract, to be run as an exploratory deploy. @spec 41 §10.3 */
export function posQueryTerm(query: PosQuery): string {
  return `new return, rl(\`rho:registry:lookup\`), poSCh in {
  rl!(\`rho:rchain:pos\`, *poSCh) |
  for (@(_, PoS) <- poSCh) { @PoS!("${query}", *return) }
}`;
}

/**
 * Bonds the deployer's key with a stake; the outcome is printed on the standard output of the nodes.
 *
 * @spec 41 §10.4
 * @param stake in the smallest unit
 * @throws {TermError} `badAmount`
 */
export function bondTerm(stake: bigint): string {
  return printedCall(`"bond", *deployerId, ${amountLiteral("stake", stake)}, *retCh`, "Bond");
}

/**
 * Takes the deployer's key out of the validators; the outcome is printed on the standard output of the nodes.
 *
 * @spec 41 §10.5
 */
export function unbondTerm(): string {
  return printedCall('"withdraw", *deployerId, *retCh', "Unbond");
}

/** As {@link bondTerm}, but the outcome lies at the deploy's id, where {@link readOutcome} understands it. */
export function reportedBondTerm(stake: bigint): string {
  return reportedCall(`"bond", *deployerId, ${amountLiteral("stake", stake)}, *retCh`);
}

/** As {@link unbondTerm}, but the outcome lies at the deploy's id, where {@link readOutcome} understands it. */
export function reportedUnbondTerm(): string {
  return reportedCall('"withdraw", *deployerId, *retCh');
}

function printedCall(call: string, what: string): string {
  return `new rl(\`rho:registry:lookup\`), poSCh, retCh, stdout(\`rho:io:stdout\`) in {
  stdout!("${what}: looking up the proof-of-stake contract") |
  rl!(\`rho:rchain:pos\`, *poSCh) |
  for (@(_, PoS) <- poSCh) {
    new deployerId(\`rho:rchain:deployerId\`) in {
      @PoS!(${call}) |
      for (@(result, message) <- retCh) { stdout!(("${what} result:", result, message)) }
    }
  }
}`;
}

function reportedCall(call: string): string {
  return `new rl(\`rho:registry:lookup\`), poSCh, retCh,
    deployerId(\`rho:rchain:deployerId\`), deployId(\`rho:rchain:deployId\`) in {
  rl!(\`rho:rchain:pos\`, *poSCh) |
  for (@(_, PoS) <- poSCh) {
    @PoS!(${call}) |
    for (@result <- retCh) { deployId!(result) }
  }
}`;
}
