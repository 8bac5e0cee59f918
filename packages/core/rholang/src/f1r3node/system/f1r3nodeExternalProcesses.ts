import { EList, emptyBitSet, nil, type Par } from "@vedette/terms";
import { groundValue, intArgument, stringArgument } from "../../system/arguments.js";
import type { ExternalServices } from "../../system/ExternalServices.js";
import { f1r3nodeError, illegalArgument } from "../f1r3nodeError.js";
import { parOf } from "../parOf.js";

/** A built-in process with an external result that is recorded. @spec 21 §7.4, 61 §8 */
export interface F1r3nodeExternalProcess {
  /** Whether the answer goes to the last argument. */
  readonly replies: boolean;
  /** Checks the arguments of a replayed call, where they are looked at. */
  readonly checkReplayed?: (args: readonly Par[]) => void;
  call(args: readonly Par[], services: ExternalServices): readonly Par[];
}

function text(args: readonly Par[], index: number, name: string): string {
  const value = stringArgument(args[index]!);
  if (value === undefined) throw illegalArgument(name);
  return value;
}

/** A process of one text, which is looked at in replay too. */
function asking(
  name: string,
  ask: (services: ExternalServices, text: string) => string | Uint8Array,
): F1r3nodeExternalProcess {
  return {
    replies: true,
    checkReplayed(args) {
      text(args, 0, name);
    },
    call: (args, services) => [groundValue(ask(services, text(args, 0, name)))],
  };
}

/** Calls Ollama. @throws {Error} with the text that f1r3node gives a failure of this service */
function callOllama<T>(call: () => T): T {
  try {
    return call();
  } catch (cause) {
    throw new Error(`Ollama error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** An Ollama process of a model and a prompt. */
function askingModel(
  name: string,
  ask: (services: ExternalServices, model: string, prompt: string) => string,
): F1r3nodeExternalProcess {
  return {
    replies: true,
    call(args, services) {
      const model = text(args, 0, `${name}: model must be a string`);
      const prompt = text(args, 1, `${name}: prompt must be a string`);
      return [groundValue(callOllama(() => ask(services, model, prompt)))];
    },
  };
}

const ollamaModels: F1r3nodeExternalProcess = {
  replies: true,
  call: (_args, services) => [
    parOf(new EList(callOllama(() => services.ollamaModels()).map(groundValue), emptyBitSet, false, undefined)),
  ],
};

/** `rho:io:grpcTell(host, port, payload)`: nothing is replied. */
const grpcTell: F1r3nodeExternalProcess = {
  replies: false,
  call(args, services) {
    const host = text(args, 0, "grpc_tell");
    const port = intArgument(args[1]!);
    const payload = text(args, 2, "grpc_tell");
    if (port === undefined) throw illegalArgument("grpc_tell");
    if (port < 0n) throw f1r3nodeError("BugFoundError", "Invalid port number: must be non-negative");
    services.sendNotification(host, port, payload);
    return [nil];
  },
};

/** Non-deterministic processes by their number. @spec 61 §8 */
export const f1r3nodeExternalProcesses: ReadonlyMap<number, F1r3nodeExternalProcess> = new Map([
  [18, asking("gpt4", (services, prompt) => services.completeChat(prompt))],
  [19, asking("dalle3", (services, prompt) => services.drawPicture(prompt))],
  [20, asking("text_to_audio", (services, input) => services.speak(input))],
  [23, grpcTell],
  [26, askingModel("ollama_chat", (services, model, prompt) => services.ollamaChat(model, prompt))],
  [27, askingModel("ollama_generate", (services, model, prompt) => services.ollamaGenerate(model, prompt))],
  [28, ollamaModels],
]);
