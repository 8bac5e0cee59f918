import { join } from "node:path";
import { defaultSettings } from "./NetworkSettings.js";
import { walletKeyPath } from "./networkFiles.js";
import type { OpenNetwork } from "./openNetwork.js";
import type { NodePlan } from "./planNetwork.js";

const shownWallets = 5;
const howToEnd = "Ctrl-C stops all nodes; the next start goes on; logs: <node>/node.log in the directory above.";

/** Printed before a network starts: addresses of the APIs, funded accounts, commands to try, how to end. */
export function firstLines(network: OpenNetwork, version: string, isOnlyPrepared: boolean): string {
  const { plan, identity, isNew } = network;
  const beginning = isNew ? "a new chain" : "continues its chain; --reset creates a new one";
  return [
    `${version}: network ${identity.networkId} in ${plan.directory} (${beginning})`,
    ...(isOnlyPrepared ? [] : [`Explorer and playground: http://127.0.0.1:${readerOf(plan.nodes).ports.http}/`]),
    "",
    ...apiLines(plan.nodes),
    "",
    ...walletLines(network),
    "",
    ...(isOnlyPrepared ? [] : [...tryLines(network), "", howToEnd, ""]),
  ].join("\n");
}

/** The node that clients read from: the observer, which runs exploratory deploys. */
function readerOf(nodes: readonly NodePlan[]): NodePlan {
  return nodes.find(({ role }) => role === "observer") ?? nodes[0]!;
}

function apiLines(nodes: readonly NodePlan[]): string[] {
  const lines = nodes.map(({ name, ports }) => {
    const { http, grpcExternal, grpcInternal, adminHttp } = ports;
    return `  ${name.padEnd(11)} http://127.0.0.1:${http}   gRPC ${grpcExternal}, operator's ${grpcInternal}   admin HTTP ${adminHttp}`;
  });
  return ["APIs, all on this machine:", ...lines];
}

function walletLines({ wallets, plan }: OpenNetwork): string[] {
  const lines = wallets
    .slice(0, shownWallets)
    .map(({ name, address, privateKey }) => `  ${name.padEnd(9)} ${address}\n            key ${privateKey}`);
  const rest = wallets.length > shownWallets ? [`  … and ${wallets.length - shownWallets} more`] : [];
  const what = `Test wallets with ${plan.settings.balance} each (keys of this network only; all in wallets.json):`;
  return [what, ...lines, ...rest];
}

function tryLines({ wallets, plan }: OpenNetwork): string[] {
  const validator = plan.nodes.find(({ role }) => role === "validator")!;
  const observer = readerOf(plan.nodes);
  const [from, to = from] = wallets;
  const key = `--private-key-file ${shellWord(join(plan.directory, walletKeyPath(from!.name)))}`;
  const write = `-p ${validator.ports.grpcInternal}`;
  const read = `-p ${observer.ports.grpcExternal}`;
  const { dialect } = plan.settings;
  const of = dialect === defaultSettings.dialect ? "" : ` --dialect ${dialect}`;
  return [
    "Try, in another terminal:",
    `  curl http://127.0.0.1:${observer.ports.http}/status`,
    `  npx vedette transfer ${key} --to ${to!.address} --amount 1000 ${write} --wait${of}`,
    `  npx vedette deploy -f <file.rho> ${key} ${write} --wait`,
    `  npx vedette balance ${to!.address} ${read}${of}`,
    `  npx vedette explore -e 'new return in { return!(1 + 2) }' ${read}`,
    `  npx vedette load --dir ${shellWord(plan.directory)}`,
  ];
}

/** A path as it can be pasted into a shell. */
function shellWord(path: string): string {
  return /^[\w./~@%+:,=-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
