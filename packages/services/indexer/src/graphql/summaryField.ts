/** A field of rows that is computed from columns when a request has it. */
export const summaryField = {
  table: "deployments",
  name: "summary",
  doc: "What the deploy did, as `summary` of `/v2/deploy/{id}`. Null where the request has read more than 64 Ki characters of programs already.",
  columns: ["deploy_id", "block_number", "term", "errored", "error_message", "fate"],
} as const;
