import type { RawBody } from '../../lib/body/intake.ts'

/** A body that was read as it is. */
export function rawBody(content: Buffer | string): RawBody {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { bytes, detached: [], size: bytes.length }
}
