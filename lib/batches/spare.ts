/** What batches know of the capacity that interactive requests leave (docs/BATCHES.md#how-it-decides). */

/**
 * Why the first waiting line of a model is not sent.
 * - `prompt`: an interactive request waits for its first token at each backend, or a line's prompt is computed there.
 * - `growth`: interactive requests would get their first tokens later than `batches.growth` allows.
 * - `decode`: answers of lines would make the steps of the engines too long.
 * - `room`: no place is left for lines, or the KV cache is used as far as lines may use it.
 * - `guard`: lines delay the interactive requests of all backends together by too much.
 */
export type HeldBack = 'prompt' | 'growth' | 'decode' | 'room' | 'guard'

/** Models are their ids. */
export interface SpareCapacity {
  /** How many further lines may be handed in now. They wait in this process until a backend has capacity to spare. */
  room(model: string): number
  /** Lines of this process that were handed in and are not sent. */
  waiting(model: string): number
  /** The model has had no interactive request for ten seconds, or since the start. */
  isOffline(model: string): boolean
  /** null: nothing waits, or the last line was sent. */
  heldBack(model: string): HeldBack | null
  /** Calls back, in a later tick, when room() has grown. Returns a function that ends it. */
  onRoom(model: string, callback: () => void): () => void
}
