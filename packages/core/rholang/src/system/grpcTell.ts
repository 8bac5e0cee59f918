import type { Par } from "@vedette/terms";
import { intArgument, stringArgument } from "./arguments.js";
import { required } from "./ExternalProcess.js";

/** A notification that a program sends to another machine. */
export interface GrpcTellRequest {
  readonly host: string;
  readonly port: bigint;
  readonly payload: string;
}

/** Arguments of `rho:io:grpcTell(host, port, payload)`. @throws {FatalError} `matchError` @spec 21 §7.4 */
export function readReport(args: readonly Par[]): GrpcTellRequest {
  return {
    host: required("rho:io:grpcTell", args, 0, stringArgument),
    port: required("rho:io:grpcTell", args, 1, intArgument),
    payload: required("rho:io:grpcTell", args, 2, stringArgument),
  };
}
