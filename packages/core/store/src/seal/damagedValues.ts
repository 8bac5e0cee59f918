import { BroadcastChannel } from "node:worker_threads";
import type { TableName } from "../tables.js";

/** A value that was read from disk and is not what was written. */
export interface DamagedValue {
  /** The path of the environment. */
  readonly path: string;
  readonly table: TableName;
  readonly key: Uint8Array;
}

/** Reaches all threads of the process: states are read by others than the one that has the log. */
const channelName = "vedette.damagedValues";
let channel: BroadcastChannel | undefined;

/** To be called once before {@link reportDamage}: a thread that runs programs can open nothing later. */
export function openDamageChannel(): void {
  if (channel !== undefined) return;
  channel = new BroadcastChannel(channelName);
  channel.unref();
}

/** Reports a damaged value to the watchers of all threads. */
export function reportDamage(damaged: DamagedValue): void {
  channel?.postMessage(damaged);
}

/** Receives every damaged value that a thread of this process reads, until it is disposed of. */
export function watchDamage(receive: (damaged: DamagedValue) => void): Disposable {
  const watching = new BroadcastChannel(channelName);
  watching.onmessage = (event) => receive((event as { readonly data: DamagedValue }).data);
  watching.unref();
  return { [Symbol.dispose]: () => watching.close() };
}
