import { blake2b256, registryUri } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import { byteArrayArgument, stringArgument, uriValue } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `rho:registry:ops("buildUri", bytes, ack)`: the registry URI of the bytes' hash. @spec 21 §7.3, §7.7 */
export const registryOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "buildUri")
    throw new FatalError({ code: "matchError", process: "rho:registry:ops" });
  const bytes = byteArrayArgument(args[1]!);
  return { ack: args[2]!, values: [bytes === undefined ? nil : uriValue(registryUri(blake2b256(bytes)))] };
};
