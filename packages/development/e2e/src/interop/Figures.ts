import type { ReadyCase } from "./CaseBook.js";
import type { ClientCallResult } from "./ClientRun.js";

interface Count {
  whole: number;
  all: number;
  elements: number;
}

/** The closing lines of a run: complete answers of each client, and the time that each part took. */
export class Figures {
  readonly #counts = new Map<string, { readonly streams: Count; readonly single: Count }>();
  readonly #times: string[] = [];
  readonly #notes: string[] = [];

  /** Counts the calls of a case that were to end well. */
  count(client: string, { expected, elements, clientCase }: ReadyCase, calls: readonly ClientCallResult[]): void {
    if (expected !== "asServed") return;
    const none = () => ({ whole: 0, all: 0, elements: 0 });
    const counts = this.#counts.get(client) ?? { streams: none(), single: none() };
    this.#counts.set(client, counts);
    const count = clientCase.kind === "stream" ? counts.streams : counts.single;
    for (const call of calls) {
      count.all += 1;
      count.elements += call.elements.length;
      if (call.status === 0 && (clientCase.shows || call.elements.join() === elements.join())) count.whole += 1;
    }
  }

  note(line: string): void {
    this.#notes.push(line);
  }

  async timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
    const begunMs = performance.now();
    const result = await work();
    this.#times.push(`${what} in ${((performance.now() - begunMs) / 1_000).toFixed(1)} s`);
    return result;
  }

  text(): string {
    const lines = [...this.#counts].map(
      ([client, { streams, single }]) =>
        `${client}: ${streams.whole} of ${streams.all} streams (${streams.elements} elements), ` +
        `${single.whole} of ${single.all} single answers`,
    );
    return [...this.#times, ...lines, ...this.#notes].join("\n");
  }
}
