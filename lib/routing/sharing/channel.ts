/** Carries texts between processes. */
export interface Channel {
  /** Sends a text to the others. Nothing waits for it, and it may be lost. */
  publish(message: string): void
  close(): void
}
