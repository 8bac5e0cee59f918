import { toHex } from "@vedette/crypto";
import { f1r3nodeForms, type ProgramForms, rnodeForms } from "@vedette/rholang";
import { GPrivate, Par } from "@vedette/terms";
import { describe, expect, test } from "vitest";
import { ContractSources } from "./ContractSources.js";
import { sourceContracts } from "./sourceContracts.js";

const nameOf = (byte: number) => Par.of({ unforgeables: [new GPrivate(new Uint8Array(32).fill(byte))] });

/**
 * Returns the entries that the contracts of a program leave in a state: each name that it makes is a private one, from
 * this byte on.
 */
function entriesOf(source: string, forms: ProgramForms, first = 1): string[] {
  const contracts = sourceContracts(forms.compile(source), forms.urns)!;
  return contracts.map(({ receive, around }) => {
    const values = around.map((one, index) => (one.kind === "fixed" ? one.value : nameOf(first + index)));
    const bytes = (par: Par) => ({ bytes: toHex(forms.terms.encodePar(par)) });
    const [bind] = receive.binds;
    return JSON.stringify({
      binds: [
        {
          patterns: bind!.patterns.map((pattern) => bytes(forms.substitute(pattern, 1, values, 0))),
          hasRemainder: bind!.remainder !== undefined,
        },
      ],
      body: bytes(forms.substitute(receive.body, 0, values, receive.bindCount)),
      ...{ isPersistent: receive.persistent, peeks: [] },
    });
  });
}

const counter = (change = "") => `new count, log(\`rho:io:stdout\`), other in {
  count!(0) |
  contract count(@"add", @{n /\\ Int}, return) = {
    for (@before <- other) { other!(before + n${change}) | return!(before) | log!(before) }
  }
}`;

describe.each([
  { dialect: "rnode", forms: rnodeForms },
  { dialect: "f1r3node", forms: f1r3nodeForms },
])("on chains of $dialect a program", ({ forms }) => {
  const verify = async (entries: readonly string[], source: string) => {
    const state = { root: new Uint8Array(32), block: undefined, which: "post", isSettled: false } as const;
    const found = {
      kind: "entries",
      channels: [],
      names: [],
      entries,
      count: entries.length,
      proof: undefined,
    } as const;
    const sources = new ContractSources({ entries: async () => ({ state, found, proof: undefined }) }, forms);
    const question = { uri: "rho:id:a", source, block: "finalized" };
    return (await sources.verify(question, "client", new AbortController().signal)).verdict;
  };
  /** The outer receive: what waits at the registered name. */
  const registered = (source: string, first?: number) => entriesOf(source, forms, first).slice(0, 1);

  test("is the source of what waits, whatever its names are and however it is written", async () => {
    const entries = registered(counter());
    expect(await verify(entries, counter())).toBe("verified");
    expect(await verify(registered(counter(), 90), counter())).toBe("verified");
    const renamed = counter().replaceAll("count", "c").replaceAll("before", "b").replaceAll("\n", " // note\n");
    expect(await verify(entries, renamed)).toBe("verified");
  });

  test("that differs in one word is another one", async () => {
    const entries = registered(counter());
    for (const other of [counter(" + 1"), counter().replace("log!(before)", "log!(n)"), 'contract @"x"(y) = { Nil }'])
      expect(await verify(entries, other)).toBe("different");
  });

  test("that uses its names in each other's place, or another of the system's, is another one", async () => {
    const two = (first: string, second: string) =>
      `new a, b in { contract @"c"(r) = { a!(1) | a!(2) | b!(3) | r!(*${first}) | r!([*${second}]) } }`;
    expect(await verify(registered(two("a", "b")), two("a", "b"))).toBe("verified");
    expect(await verify(registered(two("a", "b")), two("b", "a"))).toBe("different");
    const alike = (one: string, other: string) => `new a, b in { contract @"c"(r) = { ${one}!(1) | ${other}!(2) } }`;
    expect(await verify(registered(alike("a", "b")), alike("b", "a"))).toBe("verified");
    expect(await verify(registered(alike("a", "b")), alike("a", "a"))).toBe("different");
    expect(await verify(registered(alike("a", "a")), alike("a", "b"))).toBe("different");
    expect(await verify(registered(counter()), counter().replace("rho:io:stdout", "rho:io:stderr"))).toBe("different");
  });

  test("is not decided where values count that only a run shows, nor where guards do", async () => {
    const received = 'new ch in { for (@v <- ch) { contract @"c"(r) = { r!(v) } } }';
    expect(await verify(entriesOf(received, forms).slice(1), received)).toBe("undecided");
    const [entry] = registered(counter());
    expect(await verify([JSON.stringify({ ...JSON.parse(entry!), hasGuard: true })], counter())).toBe("different");
  });

  test("has bounds where its names can be assigned in very many ways", async () => {
    const names = Array.from({ length: 11 }, (_, index) => `n${index}`);
    const alike = (body: string) => `new ${names.join(", ")} in { contract @"c"(r) = { ${body} } }`;
    // Each name alone looks like the others; only the whole shows which one is sent to which one.
    const ring = names.map((name, index) => `${name}!(*${names[(index + 1) % names.length]})`).join(" | ");
    const two = names
      .map((name, index) => `${name}!(*${names[index === 4 ? 0 : index === 10 ? 5 : index + 1]})`)
      .join(" | ");
    expect(await verify(registered(alike(ring)), alike(two))).toMatch(/different|undecided/);
    const many = Array.from({ length: 13 }, (_, index) => `m${index}`);
    const large = `new ${many.join(", ")} in { contract @"c"(r) = { ${many.map((name) => `${name}!(1)`).join(" | ")} } }`;
    expect(await verify(registered(large), large)).toBe("undecided");
  });

  test("that does not compile is unreadable, and where nothing waits there is nothing to compare", async () => {
    expect(await verify(registered(counter()), "new x in {")).toBe("unreadable");
    expect(await verify([], counter())).toBe("nothing");
    const system = JSON.stringify({ ...JSON.parse(registered(counter())[0]!), body: null });
    expect(await verify([system], counter())).toBe("different");
  });
});
