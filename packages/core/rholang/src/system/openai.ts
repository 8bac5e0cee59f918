import { groundValue, stringArgument } from "./arguments.js";
import { type ExternalProcess, required, unchecked } from "./ExternalProcess.js";

/** `rho:ai:gpt4(prompt, ack)`. Quirk 21 §7.4: this one checks its prompt in replay too. @spec 21 §7.4 */
export const gpt4: ExternalProcess = {
  recordsOutputOnFailure: true,
  checkReplayed(args) {
    required("rho:ai:gpt4", args, 0, stringArgument);
  },
  call: (args, services) => [groundValue(services.completeChat(required("rho:ai:gpt4", args, 0, stringArgument)))],
};

/** `rho:ai:dalle3(prompt, ack)`. @spec 21 §7.4 */
export const dalle3: ExternalProcess = {
  recordsOutputOnFailure: true,
  checkReplayed: unchecked,
  call: (args, services) => [groundValue(services.drawPicture(required("rho:ai:dalle3", args, 0, stringArgument)))],
};

/** `rho:ai:textToAudio(text, ack)`. @spec 21 §7.4 */
export const textToAudio: ExternalProcess = {
  recordsOutputOnFailure: true,
  checkReplayed: unchecked,
  call: (args, services) => [groundValue(services.speak(required("rho:ai:textToAudio", args, 0, stringArgument)))],
};
