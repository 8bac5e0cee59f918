import { CommEvent, type Event, type ProduceEvent } from "@vedette/protocol";

/**
 * Puts a produce with its recorded outputs in the place of the plain one, everywhere in a log.
 *
 * @spec 30 §3.3 (`updateProduce`)
 * @cost a walk of the log; called once per outside call only
 */
export function replaceProduce(log: Event[], produce: ProduceEvent): void {
  for (let i = 0; i < log.length; i += 1) {
    const event = log[i]!;
    if (event.kind === "produce" && event.key === produce.key) log[i] = produce;
    if (event.kind !== "comm" || !event.produces.some(({ key }) => key === produce.key)) continue;
    const produces = event.produces.map((old) => (old.key === produce.key ? produce : old));
    log[i] = new CommEvent(event.consume, produces, event.timesRepeated, event.peeks);
  }
}
