import { FatalError } from "../evaluate/FatalError.js";
import { byteArrayArgument, groundValue } from "./arguments.js";
import type { SystemProcess } from "./SystemFacts.js";

/** `rho:crypto:…Hash(data, ack)`: 32 bytes; anything but a byte array is fatal. @spec 21 §7.3 */
export function hash(name: string, compute: (data: Uint8Array) => Uint8Array): SystemProcess {
  return (args) => {
    const data = byteArrayArgument(args[0]!);
    if (data === undefined)
      throw new FatalError({ code: "illegalArgument", message: `${name} expects a byte array and return channel` });
    return { ack: args[1]!, values: [groundValue(compute(data))] };
  };
}
