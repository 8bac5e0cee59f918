import { toHex } from "@vedette/crypto";
import { ActiveSourceLocations, type EvaluationTrace, type TermSourceLocation } from "@vedette/rholang";
import type { BindPattern, ListParWithRandom, Par, Receive, Send, TaggedContinuation } from "@vedette/terms";
import type { SpaceMatch } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { placedProgram } from "./placedProgram.js";
import type { SpaceListener } from "./TracedSpace.js";

/** Lines of a text that have a send or a receive, counted from 1 → how often one of them began. */
export type CoveredLines = ReadonlyMap<number, number>;

/** A program with counted lines. */
interface CountedText {
  readonly places: ActiveSourceLocations;
  /** Line → place in it → how often its send or receive began. */
  readonly lines: Map<number, Map<number, number>>;
}

/** A receive of a text that waits, wherever its state has been meanwhile. */
interface WaitingReceive {
  readonly text: CountedText;
  readonly receive: Receive;
}

/**
 * Which sends and receives of programs began, also in later programs on the states that those left behind: the bodies
 * of contracts, above all.
 *
 * A waiting continuation of a state is another object when it is read again. But the random state of a continuation is
 * of no other one and lies in the state with it (21 §3.6), so that a receive is known by it.
 *
 * @cost memory grows with what runs: for a case, not for a node
 */
export class ProgramCoverage {
  readonly #texts = new Map<string, CountedText>();
  readonly #waiting = new Map<string, WaitingReceive>();
  readonly #form: Pick<ExecutionDialect, "grammar" | "terms">;

  /** @param form of the states */
  constructor(form: Pick<ExecutionDialect, "grammar" | "terms">) {
    this.#form = form;
  }

  /**
   * The listener for the run of one program.
   *
   * @param name under which its own lines are counted; left out: only those of earlier programs that it sets going
   */
  tracer(name?: string): EvaluationTrace & SpaceListener {
    let running: { readonly receive: Receive; readonly text: CountedText } | undefined;
    return {
      ...(name === undefined ? {} : { compile: (...call) => this.#compile(name, ...call) }),
      charged: () => undefined,
      began: (term) => {
        const text = this.#began(term);
        running = text !== undefined && "binds" in term ? { receive: term, text } : undefined;
      },
      produced: (_channel: Par, _data: ListParWithRandom) => undefined,
      consumed: (_channels: readonly Par[], _patterns: readonly BindPattern[], continuation: TaggedContinuation) => {
        if (running !== undefined && continuation.kind === "ParContinuation")
          this.#waiting.set(toHex(continuation.value.randomState), running);
        running = undefined;
      },
      ended: (match: SpaceMatch | undefined) => this.#ended(match),
    };
  }

  /** @returns the lines of each text that was counted, by its name */
  lines(): ReadonlyMap<string, CoveredLines> {
    return new Map(
      [...this.#texts].map(([name, { lines }]) => [
        name,
        new Map([...lines].map(([line, places]) => [line, Math.max(...places.values())])),
      ]),
    );
  }

  #compile(name: string, source: string, environment: ReadonlyMap<string, Par>, maxTokens: number | undefined): Par {
    const { grammar, terms } = this.#form;
    const par = grammar.compile(source, environment, maxTokens);
    const placed = placedProgram(par, { source, environment, maxTokens }, { grammar, terms });
    if (placed === undefined) return par;
    const lines = new Map<number, Map<number, number>>();
    for (const place of placed.places.values()) count(lines, place, 0);
    this.#texts.set(name, { places: new ActiveSourceLocations(placed), lines });
    return placed.par;
  }

  /** @returns the text of a term, if it is known */
  #began(term: Send | Receive): CountedText | undefined {
    for (const text of this.#texts.values()) {
      const place = text.places.placeOf(term);
      if (place === undefined) continue;
      count(text.lines, place, 1);
      return text;
    }
    return undefined;
  }

  #ended(match: SpaceMatch | undefined): void {
    const continuation = match?.continuation;
    if (continuation?.kind !== "ParContinuation") return;
    const { body, randomState } = continuation.value;
    const waiting = this.#waiting.get(toHex(randomState));
    waiting?.text.places.entered(body, waiting.receive);
  }
}

function count(lines: Map<number, Map<number, number>>, { line, offset }: TermSourceLocation, more: number): void {
  const places = lines.get(line) ?? new Map<number, number>();
  places.set(offset, (places.get(offset) ?? 0) + more);
  lines.set(line, places);
}
