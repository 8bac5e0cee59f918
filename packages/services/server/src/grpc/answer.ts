import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { type ServiceError, ServiceErrorSchema } from "@vedette/api/grpc";
import { ApiError, Overload } from "@vedette/queries";

/** The member of a response's oneof with the reason for a missing answer. */
export interface ErrorMember {
  readonly case: "error";
  readonly value: ServiceError;
}

/** Takes what went wrong beyond what clients are to expect, for the log. */
export type OnFailure = (error: unknown) => void;

/**
 * Answers a call: errors are returned in the response, and the call itself succeeds.
 *
 * @throws {ConnectError} `ResourceExhausted` where the node has no time for it
 * @spec 50 §3.2
 */
export async function answering<Member>(
  onFailure: OnFailure,
  work: () => Member | Promise<Member>,
): Promise<{ message: Member | ErrorMember }> {
  try {
    return { message: await work() };
  } catch (error) {
    throwOverload(error);
    // A status that was chosen already.
    if (error instanceof ConnectError) throw error;
    if (!(error instanceof ApiError)) onFailure(error);
    return { message: errorMember(error) };
  }
}

/**
 * As {@link answering}, with statuses for a program that found no free reader in time, or that was stopped.
 *
 * @throws {ConnectError} `Unavailable`, `DeadlineExceeded`
 * @spec 50 §10
 */
export function answeringByStatus<Member>(
  onFailure: OnFailure,
  work: () => Member | Promise<Member>,
): Promise<{ message: Member | ErrorMember }> {
  return answering(onFailure, async () => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Overload) throw new ConnectError(error.message, Code.Unavailable);
      const isStopped = error instanceof ApiError && error.reason === "programStopped";
      throw isStopped ? new ConnectError(error.message, Code.DeadlineExceeded) : error;
    }
  });
}

/**
 * Answers with a list, element by element.
 *
 * Quirk 50 §3.2: a request that is refused gives an empty list; only exceptions are returned as errors.
 *
 * @throws {ConnectError} `ResourceExhausted` where the node has no time for it
 * @spec 50 §3.2
 */
export async function* answeringList<Item, Member>(
  onFailure: OnFailure,
  list: () => readonly Item[],
  member: (item: Item) => Member | Promise<Member>,
): AsyncGenerator<{ message: Member | ErrorMember }> {
  let failure: unknown;
  const attempt = async <Result>(work: () => Result | Promise<Result>) => {
    try {
      return await work();
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  for (const item of (await attempt(list)) ?? []) {
    const message = await attempt(() => member(item));
    if (message === undefined) break;
    // Outside of what is caught: it throws where the client has gone, which is no failure of the node.
    yield { message };
  }
  if (failure === undefined) return;
  throwOverload(failure);
  if (failure instanceof ApiError && failure.kind === "refusal") return;
  if (!(failure instanceof ApiError)) onFailure(failure);
  yield { message: errorMember(failure) };
}

/** It is no answer, but a status, so that clients see that they may try again. @throws {ConnectError} */
function throwOverload(error: unknown): void {
  if (error instanceof Overload) throw new ConnectError(error.message, Code.ResourceExhausted);
}

function errorMember(error: unknown): ErrorMember {
  return { case: "error", value: create(ServiceErrorSchema, { messages: messagesOf(error) }) };
}

/** @spec 50 §3.2 */
function messagesOf(error: unknown): string[] {
  if (error instanceof ApiError) return error.kind === "nameless" ? [] : [error.message];
  const messages: string[] = [];
  for (let next = error; next instanceof Error && messages.length < maxCauses; next = next.cause)
    if (next.message !== "") messages.push(messages.length === 0 ? next.message : `Caused by: ${next.message}`);
  return messages;
}

const maxCauses = 10;
