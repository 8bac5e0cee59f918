import type { StopReason } from "@vedette/rholang";

/** A program that was given up. */
export interface StoppedProgram {
  readonly reason: StopReason;
  /** Since it began to run. */
  readonly afterMs: number;
  /** Memory limit for all programs of its thread, in MB; `undefined` where memory is not counted. */
  readonly memoryMb: number | undefined;
}

/** Which limit a program reached, and when. @param timeoutMs its time limit @spec 50 §1.11 */
export function stopText({ reason, afterMs, memoryMb }: StoppedProgram, timeoutMs: number): string {
  return `The program was stopped after ${Math.round(afterMs)} ms: ${reasonText(reason, timeoutMs, memoryMb)}.`;
}

function reasonText(reason: StopReason, timeoutMs: number, memoryMb: number | undefined): string {
  switch (reason) {
    case "steps":
      return "it took more steps than it may";
    case "pending":
      return "too many of its branches wait at once";
    case "deadline":
      return `it may run for ${timeoutMs} ms`;
    case "cancelled":
      return "the request was cancelled";
    case "memory":
      return `it needs more memory than there is for programs${memoryMb === undefined ? "" : ` (${memoryMb} MB)`}`;
  }
}
