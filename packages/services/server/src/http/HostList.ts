import { isIP } from "node:net";
import { hostname } from "node:os";

/**
 * The host names that a server accepts.
 *
 * A page with a name that was made to resolve to this machine (DNS rebinding) is of one origin with the server to its
 * browser, which over plain HTTP sends nothing else about it: the name in `Host` is all that shows it. An address is
 * there only if no name was resolved, so that every address is accepted; `localhost` and the names below it are this
 * machine's by RFC 6761; all other names must be listed, also those without a dot, since these can be a top-level
 * domain or be completed by a search list.
 *
 * @spec 50 §1.19
 */
export class HostList {
  readonly #names: ReadonlySet<string>;

  /** @param names beside addresses, `localhost` and the name of this machine; `*` is any */
  constructor(names: readonly string[]) {
    this.#names = new Set(["localhost", hostname(), ...names].map(plainName));
  }

  /** @param host as in the header or in `:authority`: with a port or without */
  has(host: string | undefined): boolean {
    if (this.#names.has("*")) return true;
    const [, bracketed, name = ""] = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d*)?$/i.exec(host ?? "") ?? [];
    if (bracketed !== undefined) return isIP(bracketed) === 6;
    const plain = plainName(name);
    return isIP(plain) === 4 || plain.endsWith(".localhost") || (plain !== "" && this.#names.has(plain));
  }
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}
