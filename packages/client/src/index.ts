export { buildDeploy, type DeployRequest, deployDefaults, validAfterLatest } from "./deploy/buildDeploy.js";
export { DeployError, type DeployFailure } from "./deploy/DeployError.js";
export { addressOfKey, deployKeyOf } from "./deploy/deployKey.js";
export { ClientError, type ClientFailure } from "./failure/ClientError.js";
export { isUnknownDeploy } from "./failure/isUnknownDeploy.js";
export { addressLiteral, amountLiteral, stringLiteral } from "./term/literal.js";
export { type Outcome, readOutcome } from "./term/outcome.js";
export {
  bondTerm,
  type PosQuery,
  posQueryTerm,
  reportedBondTerm,
  reportedUnbondTerm,
  unbondTerm,
} from "./term/posTerms.js";
export { TermError, type TermFailure } from "./term/TermError.js";
export { balanceTerm, reportedTransferTerm, transferTerm } from "./term/vaultTerms.js";
export type { PollOptions } from "./wait/poll.js";
export {
  type BlockName,
  type DeployTracker,
  type WaitOptions,
  waitForDeploy,
  waitForFinalization,
  waitForFinalizedBlock,
} from "./wait/waitForDeploy.js";
