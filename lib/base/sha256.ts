import { hash } from 'node:crypto'

/** The SHA-256 of a secret, in lower-case hex: all that is ever kept of it. */
export function sha256(secret: string): string {
  return hash('sha256', secret)
}
