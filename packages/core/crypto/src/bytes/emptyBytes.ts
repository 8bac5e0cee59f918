/** No bytes at all; of length 0, so that nobody can change it. */
export const emptyBytes: Uint8Array = new Uint8Array(0);
