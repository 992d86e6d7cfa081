import type { StoredFile } from '../../../lib/console.ts'
import type { JsonObject } from '../../../lib/plugin.ts'

/** A query that schemas/queries/file-list.json accepts, with its defaults. */
export interface ListQuery {
  readonly after?: string
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly purpose?: string
}

/** One page of an owner's files, which come oldest first. `after` may be a file that has been deleted. */
export function listOf(files: readonly StoredFile[], { after, limit, order, purpose }: ListQuery): JsonObject {
  const sorted = order === 'asc' ? files : files.toReversed()
  const isBehind = ({ id }: StoredFile) => after === undefined || (order === 'asc' ? id > after : id < after)
  const rest = sorted.filter(file => isBehind(file) && (purpose === undefined || file.purpose === purpose))
  const data = rest.slice(0, limit)
  return {
    object: 'list',
    data: data.map(fileObject),
    has_more: rest.length > data.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}

/** A file as OpenAI's Files API represents it. */
export function fileObject({ id, bytes, createdAt, expiresAt, filename, purpose }: StoredFile): JsonObject {
  return {
    id,
    object: 'file',
    bytes,
    created_at: Math.floor(createdAt / 1000),
    expires_at: Math.floor(expiresAt / 1000),
    filename,
    purpose,
    status: 'processed',
  }
}
