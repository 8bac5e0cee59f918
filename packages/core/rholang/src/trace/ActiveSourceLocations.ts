import type { Par, Receive, Send } from "@vedette/terms";
import type { PlacedProgram, TermSourceLocation } from "./compileWithLocations.js";

/**
 * Finds the places of a running program's terms in its text.
 *
 * The running terms differ from the compiled ones: the body of a receive has values in place of its variables. But
 * substitution keeps the lists of a body in their order and puts the terms of values behind them (21 §4.1), and bodies
 * are not sorted again (21 §3.5). So a running body is compared with the body that it was made from, term by term.
 * Terms behind those came from a value and have no recorded place.
 */
export class ActiveSourceLocations {
  readonly #places: Map<Send | Receive, TermSourceLocation>;
  /** A receive that runs → the one of the text. */
  readonly #origins = new Map<Receive, Receive>();

  constructor({ places }: PlacedProgram) {
    this.#places = new Map(places);
  }

  /** `undefined`: the term is not of this text, or its place is unknown. */
  placeOf(term: Send | Receive): TermSourceLocation | undefined {
    return this.#places.get(term);
  }

  /** Takes notice of the body of a receive that is about to run. @param receive that waited, as it ran */
  entered(body: Par, receive: Receive): void {
    const origin = this.#originOf(receive);
    if (origin !== undefined) this.#pair(body, origin.body);
  }

  #originOf(receive: Receive): Receive | undefined {
    return this.#origins.get(receive) ?? (this.#places.has(receive) ? receive : undefined);
  }

  #pair(running: Par, text: Par): void {
    if (running === text) return;
    each(text.sends, running.sends, (send, now) => this.#name(send, now));
    each(text.receives, running.receives, (receive, now) => {
      const origin = this.#originOf(receive);
      if (origin !== undefined && !this.#places.has(now)) this.#origins.set(now, origin);
      this.#name(receive, now);
    });
    each(text.news, running.news, (term, now) => this.#pair(now.p, term.p));
    each(text.matches, running.matches, (match, now) =>
      each(match.cases, now.cases, (one, other) => this.#pair(other.source, one.source)),
    );
    each(text.conditionals, running.conditionals, (conditional, now) => {
      this.#pair(now.ifTrue, conditional.ifTrue);
      this.#pair(now.ifFalse, conditional.ifFalse);
    });
    each(text.bundles, running.bundles, (bundle, now) => this.#pair(now.body, bundle.body));
  }

  #name(term: Send | Receive, running: Send | Receive): void {
    const place = this.#places.get(term);
    if (place !== undefined && !this.#places.has(running)) this.#places.set(running, place);
  }
}

function each<T>(texts: readonly T[], running: readonly T[], pair: (text: T, running: T) => void): void {
  // Fewer than there were is not expected; so no place is recorded.
  if (running.length < texts.length) return;
  for (const [index, text] of texts.entries()) pair(text, running[index]!);
}
