import { blockStateTexts, deployStateTexts, invalidBlockText } from "@vedette/client";
import type { ReactNode } from "react";
import type { Finality } from "../data/BlockSummary.js";

export type Tone = "good" | "wait" | "bad" | "accent" | "plain";

interface BadgeProps {
  readonly tone?: Tone;
  /** Shown under the pointer. */
  readonly about?: string;
  readonly children: ReactNode;
}

export function Badge({ tone = "plain", about, children }: BadgeProps) {
  return (
    <span className={`badge ${tone}`} title={about}>
      {children}
    </span>
  );
}

const tonesOfBlock = { finalized: "good", pending: "wait", forkedAway: "bad", invalid: "bad" } as const;

/** Shows the status of a block. */
export function FinalityBadge({ of }: { readonly of: Finality | "invalid" }) {
  const { word, sentence } = of === "invalid" ? invalidBlockText : blockStateTexts[of];
  return (
    <Badge tone={tonesOfBlock[of]} about={sentence}>
      {word}
    </Badge>
  );
}

const tonesOfDeploy = {
  pending: "wait",
  included: "wait",
  failedSoFar: "bad",
  finalized: "good",
  failed: "bad",
  rejected: "bad",
  expired: "bad",
  forkedAway: "bad",
  refused: "bad",
} as const;

/** Shows the status of a deploy. */
export function DeployStatusBadge({ of }: { readonly of: keyof typeof tonesOfDeploy }) {
  const { word, sentence } = deployStateTexts[of];
  return (
    <Badge tone={tonesOfDeploy[of]} about={sentence}>
      {word}
    </Badge>
  );
}
