import { setImmediate as turn } from "node:timers/promises";

/** Lets whatever else is ready have its turn, within work that takes long. */
export type YieldToEventLoop = () => Promise<void>;

/** As the event loop gives turns. */
export const yieldToEventLoop: YieldToEventLoop = async () => {
  await turn();
};
