import { blake2b256, keccak256, sha256 } from "@vedette/crypto";
import { userAbort } from "../InterpreterError.js";
import { asiAddress } from "./asiAddress.js";
import { authTokenOps } from "./authToken.js";
import { blockData, deployData, invalidBlocks } from "./blockData.js";
import { deployerIdOps } from "./deployerIdOps.js";
import type { ExternalProcess } from "./ExternalProcess.js";
import { hash } from "./hashes.js";
import { ollamaChat, ollamaGenerate, ollamaModels } from "./ollama.js";
import { dalle3, gpt4, textToAudio } from "./openai.js";
import { registryOps } from "./registryOps.js";
import type { SystemProcess } from "./SystemFacts.js";
import { ed25519Verify, secp256k1Verify } from "./signatures.js";
import { write, writeAndAcknowledge } from "./stdout.js";

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
