import { compareBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import { deployLifespan } from "../../ChainRules.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { LineageFacts, LineageSource } from "../../finality/f1r3node/StateLineage.js";
import type { InvalidStatus } from "../BlockStatus.js";

/** More blocks than hundreds of validators make in the life span; an invalid parent may state any height. */
const maxRecent = 20_000;

/** The outcome of a deploy in the recent past. @spec 61 §14.2 (repeat deploy) */
export interface Disposition {
  readonly isRejected: boolean;
  /** The block of the last rejection that no other copy made up for. */
  readonly record: BlockMetadata | undefined;
  /** A block that has it. */
  readonly carrier: Uint8Array | undefined;
}

interface OpenDisposition {
  /** The height of the deploy's last event. */
  height: bigint;
  isRejected: boolean;
  record: BlockMetadata | undefined;
  carrier: Uint8Array | undefined;
}

/** The sources that the check reads. */
export interface RepeatSources {
  readonly dag: DagView;
  readonly facts: LineageSource;
}

/**
 * Checks that no deploy is in the recent past. One that a merge rejected may come again once its rejection is final.
 *
 * @spec 61 §14.2 (repeat deploy)
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @cost the blocks of the deploys' life span; none for a block without deploys
 */
export function checkRepeatedDeploy(
  block: Block,
  parents: readonly BlockMetadata[],
  floor: BlockMetadata | undefined,
  sources: RepeatSources,
): InvalidStatus | undefined {
  const { deploys } = block.body;
  if (deploys.length === 0 || floor === undefined) return undefined;
  const wanted = new Set(deploys.map(({ deploy }) => hashKey(deploy.signature)));
  const dispositions = recentDispositions(parents, sources, wanted);
  const past = new AncestorWalk(sources.dag, floor);
  const exempt = new Set<string>();
  for (const { deploy } of deploys) {
    const disposition = dispositions.get(hashKey(deploy.signature));
    if (disposition?.isRejected !== true) continue;
    const { record } = disposition;
    if (record === undefined || !past.includes(record))
      return { status: "PrematureDeployRetry", deploy, rejectedIn: record?.hash };
    exempt.add(hashKey(deploy.signature));
  }
  for (const { deploy } of deploys) {
    const carrier = dispositions.get(hashKey(deploy.signature))?.carrier;
    if (carrier !== undefined && !exempt.has(hashKey(deploy.signature)))
      return { status: "InvalidRepeatDeploy", deploy, earlierBlock: carrier };
  }
  return undefined;
}

/**
 * Finds the outcome of each deploy of the recent past, by `hashKey`s of their signatures.
 *
 * @param wanted only of these; left out: of all
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @spec 61 §14.2 (repeat deploy)
 * @cost the blocks of the deploys' life span
 */
export function recentDispositions(
  parents: readonly BlockMetadata[],
  { dag, facts }: RepeatSources,
  wanted?: ReadonlySet<string>,
): ReadonlyMap<string, Disposition> {
  const highest = parents.reduce((most, { number }) => (number > most ? number : most), -1n);
  const earliest = highest + 1n - deployLifespan;
  const dispositions = new Map<string, OpenDisposition>();
  const seen = new Set<string>();
  const waiting = [...parents];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.key) || next.number < earliest) continue;
    seen.add(next.key);
    if (seen.size > maxRecent)
      throw new ChainError({ code: "tooComplex", what: "Looking for a repeated deploy", limit: maxRecent });
    note(dispositions, wantedOf(facts.factsOf(next.hash, next.key), wanted), next);
    for (const [index, key] of next.parentKeys.entries())
      if (!seen.has(key)) waiting.push(dag.require(next.parents[index]!, key));
  }
  return dispositions;
}

interface DeployEvents {
  readonly included: Iterable<string>;
  /** `hashKey`s of the signatures. */
  readonly rejected: readonly string[];
}

function wantedOf({ included, rejections }: LineageFacts, wanted: ReadonlySet<string> | undefined): DeployEvents {
  const rejected = rejections.filter(({ duplicate }) => duplicate !== true).map(({ signature }) => hashKey(signature));
  if (wanted === undefined) return { included, rejected };
  const [few, many] = wanted.size < included.size ? [wanted, included] : [included, wanted];
  return {
    included: [...few].filter((signature) => many.has(signature)),
    rejected: rejected.filter((signature) => wanted.has(signature)),
  };
}

function note(
  dispositions: Map<string, OpenDisposition>,
  { included, rejected }: DeployEvents,
  at: BlockMetadata,
): void {
  const of = (key: string): OpenDisposition => {
    let disposition = dispositions.get(key);
    if (disposition === undefined)
      dispositions.set(key, (disposition = { height: -1n, isRejected: false, record: undefined, carrier: undefined }));
    return disposition;
  };
  for (const signature of included) {
    const disposition = of(signature);
    if (at.number > disposition.height) Object.assign(disposition, { height: at.number, isRejected: false });
    disposition.carrier ??= at.hash;
  }
  for (const signature of rejected) {
    const disposition = of(signature);
    if (at.number >= disposition.height) Object.assign(disposition, { height: at.number, isRejected: true });
    if (disposition.record === undefined || isLater(at, disposition.record)) disposition.record = at;
  }
}

function isLater(one: BlockMetadata, other: BlockMetadata): boolean {
  return one.number === other.number ? compareBytes(one.hash, other.hash) > 0 : one.number > other.number;
}
