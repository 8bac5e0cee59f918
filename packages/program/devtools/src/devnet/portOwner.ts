import { execFile } from "node:child_process";
import { readdir, readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

/** A process that listens on a port. */
export interface PortOwner {
  readonly pid: number;
  readonly command: string;
}

const run = promisify(execFile);
const lsofTimeoutMs = 2_000;
const longestCommand = 80;
/** State `LISTEN` in the kernel's table. */
const listening = "0A";

/** Finds the process that probably listens on a port, for an error text; `undefined` if it cannot be found. */
export async function findPortOwner(port: number): Promise<PortOwner | undefined> {
  try {
    return process.platform === "linux" ? await ownerFromKernel(port) : await ownerFromLsof(port);
  } catch {
    return undefined;
  }
}

async function ownerFromKernel(port: number): Promise<PortOwner | undefined> {
  const inodes = new Set<string>();
  for (const table of ["/proc/net/tcp", "/proc/net/tcp6"])
    for (const inode of listeningInodes(await readFile(table, "utf8").catch(() => ""), port)) inodes.add(inode);
  if (inodes.size === 0) return undefined;
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) if (await hasSocket(pid, inodes)) return { pid: Number(pid), command: await commandOf(pid) };
  return undefined;
}

/** Inodes of the sockets that listen on a port, from the text of the kernel's table. */
export function listeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return table.split("\n").flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const isIt = fields[1]?.endsWith(`:${wanted}`) === true && fields[3] === listening;
    return isIt && fields[9] !== undefined ? [fields[9]] : [];
  });
}

async function hasSocket(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  for (const descriptor of descriptors) {
    const target = await readlink(`${folder}/${descriptor}`).catch(() => "");
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined && inodes.has(inode)) return true;
  }
  return false;
}

async function commandOf(pid: string): Promise<string> {
  const text = await readFile(`/proc/${pid}/cmdline`, "utf8");
  return shorten(text.split("\0").join(" ").trim());
}

async function ownerFromLsof(port: number): Promise<PortOwner | undefined> {
  const args = ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"];
  const { stdout } = await run("lsof", args, { timeout: lsofTimeoutMs });
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const command = /^c(.+)$/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : { pid: Number(pid), command: shorten(command ?? "?") };
}

function shorten(command: string): string {
  return command.length > longestCommand ? `${command.slice(0, longestCommand - 1)}…` : command;
}
