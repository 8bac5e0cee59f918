import type { FreeMap } from "./FreeMap.js";

/** A variable in scope. Its de Bruijn index is that of the level's next variable less `slot` less one. */
interface Binding {
  readonly slot: number;
  readonly isName: boolean;
  readonly position: number;
}

/** The known facts about a variable that was looked up. */
export interface BoundVariable {
  readonly index: number;
  readonly isName: boolean;
  readonly position: number;
}

/** The variables of one pattern level (depth); only `=x` reaches those of outer levels. */
class PatternLevel {
  readonly names = new Map<string, Binding>();
  nextSlot = 0;
  constructor(readonly outer: PatternLevel | undefined) {}
}

/** One binding to take back when its scope ends. */
interface Undo {
  readonly name: string;
  readonly shadowed: Binding | undefined;
}

/**
 * The chain of bound maps. A stack with an undo list instead of copies: each binder opens a scope, and closes it
 * behind its body.
 *
 * @spec 20 §6.1
 */
export class Scope {
  private level = new PatternLevel(undefined);
  private readonly undos: Undo[] = [];
  /** 0 outside every pattern. */
  depth = 0;

  /** Looks a plain variable up, in the innermost pattern level only. */
  find(name: string): BoundVariable | undefined {
    return boundIn(this.level, name);
  }

  /** Looks the target of `=x` up, from the innermost pattern level outward. */
  findOutward(name: string): { readonly variable: BoundVariable; readonly depth: number } | undefined {
    let depth = 0;
    for (let level: PatternLevel | undefined = this.level; level !== undefined; level = level.outer) {
      const variable = boundIn(level, name);
      if (variable !== undefined) return { variable, depth };
      depth += 1;
    }
    return undefined;
  }

  enterPattern(): void {
    this.level = new PatternLevel(this.level);
    this.depth += 1;
  }

  leavePattern(): void {
    this.level = this.level.outer!;
    this.depth -= 1;
  }

  /** @returns the argument of {@link close} to end the scope */
  open(): number {
    return this.undos.length;
  }

  close(mark: number): void {
    while (this.undos.length > mark) {
      const { name, shadowed } = this.undos.pop()!;
      if (shadowed === undefined) this.level.names.delete(name);
      else this.level.names.set(name, shadowed);
      this.level.nextSlot -= 1;
    }
  }

  /** Binds the next variable, which has index 0 until one more is bound. */
  bind(name: string, isName: boolean, position: number): void {
    this.bindAt(name, this.level.nextSlot, { isName, position });
    this.level.nextSlot += 1;
  }

  /** Binds all variables of a pattern; level 0 has the highest index among them. */
  absorb(free: FreeMap): void {
    const first = this.level.nextSlot;
    for (const [name, binding] of free.entries()) this.bindAt(name, first + binding.level, binding);
    this.level.nextSlot = first + free.nextLevel;
  }

  private bindAt(name: string, slot: number, { isName, position }: { isName: boolean; position: number }): void {
    this.undos.push({ name, shadowed: this.level.names.get(name) });
    this.level.names.set(name, { slot, isName, position });
  }
}

function boundIn(level: PatternLevel, name: string): BoundVariable | undefined {
  const binding = level.names.get(name);
  if (binding === undefined) return undefined;
  return { index: level.nextSlot - binding.slot - 1, isName: binding.isName, position: binding.position };
}
