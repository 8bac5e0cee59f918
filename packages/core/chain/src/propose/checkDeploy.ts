import { toHex } from "@vedette/crypto";
import { checkDeploySignature, type Deploy, type Dialect } from "@vedette/protocol";

/** The conditions of a validator for keeping a deploy. */
export interface DeployRules {
  readonly shardName: string;
  readonly minimumPhloPrice: bigint;
  /** Public keys of the system contracts' deployers, which must not deploy again. @spec 41 §5.1 */
  readonly forbiddenKeys: readonly Uint8Array[];
  /** Which signatures are valid, and whether deploys may have a time of expiration. @spec 10 §1.2, 61 §1.1, §1.2 */
  readonly dialect: Pick<Dialect, "signatureRules" | "deploysMayExpire" | "deploysExpireBy" | "blockForm">;
}

/** Why a deploy is not taken. @spec 50 §1.9 */
export type DeployRefusal =
  | { readonly code: "shard"; readonly given: string; readonly expected: string }
  | { readonly code: "forbiddenKey" }
  | { readonly code: "phloPrice"; readonly given: bigint; readonly minimum: bigint }
  | { readonly code: "overflow"; readonly phloLimit: bigint; readonly phloPrice: bigint }
  | { readonly code: "expiration" }
  | { readonly code: "signature" }
  | { readonly code: "resigned" }
  | { readonly code: "leftOut"; readonly reason: string }
  | { readonly code: "senderWaits"; readonly sender: "key" | "address"; readonly leftMs: number }
  | { readonly code: "tooLarge"; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly code: "tooMany"; readonly limit: number }
  | { readonly code: "poolFull"; readonly limitBytes: number };

/**
 * Checks 6 to 8 of a submitted deploy, in their order.
 *
 * @returns `undefined` when it may go on
 * @spec 50 §1.9
 */
export function checkDeploy(deploy: Deploy, rules: DeployRules): DeployRefusal | undefined {
  const { shardName: expected, minimumPhloPrice: minimum } = rules;
  if (deploy.shardId !== expected) return { code: "shard", given: deploy.shardId, expected };
  const deployer = toHex(deploy.deployer);
  if (rules.forbiddenKeys.some((key) => toHex(key) === deployer)) return { code: "forbiddenKey" };
  const { phloLimit, phloPrice } = deploy;
  if (phloPrice < minimum) return { code: "phloPrice", given: phloPrice, minimum };
  // Ours: the charge and the refund of such a deploy wrap around (41 §2.3), so that it could pay 1 and get back the
  // stakes of all validators.
  const charge = phloLimit * phloPrice;
  if (BigInt.asIntN(64, charge) !== charge) return { code: "overflow", phloLimit, phloPrice };
  // A block that cannot state it would have a wrong signature in it.
  if (deploy.expirationTimestamp !== undefined && !rules.dialect.deploysMayExpire) return { code: "expiration" };
  return undefined;
}

/** Whether the deploy's signature is right; the refusal has the text of the HTTP API. @spec 50 §1.9 (check 4) */
export function checkSubmittedSignature(
  deploy: Deploy,
  { dialect }: Pick<DeployRules, "dialect">,
): DeployRefusal | undefined {
  return checkDeploySignature(deploy, dialect) ? undefined : { code: "signature" };
}

/** Returns the text of a refusal for the APIs. The texts of the first three are rnode's. @spec 50 §1.9 */
export function refusalText(refusal: DeployRefusal): string {
  switch (refusal.code) {
    case "shard":
      return `Deploy shardId '${refusal.given}' is not as expected network shard '${refusal.expected}'.`;
    case "forbiddenKey":
      return "Deploy refused because it's signed with forbidden private key.";
    case "phloPrice":
      return `Phlo price ${refusal.given} is less than minimum price ${refusal.minimum}.`;
    case "overflow":
      return `Deploy refused because phlo limit ${refusal.phloLimit} times phlo price ${refusal.phloPrice} is no amount of 64 bits.`;
    case "expiration":
      return "Deploy refused because deploys of this network have no time of expiration.";
    case "signature":
      return "Invalid signature.";
    case "resigned":
      return "Deploy refused because it was sent before with another signature.";
    case "leftOut":
      return `Deploy refused because it cannot be executed: ${refusal.reason}.`;
    case "senderWaits":
      return `Deploy refused because deploys of this ${refusal.sender} could not be executed lately; try again in ${Math.ceil(refusal.leftMs / 1000)} s.`;
    case "tooLarge":
      return `Deploy refused because its ${refusal.sizeBytes} bytes are more than the ${refusal.limitBytes} that this node takes.`;
    case "tooMany":
      return `Deploy refused because ${refusal.limit} deploys wait already; try again later or at another node.`;
    case "poolFull":
      return `Deploy refused because deploys of ${refusal.limitBytes} bytes wait already; try again later or at another node.`;
  }
}
