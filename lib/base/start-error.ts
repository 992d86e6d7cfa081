/** A cause outside the gateway prevents its start. The message names the cause and its place. */
export class StartError extends Error {}
