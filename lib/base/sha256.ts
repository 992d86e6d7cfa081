import { hash } from 'node:crypto'

/** The SHA-256 of a text, in lower-case hex. Only this digest of a secret is stored. */
export function sha256(text: string): string {
  return hash('sha256', text)
}
