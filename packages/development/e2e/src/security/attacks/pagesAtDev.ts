import type { Attack } from "../Attack.js";
import type { AttackedDev } from "../AttackedDev.js";
import { ask, repeat } from "./requests.js";
import { changeByGet, type PageRequest, requestAsPages } from "./webPages.js";

const requests: readonly PageRequest[] = [
  { method: "GET", path: "/dev" },
  { method: "POST", path: "/dev/mine", body: '{"blocks":1}' },
  { method: "POST", path: "/dev/snapshot", body: "{}" },
  { method: "POST", path: "/api/v1/propose", body: "{}" },
  { method: "OPTIONS", path: "/dev/deploy" },
];
const changes = ["/dev/mine", "/dev/snapshot", "/dev/revert", "/dev/faucet", "/dev/deploy", "/api/v1/propose"];

/** Foreign web pages in a developer's browser send requests to a development chain. */
export const pagesAtDev: Attack<AttackedDev> = {
  name: "web pages at `vedette dev`",
  async run({ dev: { ready } }, enough) {
    const { adminHttp: port } = ready.ports;
    const gains = new Set<string>();
    await repeat(enough, 2, async () => {
      const all = [...(await requestAsPages(port, requests)), ...(await changeByGet(port, changes))];
      for (const gain of all) gains.add(gain);
      // Without --serve-keys, private keys are in no answer, not even for an allowed client.
      const { text } = await ask({ port, path: "/dev" });
      if (ready.accounts.some(({ privateKey }) => text.includes(privateKey))) gains.add("private keys");
    });
    return [...gains];
  },
};
