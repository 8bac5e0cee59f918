import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type FieldNode,
  GraphQLError,
  type GraphQLFieldResolver,
  getOperationAST,
  isObjectType,
  MaxIntrospectionDepthRule,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
} from "graphql";
import type { IndexReader } from "../database/IndexReader.js";
import { ReadBudget } from "../database/ReadBudget.js";
import { IndexError } from "../IndexError.js";
import { KnownPart } from "../query/KnownPart.js";
import { checkCost } from "./checkCost.js";
import { defaultGraphqlLimits, type GraphqlLimits } from "./graphqlLimits.js";
import { type IndexSchema, schemaOf } from "./schemaOf.js";
import { type GraphqlRow, TableReads } from "./TableReads.js";

/** A request as clients send it. */
export interface GraphqlRequest {
  readonly query: string;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** An answer, or why it cannot be given. */
export interface GraphqlAnswer {
  /** It, or the errors: what JSON makes a text of. */
  readonly body: object;
  /** Whether the request could not be worked on at all. */
  readonly isRefused: boolean;
  readonly operation: "query" | "subscription" | undefined;
}

const mostErrors = 5;
/** This table itself states the first complete height. */
const stateTable = "indexer_state";

/** Answers GraphQL over an index, in the names that Hasura gives its tables. @spec 60 §4 */
export class GraphqlEngine {
  readonly #reader: IndexReader;
  readonly #limits: GraphqlLimits;
  readonly #known: KnownPart;
  readonly #made: IndexSchema = schemaOf();

  /** @param isPartial whether answers may be made from tables that lack the beginning of the chain */
  constructor(reader: IndexReader, limits: GraphqlLimits = defaultGraphqlLimits, isPartial = false) {
    this.#reader = reader;
    this.#limits = limits;
    this.#known = new KnownPart(reader, isPartial);
  }

  /** Answers a query, or returns what a subscription has to send now. */
  async answer(request: GraphqlRequest): Promise<GraphqlAnswer> {
    let document: DocumentNode;
    try {
      document = this.#checked(request.query);
    } catch (error) {
      return refused([error instanceof GraphQLError ? error : new GraphQLError(String(error))]);
    }
    const { schema } = this.#made;
    const rules = [...specifiedRules, MaxIntrospectionDepthRule];
    const errors = validate(schema, document, rules, { maxErrors: mostErrors });
    if (errors.length > 0) return refused(errors);
    const operation = getOperationAST(document, request.operationName);
    if (operation === null || operation === undefined)
      return refused([new GraphQLError("operationName must name an operation of the document.")]);
    let since: Promise<bigint> | undefined;
    const known = () => (since ??= this.#known.since());
    const result = (await execute({
      ...{ schema, document },
      operationName: request.operationName ?? null,
      variableValues: request.variables ?? {},
      fieldResolver: this.#resolver(new ReadBudget(this.#limits.read), known),
    })) as ExecutionResult;
    const knownSince = await since?.catch(() => 0n);
    const isSubscription = operation.operation === OperationTypeNode.SUBSCRIPTION;
    return {
      body: bodyOf(result, knownSince),
      isRefused: result.data === undefined,
      operation: isSubscription ? "subscription" : "query",
    };
  }

  #checked(query: string): DocumentNode {
    const document = parse(query, { maxTokens: this.#limits.cost.tokens, noLocation: false });
    checkCost(document, this.#limits.cost);
    return document;
  }

  /** The root's fields fetch everything below them; what is below is there then, under its own name. */
  #resolver(budget: ReadBudget, known: () => Promise<bigint>): GraphQLFieldResolver<unknown, unknown> {
    const { roots, schema } = this.#made;
    return (source, given, _context, info) => {
      const root = info.path.prev === undefined ? roots.get(info.fieldName) : undefined;
      if (root === undefined) return (source as GraphqlRow)[String(info.path.key)];
      const parts = { fragments: info.fragments, variables: info.variableValues };
      const reads = new TableReads(this.#reader, budget, parts);
      reads.knownSince = known;
      reads.typeOf = (name) => {
        const type = schema.getType(name);
        return isObjectType(type) ? type : undefined;
      };
      const field = {
        key: String(info.path.key),
        name: info.fieldName,
        nodes: info.fieldNodes as readonly FieldNode[],
      };
      if (root.table.name === stateTable) return reads.root(field, root, given);
      return known().then(() => reads.root(field, root, given));
    };
  }
}

function refused(errors: readonly GraphQLError[]): GraphqlAnswer {
  return { body: { errors: errors.map(errorOf) }, isRefused: true, operation: undefined };
}

/** @param knownSince the height from which on the answer has all of the chain, where something was read */
function bodyOf({ data, errors }: ExecutionResult, knownSince = 0n): object {
  const extensions = knownSince > 0n ? { extensions: { knownSince: String(knownSince) } } : {};
  if (errors === undefined) return { data, ...extensions };
  return { errors: errors.map(errorOf), ...(data === undefined ? {} : { data }), ...extensions };
}

/** Its place, and its kind: Hasura's reports are in `extensions`, too. */
function errorOf(error: GraphQLError): object {
  const { message, locations, path, originalError } = error;
  const code = originalError instanceof IndexError ? originalError.failure.code : "validation-failed";
  const place = path === undefined ? "$" : `$.selectionSet.${path.join(".")}`;
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions: { path: place, code } };
}
