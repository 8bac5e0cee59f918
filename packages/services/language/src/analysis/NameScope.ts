import type { NameSymbol } from "./NameSymbol.js";

/** Names that may be used at a place, the inner ones before the outer. */
export class NameScope {
  readonly #names = new Map<string, NameSymbol>();

  /** @param isPattern whether names of outer scopes are out of reach, but for `=x` (20 §6.1) */
  constructor(
    private readonly outer: NameScope | undefined,
    private readonly isPattern = false,
  ) {}

  put(symbol: NameSymbol): void {
    this.#names.set(symbol.name, symbol);
  }

  /** As a plain variable finds it: not out of a pattern. */
  find(name: string): NameSymbol | undefined {
    for (
      let scope: NameScope | undefined = this;
      scope !== undefined;
      scope = scope.isPattern ? undefined : scope.outer
    ) {
      const symbol = scope.#names.get(name);
      if (symbol !== undefined) return symbol;
    }
    return undefined;
  }

  /** As `=x` finds it. */
  findOutward(name: string): NameSymbol | undefined {
    for (let scope: NameScope | undefined = this; scope !== undefined; scope = scope.outer) {
      const symbol = scope.#names.get(name);
      if (symbol !== undefined) return symbol;
    }
    return undefined;
  }
}
