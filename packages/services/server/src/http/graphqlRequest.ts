import { longestGraphqlDocument } from "@vedette/api";
import type { GraphqlRequest } from "@vedette/indexer";
import { Problem } from "@vedette/queries";

/** Reads a request as clients send it. @param at its place, for errors @throws {Problem} */
export function requestOf(read: unknown, at: string): GraphqlRequest {
  const refuse = (member: string, problem: string) => {
    const field = member === "" ? at : `${at}.${member}`;
    return new Problem(`${field} ${problem}.`, { field });
  };
  if (typeof read !== "object" || read === null || Array.isArray(read)) throw refuse("", "must be an object");
  const { query, operationName, variables } = read as Record<string, unknown>;
  if (typeof query !== "string") throw refuse("query", "must be a text");
  if (query.length > longestGraphqlDocument)
    throw refuse("query", `must not be longer than ${longestGraphqlDocument} characters`);
  if (operationName !== undefined && operationName !== null && typeof operationName !== "string")
    throw refuse("operationName", "must be a text");
  if (variables !== undefined && variables !== null && (typeof variables !== "object" || Array.isArray(variables)))
    throw refuse("variables", "must be an object");
  return {
    query,
    ...(typeof operationName === "string" && operationName !== "" ? { operationName } : {}),
    ...(variables === undefined || variables === null ? {} : { variables: variables as Record<string, unknown> }),
  };
}
