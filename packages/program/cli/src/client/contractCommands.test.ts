import { parMessage } from "@vedette/api/grpc";
import { type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { compile } from "@vedette/rholang";
import { expect, test } from "vitest";
import { runOnFake } from "./testing/runCommand.js";

const uri = "rho:id:abc";

/** Answers an exploration with the values of a Rholang text, or with none; keeps what was run. */
function exploring(...values: readonly string[]): { readonly services: FakeServices; readonly terms: string[] } {
  const terms: string[] = [];
  const postBlockData = values.map((text) => parMessage(compile(text)));
  const deploys: FakeServices["deploys"] = {
    exploratoryDeploy({ term }) {
      terms.push(term);
      return { message: { case: "result", value: { postBlockData, block: lightBlockFixture() } } };
    },
  };
  return { services: { deploys }, terms };
}

test("a registered contract is called with a method and terms, and its answer is shown", async () => {
  const { services, terms } = exploring('(true, [(true, 42), "second"])');
  const run = await runOnFake(services, ["call", uri, "-m", "balance", '"1111"', "[1, 2]"]);
  expect(run).toEqual({ exitCode: 0, output: '(true, 42)\n"second"\n', errors: "" });
  expect(compile(terms[0]!)).toBeDefined();
  expect(terms[0]!.replaceAll(/\s+/g, " ")).toContain('@target!("balance" , "1111" , [1, 2] , *answer)');
  const json = JSON.parse((await runOnFake(services, ["call", uri, "--json"])).output);
  expect(json).toMatchObject({ uri, text: ["(true, 42)", '"second"'], block: { blockNumber: 17 } });
});

test("no contract, and a contract that does not answer, give different errors", async () => {
  const missing = await runOnFake(exploring("(false, [])").services, ["call", uri]);
  expect([missing.exitCode, missing.errors]).toEqual([1, expect.stringContaining(`Nothing is registered as ${uri}`)]);
  const silent = await runOnFake(exploring().services, ["call", uri, "-m", "nothing"]);
  expect([silent.exitCode, silent.errors]).toEqual([1, expect.stringContaining(`The contract ${uri} did not answer`)]);
});

test("what is no URI, method or term by itself is refused before anything is sent", async () => {
  const { services, terms } = exploring("(true, [1])");
  for (const [args, message] of [
    [["call", "rho:id:a`) | @1!(2"], "The URI must be as rho:id:…"],
    [["call"], "Give the contract's URI"],
    [["call", uri, "-m", 'a"b'], "--method must be a name"],
    [["call", uri, "1", "2) | @3!(4"], "Argument 2 must be a Rholang term"],
    [["call", uri, "unbound"], "Argument 1 must be a Rholang term"],
  ] as const) {
    const run = await runOnFake(services, args);
    expect([run.exitCode, run.errors]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(terms).toEqual([]);
});

test("registry shows an entry; none is exit code 1", async () => {
  const { services, terms } = exploring('(true, [(7, "entry")])');
  expect(await runOnFake(services, ["registry", `\`${uri}\``])).toEqual({
    exitCode: 0,
    output: '(7, "entry")\n',
    errors: "",
  });
  expect(compile(terms[0]!)).toBeDefined();
  const none = await runOnFake(exploring("(false, [])").services, ["registry", uri, "--json"]);
  expect([none.exitCode, JSON.parse(none.output)]).toMatchObject([1, { uri, isRegistered: false, text: [] }]);
});
