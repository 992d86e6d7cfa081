import type { Key } from '../accounts/access.ts'
import { sha256 } from '../base/sha256.ts'
import type { Surface } from '../config/surface.ts'
import { fail } from '../errors/errors.ts'

/** The `owner` of the files of a key: its user in its account. undefined: it is no serverless key or has no user. */
export function fileOwner({ kind, user, account }: Key): string | undefined {
  return kind !== 'serverless' || user === undefined ? undefined : ownerOf(account.id, user)
}

/**
 * Hashed, because it is the name of a directory. A user may contain any character, and some file systems ignore case.
 */
export function ownerOf(accountId: string, user: string): string {
  return sha256(`${accountId}\n${user}`).slice(0, 32)
}

/** The request that refers to a file. */
interface Referrer {
  readonly key: Key
  readonly surface: Surface
  /** Zero data retention is required, by header or by policy. */
  readonly zdr: boolean
}

/** Refuses a `file_id` if `zdr` is true (docs/api/README.md#zero-data-retention). `param`: path of the reference. */
function refuseFileUnderZdr(zdr: boolean, param: string): void {
  if (zdr) fail('file_id_not_allowed_with_zdr', {}, { param })
}

/** The owner of the files that the request may refer to by `file_id`, or a refusal. `param`: path of the reference. */
export function referredFileOwner({ key, surface, zdr }: Referrer, param: string): string {
  refuseFileUnderZdr(zdr, param)
  if (surface === 'dedicated') {
    const where = ' on dedicated endpoints: send the image itself as a data: URL'
    fail('unsupported_parameter', { parameter: 'file_id', where }, { param })
  }
  return fileOwner(key) ?? fail('files_require_user_key', {}, { param })
}
