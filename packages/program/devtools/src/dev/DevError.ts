import { errorClass } from "@vedette/errors";

/** The failures of a chain for development. */
export type DevFailure =
  | { readonly code: "badSetting"; readonly option: string; readonly rule: string }
  | { readonly code: "otherChain"; readonly path: string }
  | { readonly code: "noFreePorts"; readonly reason: string }
  | { readonly code: "ended"; readonly reason: string }
  | { readonly code: "refused"; readonly reason: string }
  | { readonly code: "noBlock"; readonly reason: string; readonly seconds: number }
  | { readonly code: "noSnapshot"; readonly id: number; readonly known: readonly number[] }
  | { readonly code: "tooManySnapshots"; readonly most: number }
  | { readonly code: "notUsable"; readonly path: string; readonly reason: string };

/** The chain for development cannot do it; the message states what to do. */
export class DevError extends errorClass("DevError", sentence) {}

function sentence(failure: DevFailure): string {
  switch (failure.code) {
    case "badSetting":
      return `--${failure.option}: ${failure.rule}`;
    case "otherChain":
      return `${failure.path} holds a chain with other settings (seed, balance, --dialect or --fork); give the same ones, or choose another --data-dir`;
    case "noFreePorts":
      return `No free ports could be found (${failure.reason}); choose a first one with --port`;
    case "ended":
      return `The chain has ended: ${failure.reason}`;
    case "refused":
      return failure.reason;
    case "noBlock":
      return `The deploy is in no block after ${failure.seconds} s: ${failure.reason}`;
    case "noSnapshot": {
      const known = failure.known.length === 0 ? "there is none" : `there is ${failure.known.join(", ")}`;
      return `There is no snapshot ${failure.id}: ${known}`;
    }
    case "tooManySnapshots":
      return `There are ${failure.most} snapshots already; revert to one, which removes those after it`;
    case "notUsable":
      return `${failure.path} cannot be used: ${failure.reason}`;
  }
}
