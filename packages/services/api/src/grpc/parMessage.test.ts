import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { fromHex, toHex } from "@vedette/crypto";
import { encodePar, GString, parOfExpr } from "@vedette/terms";
import { anyTerm } from "@vedette/terms/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DataWithBlockInfoSchema } from "../generated/casper/answers_pb.js";
import { ParSchema } from "../generated/rhoapi/terms_pb.js";
import { parMessage, parMessageOfBytes, parOfMessage } from "./parMessage.js";

test("a term's message has the bytes of the term", () => {
  fc.assert(
    fc.property(anyTerm(), (par) => {
      expect(toHex(toBinary(ParSchema, parMessage(par)))).toBe(toHex(encodePar(par)));
    }),
  );
});

test("a client reads the same fields that the tuple space wrote", () => {
  const message = fromBinary(ParSchema, toBinary(ParSchema, parMessage(parOfExpr(new GString("acc-0")))));
  expect(message.exprs[0]?.exprInstance).toEqual({ case: "gString", value: "acc-0" });
  expect(encodePar(parOfMessage(message))).toEqual(fromHex("2a071a056163632d30"));
});

test("a term deeper than a message may be is written nevertheless", () => {
  let bytes = new Uint8Array(0);
  for (let depth = 0; depth < 1_000; depth += 1) bytes = bundleOf(bytes);
  const answer = toBinary(DataWithBlockInfoSchema, {
    $typeName: "casper.DataWithBlockInfo",
    postBlockData: [parMessageOfBytes(bytes)],
  });
  expect(answer.subarray(answer.length - bytes.length)).toEqual(bytes);
});

/** Par.bundles = [Bundle.body = …], lengths as three-byte varints. */
function bundleOf(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const length = (count: number) => [(count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, count >> 14];
  return Uint8Array.from([0x5a, ...length(body.length + 4), 0x0a, ...length(body.length), ...body]);
}
