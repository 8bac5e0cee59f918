import { blake2b256, keccak256, registryUri, type SignatureAlgorithm, sha256, verifySignature } from "@vedette/crypto";
import { nil, type Par } from "@vedette/terms";
import { userAbort } from "../../InterpreterError.js";
import {
  byteArrayArgument,
  deployerIdArgument,
  groundValue,
  singleUnforgeable,
  stringArgument,
  uriArgument,
  uriValue,
} from "../../system/arguments.js";
import { vaultAnswer } from "../../system/asiAddress.js";
import { blockData, deployData, invalidBlocks } from "../../system/blockData.js";
import type { SystemProcess } from "../../system/SystemFacts.js";
import { write, writeAndAcknowledge } from "../../system/stdout.js";
import { f1r3nodeReduceError, illegalArgument } from "../f1r3nodeError.js";
import { f1r3nodeFixedChannel, f1r3nodeUrns } from "./f1r3nodeChannels.js";
import { isVersionedUrn, urnTuple } from "./versionedUrn.js";
import { bestVersion, matchesVersion } from "./versions.js";

/** `rho:crypto:…Hash(data, ack)`: 32 bytes. @spec 21 §7.3 */
function hash(name: string, compute: (data: Uint8Array) => Uint8Array): SystemProcess {
  return (args) => {
    const data = byteArrayArgument(args[0]!);
    if (data === undefined) throw illegalArgument(name);
    return { ack: args[1]!, values: [groundValue(compute(data))] };
  };
}

/** `rho:crypto:…Verify(data, signature, publicKey, ack)`: what is malformed is not valid. @spec 21 §7.3, 61 §8 */
function verify(name: string, algorithm: SignatureAlgorithm): SystemProcess {
  return (args) => {
    const data = byteArrayArgument(args[0]!);
    const signature = byteArrayArgument(args[1]!);
    const publicKey = byteArrayArgument(args[2]!);
    if (data === undefined || signature === undefined || publicKey === undefined) throw illegalArgument(name);
    const isValid = verifySignature("f1r3node", algorithm, { message: data, signature, publicKey });
    return { ack: args[3]!, values: [groundValue(isValid)] };
  };
}

/** `rho:vault:address(method, value, ack)`: a text, or Nil. @spec 21 §7.3, 61 §8 */
const vaultAddress: SystemProcess = (args) => {
  const method = stringArgument(args[0]!);
  const answer = vaultAnswer(method, args[1]!, () => illegalArgument("vault_address"));
  return { ack: args[2]!, values: [answer === undefined ? nil : groundValue(answer)] };
};

/** `rho:system:deployerId:ops("pubKeyBytes", deployerId, ack)`. @spec 21 §7.3, 61 §8 */
const deployerIdOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "pubKeyBytes") throw illegalArgument("deployer_id_ops");
  const publicKey = deployerIdArgument(args[1]!);
  return { ack: args[2]!, values: [publicKey === undefined ? nil : groundValue(publicKey)] };
};

function builtUri(argument: Par): Par {
  const bytes = byteArrayArgument(argument);
  return bytes === undefined ? nil : uriValue(registryUri(blake2b256(bytes)));
}

/** `rho:registry:ops("buildUri", bytes, ack)`. @spec 21 §7.3, 61 §8 */
const registryOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "buildUri") throw illegalArgument("registry_ops");
  return { ack: args[2]!, values: [builtUri(args[1]!)] };
};

/** `rho:registry:ops:1.0.0(method, argument, ack)`. @spec 61 §8 */
const versionedRegistryOps: SystemProcess = (args) => ({
  ack: args[2]!,
  values: [versionedAnswer(stringArgument(args[0]!), args[1]!)],
});

function versionedAnswer(method: string | undefined, argument: Par): Par {
  switch (method) {
    case "buildUri":
      return builtUri(argument);
    case "parseVersionedUri":
      return urnTuple(stringArgument(argument));
    case "matchesVersion":
      return groundValue(matchesVersion(argument));
    case "selectBestVersion":
      return bestVersion(argument);
    default:
      throw illegalArgument("registry_ops_v1");
  }
}

/** `rho:internal:registry_lookup(urn, ack)`. @spec 61 §8 */
const registryLookup: SystemProcess = (args) => {
  const ack = args[1]!;
  const urn = stringArgument(args[0]!) ?? uriArgument(args[0]!);
  if (urn === undefined) throw illegalArgument("registry_lookup: urn arg must be a String or Uri");
  const fixed = f1r3nodeUrns.get(urn);
  if (fixed !== undefined) return { ack, values: [fixed] };
  if (!isVersionedUrn(urn)) throw f1r3nodeReduceError(`registry_lookup: unknown URN: ${urn}`);
  return { ack: f1r3nodeFixedChannel(19), values: [groundValue("lookupVersion"), groundValue(urn), nil, ack] };
};

/** `sys:authToken:ops("check", token, ack)`: whether it is the system's token. @spec 21 §7.3, 61 §8 */
const authTokenOps: SystemProcess = (args) => {
  if (stringArgument(args[0]!) !== "check") throw illegalArgument("sys_auth_token_ops");
  return { ack: args[2]!, values: [groundValue(singleUnforgeable(args[1]!)?.kind === "GSysAuthToken")] };
};

/** Deterministic processes by their number. @spec 21 §7.3, 61 §8 */
export const f1r3nodeProcesses: ReadonlyMap<number, SystemProcess> = new Map([
  [0, write("stdout")],
  [1, writeAndAcknowledge("stdout")],
  [2, write("stderr")],
  [3, writeAndAcknowledge("stderr")],
  [4, verify("ed25519Verify", "ed25519")],
  [5, hash("sha256Hash", sha256)],
  [6, hash("keccak256Hash", keccak256)],
  [7, hash("blake2b256Hash", blake2b256)],
  [9, verify("secp256k1Verify", "secp256k1")],
  [11, blockData],
  [12, invalidBlocks],
  [13, vaultAddress],
  [14, deployerIdOps],
  [15, registryOps],
  [16, authTokenOps],
  [17, versionedRegistryOps],
  [24, () => undefined],
  [
    25,
    () => {
      throw userAbort();
    },
  ],
  [29, deployData],
  [30, registryLookup],
]);
