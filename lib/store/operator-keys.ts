/** Keys of operators, which are only valid for the operators' API. Only the SHA-256 of a secret is stored. */
import { randomBytes, randomUUID } from 'node:crypto'
import { sha256 } from '../base/sha256.ts'
import type { Session } from './database.ts'

export interface OperatorKey {
  readonly id: string
  /** Name of the operator in the audit log. */
  readonly name: string
  /** Microseconds since the epoch. */
  readonly created_at: number
  /** null: the key is valid. */
  readonly revoked_at: number | null
}

/** The secret is `<brand>_operator_` and 256 random bits in base64url. `now`: microseconds since the epoch. */
export async function createOperatorKey(
  { db }: Session,
  brand: string,
  name: string,
  now: number,
): Promise<{ readonly id: string; readonly secret: string }> {
  const id = `${OPERATOR_KEY}${randomUUID().slice(-12)}`
  const secret = `${brand}_operator_${randomBytes(32).toString('base64url')}`
  await db
    .insertInto('operator_keys')
    .values({ id, name, sha256: sha256(secret), created_at: now, revoked_at: null })
    .execute()
  return { id, secret }
}

/** The valid key with this secret. */
export async function findOperator({ db }: Session, secret: string): Promise<OperatorKey | undefined> {
  return db
    .selectFrom('operator_keys')
    .select(COLUMNS)
    .where('sha256', '=', sha256(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

/** All keys, including revoked ones, oldest first. */
export async function listOperatorKeys({ db }: Session): Promise<OperatorKey[]> {
  return db.selectFrom('operator_keys').select(COLUMNS).orderBy('created_at').orderBy('id').execute()
}

/** Returns the name of the operator. undefined: there is no such valid key. */
export async function revokeOperatorKey({ db }: Session, id: string, now: number): Promise<string | undefined> {
  const row = await db
    .updateTable('operator_keys')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
  return row?.name
}

export const OPERATOR_KEY = 'op_'

const COLUMNS = ['id', 'name', 'created_at', 'revoked_at'] as const
