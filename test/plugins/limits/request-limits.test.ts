import { expect } from 'chai'
import type { Config } from '../../../lib/plugin.ts'
import { requestLimitsOf } from '../../../plugins/limits/request-limits.ts'
import { keyOf } from '../../support/key.ts'

describe('the limits that apply to a request', () => {
  const limitsOf = requestLimitsOf({ plans: { pro: { limits: { concurrency: 3 } }, free: {} } } as unknown as Config)

  it('are those of its plan and of its key', () => {
    const own = { requests_per_minute: 5 }
    expect(limitsOf(keyOf({ plan: 'pro' }, { limits: own }))).deep.equal({ plan: { concurrency: 3 }, key: own })
    for (const plan of ['free', 'toString', undefined])
      expect(limitsOf(keyOf({ plan }))).deep.equal({ plan: undefined, key: undefined })
  })
})
