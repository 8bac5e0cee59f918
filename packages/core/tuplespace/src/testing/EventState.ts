import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import { type ConsumeEvent, decodeStoreItems, type Event, ProduceEvent } from "@vedette/protocol";
import {
  BincodeReader,
  ETuple,
  emptyBitSet,
  f1r3nodeTerms,
  GInt,
  GString,
  ListParWithRandom,
  Par,
  readStoredPar,
  SystemContinuation,
} from "@vedette/terms";
import {
  decodeBincodeContinuation,
  decodeBincodeDatum,
  decodeBincodeLeaf,
  encodeBincodeContinuation,
  encodeBincodeDatum,
} from "../bincode/bincodeLeaf.js";
import { channelsHash } from "../event/channelsHash.js";
import type { ItemState, JoinItem } from "../merge/f1r3node/ItemState.js";
import type { NumberChange, NumberChanges } from "../merge/f1r3node/numberChanges.js";
import { numberOfItem } from "../merge/f1r3node/numberItem.js";
import type { MergeBranch } from "../merge/f1r3node/resolveChains.js";

/** Facts that exported states show and logs do not. */
export interface StateKnowledge {
  /** The channels of numbers: hex of the channel hash → how they are merged. */
  readonly numbers: ReadonlyMap<string, NumberChange["kind"]>;
  /** Encoded data, by hex of the hashes of the produces that they came from. */
  readonly data: ReadonlyMap<string, Uint8Array>;
}

const tags: readonly (readonly [string, NumberChange["kind"]])[] = [
  ["78a2588671230884044c801f5f9675defb420460d6895b809ee8cd6f6cfff5d3", "add"],
  ["9902f19c7886266265b763d2d9c648e62aa6c31fc25c685be3c8416c8b86e52a", "or"],
];

/**
 * A state as far as the logs of blocks show it: which produces and consumes are there, not what they hold.
 *
 * The effects of programs are taken from the logs, so that merging can be followed through a recorded chain of which
 * only the first state is known.
 */
export class EventState implements ItemState {
  private readonly known: StateKnowledge;
  private readonly produces: Map<string, Map<string, ProduceEvent>>;
  private readonly consumes: Map<string, Map<string, ConsumeEvent>>;
  private readonly lists: Map<string, Map<string, readonly Uint8Array[]>>;

  constructor(known: StateKnowledge, from?: EventState) {
    this.known = known;
    this.produces = copyOf(from?.produces);
    this.consumes = copyOf(from?.consumes);
    this.lists = copyOf(from?.lists);
  }

  /** Reads exported pages. */
  addPages(pages: readonly Uint8Array[]): this {
    for (const page of pages)
      for (const { value } of decodeStoreItems(page).dataItems) {
        const { kind, items } = decodeBincodeLeaf(value);
        for (const item of items) {
          if (kind === "data") this.addProduce(decodeBincodeDatum(item).source);
          if (kind === "continuations") this.addConsume(decodeBincodeContinuation(item).source);
        }
      }
    return this;
  }

  data(hash: Uint8Array): readonly Uint8Array[] {
    return [...(this.produces.get(toHex(hash))?.values() ?? [])].map((source) => this.datumOf(source));
  }

  continuations(hash: Uint8Array): readonly Uint8Array[] {
    return [...(this.consumes.get(toHex(hash))?.values() ?? [])].map((source) =>
      encodeBincodeContinuation({
        patterns: [],
        continuation: noContinuation,
        persist: source.persistent,
        peeks: [],
        source,
      }),
    );
  }

  joins(hash: Uint8Array): readonly JoinItem[] {
    return [...(this.lists.get(toHex(hash)) ?? [])].map(([key, channelHashes]) => ({
      encoding: fromHex(key),
      channelHashes,
    }));
  }

  /** The state after a log. */
  after(log: readonly Event[]): EventState {
    const next = new EventState(this.known, this);
    for (const event of log) {
      if (event.kind === "produce") next.addProduce(event);
      else if (event.kind === "consume") next.addConsume(event);
      else {
        for (const produce of event.produces) if (!produce.persistent) next.removeProduce(produce);
        if (!event.consume.persistent) next.removeConsume(event.consume);
      }
    }
    return next;
  }

  /** The state with what kept chains change. A number that was merged is a datum without a produce. */
  merged(kept: readonly MergeBranch[]): EventState {
    const next = new EventState(this.known, this);
    for (const { change } of kept.flat()) {
      for (const { removed, added, hash } of change.data.values()) {
        if (this.known.numbers.has(toHex(hash))) {
          next.addProduce(new ProduceEvent(hash, blake2b256(hash), false));
          continue;
        }
        for (const item of removed) next.removeProduce(decodeBincodeDatum(item).source);
        for (const item of added) next.addProduce(decodeBincodeDatum(item).source);
      }
      for (const { removed, added } of change.continuations.values()) {
        for (const item of removed) next.removeConsume(sourceOf(item));
        for (const item of added) next.addConsume(sourceOf(item));
      }
    }
    return next;
  }

  /** Returns the number channels that a log uses, as far as it shows. */
  numbersOf(log: readonly Event[]): NumberChanges {
    const used = new Map<string, NumberChange>();
    for (const event of log) {
      if (event.kind !== "produce") continue;
      const kind = this.known.numbers.get(toHex(event.channelsHash));
      if (kind !== undefined) used.set(toHex(event.channelsHash), { kind, difference: 0n });
    }
    return used;
  }

  private addProduce(produce: ProduceEvent): void {
    const key = toHex(produce.channelsHash);
    if (this.known.numbers.has(key)) this.produces.delete(key);
    addTo(this.produces, key, toHex(produce.hash), produce);
  }

  private removeProduce(produce: ProduceEvent): void {
    const key = toHex(produce.channelsHash);
    if (this.known.numbers.has(key)) this.produces.delete(key);
    else this.produces.get(key)?.delete(toHex(produce.hash));
  }

  private addConsume(consume: ConsumeEvent): void {
    const key = toHex(channelsHash(consume.channelsHashes));
    addTo(this.consumes, key, toHex(consume.hash), consume);
    for (const hash of consume.channelsHashes) addTo(this.lists, toHex(hash), key, consume.channelsHashes);
  }

  private removeConsume(consume: ConsumeEvent): void {
    const key = toHex(channelsHash(consume.channelsHashes));
    const left = this.consumes.get(key);
    left?.delete(toHex(consume.hash));
    if (left?.size === 0) for (const hash of consume.channelsHashes) this.lists.get(toHex(hash))?.delete(key);
  }

  private datumOf(source: ProduceEvent): Uint8Array {
    const content = this.known.numbers.has(toHex(source.channelsHash)) ? someNumber : noNumber;
    const known = this.known.data.get(toHex(source.hash));
    if (known !== undefined) return known;
    return encodeBincodeDatum({ content, persist: source.persistent, source });
  }
}

const noNumber = f1r3nodeTerms.storedListParWithRandom(new ListParWithRandom([], new Uint8Array(0)));
const someNumber = f1r3nodeTerms.storedListParWithRandom(
  new ListParWithRandom([Par.of({ exprs: [new GInt(1n << 60n)] })], new Uint8Array(0)),
);
const noContinuation = f1r3nodeTerms.storedContinuation(new SystemContinuation(0n));

function sourceOf(item: Uint8Array): ConsumeEvent {
  return decodeBincodeContinuation(item).source;
}

function copyOf<Value>(from: Map<string, Map<string, Value>> | undefined): Map<string, Map<string, Value>> {
  return new Map([...(from ?? [])].map(([key, items]) => [key, new Map(items)]));
}

function addTo<Value>(map: Map<string, Map<string, Value>>, key: string, name: string, value: Value): void {
  const items = map.get(key);
  if (items === undefined) map.set(key, new Map([[name, value]]));
  else items.set(name, value);
}

/** Bytes of a Par in front of the id of a private name that is all it has. */
const beforeId = 6 * 8 + 1 + 4 + 8;

/**
 * Facts in pages of exported states. Channels of numbers are those that are named there, tuples of a tag and a name;
 * and those that hold one integer and have no name in a program, as the cells of the registry's tree.
 *
 * @param programs those of the deploys
 * @spec 61 §12.2
 */
export function knowledgeOf(pages: readonly Uint8Array[], programs: readonly string[]): StateKnowledge {
  const numbers = new Map<string, NumberChange["kind"]>();
  const data = new Map<string, Uint8Array>();
  const names = namesIn(programs);
  for (const page of pages)
    for (const { value } of decodeStoreItems(page).dataItems) {
      const { kind, items } = decodeBincodeLeaf(value);
      const sources = kind === "data" ? items.map((item) => decodeBincodeDatum(item).source) : [];
      sources.forEach(({ hash }, index) => void data.set(toHex(hash), items[index]!));
      const [cell] = sources.map(({ channelsHash: channel }) => toHex(channel));
      if (cell !== undefined && sources.length === 1 && numberOfItem(items[0]!) !== undefined && !names.has(cell))
        numbers.set(cell, "or");
      for (const [tag, merged] of tags)
        for (const channel of channelsTagged(value, fromHex(tag)))
          numbers.set(toHex(blake2b256(f1r3nodeTerms.storedPar(channel))), merged);
    }
  return { numbers, data };
}

/** Hashes of the channels that are texts in programs. */
function namesIn(programs: readonly string[]): ReadonlySet<string> {
  const texts = programs.flatMap((program) => [...program.matchAll(/@"([^"]*)"/g)].map(([, text]) => text!));
  return new Set(
    texts.map((text) => toHex(blake2b256(f1r3nodeTerms.storedPar(Par.of({ exprs: [new GString(text)] }))))),
  );
}

function* channelsTagged(value: Uint8Array, tag: Uint8Array): Generator<Par> {
  const bytes = Buffer.from(value);
  for (let at = bytes.indexOf(tag); at >= 0; at = bytes.indexOf(tag, at + 1)) {
    const channel = tupleAt(value.subarray(at - beforeId));
    if (channel !== undefined) yield channel;
  }
}

function tupleAt(bytes: Uint8Array): Par | undefined {
  const reader = new BincodeReader(bytes);
  try {
    return Par.of({ exprs: [new ETuple([readStoredPar(reader), readStoredPar(reader)], emptyBitSet, false)] });
  } catch {
    return undefined;
  }
}
