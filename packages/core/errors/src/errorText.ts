/** Returns the message of an error; a thrown value need not be one. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
