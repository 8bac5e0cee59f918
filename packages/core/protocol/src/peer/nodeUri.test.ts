import { toHex } from "@vedette/crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WireError } from "../wire/WireError.js";
import { parseNodeUri, printNodeUri } from "./nodeUri.js";

const id = "11".repeat(20);

describe("node URI", () => {
  test("is printed as it is read", () => {
    const text = `rnode://${id}@node.example.org?protocol=40400&discovery=40404`;
    expect(printNodeUri(parseNodeUri(text))).toBe(text);
    expect(parseNodeUri(text)).toMatchObject({ host: "node.example.org", protocolPort: 40400, discoveryPort: 40404 });
  });

  test("takes any scheme and the ports in any order", () => {
    const peer = parseNodeUri(`other://${id}@10.0.0.1?x=1&discovery=2&protocol=1`);
    expect(printNodeUri(peer)).toBe(`rnode://${id}@10.0.0.1?protocol=1&discovery=2`);
  });

  test("an odd last digit of the id is a byte of its own", () => {
    expect(toHex(parseNodeUri("rnode://abc@h?protocol=1&discovery=2").id)).toBe("ab0c");
  });

  test.each([
    "",
    "rnode://",
    `${id}@h?protocol=1&discovery=2`,
    `rnode://${id}@h?protocol=1`,
    `rnode://${id}@h?protocol=1&discovery=x`,
    `rnode://${id}@h?protocol=1&discovery=70000`,
    "rnode://xyz@h?protocol=1&discovery=2",
    `rnode://${id}@?protocol=1&discovery=2`,
    `rnode://${"1".repeat(5000)}@h?protocol=1&discovery=2`,
  ])("%s is a bad address", (text) => {
    expect(() => parseNodeUri(text)).toThrow(/^bad address: /);
  });

  test("any text is a peer or a bad address", () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl({ withQueryParameters: true }), (text, url) => {
        for (const candidate of [text, url, `rnode://${id}@${text}`]) {
          try {
            parseNodeUri(candidate);
          } catch (error) {
            expect(error).toBeInstanceOf(WireError);
          }
        }
      }),
    );
  });
});
