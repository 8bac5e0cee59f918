import { FatalError } from "../evaluate/FatalError.js";
import { groundValue, singleUnforgeable, stringArgument } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `sys:authToken:ops("check", token, ack)`: whether it is the system's token. @spec 21 §7.3 */
export const authTokenOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "check") throw new FatalError({ code: "matchError", process: "sys:authToken:ops" });
  return { ack: args[2]!, values: [groundValue(singleUnforgeable(args[1]!)?.kind === "GSysAuthToken")] };
};
