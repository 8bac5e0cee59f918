import { fromHex, toHex } from "@vedette/crypto";
import {
  GDeployerId,
  GDeployId,
  GInt,
  GPrivate,
  GString,
  GUri,
  type Par,
  parOfExpr,
  parOfUnforgeable,
} from "@vedette/terms";
import { Problem } from "../index.js";

const hashHex = /^[0-9a-fA-F]{64}$/;
const anyHex = /^(?:[0-9a-fA-F]{2}){1,256}$/;
const integer = /^-?[0-9]{1,19}$/;

/** Hashes a channel as the logs of a dialect have it. @spec 20 §10, 61 §3 */
export type HashOfChannel = (channel: Par) => Uint8Array;

/**
 * The hash of the channel that a text names, in hex.
 *
 * @throws {Problem} for what is no name
 * @spec 20 §10, 30 §2.1
 */
export function channelOfName(name: string, hashOf: HashOfChannel): string {
  const at = name.indexOf(":");
  const [form, value] = [name.slice(0, at), name.slice(at + 1)];
  if (form === "hash") {
    if (!hashHex.test(value)) throw wrongName("hash: must be followed by 64 hex digits");
    return value.toLowerCase();
  }
  return toHex(hashOf(parOfName(form, value)));
}

function parOfName(form: string, value: string): Par {
  switch (form) {
    case "text":
      return parOfExpr(new GString(value));
    case "uri":
      return parOfExpr(new GUri(value));
    case "int":
      return parOfExpr(new GInt(integerOf(value)));
    case "private":
      return parOfUnforgeable(new GPrivate(bytesOf(value)));
    case "deployId":
      return parOfUnforgeable(new GDeployId(bytesOf(value)));
    case "deployerId":
      return parOfUnforgeable(new GDeployerId(bytesOf(value)));
    default:
      throw wrongName("must begin with text:, uri:, int:, private:, deployId:, deployerId: or hash:");
  }
}

function integerOf(value: string): bigint {
  const read = integer.test(value) ? BigInt(value) : undefined;
  if (read === undefined || BigInt.asIntN(64, read) !== read)
    throw wrongName("int: must be followed by an integer of 64 bits");
  return read;
}

function bytesOf(value: string): Uint8Array {
  if (!anyHex.test(value)) throw wrongName("must have an even number of hex digits after the colon, 512 at most");
  return fromHex(value.toLowerCase());
}

function wrongName(reason: string): Problem {
  return new Problem(`query.name ${reason}.`, { field: "query.name" });
}
