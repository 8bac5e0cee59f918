import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const module = new URL("../../dist/machine/stopWithParent.js", import.meta.url);

/** A program that this one launches, which prints when it must stop. */
function launch(before: string) {
  const source = `import { stopWithParent } from ${JSON.stringify(module.href)};
    ${before}
    stopWithParent(() => { console.log("stops"); process.exit(); });
    console.log("begins");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  return { child, said: text(child.stdout!), exited: once(child, "exit") };
}

test("a program that has nothing left to do ends, though its launcher is there", async () => {
  const { said, exited } = launch("");
  expect(await exited).toEqual([0, null]);
  expect(await said).toBe("begins\n");
});

test("a program that works ends when its launcher is gone", async () => {
  const { child, said, exited } = launch("setInterval(() => {}, 1_000);");
  await once(child.stdout!, "data");
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(await said).toMatch(/stops/);
});

test("a program that takes messages of its launcher goes on until that is gone", async () => {
  const { child, said, exited } = launch(
    'process.on("message", (word) => { console.log(word); process.send("received"); });',
  );
  const answer = once(child, "message");
  child.send("here");
  expect((await answer)[0]).toBe("received");
  child.disconnect();
  expect(await exited).toEqual([0, null]);
  expect(await said).toBe("begins\nhere\nstops\n");
});
