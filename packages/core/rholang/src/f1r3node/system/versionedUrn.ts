import { ETuple, emptyBitSet, nil, type Par } from "@vedette/terms";
import { groundValue } from "../../system/arguments.js";
import { parOf } from "../parOf.js";

/** The five parts of a versioned URN; those that its kind does not have are missing. */
function partsOf(urn: string): readonly (string | undefined)[] | undefined {
  if (!urn.startsWith("rho:")) return undefined;
  const parts = urn.slice(4).split(":");
  if (parts.some((part) => part === "")) return undefined;
  const [namespace, ...rest] = parts;
  if (namespace === "registry" && rest.length === 1) return [namespace, rest[0], undefined, undefined, undefined];
  return (namespace === "lib" || namespace === "serve") && rest.length === 4 ? parts : undefined;
}

/** Whether a URN names a version of something in the registry. @spec 61 §8 */
export function isVersionedUrn(urn: string): boolean {
  return partsOf(urn) !== undefined;
}

/** Namespace, version, public key, project, version of the project: a tuple, or Nil for what is none. @spec 61 §8 */
export function urnTuple(urn: string | undefined): Par {
  const parts = urn === undefined ? undefined : partsOf(urn);
  if (parts === undefined) return nil;
  const values = parts.map((part) => (part === undefined ? nil : groundValue(part)));
  return parOf(new ETuple(values, emptyBitSet, false));
}
