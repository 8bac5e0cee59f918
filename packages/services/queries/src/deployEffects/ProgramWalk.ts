import type { Match, New, Par, Receive, ReceiveBind, Send } from "@vedette/terms";
import { bindPatterns, type Verdict } from "./bindPattern.js";
import { type KnownContracts, readCall } from "./calls.js";
import {
  type KnownValue,
  type PrivateName,
  publicName,
  readValue,
  unknownValue,
  type ValueScope,
} from "./KnownValue.js";
import type { ProgramFact } from "./ProgramFact.js";

/** The scope and condition of a part of the program. */
interface Place {
  readonly scope: ValueScope | undefined;
  /** Whether it runs only for some of the unknown values. */
  readonly isConditional: boolean;
}

/** A process to read next. */
interface Step extends Place {
  readonly par: Par;
}

/** A receive without a message so far. */
interface Waiting extends Place {
  readonly receive: Receive;
  /** The names of its binds. */
  readonly names: readonly KnownValue[];
}

/** Most parts of a program that are read; repeated ones count each time. */
const maxParts = 10_000;
/** Most checks whether a receive has a message. */
const maxLooks = 100_000;
/** Most calls of one contract of the program that are followed. */
const maxRuns = 20;
/** Most facts of one program. */
const maxFacts = 20;

/**
 * Goes through a program without running it, along the names that it makes: the answers of the registry and of vaults
 * are known values. The walk does not recurse with the nesting of the program.
 *
 * @cost bounded: the walk counts parts, receives, and facts
 */
export class ProgramWalk {
  readonly #known: KnownContracts;
  readonly #steps: Step[] = [];
  #waiting: Waiting[] = [];
  readonly #runs = new Map<Receive, number>();
  readonly #facts: ProgramFact[] = [];
  #parts = 0;
  #looks = 0;
  #isCut = false;
  #depends = false;
  /** A value that is not looked into may hold any name. */
  #sharesAll = false;

  constructor(known: KnownContracts) {
    this.#known = known;
  }

  /** Returns the effects that the program requests, in the order in which they are found. */
  facts(program: Par): readonly ProgramFact[] {
    this.#steps.push({ par: program, scope: undefined, isConditional: false });
    do this.#walkSteps();
    while (this.#wakeKnown() || this.#wakeUnknown());
    if (this.#isCut) return [...this.#facts, { type: "other", reason: "tooLarge" }];
    return this.#depends ? [...this.#facts, { type: "other", reason: "depends" }] : this.#facts;
  }

  #walkSteps(): void {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) this.#walk(step);
  }

  #walk({ par, scope, isConditional }: Step): void {
    const place = { scope, isConditional };
    this.#each(par.sends, (send) => this.#send(send, place));
    this.#each(par.receives, (receive) => this.#receive(receive, place));
    this.#each(par.bundles, ({ body }) => this.#push(body, place));
    this.#each(par.matches, (match) => this.#match(match, place));
    this.#each(par.conditionals, ({ ifTrue, ifFalse }) => {
      for (const branch of [ifTrue, ifFalse]) this.#push(branch, { scope, isConditional: true });
    });
    this.#each(par.news, (made) => this.#push(made.p, { scope: scopeWithin(made, scope), isConditional }));
  }

  #each<T>(parts: readonly T[], look: (part: T) => void): void {
    for (const part of parts) if (this.#counts()) look(part);
  }

  #push(par: Par, place: Place): void {
    this.#steps.push({ par, ...place });
  }

  #counts(): boolean {
    this.#parts += 1;
    if (this.#parts > maxParts) this.#isCut = true;
    return !this.#isCut;
  }

  #send({ chan, data }: Send, { scope, isConditional }: Place): void {
    const target = readValue(chan, scope);
    const values = data.map((par) => readValue(par, scope));
    if (target.kind === "private") {
      this.#sharesAll ||= values.some(isUnknown);
      target.sent.push(values);
      return;
    }
    const { fact, answer } = readCall(target, values, this.#known);
    if (fact !== undefined) this.#note(fact, isConditional);
    if (answer?.on?.kind === "private") answer.on.sent.push(answer.data);
    else for (const value of values) this.#share(value);
  }

  #share(value: KnownValue): void {
    if (value.kind === "private") value.isShared = true;
    else if (value.kind === "unknown") this.#sharesAll = true;
    else if ("items" in value) for (const item of value.items) this.#share(item);
  }

  #note(fact: ProgramFact, isConditional: boolean): void {
    if (isConditional) this.#depends ||= !isOutput(fact);
    else if (this.#facts.length < maxFacts) this.#facts.push(fact);
    else this.#isCut = true;
  }

  #receive(receive: Receive, { scope, isConditional }: Place): void {
    const names = receive.binds.map(({ source }) => readValue(source, scope));
    this.#waiting.push({ receive, names, scope, isConditional });
    if (!receive.persistent) return;
    for (const name of names) {
      const channel = publicName(name);
      if (channel !== undefined) this.#note({ type: "publish", uri: null, channel }, isConditional);
    }
  }

  /** Follows the first case that fits; all that may, where too little is known. */
  #match({ target, cases }: Match, { scope, isConditional }: Place): void {
    const value = readValue(target, scope);
    let mayBeAnother = isConditional;
    for (const { pattern, source, freeCount, guard } of cases) {
      const bound = unknownValues(freeCount);
      const found = bindPatterns([pattern], [value], bound);
      if (found === "no") continue;
      const isSure = found === "yes" && guard === undefined;
      this.#push(source, { scope: extended(scope, bound), isConditional: mayBeAnother || !isSure });
      if (isSure) return;
      mayBeAnother = true;
    }
  }

  /** Runs the receives that have a message on each of their names. @returns whether there is a next step */
  #wakeKnown(): boolean {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const one of waiting) {
      const data = this.#isCut ? undefined : this.#taken(one);
      if (data !== undefined) this.#run(one, data);
      // A contract keeps waiting.
      if (data === undefined || one.receive.persistent) this.#waiting.push(one);
    }
    return this.#steps.length > 0;
  }

  /** Runs receives that wait for unknown data. Private names that were never passed on receive no data. */
  #wakeUnknown(): boolean {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { receive, names, scope, isConditional } of waiting) {
      if (receive.persistent || !names.every((name) => this.#mayCome(name))) continue;
      const dependsOnOthers = names.some((name) => publicName(name) !== undefined);
      this.#run({ receive, names, scope, isConditional: isConditional || dependsOnOthers }, []);
    }
    return this.#steps.length > 0;
  }

  #mayCome(name: KnownValue): boolean {
    return name.kind !== "private" || name.isShared || this.#sharesAll || name.sent.length > 0;
  }

  /** Returns the values that a receive takes, for each of its binds; `undefined` if some have not come. */
  #taken({ receive: { binds, peek }, names }: Waiting): readonly (readonly KnownValue[])[] | undefined {
    this.#looks += 1;
    if (this.#looks > maxLooks) this.#isCut = true;
    const data: (readonly KnownValue[])[] = [];
    for (const [index, name] of names.entries()) {
      const found = name.kind === "private" ? name.sent.find((sent) => mayTake(binds[index]!, sent)) : undefined;
      if (found === undefined) return undefined;
      data.push(found);
    }
    if (!peek)
      for (const [index, name] of names.entries())
        if (name.kind === "private") name.sent.splice(name.sent.indexOf(data[index]!), 1);
    return data;
  }

  /** @param data the messages of each bind; empty if they are unknown */
  #run({ receive, scope, isConditional }: Waiting, data: readonly (readonly KnownValue[])[]): void {
    const runs = (this.#runs.get(receive) ?? 0) + 1;
    this.#runs.set(receive, runs);
    if (runs > maxRuns) this.#isCut = true;
    if (!this.#counts()) return;
    const values: KnownValue[] = [];
    let verdict: Verdict = receive.condition === undefined ? "yes" : "maybe";
    for (const [index, { patterns, remainder, freeCount }] of receive.binds.entries()) {
      const bound = unknownValues(freeCount);
      if (remainder !== undefined || bindPatterns(patterns, data[index], bound) !== "yes") verdict = "maybe";
      values.push(...bound);
    }
    this.#push(receive.body, {
      scope: extended(scope, values),
      isConditional: isConditional || verdict === "maybe",
    });
  }
}

/** The scope within a `new`: its private names first, then those that it takes from the node. @spec 20 §7.16 */
function scopeWithin({ bindCount, uri }: New, outer: ValueScope | undefined): ValueScope {
  const made = Array.from({ length: bindCount - uri.length }, (): PrivateName => {
    return { kind: "private", sent: [], isShared: false };
  });
  return { values: [...made, ...uri.map((urn): KnownValue => ({ kind: "system", urn }))], outer };
}

function extended(outer: ValueScope | undefined, values: readonly KnownValue[]): ValueScope | undefined {
  return values.length === 0 ? outer : { values, outer };
}

function unknownValues(count: number): KnownValue[] {
  return Array.from({ length: count }, () => unknownValue);
}

function isUnknown({ kind }: KnownValue): boolean {
  return kind === "unknown";
}

function mayTake({ patterns, remainder }: ReceiveBind, sent: readonly KnownValue[]): boolean {
  return remainder !== undefined || bindPatterns(patterns, sent, []) !== "no";
}

/** Whether a fact is only output, which is not an effect of the program. */
export function isOutput(fact: ProgramFact): boolean {
  return fact.type === "call" && fact.uri !== null && outputs.has(fact.uri);
}

const outputs: ReadonlySet<string> = new Set([
  ...["stdout", "stdoutAck", "stderr", "stderrAck", "devNull"].map((name) => `rho:io:${name}`),
  ...["rho:rchain:deployId", "rho:system:deployId"],
]);
