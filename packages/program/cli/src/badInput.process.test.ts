import { execFile, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeData } from "@vedette/node/testing";
import { flipBits, seededRandom, skipNote } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { freePorts, type NodePorts, NodeProcess, portOptions } from "./testing/NodeProcess.js";

const program = fileURLToPath(new URL("../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-cli-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the program to its end. */
function vedette(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], (_error, output, errors) =>
      resolve({ code: child.exitCode, output, errors }),
    );
  });
}

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const onPorts = (ports: NodePorts) => [
  "--standalone",
  "--host=127.0.0.1",
  "--no-upnp",
  "--api-host=127.0.0.1",
  ...portOptions(ports),
];

async function refusal(...args: string[]): Promise<string> {
  const { code, errors } = await vedette(...args);
  expect(errors).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
  return errors.replaceAll(folder, "…").trim();
}

describe("a node that cannot start reports why, in a sentence, and ends with 1", () => {
  test("a configuration that does not parse, or has wrong values", async () => {
    const broken = file("broken.conf", "protocol-server { port = ");
    expect(await refusal("run", "--standalone", "-c", broken)).toBe(
      "vedette: Can't build the configuration: \n…/broken.conf:1:26: expected a value for port, found the end of the file",
    );
    const wrong = file(
      "wrong.conf",
      'protocol-server.port = abc\napi-server.port-http = 1e9\nstandalone = "perhaps"\n',
    );
    const text = await refusal("run", "--standalone", "-c", wrong);
    expect(text).toMatch(/wrong\.conf:1:\d+: protocol-server\.port: must be a port/);
    expect(text).toMatch(/wrong\.conf:2:\d+: api-server\.port-http: must be a port/);
    expect(await refusal("run", "--protocol-port=99999", "--standalone")).toMatch(/must be a port from 0 to 65535/);
    expect(await refusal("run", "--nonsense")).toMatch(/^error: unknown option '--nonsense'/);
    for (const args of [["run", "--networkk-id=x"], ["run", "--networkk-id", "x"], ["--networkk-id=x"]])
      expect(await refusal(...args)).toContain("(Did you mean --network-id?)");
    const absent = await refusal("run", "--standalone", "-c", join(folder, "typo.conf"));
    expect(absent).toContain("there is no file …/typo.conf");
    expect(await refusal("run", "--standalone", "--network-id=")).toContain("must be a name, which is not empty");
    expect(await refusal("run", "--standalone", "-c", file("binary.conf", Uint8Array.of(0, 255, 254, 0)))).toMatch(
      /^vedette: Can't build the configuration: \n…\/binary\.conf:1:5: expected /,
    );
  });

  test("a program that is not built reports it in a sentence", () => {
    const checkout = join(folder, "checkout");
    mkdirSync(join(checkout, "bin"), { recursive: true });
    writeFileSync(join(checkout, "package.json"), '{"type":"module"}');
    copyFileSync(program, join(checkout, "bin", "vedette.js"));
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, "bin", "vedette.js")], { encoding: "utf8" });
    expect([status, stderr.trim().split("\n")]).toEqual([
      1,
      [expect.stringMatching(/^This checkout is not built \(.*\)\. Run: npm ci && npm run build$/)],
    ]);
  });

  test("a setting out of its range", async () => {
    const path = file("range.conf", "casper.fault-tolerance-threshold = 7\n");
    const { code, output, errors } = await vedette("config", "check", path);
    expect(code).toBe(1);
    expect(output + errors).toMatch(/casper\.fault-tolerance-threshold: must be from -1 to 1, not 7/);
  });

  test("an answer that cannot be written, as the disk is full", async () => {
    for (const command of ["config show", "keys generate --help", "--version"]) {
      const shell = `"${process.execPath}" "${program}" ${command} > /dev/full`;
      const { status, stderr } = spawnSync("sh", ["-c", shell], { encoding: "utf8" });
      expect([status, stderr]).toEqual([
        1,
        "vedette: The output cannot be written: the disk is full; make room, then run the command again\n",
      ]);
    }
    // A reader that closes the pipe early has what it needs.
    const { status, stderr } = spawnSync("sh", ["-c", `"${process.execPath}" "${program}" config show | head -1`], {
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([0, ""]);
  });

  test("a port that another program uses", async () => {
    const ports = await freePorts();
    const other = createServer().listen(ports.http, "127.0.0.1");
    try {
      expect(await refusal("run", `--data-dir=${join(folder, "ports")}`, ...onPorts(ports))).toBe(
        `vedette: Required ports are already in use: http (${ports.http}); stop what uses them or configure others`,
      );
    } finally {
      other.close();
    }
  });

  test("an own host that others cannot reach", async () => {
    const options = [`--data-dir=${join(folder, "host")}`, ...onPorts(await freePorts())];
    expect(await refusal("run", ...options, "--host=10.1.2.3")).toBe(
      "vedette: Invalid Kademlia hostname 10.1.2.3: it does not resolve to a public IP address; --allow-private-addresses allows private ones",
    );
  });

  test("a data directory that is a file, of another program, or half-written", async () => {
    const options = onPorts(await freePorts());
    const started = (path: string) => refusal("run", `--data-dir=${path}`, ...options);
    expect(await started(file("a-file", "hello"))).toBe(
      "vedette: The data directory …/a-file cannot be used: …/a-file/state is not there: a part of the path is no directory (ENOTDIR)",
    );
    for (const name of ["foreign", "half"])
      for (const part of ["state", "chain"]) mkdirSync(join(folder, name, part), { recursive: true });
    writeFileSync(join(folder, "foreign", "state", "data.mdb"), "another program's data".repeat(1000));
    expect(await started(join(folder, "foreign"))).toBe(
      "vedette: …/foreign/state holds files that are not Vedette's; choose an empty directory",
    );
    writeFileSync(join(folder, "half", "chain", "data.mdb"), new Uint8Array(3000));
    expect(await started(join(folder, "half"))).toBe(
      "vedette: The data in …/half/chain/data.mdb is damaged (only 3000 bytes are left); check the disk, then run `vedette db verify --repair` with the node stopped",
    );
    mkdirSync(join(folder, "alien", "state"), { recursive: true });
    writeFileSync(join(folder, "alien", "state", "important.txt"), "hello");
    expect(await started(join(folder, "alien"))).toBe(
      "vedette: …/alien/state holds files that are not Vedette's; choose an empty directory",
    );
  });

  test("a data directory of which the disk has changed bits", async () => {
    const options = onPorts(await freePorts());
    const place = join(folder, "bits");
    await makeData(place, 2);
    for (const name of ["chain", "state"]) {
      const path = join(place, name, "data.mdb");
      const before = readFileSync(path);
      flipBits(path, 400, seededRandom(1));
      expect(await refusal("run", `--data-dir=${place}`, ...options)).toMatch(
        new RegExp(
          `^vedette: The data in …/bits/${name}/data\\.mdb is damaged \\(.*\\); check the disk, then run \`vedette db verify --repair\` with the node stopped$`,
        ),
      );
      writeFileSync(path, before);
    }
  });

  const mayWriteAll = process.getuid?.() === 0 ? "root may write everywhere" : undefined;
  test.skipIf(mayWriteAll !== undefined)(
    `a data directory that may not be written${skipNote(mayWriteAll)}`,
    async () => {
      const path = join(folder, "read-only");
      mkdirSync(path, { mode: 0o500 });
      expect(await refusal("run", `--data-dir=${path}`, ...onPorts(await freePorts()))).toBe(
        "vedette: The data directory …/read-only cannot be used: EACCES: permission denied, mkdir '…/read-only/state'",
      );
    },
  );

  test("a data directory that another process uses; that one is not disturbed", async () => {
    const dataDir = join(folder, "used");
    const node = new NodeProcess({ dataDir, ports: await freePorts(), networkId: "test", args: ["--standalone"] });
    try {
      await node.line(/HTTP API server started/);
      expect(await refusal("run", `--data-dir=${dataDir}`, ...onPorts(await freePorts()))).toBe(
        "vedette: …/used is in use by another Vedette process; stop that one or choose another --data-dir",
      );
      expect(await node.get("/status")).toContain('"syncStatus":{');
    } finally {
      expect(await node.stop()).toBe(143);
    }
  });

  test("a file that is not there, is no program or no chain; a wrong number; an unknown command", async () => {
    expect(await refusal("parse", join(folder, "nothing.rho"))).toMatch(
      /^vedette: \S*nothing\.rho is not there; check the path \(ENOENT\)$/,
    );
    expect(await refusal("parse", folder)).toBe("vedette: … is a directory, not a program");
    expect(await refusal("replay", folder, `--data-dir=${join(folder, "replay")}`)).toBe(
      "vedette: … is not a recorded chain: it has no blocks.bin",
    );
    expect(await refusal("eval", "x.rho", "--phlo-limit=abc")).toMatch(
      /It must be a number from 0 to 9223372036854775807/,
    );
    expect(await refusal("nonsense")).toMatch(/^error: unknown command 'nonsense'/);
    expect(await refusal("parse")).toMatch(/^error: missing required argument 'file'/);
  });
});

describe("parse and eval", () => {
  test("a program with an error is marked in its place, on standard output, and the exit code is 1", async () => {
    const path = file("malformed.rho", "new x in {\n  x!(1 +)\n}\n");
    for (const command of ["parse", "eval"]) {
      const { code, output, errors } = await vedette(command, path);
      expect([code, errors]).toEqual([1, ""]);
      expect(output).toMatch(/syntax error\(\): \) at 2:9-2:10\n {2}--> 2:9\n/);
    }
  });

  test("what a program sends to the first name of its new and what it prints is shown", async () => {
    const source = 'new ret, out(`rho:io:stdout`) in { ret!(42) | out!("hello") }';
    const { code, output } = await vedette("eval", file("shown.rho", source));
    expect(code).toBe(0);
    expect(output).toContain("42");
    expect(output).toContain("hello");
  });

  test("--dialect f1r3node parses and runs by f1r3node's rules", async () => {
    const path = file("guarded.rho", "new ret in { for (@x <- @1 where x > 1) { ret!(x) } | @1!(2) }");
    for (const command of ["parse", "eval"]) expect((await vedette(command, path)).code).toBe(1);
    const parsed = await vedette("parse", path, "--dialect=f1r3node");
    expect([parsed.code, parsed.errors]).toEqual([0, ""]);
    expect(parsed.output).toMatch(/\nhash {10}[0-9a-f]{64}\n/);
    const run = await vedette("eval", path, "--dialect=f1r3node", "--json");
    expect([run.code, run.errors]).toEqual([0, ""]);
    expect(JSON.parse(run.output)).toMatchObject({ errors: [], result: ["2"] });
  });

  test("a sum of 100,000 levels is shown; names too deep for a text still have a hash", async () => {
    const depth = 100_000;
    for (const [name, source, text] of [
      ["sum.rho", `@0!(${"1+".repeat(depth)}1)`, /^@\{0\}!\(\(+1 \+ 1\) \+ 1\)/],
      ["new.rho", `${"new x in ".repeat(depth)}Nil`, /^\(Term is too large to be printed: .*\)\n/],
    ] as const) {
      const { code, output, errors } = await vedette("parse", file(name, source));
      expect([code, errors]).toEqual([0, ""]);
      expect(output).toMatch(text);
      expect(output).toMatch(/\nhash {10}[0-9a-f]{64}\n/);
    }
  });

  test("a term that doubles without end is given up, and the process ends as it should", async () => {
    const loop = "new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(x ++ x, n - 1) } } | l!([Nil], 60) }";
    const { code, output } = await vedette("eval", file("bomb.rho", loop), "--phlo-limit=9223372036854775807");
    expect(code).toBe(1);
    expect(output).toBe("broken: A term would have more than the limit of 4000000 parts side by side\n");
  });
});
