import { type Key, sha256 } from '../accounts/keys.ts'
import type { Surface } from '../config/surface.ts'
import { fail } from '../errors/errors.ts'

/**
 * The owner of the files that a key reaches: its user in its account. undefined: the key reaches none
 * (docs/api/files.md).
 */
export function ownerOf({ kind, user, account }: Key): string | undefined {
  if (kind !== 'serverless' || user === undefined) return undefined
  // The name of a directory: whatever users are called, and however a file system takes upper and lower case.
  return sha256(`${account.id}\n${user}`).slice(0, 32)
}

/** Who refers to a file, and on what terms. */
export interface Referrer {
  readonly key: Key
  readonly surface: Surface
  /** Zero data retention is required, by header or by policy. */
  readonly zdr: boolean
}

/** Under zero data retention a request may not refer to retained files (docs/api/README.md#zero-data-retention). */
export function refuseUnderZdr(zdr: boolean, param: string): void {
  if (zdr) fail('file_id_not_allowed_with_zdr', {}, { param })
}

/** Whose files the request may refer to by `file_id`. Refuses where it may to none. */
export function referrerOwner({ key, surface, zdr }: Referrer, param: string): string {
  refuseUnderZdr(zdr, param)
  if (surface === 'dedicated') {
    const where = ' on dedicated endpoints: send the image itself as a data: URL'
    fail('unsupported_parameter', { parameter: 'file_id', where }, { param })
  }
  return ownerOf(key) ?? fail('files_require_user_key', {}, { param })
}
