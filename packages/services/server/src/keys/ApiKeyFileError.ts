import { errorClass } from "@vedette/errors";

/** Why a file with API keys cannot be used. */
export type ApiKeyFileFailure =
  | { readonly code: "unreadable"; readonly path: string; readonly reason: string }
  | { readonly code: "wrong"; readonly path: string; readonly reason: string }
  /** Another command writes it, or has died while it did. */
  | { readonly code: "busy"; readonly path: string; readonly beside: string }
  | { readonly code: "nameTaken"; readonly name: string }
  | { readonly code: "nameUnknown"; readonly name: string }
  | { readonly code: "full"; readonly most: number };

/** A file with API keys cannot be used; the message states what to do. */
export class ApiKeyFileError extends errorClass("ApiKeyFileError", sentence) {}

function sentence(failure: ApiKeyFileFailure): string {
  switch (failure.code) {
    case "unreadable":
      return `The file of API keys ${failure.path} cannot be used: ${failure.reason}`;
    case "wrong":
      return `${failure.path} is no file of API keys: ${failure.reason}. "vedette api-key" writes such files`;
    case "busy":
      return `Another command writes ${failure.path}; if none does, remove ${failure.beside}`;
    case "nameTaken":
      return `There is an API key called ${failure.name} already; revoke it first, or choose another name`;
    case "nameUnknown":
      return `There is no API key called ${failure.name}; "vedette api-key list" shows which there are`;
    case "full":
      return `There are ${failure.most} API keys already, no more are possible; revoke some`;
  }
}
