/** Signed-in users and their accounts, for tests of console plugins. */
import type { OwnAccount, OwnKeys } from '../../lib/console.ts'
import { testServices } from '../../lib/testing.ts'
import { tokenField } from '../../plugins/console/visitor.ts'
import { ACCOUNT_ID } from './config.ts'
import { keyOf } from './key.ts'

/** Users without accounts and keys. */
export const noOwnKeys: OwnKeys = testServices().ownKeys

/** Session `good` belongs to alice, `member` to carol, who manages nothing. */
export const sessions = {
  open: async () => undefined,
  start: async () => undefined,
  userOf: async (secret: string) => ({ good: 'alice', member: 'carol' })[secret],
  close: async () => {},
}

export const MEMBER = 'service_session=member'

export function ownAccount(more: Partial<OwnAccount> = {}): OwnAccount {
  return { ...keyOf().account, id: ACCOUNT_ID, name: 'acme', role: 'owner', ...more }
}

/** Alice owns the account, carol is a member. */
export const members: OwnKeys = {
  ...noOwnKeys,
  accounts: async user => [
    ownAccount({ role: user === 'alice' ? 'owner' : 'member', plan: 'team', creditsCents: 500 }),
  ],
}

/** The token of the forms of a session. */
export function formToken(secret: string): string {
  return /value="([^"]+)"/.exec(tokenField({ user: 'alice', secret }).toString())![1]!
}
