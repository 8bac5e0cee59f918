import type { Target } from "./Target.js";

/** A target with texts as inputs. */
export interface TextTarget extends Omit<Target, "run" | "show" | "seeds"> {
  readonly texts?: () => Iterable<string>;
  /** @throws where the text was not treated as it must be */
  readonly check: (text: string) => void | Promise<void>;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function textTarget(options: TextTarget): Target {
  const { texts = () => [], check, ...facts } = options;
  return {
    ...facts,
    *seeds() {
      for (const text of texts()) yield encoder.encode(text);
    },
    run: (input) => check(decoder.decode(input)),
    show: (input) => JSON.stringify(decoder.decode(input)),
  };
}
