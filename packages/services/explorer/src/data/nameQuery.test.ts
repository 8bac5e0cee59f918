import { expect, test } from "vitest";
import { exampleOf, isWay, queryOf } from "./nameQuery.js";

test("a name is requested as meant, with or without the marks around it", () => {
  expect(queryOf("uri", " `rho:io:stdout` ")).toEqual({ uri: ["rho:io:stdout"] });
  expect(queryOf("name", '@"hello"')).toEqual({ name: ['"hello"'] });
  expect(queryOf("private", "Unforgeable(0x00ff)")).toEqual({ private: ["00ff"] });
  expect(queryOf("private", "00FF")).toEqual({ private: ["00FF"] });
  expect(queryOf("deployId", "0xab")).toEqual({ deployId: ["ab"] });
});

test("only the ways that there are, are ways", () => {
  expect([isWay("uri"), isWay("toString"), isWay(1), isWay(undefined)]).toEqual([true, false, false, false]);
});

test("the suggestion for a URI is in the registry of the network", () => {
  expect(exampleOf("uri", "rnode")).toBe("rho:rchain:asiVault");
  expect(exampleOf("uri", "f1r3node")).toBe("rho:vault:system");
  expect(exampleOf("name", "f1r3node")).toBe('"hello"');
});
