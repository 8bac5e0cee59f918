import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { freePortRange } from "../../packages/development/testing/dist/freePort.js";
import { until } from "../../packages/development/testing/dist/wait/until.js";
import { made } from "./madeRelease.js";
import { ServiceStandIn } from "./ServiceStandIn.js";
import { TrialMachine } from "./TrialMachine.js";
import { tryNetwork } from "./tryNetwork.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the folder for Linux runs where it is unpacked, with its own Node.js", async () => {
  execFileSync("tar", ["-xzf", made.linux, "-C", folder]);
  const vedette = join(folder, "vedette-linux-x64/bin/vedette");
  // Nothing of the machine but what every Linux has.
  const env = { PATH: "/nowhere:/usr/bin:/bin", HOME: folder };
  const examined = spawnSync(vedette, ["doctor", "--json", "--data-dir", join(folder, "data")], {
    env,
    encoding: "utf8",
  });
  expect(JSON.parse(examined.stdout)[0].text).toBe("24.21.0.");
  const [networkMs = 0, runMs = 0] = await tryNetwork([vedette], { cwd: join(folder, "empty"), env });
  process.stdout.write(`folder: network ${Math.round(networkMs)} ms, run ${Math.round(runMs)} ms\n`);
});

const isRoot = process.getuid?.() === 0;
const hasDpkg = spawnSync("dpkg", ["--version"]).status === 0;

describe.runIf(isRoot && hasDpkg)("the package for Debian", async () => {
  const unit = "/usr/lib/systemd/system/vedette.service";
  const port = await freePortRange(6);
  const http = port + 3;
  const privateKey = "01".repeat(32);
  const publicKey =
    "041b84c5567b126440995d3ed5aaba0565d71e1834604819ff9c17f5e9d5dd078f70beaf8f588b541507fed6a642c5ab42dfdf8120a7f639de5122d47a69a8e8d1";
  const address = "1111pjC8LgoBQApxaJeuGBJWhC4rAQDbVbkSMLaXjGdfiUynCXef9";

  const config = `standalone = true
    protocol-server { network-id = trial, host = "127.0.0.1", port = ${port}, allow-private-addresses = true, no-upnp = true }
    peers-discovery.port = ${port + 4}
    api-server { host = "127.0.0.1", port-grpc-external = ${port + 1}, port-grpc-internal = ${port + 2}, port-http = ${http}, port-admin-http = ${port + 5} }
    casper { validator-private-key = "${privateKey}", genesis-ceremony.required-signatures = 0
      genesis-block-data { bonds-file = /etc/vedette/bonds.txt, wallets-file = /etc/vedette/wallets.txt } }
    logging.level = info
  `;

  /** The hash of the first block, once the API answers. */
  async function genesis(service: ServiceStandIn): Promise<string> {
    const look = async () => {
      const answer = await fetch(`http://127.0.0.1:${http}/blocks/1`).catch(() => undefined);
      const blocks = answer?.ok === true ? ((await answer.json()) as { blockHash: string }[]) : [];
      return blocks[0]?.blockHash;
    };
    return until("the service to answer", look, { everyMs: 200, state: () => service.output });
  }

  test("is installed, started, killed, started again, reloaded, stopped, removed", async () => {
    using machine = new TrialMachine();
    machine.write("/root/vedette.deb", readFileSync(made.deb));
    machine.run("dpkg", "--install", "/root/vedette.deb");
    expect(machine.run("dpkg", "--verify", "vedette")).toBe("");
    expect(machine.run("vedette", "--version")).toMatch(/^Vedette \d/);
    const [owner, mode] = machine.run("stat", "-c", "%U %a", "/var/lib/vedette").trim().split(" ");
    expect([owner, mode]).toEqual(["vedette", "750"]);
    expect(machine.run("dpkg", "--status", "vedette")).toContain("/etc/vedette/rnode.conf");
    // As installed it names no network, reports that and ends.
    const asItIs = spawnSync("chroot", [machine.root, "vedette", "run", "-c", "/etc/vedette/rnode.conf"], {
      encoding: "utf8",
    });
    expect([asItIs.status, asItIs.stdout]).toEqual([1, expect.stringContaining("--bootstrap")]);

    machine.write("/etc/vedette/rnode.conf", config);
    machine.write("/etc/vedette/bonds.txt", `${publicKey} 1000\n`);
    machine.write("/etc/vedette/wallets.txt", `${address},10000000000000\n`);
    await using service = new ServiceStandIn(machine.root, unit);
    service.start();
    const first = await genesis(service);
    service.kill();
    // Until then it is the killed one that still answers.
    await until("the second start", () => service.starts === 2, { everyMs: 200, state: () => service.output });
    expect([await genesis(service), service.starts]).toEqual([first, 2]);
    machine.write("/etc/vedette/rnode.conf", config.replace("level = info", 'level = "info,sync=debug"'));
    service.reload();
    await until("the reload", () => service.output.includes("SIGHUP received"), { state: () => service.output });
    expect(service.output).toContain("SIGHUP received: the log level is info,sync=debug.");
    await service.stop();
    expect(service.exitCode).toBe(143);

    machine.run("dpkg", "--remove", "vedette");
    const isThere = (path: string) => existsSync(join(machine.root, path));
    expect(["/usr/bin/vedette", "/usr/lib/vedette", unit].map(isThere)).toEqual([false, false, false]);
    expect(["/etc/vedette/rnode.conf", "/var/lib/vedette/chain"].map(isThere)).toEqual([true, true]);
    machine.run("dpkg", "--purge", "vedette");
    expect(["/etc/vedette/rnode.conf", "/var/lib/vedette"].map(isThere)).toEqual([false, false]);
    // Keys and genesis files of the operator's are not the package's.
    expect(isThere("/etc/vedette/bonds.txt")).toBe(true);
  });

  const analyze = (...args: string[]) => spawnSync("systemd-analyze", args, { encoding: "utf8" });

  test.runIf(analyze("--version").status === 0)("its service is one that systemd understands, and is shut in", () => {
    using machine = new TrialMachine();
    machine.write("/root/vedette.deb", readFileSync(made.deb));
    machine.run("dpkg", "--install", "/root/vedette.deb");
    expect(machine.run("systemd-analyze", "verify", unit)).toBe("");
    // Ten times the exposure: 1.4 where this was written; a service without any of it has 9.6.
    const judged = analyze("security", "--offline=true", "--threshold=20", join(machine.root, unit));
    expect(judged.stdout).toContain("Overall exposure level for vedette.service");
    expect(judged.status).toBe(0);
  });
});

test("what is fetched has the size that is stated", () => {
  const megabytes = (path: string) => statSync(path).size / 1e6;
  process.stdout.write(`folder ${megabytes(made.linux).toFixed(1)} MB, .deb ${megabytes(made.deb).toFixed(1)} MB\n`);
  expect(megabytes(made.linux)).toBeLessThan(70);
  expect(megabytes(made.deb)).toBeLessThan(70);
});
