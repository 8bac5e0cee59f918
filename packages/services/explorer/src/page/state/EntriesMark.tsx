import type { Continuation, StateEntriesResponse, WaitingDatum } from "../../data/stateEntries.js";
import { VerifiedMark } from "../../part/VerifiedMark.js";
import type { CheckedEntries } from "../../verify/checkEntries.js";

interface EntriesMarkProps extends Omit<CheckedEntries, "reported"> {
  readonly reported: StateEntriesResponse<WaitingDatum | Continuation>;
}

/** Whether this browser has verified what the node reports of a name. */
export function EntriesMark(entries: EntriesMarkProps) {
  return <VerifiedMark of={entries.reported} run={(verifier) => verifier.checkEntries(entries)} />;
}
