import type { ConsumeMatch, ProduceMatch } from "@vedette/tuplespace";

/** What the space knows a send by. @spec 30 §1.1 */
export type ProduceEvent = ProduceMatch["event"];

/** What the space knows a receive by. @spec 30 §1.1 */
export type ConsumeEvent = ConsumeMatch["event"];
