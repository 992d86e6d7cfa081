/** Keys as auth finds them. */
import type { Account, Key } from '../../lib/accounts/keys.ts'
import { ACCOUNT_ID } from './config.ts'

/** Alice's serverless key of an account that may use every model. */
export function keyOf(account: Partial<Account> = {}, key: Partial<Omit<Key, 'account'>> = {}): Key {
  return {
    id: 'k1',
    kind: 'serverless',
    user: 'alice@acme.test',
    endpoints: [],
    ...key,
    account: {
      id: ACCOUNT_ID,
      name: 'acme',
      kind: 'serverless',
      plan: undefined,
      zdrRequired: false,
      models: null,
      creditsCents: undefined,
      ...account,
    },
  }
}
