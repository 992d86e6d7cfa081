/** Something outside of the gateway keeps it from working: the message says what, where, and why. */
export class StartError extends Error {}
