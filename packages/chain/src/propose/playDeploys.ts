import type { Body, Deploy } from "@vedette/protocol";
import { ProposeError } from "./ProposeError.js";
import type { PlayOutcome } from "./ProposeExecution.js";

/** What is told while deploys are tried. */
export interface PlayNotices {
  /** No block can be made with this deploy. */
  putAside(deploy: Deploy, reason: string): void;
  /** These deploys together cannot be executed; fewer are tried. */
  tooHeavy(deploys: readonly Deploy[], reason: string): void;
}

/** Deploys that are found to be to blame in one attempt; each costs one more play. */
const mostBlamed = 16;

/**
 * Executes deploys, or as many of them, from the first on, as can be executed.
 *
 * A deploy that cannot be executed (it divides by zero, takes all memory, or more time than a block may) must not keep
 * others out of blocks. Where the execution tells which one it was, the rest is tried without it; else the deploys are
 * halved until it is found. It is put aside only where a block can be executed without it.
 *
 * @throws {ProposeError} `playFailed` when not even a block without deploys can be executed
 * @cost at most {@link mostBlamed} plays and one more than the deploys can be halved
 */
export async function playDeploys(
  play: (deploys: readonly Deploy[]) => Promise<PlayOutcome>,
  deploys: readonly Deploy[],
  notices: PlayNotices,
): Promise<{ readonly body: Body; readonly deploys: readonly Deploy[] }> {
  const blamed: (readonly [Deploy, string])[] = [];
  let tried = deploys;
  for (;;) {
    const outcome = await answerOf(play, tried);
    if (outcome.kind === "played") {
      for (const [deploy, reason] of blamed) notices.putAside(deploy, reason);
      return { body: outcome.body, deploys: tried };
    }
    const { message, deployIndex } = outcome;
    const [first] = tried;
    if (first === undefined) throw new ProposeError({ code: "playFailed", message });
    const isKnown = deployIndex !== undefined && blamed.length < mostBlamed;
    const culprit = tried.length === 1 ? first : isKnown ? tried[deployIndex] : undefined;
    if (culprit !== undefined) {
      blamed.push([culprit, message]);
      tried = tried.filter((one) => one !== culprit);
    } else {
      notices.tooHeavy(tried, message);
      tried = tried.slice(0, Math.ceil(tried.length / 2));
    }
  }
}

async function answerOf(
  play: (deploys: readonly Deploy[]) => Promise<PlayOutcome>,
  deploys: readonly Deploy[],
): Promise<PlayOutcome> {
  try {
    return await play(deploys);
  } catch (error) {
    return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
