import { contractSource, f1r3nodeContractSource, f1r3nodeContracts, systemContracts } from "@vedette/contracts";
import { compile, compileWithLocations } from "@vedette/rholang";
import { encodePar } from "@vedette/terms";
import { beforeAll, describe, expect, test } from "vitest";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { F1r3nodeTestChain } from "../testing/F1r3nodeTestChain.js";
import { TestChain } from "../testing/TestChain.js";
import type { TraceSource } from "./DeployTracer.js";
import { type DeployTrace, traceDeploy } from "./traceDeploy.js";

let chain: TestChain;
beforeAll(() => {
  chain = new TestChain();
});

/** Deploys programs in one block, and traces the last one. */
const traced = (...terms: readonly string[]) => tracedOn(chain, rnodeExecution, terms);

function tracedOn(
  ledger: TestChain | F1r3nodeTestChain,
  form: ExecutionDialect,
  terms: readonly string[],
): DeployTrace {
  const { block } = ledger.add({ deploys: terms.map((term) => ({ deployer: "u1", term })) });
  const replay = { block, preState: block.body.state.preStateHash, invalidBlocks: [], form };
  const trace = traceDeploy(ledger.states, replay, terms.length - 1);
  if ("code" in trace) throw new Error(trace.code);
  return trace;
}

function shown(source: TraceSource | undefined): string {
  if (source?.kind !== "program") return source?.kind ?? "";
  return source.place === undefined ? "unknown" : `${source.place.line}:${source.place.column}`;
}

/** A line for each step: what, from where, on which channel; of a COMM also its senders and its receiver. */
function lines({ steps }: DeployTrace): string[] {
  return steps.map(({ kind, source, channels, senders, receiver }) => {
    const met = kind === "comm" ? `: ${senders.map(shown).join(" & ")} to ${shown(receiver)}` : "";
    return `${kind} ${shown(source)} ${channels.join(" & ")}${met}`;
  });
}

const sum = ({ parsingPhlo, steps, otherPhlo }: DeployTrace) =>
  steps.reduce((total, { phlo }) => total + phlo, parsingPhlo + otherPhlo);

describe("a trace of a deploy", () => {
  test("lists steps in order, with places, and phlo that adds up to the cost", () => {
    const trace = traced(`@"trace a"!(1) |
  for (@x <- @"trace a") {
    @"trace b"!(x + 1)
  }`);
    expect(lines(trace)).toMatchInlineSnapshot(`
      [
        "produce 1:1 "trace a"",
        "consume 2:3 "trace a"",
        "comm 2:3 "trace a": 1:1 to 2:3",
        "produce 3:5 "trace b"",
      ]
    `);
    expect(trace.steps.map(({ phlo }) => phlo)).toMatchInlineSnapshot(`
      [
        105n,
        159n,
        101n,
        118n,
      ]
    `);
    expect(sum(trace)).toBe(trace.cost);
  });

  test("knows places in bodies that run again and again, in match, new, let, and behind sugar", () => {
    const trace = traced(`new loop, out in {
  contract loop(@n, ret) = {
    match n {
      0 => ret!("done")
      _ => { new x in { x!(n) | for (@m <- x) { loop!(m - 1, *ret) } } }
    }
  } |
  loop!(2, *out) |
  for (@end <- out) {
    let y <- end in { @"trace end"!(*y) } |
    new echo in {
      contract echo(k, @v) = { k!(v) } |
      for (@got <- echo!?(end)) { @"trace got"!(got) }
    }
  }
}`);
    expect(trace.errors).toEqual([]);
    const places = lines(trace).filter((line) => !line.startsWith("comm"));
    expect(places).toMatchInlineSnapshot(`
      [
        "produce 8:3 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "consume 9:3 Unforgeable(0x13c3210807c757b613e8f1263744b619444ef9b656211f1316625a15dec18fce)",
        "consume 2:3 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "produce 5:25 Unforgeable(0xb4db0eaf7283d7e48bf7bbab7bd90ff2f20ce4761c03c8b8b1a5852e25ae9618)",
        "consume 5:33 Unforgeable(0xb4db0eaf7283d7e48bf7bbab7bd90ff2f20ce4761c03c8b8b1a5852e25ae9618)",
        "produce 5:49 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "consume 2:3 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "produce 5:25 Unforgeable(0xe321a6af58c3cdb2eeb1bacdfc082d1be7885c7c4cad6b3c6a9f2dccb5e9e623)",
        "consume 5:33 Unforgeable(0xe321a6af58c3cdb2eeb1bacdfc082d1be7885c7c4cad6b3c6a9f2dccb5e9e623)",
        "produce 5:49 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "consume 2:3 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
        "produce 4:12 Unforgeable(0x13c3210807c757b613e8f1263744b619444ef9b656211f1316625a15dec18fce)",
        "consume 12:7 Unforgeable(0x50ca610d873b816392205616334f0ecfc7b69a483cd076c8c715c21479f73653)",
        "produce 13:7 Unforgeable(0x50ca610d873b816392205616334f0ecfc7b69a483cd076c8c715c21479f73653)",
        "produce 12:32 Unforgeable(0xfaaafba236a1c3119d42577d65c84b1a24730dc60a92e4a40baa52bca80698d3)",
        "consume 13:7 Unforgeable(0xfaaafba236a1c3119d42577d65c84b1a24730dc60a92e4a40baa52bca80698d3)",
        "produce 13:35 "trace got"",
        "produce 10:23 "trace end"",
        "consume 2:3 Unforgeable(0x6dd49ecd5ef6c44ec78d47b5e28d2a05a27b259f8f9dbaaf2272c97617276950)",
      ]
    `);
    expect(sum(trace)).toBe(trace.cost);
  });

  test("has the source unknown for parts of a value, earlier for data of others, system for built-in processes", () => {
    const trace = traced(
      `@"trace left"!(@"trace code"!(7))`,
      `for (@p <- @"trace left") { p | @"trace own"!(1) } |
new ack, hash(\`rho:crypto:blake2b256Hash\`) in { hash!("ab".toByteArray(), *ack) | for (_ <- ack) { Nil } }`,
    );
    expect(lines(trace).map((line) => line.replaceAll(/Unforgeable\(0x\w+\)/g, "name"))).toMatchInlineSnapshot(`
      [
        "consume 1:1 "trace left"",
        "comm 1:1 "trace left": earlier to 1:1",
        "produce 1:33 "trace own"",
        "produce unknown "trace code"",
        "produce 2:49 name",
        "comm 2:49 name: 2:49 to system",
        "consume 2:83 name",
        "produce system name",
        "comm system name: system to 2:83",
      ]
    `);
    expect(sum(trace)).toBe(trace.cost);
  });

  test("ends where the phlo runs out, with the error", () => {
    const { block } = chain.add({
      deploys: [{ deployer: "u1", phloLimit: 900n, term: `@"trace 1"!(1) | @"trace 2"!("${"a".repeat(500)}")` }],
    });
    const replay = { block, preState: block.body.state.preStateHash, invalidBlocks: [], form: rnodeExecution };
    const trace = traceDeploy(chain.states, replay, 0);
    if ("code" in trace) throw new Error(trace.code);
    expect(trace.errors.map(({ failure }) => failure.class)).toEqual(["OutOfPhlogistonsError"]);
    expect(trace.steps.length).toBeLessThan(2);
    expect(trace.unfinished).toEqual([expect.objectContaining({ line: 1 })]);
  });

  test("of a call of a system contract lists the contract's steps without places: they are not this program's", () => {
    const trace = traced(
      "new l(`rho:registry:lookup`), r in { l!(`rho:rchain:asiVault`, *r) | for (@(_, V) <- r) { Nil } }",
    );
    expect(sum(trace)).toBe(trace.cost);
    const sources = new Set(trace.steps.map(({ source }) => shown(source)));
    expect([...sources].sort()).toEqual(["1:38", "1:70", "earlier", "unknown"]);
  });
});

test("programs that are compiled with places are the same terms", () => {
  for (const name of systemContracts) {
    const source = contractSource(name);
    if (name.endsWith("x")) continue;
    const placed = compileWithLocations(source, new Map());
    expect(Buffer.compare(encodePar(placed.par), encodePar(compile(source))), name).toBe(0);
    expect(placed.places.size, name).toBeGreaterThan(5);
  }
});

describe("on an f1r3node network", () => {
  test("a trace has places of what its grammar alone reads, and phlo that adds up to the cost", () => {
    const program = `new c in {
  c!(1.5, 7) |
  for (@f, @x <- c where x > 3) {
    if (x > 5) { @"more"!(f) } else { @"less"!(f) }
  }
}`;
    const trace = tracedOn(new F1r3nodeTestChain(), f1r3nodeExecution, [program]);
    expect(lines(trace).map((line) => line.replace(/Unforgeable\(0x[0-9a-f]+\)/g, "c"))).toEqual([
      expect.stringMatching(/^(produce 2:3|consume 3:3) c$/),
      expect.stringMatching(/^(produce 2:3|consume 3:3) c$/),
      expect.stringMatching(/^comm (2:3|3:3) c: 2:3 to 3:3$/),
      'produce 4:18 "more"',
    ]);
    expect(sum(trace)).toBe(trace.cost);
  });

  test("programs that are compiled with places are the same terms", () => {
    const { grammar, terms } = f1r3nodeExecution;
    for (const name of f1r3nodeContracts) {
      const source = f1r3nodeContractSource(name);
      // Filled in at genesis.
      if (source.includes("$$")) continue;
      const placed = grammar.compileWithPlaces!(source, new Map());
      const [one, other] = [placed.par, grammar.compile(source)].map((par) => terms.encodePar(par));
      expect(Buffer.compare(one!, other!), name).toBe(0);
      expect(placed.places.size, name).toBeGreaterThan(5);
    }
  });
});
