import { errorClass } from "@vedette/errors";
import type { PortOwner } from "./portOwner.js";

/** A port that a node of the network needs and another process uses. */
export interface BusyPort {
  readonly node: string;
  readonly name: string;
  readonly port: number;
  readonly owner: PortOwner | undefined;
}

/** The reasons that keep a local network from starting. */
export type LocalNetworkFailure =
  | { readonly code: "badSetting"; readonly option: string; readonly rule: string }
  | {
      readonly code: "settingsDiffer";
      readonly directory: string;
      readonly options: readonly { readonly option: string; readonly stored: string }[];
    }
  | { readonly code: "missing"; readonly directory: string }
  | { readonly code: "serverMissing"; readonly server: string; readonly howToGet: string }
  | { readonly code: "notOurs"; readonly directory: string }
  | { readonly code: "damaged"; readonly path: string; readonly reason: string }
  | { readonly code: "notUsable"; readonly directory: string; readonly reason: string }
  | { readonly code: "alreadyRunning"; readonly directory: string }
  | { readonly code: "portsInUse"; readonly ports: readonly BusyPort[] };

/** The local network cannot be started; the message states what to do. */
export class LocalNetworkError extends errorClass("LocalNetworkError", sentence) {}

function sentence(failure: LocalNetworkFailure): string {
  switch (failure.code) {
    case "badSetting":
      return `--${optionName(failure.option)}: ${failure.rule}`;
    case "settingsDiffer": {
      const stored = failure.options.map(({ option, stored: value }) => `--${optionName(option)} ${value}`).join(" ");
      return `The network in ${failure.directory} was made with ${stored}; leave that out to continue it, or delete it with --reset`;
    }
    case "missing":
      return `There is no local network in ${failure.directory}; start one with \`vedette network\`, or name its directory`;
    case "serverMissing":
      return `${failure.server} was not found: ${failure.howToGet}`;
    case "notOurs":
      return `${failure.directory} holds other things than a local network; choose another --dir`;
    case "damaged":
      return `${failure.path} cannot be read: ${failure.reason}; delete it with --reset`;
    case "notUsable":
      return `The directory ${failure.directory} cannot be used: ${failure.reason}`;
    case "alreadyRunning":
      return `The network in ${failure.directory} is running already; stop it (Ctrl-C where it runs), or choose another --dir and --base-port`;
    case "portsInUse":
      return `${failure.ports.map(busyPort).join("\n")}\nStop what uses them, or choose others with --base-port`;
  }
}

function busyPort({ node, name, port, owner }: BusyPort): string {
  const by = owner === undefined ? "" : ` by ${owner.command} (process ${owner.pid})`;
  return `Port ${port} (${name} of ${node}) is in use${by}`;
}

/** Settings with options of other names. */
const optionNames: ReadonlyMap<string, string> = new Map([
  ["rhythmMs", "block-interval"],
  ["judgeBy", "equivocation-rule"],
  ["synchrony", "synchrony-threshold"],
]);

/** `epochLength` is `--epoch-length`. */
function optionName(setting: string): string {
  const name =
    optionNames.get(setting) ?? setting.replace(/Ms$/, "").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return name;
}
