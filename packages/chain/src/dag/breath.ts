import { setImmediate as turn } from "node:timers/promises";

/** Lets whatever else is ready have its turn, within work that takes long. */
export type Breath = () => Promise<void>;

/** As the event loop gives turns. */
export const systemBreath: Breath = async () => {
  await turn();
};
