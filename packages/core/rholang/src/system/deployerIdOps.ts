import { nil } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import { deployerIdArgument, groundValue, stringArgument } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `rho:rchain:deployerId:ops("pubKeyBytes", deployerId, ack)`. @spec 21 §7.3 */
export const deployerIdOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "pubKeyBytes")
    throw new FatalError({ code: "matchError", process: "rho:rchain:deployerId:ops" });
  const publicKey = deployerIdArgument(args[1]!);
  return { ack: args[2]!, values: [publicKey === undefined ? nil : groundValue(publicKey)] };
};
