import { expect } from 'chai'
import { limitFields, limitsIn, limitsText, planLimitsText } from '../../../../lib/admin/pages/limits.ts'
import type { PageRequest } from '../../../../lib/admin/pages/page.ts'
import { textIn } from '../../../support/operators.ts'

const LIMITS = { requests_per_minute: 60, tokens_per_minute: 5000, budget_cents: { amount: 500, window: '30d' } }

const config = { currency: 'EUR' }
const request = { config, form: new URLSearchParams(), problem: null } as unknown as PageRequest

describe('limits on the page of an account', () => {
  it('are shown as text', () => {
    expect(limitsText(LIMITS, config).toString()).equal(
      '60 requests a minute, 5,000 tokens a minute, <span title="5.00 EUR">5.00 <span class="unit">EUR</span></span> in 30d',
    )
    expect([limitsText(null, config), limitsText({}, config)]).deep.equal(['–', '–'])
    expect(planLimitsText({ concurrency: 9, limits: { requests_per_minute: 60 } }, config).toString()).equal(
      '60 requests a minute, 9 in flight',
    )
    expect(planLimitsText({ concurrency: undefined, limits: undefined }, config)).equal('–')
  })

  it('name models, end users and several budgets, and keep those without a field', () => {
    const limits = {
      requests_per_minute: 60,
      budget_cents: [
        { amount: 500, window: '30d' },
        { amount: 50, window: '1d' },
      ],
      models: { 'org/m': { concurrency: 2 } },
      end_user: { from: 'user', label: false, tokens_per_minute: 10 },
    }
    expect(textIn(limitsText(limits, config).toString())).equal(
      '60 requests a minute, 5.00 EUR in 30d, 0.50 EUR in 1d; org/m : 2 in flight; each end user: 10 tokens a minute',
    )
    const { requests_per_minute, budget_cents, ...others } = limits
    const form = {
      requests_per_minute: '70',
      budget_amount: '600',
      budget_window: '30d',
      others: JSON.stringify({ ...others, budget_cents: budget_cents.slice(1) }),
    }
    expect(limitFields(limits, 'k1', request).toString()).contain(form.others.replaceAll('"', '&quot;'))
    expect(limitsIn(new URLSearchParams(form))).deep.equal({
      ...limits,
      requests_per_minute: 70,
      budget_cents: [{ amount: 600, window: '30d' }, budget_cents[1]],
    })
  })

  it('are read from the fields that show them', () => {
    const fields = limitFields(LIMITS, 'k1', request).toString()
    expect(fields).contain('Budget, in cents (EUR)')
    const values = Array.from(
      fields.matchAll(/name="(\w+)"[^>]*? value="([^"]*)"/g),
      ([, name, value]): [string, string] => [name!, value!],
    )
    expect(limitsIn(new URLSearchParams(values))).deep.equal(LIMITS)
    expect(limitsIn(new URLSearchParams({ concurrency: '', budget_amount: ' ', budget_window: '30d' }))).equal(null)
    expect(limitsIn(new URLSearchParams({ concurrency: 'many' }))).deep.equal({ concurrency: 'many' })
  })
})
