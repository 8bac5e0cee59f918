import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/**
 * A root folder that is this machine's own, and in which everything may be changed: what is written lies in memory
 * and is gone afterwards. For root alone.
 */
export class TrialMachine implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-machine-"));
  readonly root = join(this.#folder, "root");
  readonly #mounts: string[] = [];

  constructor() {
    this.#mount(this.#folder, "-t", "tmpfs", "none");
    for (const name of ["root", "upper", "work"]) mkdirSync(join(this.#folder, name));
    const layers = `lowerdir=/,upperdir=${this.#folder}/upper,workdir=${this.#folder}/work`;
    this.#mount(this.root, "-t", "overlay", "-o", layers, "none");
    this.#mount(join(this.root, "proc"), "-t", "proc", "none");
    this.#mount(join(this.root, "dev"), "--bind", "/dev");
    this.#mount(join(this.root, "tmp"), "-t", "tmpfs", "none");
  }

  /** Runs a program in it. @returns its output */
  run(...command: string[]): string {
    const env = { ...process.env, PATH: "/usr/sbin:/usr/bin:/sbin:/bin", DEBIAN_FRONTEND: "noninteractive" };
    return execFileSync("chroot", [this.root, ...command], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  }

  write(path: string, content: string | Uint8Array): void {
    const whole = join(this.root, path);
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, content);
  }

  [Symbol.dispose](): void {
    // A mount that is still in use goes when it is not.
    for (const place of this.#mounts.toReversed()) execFileSync("umount", ["--lazy", place]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #mount(place: string, ...args: string[]): void {
    execFileSync("mount", [...args, place]);
    this.#mounts.push(place);
  }
}
