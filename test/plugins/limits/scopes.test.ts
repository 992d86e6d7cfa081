import { expect } from 'chai'
import type { Config } from '../../../lib/plugin.ts'
import { scopesOf } from '../../../plugins/limits/scopes.ts'
import { keyOf } from '../../support/key.ts'

describe('the limits that apply to a request', () => {
  const scopes = scopesOf({ plans: { pro: { limits: { concurrency: 3 } }, free: {} } } as unknown as Config)

  it('are those of its plan and of its key', () => {
    const own = { requests_per_minute: 5 }
    expect(scopes(keyOf({ plan: 'pro' }, { limits: own }))).deep.equal({ plan: { concurrency: 3 }, key: own })
    for (const plan of ['free', 'toString', undefined])
      expect(scopes(keyOf({ plan }))).deep.equal({ plan: undefined, key: undefined })
  })
})
