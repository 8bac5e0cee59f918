import type { Reducer } from "../Reducer.js";
import type { Work } from "../Work.js";

/** Built-in processes that the sends of one Par called, to be run in that order. */
export class CallQueue implements Work {
  readonly kind = "call";
  private readonly calls: Work[] = [];
  private next = 0;

  add(call: Work): void {
    this.calls.push(call);
  }

  run(reducer: Reducer): void {
    const call = this.calls[this.next]!;
    this.next += 1;
    if (this.next < this.calls.length) reducer.push(this);
    call.run(reducer);
  }
}
