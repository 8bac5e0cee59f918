import type { NetworkDialect } from "@vedette/client";
import { startWorker } from "../../data/startWorker.js";
import type { LanguageAnswers, LanguageReply } from "./languageMessages.js";

/** After this time a question fails, and the worker is replaced. */
const longestMs = 5_000;

type Waiting = { readonly resolve: (answer: unknown) => void; readonly reject: (error: Error) => void };

/** Sends requests to the worker, so that a long program never stops the page. */
export class LanguageClient {
  /** The dialect of the language. */
  dialect: NetworkDialect = "rnode";
  #worker: Worker | undefined;
  #nextId = 1;
  readonly #waiting = new Map<number, Waiting>();

  /** @throws the language's error for the text, or a timeout */
  ask<Kind extends keyof LanguageAnswers>(kind: Kind, source: string, offset?: number): Promise<LanguageAnswers[Kind]> {
    const id = this.#nextId++;
    this.#worker ??= this.#begin();
    this.#worker.postMessage({ id, kind, dialect: this.dialect, source, offset });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail("This took too long"), longestMs);
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer);
          then(value);
        };
      this.#waiting.set(id, {
        resolve: settled(resolve as (answer: unknown) => void),
        reject: settled(reject),
      });
    });
  }

  end(): void {
    this.#fail("The page was left");
  }

  #begin(): Worker {
    const worker = startWorker("language");
    worker.addEventListener("message", ({ data }: MessageEvent<LanguageReply>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("problem" in data) waiting?.reject(new Error(data.problem));
      else waiting?.resolve(data.answer);
    });
    worker.addEventListener("error", () => this.#fail("The language could not be loaded"));
    return worker;
  }

  #fail(reason: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Error(reason));
  }
}
