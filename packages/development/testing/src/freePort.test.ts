import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { freePort, freePortRange } from "./freePort.js";

const module = new URL("../dist/freePort.js", import.meta.url).href;
/** Claims ports, prints them, and ends once its standard input is closed. */
const claiming = `
  const { freePort } = await import(${JSON.stringify(module)});
  const ports = [];
  for (let at = 0; at < 200; at += 1) ports.push(await freePort());
  console.log(JSON.stringify(ports));
  process.stdin.resume();`;

test("no port is given twice, and each can be listened at", async () => {
  const ports = await Promise.all(Array.from({ length: 200 }, freePort));
  expect(new Set(ports).size).toBe(200);
  const server = createServer().listen(ports[0], "127.0.0.1");
  await once(server, "listening");
  server.close();
});

test("ports of a range follow each other, and no other caller gets them", async () => {
  const first = await freePortRange(60);
  const others = await Promise.all(Array.from({ length: 200 }, freePort));
  expect(others.filter((port) => port >= first && port < first + 60)).toEqual([]);
});

test("processes that claim ports at the same time are given different ones, and end by themselves", async () => {
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ["--input-type=module", "--eval", claiming], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const lines = children.map(async ({ stdout }) => {
    const [line] = (await once(createInterface({ input: stdout }), "line")) as [string];
    return JSON.parse(line) as number[];
  });
  const ports = (await Promise.all(lines)).flat();
  expect(new Set(ports).size).toBe(800);
  const ends = children.map((child) => once(child, "exit"));
  for (const { stdin } of children) stdin.end();
  expect(await Promise.all(ends)).toEqual(children.map(() => [0, null]));
});
