import { amountLiteral } from "./literal.js";
import { type NetworkDialect, systemNames } from "./systemNames.js";

/** Queries that the proof-of-stake contract answers for every caller. @spec 41 §10.3 */
export type PosQuery =
  | "getBonds"
  | "getActiveValidators"
  | "getQuarantineLength"
  | "getEpochLength"
  | "getCurrentEpochRewards"
  | "getRewards"
  | "getWithdrawers"
  | "getPendingWithdrawer";

/** Returns the term of a query to the proof-of-stake contract, to be run as an exploratory deploy. @spec 41 §10.3 */
export function posQueryTerm(query: PosQuery, dialect: NetworkDialect): string {
  return `new return, rl(\`rho:registry:lookup\`), poSCh in {
  rl!(\`${systemNames[dialect].proofOfStake}\`, *poSCh) |
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
export function bondTerm(stake: bigint, dialect: NetworkDialect): string {
  return printedCall(`"bond", *deployerId, ${amountLiteral("stake", stake)}, *retCh`, "Bond", dialect);
}

/**
 * Takes the deployer's key out of the validators; the outcome is printed on the standard output of the nodes.
 *
 * @spec 41 §10.5
 */
export function unbondTerm(dialect: NetworkDialect): string {
  return printedCall('"withdraw", *deployerId, *retCh', "Unbond", dialect);
}

/** As {@link bondTerm}, but the outcome lies at the deploy's id, where {@link readOutcome} understands it. */
export function bondWithResultTerm(stake: bigint, dialect: NetworkDialect): string {
  return callWithResult(`"bond", *deployerId, ${amountLiteral("stake", stake)}, *retCh`, dialect);
}

/** As {@link unbondTerm}, but the outcome lies at the deploy's id, where {@link readOutcome} understands it. */
export function unbondWithResultTerm(dialect: NetworkDialect): string {
  return callWithResult('"withdraw", *deployerId, *retCh', dialect);
}

function printedCall(call: string, what: string, dialect: NetworkDialect): string {
  return `new rl(\`rho:registry:lookup\`), poSCh, retCh, stdout(\`rho:io:stdout\`) in {
  stdout!("${what}: looking up the proof-of-stake contract") |
  rl!(\`${systemNames[dialect].proofOfStake}\`, *poSCh) |
  for (@(_, PoS) <- poSCh) {
    new deployerId(\`rho:rchain:deployerId\`) in {
      @PoS!(${call}) |
      for (@(result, message) <- retCh) { stdout!(("${what} result:", result, message)) }
    }
  }
}`;
}

function callWithResult(call: string, dialect: NetworkDialect): string {
  return `new rl(\`rho:registry:lookup\`), poSCh, retCh,
    deployerId(\`rho:rchain:deployerId\`), deployId(\`rho:rchain:deployId\`) in {
  rl!(\`${systemNames[dialect].proofOfStake}\`, *poSCh) |
  for (@(_, PoS) <- poSCh) {
    @PoS!(${call}) |
    for (@result <- retCh) { deployId!(result) }
  }
}`;
}
