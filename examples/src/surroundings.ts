import { type DeployKey, deployKeyOf } from "@vedette/client";

/** The HTTP port of a node that answers reads; that of the observer of `npm start` unless given. */
export const observerUrl = process.env["OBSERVER"] ?? "http://127.0.0.1:14453";

/** The HTTP port of a validator, which takes deploys; that of the first one of `npm start` unless given. */
export const validatorUrl = process.env["VALIDATOR"] ?? "http://127.0.0.1:14413";

/** The key that signs. @throws {Error} where none is given */
export function keyOfEnvironment(): DeployKey {
  const hex = process.env["VEDETTE_PRIVATE_KEY"];
  if (hex === undefined) throw new Error("Set VEDETTE_PRIVATE_KEY to a key that `npm start` shows.");
  return deployKeyOf(hex.trim());
}
