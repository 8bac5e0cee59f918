import { emptyBytes, toHex } from "@vedette/crypto";
import type { ListParWithRandom, Par, TermCodec } from "@vedette/terms";
import { type ReportedTransfer, type TransferGroup, transferChannelId } from "./Transfer.js";

interface Call {
  readonly pars: readonly Par[];
  /** Position among the calls and moments of going back. */
  readonly revertedAt: { isReverted: boolean };
}

/** A boolean, and a reason beside `false`. */
interface Answer {
  readonly failure: string | undefined;
}

/**
 * Picks the transfers out of the events of a replay: a COMM on the transfer channel, and the contract's reply to the
 * name in it. Memory use is small for any events.
 *
 * @spec 41 §8.3
 */
export class VaultTransferCollector {
  private readonly terms: TermCodec;
  private groups: TransferGroup[] = [];
  private calls: Call[] = [];
  /** Produces that may be answers; most are not, so that nothing is worked out before it is needed. */
  private answers: { readonly channel: Par; readonly data: Par }[] = [];
  private events = 0;
  /** Shared by the calls since the last soft checkpoint. */
  private sinceCheckpoint = { isReverted: false };

  /** @param terms the encoding of the network's terms */
  constructor(terms: TermCodec) {
    this.terms = terms;
  }

  /** Records a consume. */
  consumed(): void {
    this.events += 1;
  }

  /** Records a produce. */
  produced(channel: Par, data: ListParWithRandom): void {
    this.events += 1;
    const { pars } = data;
    if (pars.length > 0 && isAnswer(pars[0]!)) this.answers.push({ channel, data: pars[0]! });
  }

  /** Records a COMM: its first channel, and what its first bind got. */
  matched(channel: Par, data: ListParWithRandom): void {
    if (isTransferChannel(channel)) this.calls.push({ pars: data.pars, revertedAt: this.sinceCheckpoint });
  }

  /** Ends a part of a deploy, if anything happened in it. */
  closeGroup(): void {
    this.sinceCheckpoint = { isReverted: false };
    if (this.events === 0) return;
    this.groups.push(this.calls.length === 0 ? noTransfers : this.transfers());
    this.events = 0;
    this.answers = [];
  }

  private transfers(): TransferGroup {
    const answers = new Map<string, Answer>();
    for (const { pars } of this.calls)
      if (pars[5] !== undefined) answers.set(nameKey(pars[5], this.terms), { failure: undefined });
    for (const { channel, data } of this.answers) {
      const key = nameKey(channel, this.terms);
      // If there are several replies the last one counts.
      if (answers.has(key)) answers.set(key, answerIn(data));
    }
    const transfers = this.calls.map((call) => transferOf(call, answers, this.terms));
    this.calls = [];
    return transfers;
  }

  /** Marks all since the last soft checkpoint as undone. */
  reverted(): void {
    this.sinceCheckpoint.isReverted = true;
    this.sinceCheckpoint = { isReverted: false };
  }

  /** Returns the transfers found since the last call. */
  take(): readonly TransferGroup[] {
    this.closeGroup();
    const { groups } = this;
    this.groups = [];
    return groups;
  }
}

const noTransfers: TransferGroup = [];

function transferOf(
  { pars, revertedAt }: Call,
  answers: ReadonlyMap<string, Answer>,
  terms: TermCodec,
): ReportedTransfer {
  const answerName = pars[5];
  const answer = answerName === undefined ? undefined : answers.get(nameKey(answerName, terms));
  return {
    from: textIn(pars[0]),
    to: textIn(pars[2]),
    amount: numberIn(pars[3]),
    answerName: answerName === undefined ? emptyBytes : terms.encodePar(answerName),
    failure: answer?.failure,
    isReverted: revertedAt.isReverted,
  };
}

function isTransferChannel(channel: Par): boolean {
  const [name] = channel.unforgeables;
  if (name?.kind !== "GPrivate" || channel.unforgeables.length !== 1 || channel.exprs.length > 0) return false;
  const { id } = name;
  if (id.length !== transferChannelId.length) return false;
  for (let i = 0; i < id.length; i += 1) if (id[i] !== transferChannelId[i]) return false;
  return true;
}

/** Whether it is `(true, _)` or `(false, reason)`. */
function isAnswer({ exprs }: Par): boolean {
  if (exprs.length === 0) return false;
  const tuple = exprs[0]!;
  return tuple.kind === "ETuple" && tuple.ps.length === 2 && tuple.ps[0]!.exprs[0]?.kind === "GBool";
}

function answerIn(par: Par): Answer {
  const tuple = par.exprs[0];
  if (tuple?.kind !== "ETuple") return { failure: undefined };
  const isDone = tuple.ps[0]?.exprs[0];
  return { failure: isDone?.kind === "GBool" && isDone.value ? undefined : textIn(tuple.ps[1]) };
}

function nameKey(name: Par, terms: TermCodec): string {
  const [unforgeable] = name.unforgeables;
  const isPlain = unforgeable?.kind === "GPrivate" && name.unforgeables.length === 1 && name.exprs.length === 0;
  return isPlain ? toHex(unforgeable.id) : `:${toHex(terms.encodePar(name))}`;
}

/** Another value is no text: rnode reads it as the empty one. */
function textIn(par: Par | undefined): string {
  const expr = par?.exprs[0];
  return expr?.kind === "GString" ? expr.value : "";
}

function numberIn(par: Par | undefined): bigint {
  const expr = par?.exprs[0];
  return expr?.kind === "GInt" ? expr.value : 0n;
}
