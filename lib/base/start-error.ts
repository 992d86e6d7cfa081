/** Something outside of the gateway prevents its start. The message says what, where, and why. */
export class StartError extends Error {}
