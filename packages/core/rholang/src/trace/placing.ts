import type { Par, Receive, Send } from "@vedette/terms";

/** Collects the parts of one process, in either dialect. */
interface PartsBuilder {
  addSend(send: Send): void;
  addReceive(receive: Receive): void;
  build(): Par;
}

/** A builder that notes its sends and receives, and sorts what it builds, so that they stay the same objects. */
export function placing<B extends PartsBuilder>(
  builder: B,
  note: (term: Send | Receive) => void,
  sort: (par: Par) => Par,
): B {
  const { addSend, addReceive, build } = builder;
  return Object.assign(builder, {
    addSend(send: Send): void {
      note(send);
      addSend.call(builder, send);
    },
    addReceive(receive: Receive): void {
      note(receive);
      addReceive.call(builder, receive);
    },
    build: () => sort(build.call(builder)),
  });
}
