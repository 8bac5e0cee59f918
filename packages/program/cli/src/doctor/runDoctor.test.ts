import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runDoctor } from "./runDoctor.js";

const root = mkdtempSync(join(tmpdir(), "vedette-doctor-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function doctor(options: Readonly<Record<string, string | boolean>>) {
  let text = "";
  const exitCode = await runDoctor({ dataDir: join(root, "data"), ...options }, (part) => {
    text += part;
  });
  return { exitCode, text };
}

test("a bad finding is printed with what to do, and makes the exit code 1", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "0.0.0.0", resolve));
  const port = String((other.address() as AddressInfo).port);
  const { exitCode, text } = await doctor({ protocolPort: port });
  expect(exitCode).toBe(1);
  expect(text).toMatch(new RegExp(`^BAD   Ports: .*RChain Protocol \\(${port}\\).*\\n {6}→ .+$`, "m"));
  expect(text).toMatch(/^\d+ bad, \d+ to look at, \d+ good$/m);
  other.close();
});

test("programs get one JSON value", async () => {
  const { text } = await doctor({ json: true, host: "8.8.8.8" });
  const findings = JSON.parse(text) as { about: string; verdict: string }[];
  expect(findings.map(({ about }) => about)).toContain("Bootstrap");
  expect(findings.find(({ about }) => about === "Own address")?.verdict).toBe("good");
});
