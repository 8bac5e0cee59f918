import { compareBytes } from "@vedette/crypto";
import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { findDivergence } from "./ownChain.js";
import {
  canonicalEvidence,
  equivocationEvidence,
  invalidBlockEvidence,
  type SlashingEvidence,
} from "./SlashingEvidence.js";

/** The past blocks that a block names. */
export interface BlockReferences {
  readonly senderKey: string;
  /** Main parent first; at least one. */
  readonly parents: readonly BlockMetadata[];
  /** At most one for each validator. */
  readonly justifications: readonly Justification[];
}

/** A justified block that is older than the one that another named block justifies for the same validator. */
export interface Regression {
  readonly validator: Uint8Array;
  /** The justified block. */
  readonly hash: Uint8Array;
  /** The newer one. */
  readonly previous: Uint8Array;
}

/** The offences that a block's past proves. */
export interface Past {
  /** One for each offender, in ascending order of the validators' keys. */
  readonly offences: readonly SlashingEvidence[];
  readonly regression: Regression | undefined;
}

/**
 * Collects the offences that the past of a block proves against validators. It depends on the past alone, so that all
 * nodes find the same.
 *
 * Offences known to the named valid blocks are taken over from them. New ones come from named invalid blocks, and from
 * own blocks of one validator that meet here and do not build on each other.
 *
 * @throws {ChainError} `blockMissing` when a named block, or an own block between two, is not in the DAG
 * @spec 40 §16.3
 * @cost named blocks that the own block before did not name, times validators; for a known offender also the own blocks
 * back to where its sides diverge
 */
export function collectEvidence(dag: DagView, named: BlockReferences): Past {
  const justified = new Map(
    named.justifications.map(({ validator, latestBlockHash }) => [hashKey(validator), dag.require(latestBlockHash)]),
  );
  const cited = new Map([...justified.values(), ...named.parents].map((block) => [block.key, block]));
  const inherited = inheritedOffences([...cited.values()].filter(({ invalid }) => !invalid));
  const accused = stakedValidators(named, justified).filter(({ validatorKey }) => !inherited.has(validatorKey));
  const findings: Findings = { found: invalidOf(accused, cited.values()), regressions: [] };
  const before = justified.get(named.senderKey);
  // The names in an invalid block were never compared.
  const known = before?.senderKey === named.senderKey && !before.invalid ? namesOf(before) : new Set<string>();
  for (const block of cited.values())
    if (!block.invalid && !known.has(block.key)) compareViews(dag, block, accused, findings);
  const { found, regressions } = findings;
  const regression = regressions.find(({ validator }) => !found.has(hashKey(validator)));
  const offences = [...inherited.values(), ...found.values()];
  return { offences: offences.sort((a, b) => compareBytes(a.validator, b.validator)), regression };
}

/** A validator with stake, and its latest own block that the judged block justifies. */
interface Accused {
  readonly validator: Uint8Array;
  readonly validatorKey: string;
  readonly justified: BlockMetadata;
  readonly own: BlockMetadata | undefined;
}

/** The justified validators that have stake. Keys without stake are left out: any number of them may sign blocks. */
function stakedValidators(
  { parents, justifications }: BlockReferences,
  justified: ReadonlyMap<string, BlockMetadata>,
): readonly Accused[] {
  const { stakes } = parents[0]!.bonds;
  return justifications.flatMap(({ validator }) => {
    const validatorKey = hashKey(validator);
    if ((stakes.get(validatorKey) ?? 0n) <= 0n) return [];
    const block = justified.get(validatorKey)!;
    const own = block.senderKey === validatorKey ? block : undefined;
    return [{ validator, validatorKey, justified: block, own }];
  });
}

function inheritedOffences(blocks: readonly BlockMetadata[]): Map<string, SlashingEvidence> {
  const inherited = new Map<string, SlashingEvidence>();
  for (const block of blocks) for (const offence of block.evidence ?? []) choose(inherited, offence);
  return inherited;
}

function invalidOf(accused: readonly Accused[], cited: Iterable<BlockMetadata>): Map<string, SlashingEvidence> {
  const staked = new Set(accused.map(({ validatorKey }) => validatorKey));
  const found = new Map<string, SlashingEvidence>();
  for (const { invalid, sender, senderKey, hash } of cited)
    if (invalid && staked.has(senderKey)) choose(found, invalidBlockEvidence(sender, hash));
  return found;
}

function choose(offences: Map<string, SlashingEvidence>, offence: SlashingEvidence): void {
  const other = offences.get(offence.validatorKey);
  offences.set(offence.validatorKey, other === undefined ? offence : canonicalEvidence(other, offence));
}

function namesOf(block: BlockMetadata): Set<string> {
  const names = new Set(block.parents.map(hashKey));
  for (const { latestBlockHash } of block.justifications) names.add(hashKey(latestBlockHash));
  return names;
}

interface Findings {
  /** By the offender's key. */
  readonly found: Map<string, SlashingEvidence>;
  readonly regressions: Regression[];
}

/** Compares what each named block knew of each validator with the justifications of the judged block. */
function compareViews(
  dag: DagView,
  block: BlockMetadata,
  accused: readonly Accused[],
  { found, regressions }: Findings,
): void {
  for (const { validator, validatorKey, justified, own } of accused) {
    const theirs = knownOwnBlock(dag, block, validatorKey);
    if (theirs === undefined || theirs.key === own?.key) continue;
    if (own === undefined || (!dag.hasSlashingEvidence(validatorKey) && theirs.sequenceNumber > own.sequenceNumber)) {
      regressions.push({ validator, hash: justified.hash, previous: theirs.hash });
      continue;
    }
    // The blocks of a validator without an offence form one chain.
    if (!dag.hasSlashingEvidence(validatorKey)) continue;
    const { left, right } = findDivergence(dag, own, theirs);
    if (right === undefined) continue;
    if (left === undefined) regressions.push({ validator, hash: own.hash, previous: theirs.hash });
    else choose(found, equivocationEvidence(validator, left.hash, right.hash));
  }
}

/** The latest own block of a validator that the creator of a block knew. */
function knownOwnBlock(dag: DagView, block: BlockMetadata, validatorKey: string): BlockMetadata | undefined {
  if (block.senderKey === validatorKey) return block;
  const hash = block.justificationOf(validatorKey);
  if (hash === undefined) return undefined;
  // A block below a state that this node began with is not stored, and is older than any stored one.
  const known = dag.find(hash);
  return known?.senderKey === validatorKey ? known : undefined;
}
