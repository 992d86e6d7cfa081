import { expect } from 'chai'
import { limitFields, limitsIn, limitsText, planLimitsText } from '../../../../lib/admin/pages/limits.ts'

const LIMITS = { requests_per_minute: 60, tokens_per_minute: 5000, budget_cents: { amount: 500, window: '30d' } }

describe('limits on the page of an account', () => {
  it('are shown as text', () => {
    expect(limitsText(LIMITS)).equal('60 requests a minute, 5,000 tokens a minute, 5.00 in 30d')
    expect([limitsText(null), limitsText({})]).deep.equal(['–', '–'])
    expect(planLimitsText({ concurrency: 9, limits: { requests_per_minute: 60 } })).equal(
      '60 requests a minute, 9 in flight',
    )
    expect(planLimitsText({ concurrency: undefined, limits: undefined })).equal('–')
  })

  it('are read from the fields that show them', () => {
    const fields = limitFields(LIMITS, 'k1').toString()
    const values = Array.from(
      fields.matchAll(/name="(\w+)"[^>]*? value="([^"]*)"/g),
      ([, name, value]): [string, string] => [name!, value!],
    )
    expect(limitsIn(new URLSearchParams(values))).deep.equal(LIMITS)
    expect(limitsIn(new URLSearchParams({ concurrency: '', budget_amount: ' ', budget_window: '30d' }))).equal(null)
    expect(limitsIn(new URLSearchParams({ concurrency: 'many' }))).deep.equal({ concurrency: 'many' })
  })
})
