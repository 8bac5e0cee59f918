/** What an error says; what was thrown need not be one. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
