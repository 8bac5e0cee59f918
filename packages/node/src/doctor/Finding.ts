/** What an examination has found of one thing. */
export interface Finding {
  /** `good`; `doubtful`: a node runs, but look at it; `bad`: it does not run, or not for long. */
  readonly verdict: "good" | "doubtful" | "bad";
  /** The thing. */
  readonly about: string;
  /** What is so, in one sentence. */
  readonly text: string;
  /** What to do, where there is something. */
  readonly advice?: string;
}

export const good = (about: string, text: string): Finding => ({ verdict: "good", about, text });
export const doubtful = (about: string, text: string, advice: string): Finding => ({
  verdict: "doubtful",
  about,
  text,
  advice,
});
export const bad = (about: string, text: string, advice: string): Finding => ({ verdict: "bad", about, text, advice });
