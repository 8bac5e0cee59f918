import { type BindPattern, type ListParWithRandom, type Par, printPar, type TaggedContinuation } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { shorten } from "./VectorVerdict.js";

/** A space that writes down in words what is done to it, so that an event's hash can be given a meaning. */
export class DescribingSpace implements Space {
  /** One line for each produce and consume, in order. */
  readonly steps: string[] = [];

  constructor(private readonly space: Space) {}

  produce(...operands: Parameters<Space["produce"]>): ReturnType<Space["produce"]> {
    const [channel, data, persist] = operands;
    this.steps.push(describeProduce(channel, data, persist));
    return this.space.produce(...operands);
  }

  consume(...operands: Parameters<Space["consume"]>): ReturnType<Space["consume"]> {
    const [channels, patterns, continuation, persist, peeks] = operands;
    const arrow = persist ? "<=" : peeks.length > 0 ? "<<-" : "<-";
    this.steps.push(describeConsume(channels, patterns, continuation, arrow));
    return this.space.consume(...operands);
  }

  install: Space["install"] = (...operands) => this.space.install(...operands);
  updateProduce: Space["updateProduce"] = (event) => this.space.updateProduce(event);
  data: Space["data"] = (channel) => this.space.data(channel);
  continuations: Space["continuations"] = (channels) => this.space.continuations(channels);
  joins: Space["joins"] = (channel) => this.space.joins(channel);
  softCheckpoint: Space["softCheckpoint"] = () => this.space.softCheckpoint();
  revert: Space["revert"] = (to) => this.space.revert(to);
  reset: Space["reset"] = (root) => this.space.reset(root);
  checkpoint: Space["checkpoint"] = () => this.space.checkpoint();
}

function describeProduce(channel: Par, data: ListParWithRandom, persist: boolean): string {
  const values = data.pars.map((par) => shorten(printPar(par), 120)).join(", ");
  return `send    @{${shorten(printPar(channel), 120)}}${persist ? "!!" : "!"}(${values})`;
}

function describeConsume(
  channels: readonly Par[],
  patterns: readonly BindPattern[],
  continuation: TaggedContinuation,
  arrow: string,
): string {
  const binds = channels.map((channel, index) => {
    const names = patterns[index]?.patterns.map((par) => `@{${shorten(printPar(par), 80)}}`).join(", ");
    return `${names} ${arrow} @{${shorten(printPar(channel), 120)}}`;
  });
  const body = continuation.kind === "ParContinuation" ? shorten(printPar(continuation.value.body), 120) : "";
  return `receive for (${binds.join(" & ")}) { ${body} }`;
}
