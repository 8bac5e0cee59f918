import { blake2b256, keccak256, registryUri, sha256 } from "@vedette/crypto";
import { nil } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import { userAbort } from "../InterpreterError.js";
import {
  byteArrayArgument,
  deployerIdArgument,
  groundValue,
  singleUnforgeable,
  stringArgument,
  uriValue,
} from "./arguments.js";
import { asiAddress } from "./asiAddress.js";
import { blockData, deployData, invalidBlocks } from "./blockData.js";
import type { ExternalProcess } from "./ExternalProcess.js";
import { ollamaChat, ollamaGenerate, ollamaModels } from "./ollama.js";
import { dalle3, gpt4, textToAudio } from "./openai.js";
import type { SystemProcess } from "./SystemFacts.js";
import { ed25519Verify, secp256k1Verify } from "./signatures.js";
import { write, writeAndAcknowledge } from "./stdout.js";

/** `rho:registry:ops("buildUri", bytes, ack)`: the registry URI of the bytes' hash. @spec 21 §7.3, §7.7 */
const registryOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "buildUri")
    throw new FatalError({ code: "matchError", process: "rho:registry:ops" });
  const bytes = byteArrayArgument(args[1]!);
  return { ack: args[2]!, values: [bytes === undefined ? nil : uriValue(registryUri(blake2b256(bytes)))] };
};

/** `rho:rchain:deployerId:ops("pubKeyBytes", deployerId, ack)`. @spec 21 §7.3 */
const deployerIdOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "pubKeyBytes")
    throw new FatalError({ code: "matchError", process: "rho:rchain:deployerId:ops" });
  const publicKey = deployerIdArgument(args[1]!);
  return { ack: args[2]!, values: [publicKey === undefined ? nil : groundValue(publicKey)] };
};

/** `sys:authToken:ops("check", token, ack)`: whether it is the system's token. @spec 21 §7.3 */
const authTokenOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "check") throw new FatalError({ code: "matchError", process: "sys:authToken:ops" });
  return { ack: args[2]!, values: [groundValue(singleUnforgeable(args[1]!)?.kind === "GSysAuthToken")] };
};

/** `rho:execution:abort(x)`. @throws {InterpreterError} `UserAbortError`, always @spec 21 §7.3 */
const abort: SystemProcess = () => {
  throw userAbort();
};

/** `rho:io:devNull(x)`. @spec 21 §7.3 */
const devNull: SystemProcess = () => undefined;

/** Deterministic processes by their number (`scala_body_ref`). @spec 21 §7.1, §7.3 */
export const systemProcesses: ReadonlyMap<number, SystemProcess> = new Map([
  [0, write("stdout")],
  [1, writeAndAcknowledge("stdout")],
  [2, write("stderr")],
  [3, writeAndAcknowledge("stderr")],
  [4, ed25519Verify],
  [5, hash("sha256Hash", sha256)],
  [6, hash("keccak256Hash", keccak256)],
  [7, hash("blake2b256Hash", blake2b256)],
  [9, secp256k1Verify],
  [11, blockData],
  [12, invalidBlocks],
  [13, asiAddress],
  [14, deployerIdOps],
  [15, registryOps],
  [16, authTokenOps],
  [24, devNull],
  [25, abort],
  [29, deployData],
]);

/** Non-deterministic processes by their number; their answers are recorded. @spec 21 §7.1, §7.4 */
export const externalProcesses: ReadonlyMap<number, ExternalProcess> = new Map([
  [18, gpt4],
  [19, dalle3],
  [20, textToAudio],
  [26, ollamaChat],
  [27, ollamaGenerate],
  [28, ollamaModels],
]);

/** Quirk 21 §7.1: `rho:io:grpcTell` calls the outside too, but nothing of it is recorded. */
export const grpcTellRef = 23;

/** `rho:crypto:…Hash(data, ack)`: 32 bytes; anything but a byte array is fatal. @spec 21 §7.3 */
function hash(name: string, compute: (data: Uint8Array) => Uint8Array): SystemProcess {
  return (args) => {
    const data = byteArrayArgument(args[0]!);
    if (data === undefined)
      throw new FatalError({ code: "illegalArgument", message: `${name} expects a byte array and return channel` });
    return { ack: args[1]!, values: [groundValue(compute(data))] };
  };
}
