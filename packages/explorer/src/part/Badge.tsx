import type { ReactNode } from "react";
import type { Finality } from "../data/BlockBrief.js";

export type Tone = "good" | "wait" | "bad" | "accent" | "plain";

export function Badge({ tone = "plain", children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

const ofBlock: Readonly<Record<Finality, { readonly tone: Tone; readonly word: string }>> = {
  finalized: { tone: "good", word: "Finalized" },
  pending: { tone: "wait", word: "Pending" },
  forkedAway: { tone: "bad", word: "Forked away" },
};

export function FinalityBadge({ of }: { readonly of: Finality }) {
  const { tone, word } = ofBlock[of];
  return <Badge tone={tone}>{word}</Badge>;
}

const ofDeploy = {
  pending: { tone: "wait", word: "Waiting" },
  included: { tone: "wait", word: "In a block" },
  failedSoFar: { tone: "bad", word: "Failed so far" },
  finalized: { tone: "good", word: "Finalized" },
  failed: { tone: "bad", word: "Failed" },
  rejected: { tone: "bad", word: "Given up by a merge" },
  expired: { tone: "bad", word: "Expired" },
  forkedAway: { tone: "bad", word: "Forked away" },
  refused: { tone: "bad", word: "Refused" },
} as const;

/** What has become of a deploy. */
export function FateBadge({ of }: { readonly of: keyof typeof ofDeploy }) {
  const { tone, word } = ofDeploy[of];
  return <Badge tone={tone}>{word}</Badge>;
}
