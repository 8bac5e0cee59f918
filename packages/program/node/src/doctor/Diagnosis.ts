/** The finding about one part of the system. */
export interface Diagnosis {
  /** `good`; `warningDiagnosis`: a node runs, but look at it; `bad`: it does not run, or not for long. */
  readonly verdict: "good" | "doubtful" | "bad";
  /** The thing. */
  readonly about: string;
  /** The finding, in one sentence. */
  readonly text: string;
  /** The action to take, if there is one. */
  readonly advice?: string;
}

export const good = (about: string, text: string): Diagnosis => ({ verdict: "good", about, text });
export const warningDiagnosis = (about: string, text: string, advice: string): Diagnosis => ({
  verdict: "doubtful",
  about,
  text,
  advice,
});
export const bad = (about: string, text: string, advice: string): Diagnosis => ({
  verdict: "bad",
  about,
  text,
  advice,
});
