/** Keys, as the plugin `auth` provides them. */
import type { Account, Key } from '../../lib/accounts/access.ts'
import { ACCOUNT_ID } from './config.ts'

/** Alice's serverless key of an account that may use every model. */
export function keyOf(account: Partial<Account> = {}, key: Partial<Omit<Key, 'account'>> = {}): Key {
  return {
    id: 'k1',
    kind: 'serverless',
    user: 'alice@acme.test',
    endpoints: [],
    models: null,
    expiresAt: Number.POSITIVE_INFINITY,
    disabled: false,
    isStored: false,
    ...key,
    account: {
      id: ACCOUNT_ID,
      name: 'acme',
      kind: 'serverless',
      plan: undefined,
      zdrRequired: false,
      models: null,
      creditsCents: undefined,
      disabled: false,
      ...account,
    },
  }
}
