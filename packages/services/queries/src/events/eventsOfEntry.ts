import type { EventKind } from "@vedette/api";
import { takesEffect } from "@vedette/chain";
import { blake2b256, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { DeployNote } from "@vedette/execution";
import { type Block, hashKey, type ProcessedDeploy, rejectedIdsOf } from "@vedette/protocol";
import { eventParts } from "./Cursor.js";
import type { LogEntry, LogEntryKind } from "./logEntry.js";
import { type EventContent, NodeEvent } from "./NodeEvent.js";
import type { BlockTransfer } from "./TransferPort.js";

/** An entry of a log. */
export interface PlacedEntry {
  /** The cursor after all of its events. */
  readonly cursor: string;
  readonly entry: LogEntry;
}

/**
 * The events of an entry without sends and transfers: the block's own first, then those of its deploys. The same at
 * every call.
 */
export function eventsOfEntry({ cursor, entry }: PlacedEntry, block: Block): NodeEvent[] {
  const { kind, deploys } = entry;
  const events: NodeEvent[] = [];
  if (kind !== "deploysRejected" && kind !== "deploysRestored") {
    const place = { entry: cursor, part: eventParts.block, index: 0 };
    events.push(new NodeEvent(kind, place, {}, () => blockContent(block, entry)));
  }
  const named = new Set(deploys?.idHashes.map(hashKey));
  const isNamed = ({ deploy }: ProcessedDeploy) => named.size > 0 && named.has(hashKey(blake2b256(deploy.signature)));
  const addressOf = addressesOfKeys();
  for (const [index, processed] of block.body.deploys.entries()) {
    const eventKind = deployKindOf(kind, isNamed(processed), takesEffect(processed, block.form));
    if (eventKind === undefined) continue;
    const place = { entry: cursor, part: eventParts.deploys, index };
    const subjects = { deployer: toHex(processed.deploy.deployer) };
    const merge =
      eventKind === "deployRejected" && deploys !== undefined ? { rejectedBy: toHex(deploys.rejectedBy) } : {};
    const content = () => ({ ...deployContent(processed, addressOf), ...placeContent(block), ...merge });
    events.push(new NodeEvent(eventKind, place, subjects, content));
  }
  return events;
}

/**
 * @param isNamed whether the entry names the deploy
 * @param hasEffect whether it did anything in the block: what failed is not final with it
 */
function deployKindOf(kind: LogEntryKind, isNamed: boolean, hasEffect: boolean): EventKind | undefined {
  switch (kind) {
    case "blockAdded":
      return "deployIncluded";
    case "blockFinalized":
      if (isNamed) return "deployRejected";
      return hasEffect ? "deployFinalized" : undefined;
    case "deploysRejected":
      return isNamed ? "deployRejected" : undefined;
    case "deploysRestored":
      return isNamed ? "deployFinalized" : undefined;
    case "chainStarted":
    case "blockInvalid":
    case "blockOrphaned":
      return undefined;
  }
}

/** By channel: what the deploys of a block that was added have sent, without those that failed. @spec 30 §3.1 */
export function sendsOfEntry({ cursor, entry }: PlacedEntry, block: Block): ReadonlyMap<string, NodeEvent[]> {
  const byChannel = new Map<string, NodeEvent[]>();
  if (entry.kind !== "blockAdded") return byChannel;
  let index = 0;
  for (const processed of block.body.deploys) {
    // The sends of a failed deploy were undone.
    if (processed.failed) continue;
    const subjects = { deployer: toHex(processed.deploy.deployer) };
    const deployId = toHex(processed.deploy.signature);
    // Logs have the newest first.
    for (const event of processed.log.toReversed()) {
      if (event.kind !== "produce") continue;
      const channel = toHex(event.channelsHash);
      const place = { entry: cursor, part: eventParts.sends, index };
      index += 1;
      const sent = { channelHash: channel, isPersistent: event.persistent, deployId, deployer: subjects.deployer };
      const content = () => ({ ...sent, ...placeContent(block) });
      const sends = byChannel.get(channel);
      const send = new NodeEvent("dataSent", place, { ...subjects, channel }, content);
      if (sends === undefined) byChannel.set(channel, [send]);
      else sends.push(send);
    }
  }
  return byChannel;
}

/** The transfers of a block that was added. @spec 41 §8.3 */
export function transfersOfEntry(
  { cursor }: PlacedEntry,
  block: Block,
  transfers: readonly BlockTransfer[],
): NodeEvent[] {
  return transfers.map(({ deployId, deployer, from, to, amount, failReason }, index) => {
    const place = { entry: cursor, part: eventParts.transfers, index };
    const subjects = { deployer: toHex(deployer), addresses: [from, to] as const };
    const content = () => ({
      ...{ from, to, amount },
      isSuccessful: failReason === undefined,
      failReason: failReason ?? null,
      deployId: toHex(deployId),
      deployer: subjects.deployer,
      ...placeContent(block),
    });
    return new NodeEvent("transfer", place, subjects, content);
  });
}

/** Why deploys of a block that was added failed, and what they wrote. @spec 41 §8.4 */
export function notesOfEntry({ cursor }: PlacedEntry, block: Block, notes: readonly DeployNote[]): NodeEvent[] {
  const events: NodeEvent[] = [];
  for (const [at, { faults, prints }] of notes.entries()) {
    const deploy = block.body.deploys[at]?.deploy;
    if (deploy === undefined) continue;
    const subjects = { deployer: toHex(deploy.deployer) };
    const about = { deployId: toHex(deploy.signature), deployer: subjects.deployer, ...placeContent(block) };
    const add = (kind: EventKind, content: EventContent) => {
      const place = { entry: cursor, part: eventParts.notes, index: events.length };
      events.push(new NodeEvent(kind, place, subjects, () => ({ ...content, ...about })));
    };
    for (const { stream, text } of prints) add("deployOutput", { stream, text });
    const errors = faults.map(({ class: name, text, line, column }) => ({
      ...{ class: name, text },
      ...{ line: line ?? null, column: column ?? null },
    }));
    if (errors.length > 0) add("deployFailed", { errors });
  }
  return events;
}

function placeContent(block: Block): EventContent {
  return { blockHash: toHex(block.hash), blockNumber: block.number };
}

function blockContent(block: Block, { kind, reason }: LogEntry): EventContent {
  return {
    ...placeContent(block),
    parents: block.parents.map(toHex),
    sender: toHex(block.sender),
    seqNum: block.sequenceNumber,
    timestamp: block.header.timestamp,
    preStateHash: toHex(block.body.state.preStateHash),
    postStateHash: toHex(block.body.state.postStateHash),
    deployCount: block.body.deploys.length,
    rejectedDeploys: rejectedIdsOf(block.body).map(toHex),
    reason: kind === "blockInvalid" ? (reason ?? null) : undefined,
  };
}

function deployContent(
  { deploy, cost, failed, systemDeployError }: ProcessedDeploy,
  addressOf: (publicKey: Uint8Array) => string | null,
): EventContent {
  return {
    deployId: toHex(deploy.signature),
    deployer: toHex(deploy.deployer),
    address: addressOf(deploy.deployer),
    cost,
    errored: failed,
    systemDeployError,
  };
}

/** Works out each key's address once: a block often has many deploys of few keys. */
function addressesOfKeys(): (publicKey: Uint8Array) => string | null {
  const known = new Map<string, string | null>();
  return (publicKey) => {
    const key = hashKey(publicKey);
    let address = known.get(key);
    if (address === undefined) {
      address = vaultAddressOfPublicKey(publicKey) ?? null;
      known.set(key, address);
    }
    return address;
  };
}
