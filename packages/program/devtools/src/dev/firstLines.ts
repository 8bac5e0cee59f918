import { versionText } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import type { DevChain } from "./DevChain.js";

/** Printed when a chain for development is ready: funded accounts, addresses of the APIs, commands to try. */
export function firstLines(chain: DevChain, funds: bigint | string, seconds: number): string {
  const { plan, tip } = chain;
  const { settings } = plan;
  const place = settings.dataDir ?? "memory, gone when this ends";
  return [
    `${versionText}: a chain for development, in ${place}`,
    ...forkLines(chain),
    "",
    ...accountLines(chain, funds),
    "",
    ...apiLines(chain),
    "",
    ...tryLines(chain),
    "",
    `Ready in ${seconds.toFixed(2)} s at block #${tip.number} ${toHex(tip.hash).slice(0, 10)}: ${rhythmText(settings.blockTimeMs)}.`,
    "Ctrl-C ends it.",
    "",
  ].join("\n");
}

function forkLines({ plan: { fork } }: DevChain): string[] {
  if (fork === undefined) return [];
  return [
    `It begins from ${fork.url} at block #${fork.blockNumber} ${fork.blockHash.slice(0, 10)},`,
    "with a state that it fetches as it is read",
  ];
}

function accountLines({ plan }: DevChain, funds: bigint | string): string[] {
  const { users } = plan.accounts;
  const { seed } = plan.settings;
  const coins = typeof funds === "bigint" ? `with ${funds} each` : `without coins (${funds})`;
  const lines = users.flatMap(({ address, privateKey }, index) => [
    `  ${String(index).padStart(2)}  ${address}`,
    `      key ${toHex(privateKey)}`,
  ]);
  return [
    `Accounts ${coins}, made from the seed "${seed}".`,
    "Every user who knows the seed can derive these keys: never send real coins to them.",
    ...lines,
  ];
}

function apiLines({ plan: { ports } }: DevChain): string[] {
  return [
    `Explorer and playground: http://127.0.0.1:${ports.http}/`,
    "APIs, on this machine only:",
    `  HTTP  http://127.0.0.1:${ports.http}       gRPC  ${ports.grpcExternal}, operator's ${ports.grpcInternal}`,
    `  admin http://127.0.0.1:${ports.adminHttp}/dev   faucet, snapshots, time, deploys with any account`,
  ];
}

function tryLines({ plan }: DevChain): string[] {
  const { accounts } = plan;
  const [from, to] = accounts.users as [(typeof accounts.users)[0], (typeof accounts.users)[0]];
  return [
    "Try, in another terminal:",
    `  export VEDETTE_PRIVATE_KEY=${toHex(from.privateKey)}`,
    `  echo '@"greeting"!("hello")' | vedette deploy - --wait`,
    `  vedette transfer --to ${to.address} --amount 1000 --wait`,
    `  vedette balance ${to.address}`,
    `  vedette faucet ${to.address}`,
  ];
}

function rhythmText(blockTimeMs: number | undefined): string {
  return blockTimeMs === undefined ? "a block as soon as a deploy is there" : `a block every ${blockTimeMs / 1000} s`;
}
