import { createPlainBackend, isNativeSecp256k1, secp256k1Backend } from "@vedette/crypto";
import { bad, type Diagnosis, good, warningDiagnosis } from "./Diagnosis.js";

/** The least version of each that is known to work. */
const minMinor: ReadonlyMap<number, number> = new Map([
  [20, 19],
  [22, 0],
  [24, 0],
  [26, 0],
]);

/** @param version as `process.versions.node` */
export function examineNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const about = "Node.js";
  if (major < 20 || (major === 20 && minor < minMinor.get(20)!))
    return bad(
      about,
      `${version} is too old.`,
      "Install Node.js 24, or a package that brings its own (docs/install.md).",
    );
  if (!minMinor.has(major)) return warningDiagnosis(about, `${version} was never tried.`, "Take 20, 22, 24 or 26.");
  return good(about, `${version}.`);
}

const measuredMs = 150;

/** Whether signatures are checked by native code, and how fast. */
export function examineSpeed(isNative = isNativeSecp256k1): Diagnosis {
  const rate = checksPerSecond(isNative);
  const about = "Native code";
  if (isNative) return good(about, `signatures are checked by native code, ${rate} in a second.`);
  const advice = `There is no prebuilt module for ${process.platform}-${process.arch} (package secp256k1): reinstall with optional packages, or take a system that has one.`;
  return warningDiagnosis(
    about,
    `signatures are checked in JavaScript, ${rate} in a second; blocks are followed slowly.`,
    advice,
  );
}

function checksPerSecond(isNative: boolean): number {
  const backend = isNative ? secp256k1Backend : createPlainBackend();
  const key = new Uint8Array(32).fill(1);
  const hash = new Uint8Array(32).fill(2);
  const signature = backend.sign(hash, key);
  const publicKey = backend.publicKeyOf(key);
  const beginMs = performance.now();
  let count = 0;
  for (; performance.now() - beginMs < measuredMs; count += 1) backend.verify(signature, hash, publicKey);
  const rate = (count * 1_000) / (performance.now() - beginMs);
  return Number(rate.toPrecision(2));
}
