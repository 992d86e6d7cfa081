import type { RawBody } from '../../lib/body/raw.ts'

/** A body that was read as it is. */
export function rawBody(content: Buffer | string): RawBody {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return { rest: bytes, lists: [], detached: [], values: 0, size: bytes.length }
}
