import { expect, test } from "vitest";
import { accountGenesis } from "../testing/AccountNode.js";
import { SoloValidator, userDeploy } from "../testing/SoloValidator.js";
import type { ProposingOptions } from "./Proposing.js";

/** A validator that is alone and makes blocks by itself where deploys wait, with three of them in a block at most. */
async function withValidator(work: (one: SoloValidator) => Promise<void>, change: Partial<ProposingOptions> = {}) {
  const settings = {
    constraints: { synchronyThreshold: 0, heightThreshold: 1_000n },
    ...{ autopropose: true, heartbeat: undefined, maxUserDeploys: 3 },
  };
  const one = await SoloValidator.begin("v1", await accountGenesis(), { proposing: { settings, ...change } });
  const end = new AbortController();
  const running = one.proposing.run(end.signal);
  try {
    await work(one);
  } finally {
    end.abort();
    await running;
  }
}

const isInBlock = (one: SoloValidator, signature: Uint8Array): boolean =>
  one.chain.dag.blocksOfDeploy(signature).length > 0;

test("after a burst of deploys blocks are made until none waits, without another one that comes", async () => {
  await withValidator(async (one) => {
    const deploys = Array.from({ length: 20 }, (_, index) => userDeploy(`u${(index % 3) + 1}`, `@${index}!(1)`));
    const answers = await Promise.all(deploys.map((deploy) => one.proposing.submit(deploy)));
    expect(answers).toEqual(deploys.map(() => undefined));
    await expect.poll(() => deploys.filter(({ signature }) => !isInBlock(one, signature)).length).toBe(0);
    await expect.poll(() => one.proposing.queue.isBusy).toBe(false);
    expect(one.announced.map(({ body }) => body.deploys.length)).toEqual([3, 3, 3, 3, 3, 3, 2]);
  });
});

test("a deploy that cannot be executed is refused without another one that comes, and its key does not wait", async () => {
  await withValidator(async (one) => {
    for (let round = 0; round < 4; round += 1) {
      expect(await one.proposing.submit(userDeploy("u1", "@0!(1 / 0)"))).toBeUndefined();
      const refused = () => one.events.filter(({ type }) => type === "deployGivenUp").length;
      await expect.poll(refused).toBe(round + 1);
    }
    const good = userDeploy("u1", "Nil");
    expect(await one.proposing.submit(good)).toBeUndefined();
    await expect.poll(() => isInBlock(one, good.signature)).toBe(true);
  });
});
