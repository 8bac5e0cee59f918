import { toHex } from "@vedette/crypto";
import { ActiveSourceLocations, type EvaluationTrace, type TermSourceLocation } from "@vedette/rholang";
import {
  type BindPattern,
  type ListParWithRandom,
  type Par,
  PrintError,
  type Receive,
  type Send,
  type TaggedContinuation,
  type TermCodec,
} from "@vedette/terms";
import type { SpaceMatch } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { placedProgram } from "./placedProgram.js";
import type { SpaceListener } from "./TracedSpace.js";

/**
 * The origin of a step: a send or receive of the traced program, with its place where that is known for certain; a
 * built-in process; or a program that ran earlier.
 */
export type TraceSource =
  | { readonly kind: "program"; readonly place: TermSourceLocation | undefined }
  | { readonly kind: "system" }
  | { readonly kind: "earlier" };

/** One thing that a program did to the tuple space, in order. Texts are Rholang, cut where they are long. */
export interface TraceStep {
  readonly kind: "produce" | "consume" | "comm";
  /** For a COMM: the source of the operation that made it complete. */
  readonly source: TraceSource;
  /** Charged for this step: its terms, its storage, its event; below 0 where more is given back. */
  readonly phlo: bigint;
  readonly channels: readonly string[];
  /** For a produce: the sent data. For a COMM: the data that met, a list for each channel. */
  readonly data: readonly (readonly string[])[];
  /** For a consume: the patterns that it waits for, a list for each channel. */
  readonly patterns: readonly (readonly string[])[];
  readonly isPersistent: boolean;
  readonly isPeek: boolean;
  /** For a COMM: the origins of the data that met, in the order of the channels. */
  readonly senders: readonly TraceSource[];
  /** For a COMM: the origin of the receive. */
  readonly receiver: TraceSource | undefined;
}

/** The steps of a program. */
export interface ProgramTrace {
  /** For the text, before anything ran. */
  readonly parsingPhlo: bigint;
  readonly steps: readonly TraceStep[];
  /**
   * Sends and receives that began and came to no operation, the first {@link traceLimits.unfinished}: that is where a
   * program fails. `undefined`: its place is not known.
   */
  readonly unfinished: readonly (TermSourceLocation | undefined)[];
  /** Charged outside of the listed steps: `new`, `match`, what was begun when the phlo ran out. */
  readonly otherPhlo: bigint;
  /** Whether there were more steps than are listed. */
  readonly isCut: boolean;
}

/** How much of a trace is kept. */
const traceLimits = { steps: 20_000, termBytes: 4_096, text: 400, unfinished: 16, characters: 4 << 20 } as const;

type OpenStep = { -readonly [Member in keyof TraceStep]: TraceStep[Member] };
type StepFacts = Omit<TraceStep, "phlo" | "source">;

const system: TraceSource = { kind: "system" };
const earlier: TraceSource = { kind: "earlier" };

/**
 * Merges the reports of the evaluation (charges, terms that begin) and of the space (operations, matches) into steps.
 *
 * After an operation a known number of charges belongs to it (22 §4.6): one where it waits now; otherwise two refunds,
 * the price of the COMM, and that of the event unless it is persistent. What is charged before an operation and
 * since its term began is the operation's own; everything else is `otherPhlo`.
 *
 * @spec 22 §4.5, §4.6
 */
export class DeployTracer implements EvaluationTrace, SpaceListener {
  readonly #steps: OpenStep[] = [];
  #places: ActiveSourceLocations | undefined;
  #parsingPhlo = 0n;
  #otherPhlo = 0n;
  /** Charged since the running term began, or since its operation is repeated. */
  #pending = 0n;
  readonly #unfinished: (TermSourceLocation | undefined)[] = [];
  /** How many of the next charges belong to the last step. */
  #owed = 0;
  #running: Send | Receive | undefined;
  #charactersLeft: number = traceLimits.characters;
  #isCut = false;
  /** The source of the present operation. */
  #source: TraceSource = earlier;
  #last: OpenStep | undefined;
  /** Data and continuations that this program made, by identity. */
  readonly #sources = new Map<ListParWithRandom | TaggedContinuation, TraceSource>();
  readonly #receives = new Map<TaggedContinuation, Receive>();
  /** Random states of calls of built-in processes, which their answers take over. */
  readonly #calls = new Set<string>();
  readonly #form: Pick<ExecutionDialect, "grammar" | "terms">;

  /** @param form of the states; left out: that of rnode */
  constructor(form: Pick<ExecutionDialect, "grammar" | "terms">) {
    this.#form = form;
  }

  compile(source: string, environment: ReadonlyMap<string, Par>, maxTokens: number | undefined): Par {
    this.#parsingPhlo = this.#otherPhlo;
    this.#otherPhlo = 0n;
    const { grammar, terms } = this.#form;
    const par = grammar.compile(source, environment, maxTokens);
    const placed = placedProgram(par, { source, environment, maxTokens }, { grammar, terms });
    if (placed === undefined) return par;
    this.#places = new ActiveSourceLocations(placed);
    return placed.par;
  }

  charged(amount: number): void {
    const phlo = BigInt(amount);
    if (this.#owed > 0) {
      this.#owed -= 1;
      this.#last!.phlo += phlo;
    } else if (this.#running !== undefined) this.#pending += phlo;
    else this.#otherPhlo += phlo;
  }

  began(term: Send | Receive): void {
    this.#drop();
    this.#running = term;
  }

  produced(channel: Par, data: ListParWithRandom, isPersistent: boolean): void {
    this.#source = this.#sourceOf(data, this.#calls.has(toHex(data.randomState)) ? system : earlier);
    const facts = { channels: [this.#text(channel)], data: [this.#texts(data.pars)], patterns: [] };
    this.#add({ kind: "produce", ...facts, isPersistent, isPeek: false, senders: [], receiver: undefined });
  }

  consumed(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    options: { readonly isPersistent: boolean; readonly isPeek: boolean },
  ): void {
    if (this.#running instanceof Object && "binds" in this.#running) this.#receives.set(continuation, this.#running);
    this.#source = this.#sourceOf(continuation, earlier);
    const texts = patterns.map((each) => this.#texts(each.patterns));
    const facts = { channels: this.#texts(channels), data: [], patterns: texts, ...options };
    this.#add({ kind: "consume", ...facts, senders: [], receiver: undefined });
  }

  ended(match: SpaceMatch | undefined, isPersistent: boolean): void {
    if (match === undefined) {
      this.#owed = 1;
      return;
    }
    const { continuation, channels, results, peek: isPeek } = match;
    const isSystem = continuation.kind === "SystemContinuation";
    const data = results.map(({ removed }) => this.#texts(removed.pars));
    const senders = results.map(({ removed }) => this.#sources.get(removed) ?? earlier);
    const receiver = isSystem ? system : (this.#sources.get(continuation) ?? earlier);
    const facts = { channels: this.#texts(channels), data, patterns: [], isPersistent, isPeek };
    this.#add({ kind: "comm", ...facts, senders, receiver });
    this.#owed = isPersistent ? 3 : 4;
    if (isSystem) for (const { removed } of results) this.#calls.add(toHex(removed.randomState));
    const receive = this.#receives.get(continuation);
    if (continuation.kind === "ParContinuation" && receive !== undefined)
      this.#places?.entered(continuation.value.body, receive);
  }

  /** Returns the trace; the tracer cannot be used afterwards. */
  take(): ProgramTrace {
    this.#drop();
    const [steps, parsingPhlo, unfinished] = [this.#steps, this.#parsingPhlo, this.#unfinished];
    return { parsingPhlo, steps, unfinished, otherPhlo: this.#otherPhlo, isCut: this.#isCut };
  }

  /** The charges of a term that began and came to no operation belong to no step. */
  #drop(): void {
    if (this.#running !== undefined && this.#unfinished.length < traceLimits.unfinished)
      this.#unfinished.push(this.#places?.placeOf(this.#running));
    this.#otherPhlo += this.#pending;
    this.#pending = 0n;
    this.#running = undefined;
    this.#owed = 0;
  }

  /** The running term's if one began; else as it is known of an earlier operation with the same object. */
  #sourceOf(object: ListParWithRandom | TaggedContinuation, otherwise: TraceSource): TraceSource {
    const running = this.#running;
    const source: TraceSource =
      running === undefined
        ? (this.#sources.get(object) ?? otherwise)
        : { kind: "program", place: this.#places?.placeOf(running) };
    this.#sources.set(object, source);
    return source;
  }

  #add(facts: StepFacts): void {
    const step: OpenStep = { ...facts, source: this.#source, phlo: this.#pending };
    this.#pending = 0n;
    this.#running = undefined;
    this.#last = step;
    if (this.#steps.length < traceLimits.steps) this.#steps.push(step);
    else this.#isCut = true;
  }

  #texts(pars: readonly Par[]): string[] {
    return pars.map((par) => this.#text(par));
  }

  #text(par: Par): string {
    if (this.#steps.length >= traceLimits.steps) return "";
    const bytes = this.#form.terms.sizeOfPar(par);
    if (bytes > traceLimits.termBytes || this.#charactersLeft <= 0) return `(a term of ${bytes} bytes)`;
    const text = printed(par, this.#form.terms);
    const shown = text.length > traceLimits.text ? `${text.slice(0, traceLimits.text - 1)}…` : text;
    this.#charactersLeft -= shown.length;
    return shown;
  }
}

function printed(par: Par, { printPar }: TermCodec): string {
  try {
    return printPar(par).replaceAll(/\s*\n\s*/g, " ");
  } catch (error) {
    if (error instanceof PrintError) return `(${error.message})`;
    throw error;
  }
}
