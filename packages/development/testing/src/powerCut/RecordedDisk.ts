import { dirname, sep } from "node:path";
import type { DiskStep } from "./DiskStep.js";
import { RecordedFile } from "./RecordedFile.js";
import { oneOf, type SeededRandom } from "./seededRandom.js";

/** The content of a folder: the path from there, and a file's content; a folder has none. */
export type DiskContent = ReadonlyMap<string, Uint8Array | undefined>;

/** Names that appear and go away in one change, which a file system makes whole or not at all. */
interface NameChange {
  readonly puts: readonly (readonly [path: string, node: Node])[];
  readonly takes: readonly string[];
  /** Folders; a sync of one of them makes the change last. */
  readonly folders: readonly Node[];
}

type Node = { readonly file: RecordedFile | undefined };

/**
 * A disk below one folder, as the steps of a record leave it: what would outlast a loss of power, and what is under
 * way.
 *
 * Nothing lasts but what was synced: the content of a file by a sync of the file or a synchronous write, a name by a
 * sync of its folder.
 */
export class RecordedDisk {
  readonly #root: string;
  readonly #rootNode: Node = { file: undefined };
  #lasting = new Map<string, Node>();
  readonly #current = new Map<string, Node>();
  #pending: NameChange[] = [];
  readonly #nodes = new Map<bigint, Node>();

  /** @param root the folder of the record; it was empty */
  constructor(root: string) {
    this.#root = root;
    this.#current.set(root, this.#rootNode);
    this.#lasting.set(root, this.#rootNode);
  }

  take(step: DiskStep): void {
    if (step.kind === "create" || step.kind === "makeFolder") this.#make(step);
    else if (step.kind === "write") this.#requireFile(step.file).write(step.offset, step.bytes, step.isSynced);
    else if (step.kind === "truncate") this.#requireFile(step.file).truncate(step.length);
    else if (step.kind === "mapped") this.#requireFile(step.file).becomeUnknown();
    else if (step.kind === "sync") this.#sync(step.file, step.path);
    else if (step.kind === "rename") this.#rename(step.from, step.to);
    else if (step.kind === "unlink" || step.kind === "removeFolder")
      this.#change({ puts: [], takes: [step.path], folders: [this.#folderOf(step.path)] });
  }

  /** Everything as the running program saw it. */
  whole(): DiskContent {
    return this.#content(this.#current, (file) => file.whole());
  }

  /**
   * One of the contents that a loss of power leaves now.
   *
   * @param underWay a step that was begun, and not taken yet
   */
  afterPowerCut(random: SeededRandom, underWay?: DiskStep): DiskContent {
    const names = new Map(this.#lasting);
    for (const change of keptOf(this.#pending, random)) applyTo(names, change);
    const [writing, write] = underWay?.kind === "write" ? [this.#requireFile(underWay.file), underWay] : [];
    return this.#content(names, (file) => file.afterPowerCut(random, file === writing ? write : undefined));
  }

  #content(names: ReadonlyMap<string, Node>, read: (file: RecordedFile) => Uint8Array | undefined): DiskContent {
    const content = new Map<string, Uint8Array | undefined>();
    for (const [path, node] of [...names].sort(([one], [other]) => (one < other ? -1 : 1))) {
      // A name is reached by way of the folders above it alone.
      if (path === this.#root || !this.#isReached(names, path)) continue;
      const bytes = node.file === undefined ? undefined : read(node.file);
      if (node.file === undefined || bytes !== undefined) content.set(path.slice(this.#root.length + 1), bytes);
    }
    return content;
  }

  #isReached(names: ReadonlyMap<string, Node>, path: string): boolean {
    for (let at = dirname(path); at !== this.#root; at = dirname(at)) if (!names.has(at)) return false;
    return true;
  }

  #make({ kind, file, path }: DiskStep & { readonly kind: "create" | "makeFolder" }): void {
    const node: Node = { file: kind === "create" ? new RecordedFile() : undefined };
    // The number of a file that is gone may be given to another one.
    this.#nodes.set(file, node);
    this.#change({ puts: [[path, node]], takes: [], folders: [this.#folderOf(path)] });
  }

  #rename(from: string, to: string): void {
    const puts: [string, Node][] = [];
    const takes: string[] = [];
    for (const [path, node] of this.#current) {
      if (path !== from && !path.startsWith(from + sep)) continue;
      takes.push(path);
      puts.push([to + path.slice(from.length), node]);
    }
    this.#change({ puts, takes, folders: [this.#folderOf(from), this.#folderOf(to)] });
  }

  #change(change: NameChange): void {
    applyTo(this.#current, change);
    this.#pending.push(change);
  }

  #sync(number: bigint, path: string): void {
    const node = path === this.#root ? this.#rootNode : this.#nodes.get(number);
    if (node === undefined) throw new TypeError(`${path} is synced, but was not made while it was recorded`);
    node.file?.sync();
    const isLasting = (change: NameChange) => change.folders.includes(node);
    for (const change of this.#pending) if (isLasting(change)) applyTo(this.#lasting, change);
    this.#pending = this.#pending.filter((change) => !isLasting(change));
  }

  #folderOf(path: string): Node {
    const folder = this.#current.get(dirname(path));
    if (folder === undefined) throw new TypeError(`the folder of ${path} was not made while it was recorded`);
    return folder;
  }

  #requireFile(number: bigint): RecordedFile {
    const file = this.#nodes.get(number)?.file;
    if (file === undefined) throw new TypeError(`file ${number} was not made while it was recorded`);
    return file;
  }
}

function applyTo(names: Map<string, Node>, { puts, takes }: NameChange): void {
  for (const path of takes) names.delete(path);
  for (const [path, node] of puts) names.set(path, node);
}

/** All of them, none, those up to some moment, or any. */
function keptOf(changes: readonly NameChange[], random: SeededRandom): readonly NameChange[] {
  switch (oneOf(["all", "none", "first", "any"] as const, random)) {
    case "all":
      return changes;
    case "none":
      return [];
    case "first":
      return changes.slice(0, Math.floor(random() * (changes.length + 1)));
    case "any":
      return changes.filter(() => random() < 0.5);
  }
}
