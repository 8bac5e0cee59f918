import { emptyBytes } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";
/**
 * The services that the non-deterministic built-in processes call. A call that throws is one that failed.
 *
 * A network agrees on the result of such a call because it is recorded in the block: replay never calls.
 *
 * @spec 21 §7.4
 */
export interface ExternalServices {
  /** `rho:ai:gpt4` */
  completeChat(prompt: string): string;
  /** `rho:ai:dalle3`: the picture's address. */
  drawPicture(prompt: string): string;
  /** `rho:ai:textToAudio` */
  speak(text: string): Uint8Array;
  /** `rho:ollama:chat` */
  ollamaChat(model: string, prompt: string): string;
  /** `rho:ollama:generate` */
  ollamaGenerate(model: string, prompt: string): string;
  /** `rho:ollama:models` */
  ollamaModels(): readonly string[];
  /** `rho:io:grpcTell` */
  sendNotification(host: string, port: bigint, payload: string): void;
}

/** The text of the Java exception, so that errors read the same. */
const ollamaDisabled = "Ollama service is disabled via configuration";

/**
 * A reference node with every service disabled, as one without a validator key is: the OpenAI calls succeed with
 * nothing, the Ollama calls fail, and no notification is sent.
 *
 * @spec 21 §7.4
 */
export const disabledServices: ExternalServices = {
  completeChat: () => "",
  drawPicture: () => "",
  speak: () => emptyBytes,
  ollamaChat: refuse,
  ollamaGenerate: refuse,
  ollamaModels: refuse,
  sendNotification: () => undefined,
};

/** One of these services cannot be called. @spec 21 §7.4 */
export class ServiceError extends errorClass("ServiceError", sentence) {}

function sentence(failure: { readonly code: "disabled"; readonly message: string }): string {
  return failure.message;
}

function refuse(): never {
  throw new ServiceError({ code: "disabled", message: ollamaDisabled });
}
