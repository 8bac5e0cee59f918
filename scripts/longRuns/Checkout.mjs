// Reads a checkout with git.
import { execFileSync } from "node:child_process";

/** Queries git about a checkout. Every method throws where there is no git, or no repository, but {@link isThere}. */
export class Checkout {
  /** @param {string} root */
  constructor(root) {
    this.root = root;
  }

  /** Whether there is a repository with a commit, and a git to query. */
  get isThere() {
    try {
      return this.head !== "";
    } catch {
      return false;
    }
  }

  /** The hash of the commit that is checked out. */
  get head() {
    return this.#git("rev-parse", "HEAD");
  }

  get isShallow() {
    return this.#git("rev-parse", "--is-shallow-repository") === "true";
  }

  /**
   * Returns the files that are not as they are committed, those that git does not know included.
   *
   * @param {readonly string[]} except paths that do not count
   */
  changedFiles(except = []) {
    const specs = except.map((path) => `:(exclude)${path}`);
    return this.#git("status", "--porcelain", "--", ".", ...specs)
      .split("\n")
      .filter((line) => line !== "");
  }

  /** @param {string} commit */
  has(commit) {
    try {
      this.#git("cat-file", "-e", `${commit}^{commit}`);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Counts the commits since another one that touch something.
   *
   * @param {string} commit
   * @param {readonly string[]} paths pathspecs
   */
  commitsSince(commit, paths) {
    return Number(this.#git("rev-list", "--count", `${commit}..HEAD`, "--", ...paths));
  }

  /** @param {readonly string[]} args */
  #git(...args) {
    const stdio = /** @type {const} */ (["ignore", "pipe", "ignore"]);
    return execFileSync("git", args, { cwd: this.root, encoding: "utf8", stdio }).trimEnd();
  }
}
