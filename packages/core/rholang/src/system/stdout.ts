import { nil } from "@vedette/terms";
import type { OutputStream, SystemProcess } from "./SystemFacts.js";

/** `rho:io:stdout`, `rho:io:stderr`: writes, in play and in replay alike. @spec 21 §7.3 */
export function write(stream: OutputStream): SystemProcess {
  return (args, facts) => {
    facts.output?.(stream, args[0]!);
    return undefined;
  };
}

/** `rho:io:stdoutAck`, `rho:io:stderrAck`: writes and replies one Nil. @spec 21 §7.3 */
export function writeAndAcknowledge(stream: OutputStream): SystemProcess {
  return (args, facts) => {
    facts.output?.(stream, args[0]!);
    return { ack: args[1]!, values: [nil] };
  };
}
