import { eachProcess } from "../../childProcesses.js";
import type { Rule } from "../Rule.js";

/** Names of the system that do not exist. */
export const unknownChannel: Rule = {
  id: "unknown-channel",
  about: "A `new` names a channel of the system that does not exist",
  why: "Such a program fails when it runs. What was registered by a contract is no channel of the system: it is found with `rho:registry:lookup`.",
  bad: "new out(`rho:io:stdOut`) in { out!(1) }",
  good: "new out(`rho:io:stdout`) in { out!(1) }",
  find: ({ analysis, language }) =>
    analysis.symbols.flatMap(({ uri, declaration }) =>
      uri === undefined || language.hasChannel(uri)
        ? []
        : [{ span: declaration, message: `there is no channel ${uri}` }],
    ),
};

/** Methods that no type has. */
export const unknownMethod: Rule = {
  id: "unknown-method",
  about: "A method is called that no type has, or with a wrong number of arguments",
  why: "Such a call fails when it runs.",
  bad: "@0!([1, 2].first())",
  good: "@0!([1, 2].nth(0))",
  find: ({ parsed, language }) =>
    [...eachProcess(parsed.process)].flatMap((process) => {
      if (process.kind !== "Method") return [];
      const { method, args } = process;
      const arity = language.methods.get(method);
      if (arity === args.length) return [];
      const { end } = parsed.spanOf(process)!;
      const start = parsed.source.lastIndexOf(`.${method}`, end);
      // Arguments may have a method of the same name within; then the whole call is shown.
      const span = start < 0 ? parsed.spanOf(process)! : { start: start + 1, end: start + 1 + method.length };
      const message =
        arity === undefined
          ? `no type has a method ${method}`
          : `${method} wants ${arity} ${arity === 1 ? "argument" : "arguments"}, not ${args.length}`;
      return [{ span, message }];
    }),
};
