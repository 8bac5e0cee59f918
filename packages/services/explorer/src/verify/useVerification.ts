import { useEffect, useState, useSyncExternalStore } from "react";
import { reasonOf } from "../data/node.js";
import type { Finding } from "./Finding.js";
import type { Verifier } from "./Verifier.js";
import { type VerificationView, verification } from "./verification.js";

/** Whether this browser checks what it shows, and how far it has come. */
export function useVerification(): VerificationView {
  return useSyncExternalStore(verification.subscribe, verification.view);
}

/** A check of something that a page shows. */
export interface Check<F extends Finding> {
  /** The inputs of the check; a check of other inputs begins anew. */
  readonly of: unknown;
  readonly run: (verifier: Verifier) => Promise<F>;
  /** Whether it is so costly that it waits for a click. */
  readonly isCostly?: boolean;
  /** Whether it is made again at each newer verified block. */
  readonly isLive?: boolean;
}

/** The state of a check; `off` until it may run. */
export interface CheckState<F extends Finding = Finding> {
  readonly finding: F | undefined;
  readonly state: "off" | "running" | "done";
  /** Runs it now, also where checks are switched off. */
  readonly runNow: () => void;
}

/** Runs a check when its subject changes, and again at newer verified blocks until it is verified. */
export function useFinding<F extends Finding>({ of, run, isCostly = false, isLive = false }: Check<F>): CheckState<F> {
  const { isOn, progress } = useVerification();
  const [done, setDone] = useState<{ readonly of: unknown; readonly finding: F; readonly at: number | undefined }>();
  const [isAsked, setAsked] = useState(false);
  const found = done?.of === of ? done : undefined;
  const isWanted = isAsked || (isOn && !isCostly);
  const isSettled = found?.finding.state === "wrong" || (found?.finding.state === "verified" && !isLive);
  const number = progress?.block?.number;
  const isDue = found === undefined || (!isSettled && found.at !== number);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `run` is new at every drawing, and belongs to `of`
  useEffect(() => {
    if (!isWanted || !isDue) return;
    let isStale = false;
    void runCheck(run).then((finding) => {
      verification.report(finding);
      if (!isStale) setDone({ of, finding, at: verification.view().progress?.block?.number });
    });
    return () => {
      isStale = true;
    };
  }, [of, isWanted, isDue]);
  const state = !isWanted ? "off" : found === undefined ? "running" : "done";
  return { finding: isWanted ? found?.finding : undefined, state, runNow: () => setAsked(true) };
}

async function runCheck<F extends Finding>(run: (verifier: Verifier) => Promise<F>): Promise<F> {
  try {
    return await run(await verification.verifier());
  } catch (error) {
    const unclear: Finding = { state: "unclear", checked: [], left: [reasonOf(error)], lies: [] };
    return unclear as F;
  }
}
