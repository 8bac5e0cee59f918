import { EList, emptyBitSet, Par } from "@vedette/terms";
import { groundValue, stringArgument } from "./arguments.js";
import { type ExternalProcess, required, unchecked } from "./ExternalProcess.js";

/** `rho:ollama:chat(model, prompt, ack)`. @spec 21 §7.4 */
export const ollamaChat: ExternalProcess = {
  recordsOutputOnFailure: false,
  checkReplayed: unchecked,
  call(args, services) {
    const model = required("rho:ollama:chat", args, 0, stringArgument);
    return [groundValue(services.ollamaChat(model, required("rho:ollama:chat", args, 1, stringArgument)))];
  },
};

/** `rho:ollama:generate(model, prompt, ack)`. @spec 21 §7.4 */
export const ollamaGenerate: ExternalProcess = {
  recordsOutputOnFailure: false,
  checkReplayed: unchecked,
  call(args, services) {
    const model = required("rho:ollama:generate", args, 0, stringArgument);
    return [groundValue(services.ollamaGenerate(model, required("rho:ollama:generate", args, 1, stringArgument)))];
  },
};

/** `rho:ollama:models(ack)`: a list of names. @spec 21 §7.4 */
export const ollamaModels: ExternalProcess = {
  recordsOutputOnFailure: false,
  checkReplayed: unchecked,
  call(_args, services) {
    const names = services.ollamaModels().map(groundValue);
    return [Par.of({ exprs: [new EList(names, emptyBitSet, false, undefined)] })];
  },
};
