import { decodeEvent, type Event } from "@vedette/protocol";

/** One entry of an event log, for packages that know the tuple space but not the wire. */
export type LoggedEvent = Event;

/** The events of a log from their wire form. @throws the error of `decodeEvent` @spec 30 §3.3 */
export function decodeEventLog(events: readonly Uint8Array[]): LoggedEvent[] {
  return events.map(decodeEvent);
}
