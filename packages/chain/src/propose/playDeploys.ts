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

/**
 * Executes deploys, or as many of them, from the first on, as can be executed.
 *
 * A deploy that cannot be executed (it takes all memory, or more time than a block may) must not keep others out of
 * blocks: the deploys are halved until it is found. It is put aside only where the block can be executed without it.
 *
 * @throws {ProposeError} `playFailed` when not even a block without deploys can be executed
 * @cost at most one play more than the deploys can be halved
 */
export async function playDeploys(
  play: (deploys: readonly Deploy[]) => Promise<PlayOutcome>,
  deploys: readonly Deploy[],
  notices: PlayNotices,
): Promise<{ readonly body: Body; readonly deploys: readonly Deploy[] }> {
  let tried = deploys;
  for (;;) {
    const outcome = await answerOf(play, tried);
    if (outcome.kind === "played") return { body: outcome.body, deploys: tried };
    const { message } = outcome;
    const [first, second] = tried;
    if (first === undefined) throw new ProposeError({ code: "playFailed", message });
    if (second !== undefined) {
      notices.tooHeavy(tried, message);
      tried = tried.slice(0, Math.ceil(tried.length / 2));
      continue;
    }
    const without = await answerOf(play, []);
    if (without.kind === "failed") throw new ProposeError({ code: "playFailed", message: without.message });
    notices.putAside(first, message);
    return { body: without.body, deploys: [] };
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
