import type { ConsumeMatch, ProduceMatch } from "@vedette/tuplespace";

/** The space's event of a send. @spec 30 §1.1 */
export type SendEvent = ProduceMatch["event"];

/** The space's event of a receive. @spec 30 §1.1 */
export type ReceiveEvent = ConsumeMatch["event"];
