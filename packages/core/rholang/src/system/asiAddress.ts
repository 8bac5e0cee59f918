import { checkVaultAddress, vaultAddressOfPublicKey, vaultAddressOfUnforgeable } from "@vedette/crypto";
import { nil, type Par } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import { byteArrayArgument, deployerIdArgument, groundValue, singleUnforgeable, stringArgument } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `rho:asi:address(method, value, ack)`: a text, or Nil. @spec 21 §7.3, §7.6 */
export const asiAddress: SystemProcess = (args) => {
  const answer = vaultAnswer(stringArgument(args[0]!), args[1]!, unknownMethod);
  return { ack: args[2]!, values: [answer === undefined ? nil : groundValue(answer)] };
};

function unknownMethod(): Error {
  return new FatalError({ code: "matchError", process: "rho:asi:address" });
}

/** Returns the reply to a method; `undefined` for Nil. @param unknown the error for an unknown method @spec 21 §7.3 */
export function vaultAnswer(method: string | undefined, value: Par, unknown: () => Error): string | undefined {
  switch (method) {
    case "validate": {
      const address = stringArgument(value);
      // Quirk 21 §7.3: what is no string at all gets the answer of a good address.
      return address === undefined ? undefined : checkVaultAddress(address);
    }
    case "fromPublicKey":
      return addressOf(byteArrayArgument(value));
    case "fromDeployerId":
      return addressOf(deployerIdArgument(value));
    case "fromUnforgeable": {
      const name = singleUnforgeable(value);
      return name?.kind === "GPrivate" ? vaultAddressOfUnforgeable(name.id) : undefined;
    }
    default:
      throw unknown();
  }
}

function addressOf(publicKey: Uint8Array | undefined): string | undefined {
  return publicKey === undefined ? undefined : vaultAddressOfPublicKey(publicKey);
}
