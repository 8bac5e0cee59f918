import { checkApprovals, unknownRulesText } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { Peer } from "@vedette/network";
import { type ApprovedBlock, type Dialect, hashBlock } from "@vedette/protocol";

/** The rules that an approved block must fit. @spec 40 §3.5 */
export interface ApprovalRules {
  readonly bootstrap: Peer;
  readonly shardName: string;
  readonly dialect: Dialect;
}

/** The approvers of a right approved block, or what is wrong. */
export type ApprovalCheck = { readonly signers: readonly Uint8Array[] } | { readonly refusal: string };

/**
 * Checks an approved block: it must come from the bootstrap, from exactly the address that is configured, be of the
 * right shard, and have the approvals that it requires.
 *
 * Its hash is checked too, which rnode leaves out: everything else is fetched and named by hash.
 *
 * @spec 40 §3.5, §3.6
 */
export function checkApprovedBlock(approved: ApprovedBlock, sender: Peer, rules: ApprovalRules): ApprovalCheck {
  const { bootstrap, shardName, dialect } = rules;
  const { block } = approved.candidate;
  const isBootstrap =
    sender.id === bootstrap.id &&
    sender.host === bootstrap.host &&
    sender.protocolPort === bootstrap.protocolPort &&
    sender.discoveryPort === bootstrap.discoveryPort;
  if (!isBootstrap) return { refusal: "It does not come from the bootstrap node." };
  if (block.shardId !== shardName) {
    const refusal =
      `Connected to the wrong shard. Approved block received from bootstrap is in shard '${block.shardId.slice(0, 64)}' ` +
      `but expected is '${shardName}'. Check configuration option shard-name.`;
    return { refusal };
  }
  const newer = unknownRulesText(block);
  if (newer !== undefined) return { refusal: newer };
  if (!equalBytes(hashBlock(block, dialect), block.hash))
    return { refusal: "Its hash is not that of its content; is this the right network, and the right dialect?" };
  const { isEnough, signers } = checkApprovals(approved, dialect);
  if (!isEnough) return { refusal: "Received invalid ApprovedBlock message not containing enough valid signatures." };
  return { signers };
}
