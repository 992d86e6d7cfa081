import { expect } from 'chai'
import { alertFieldsOf } from '../../../../plugins/console/console-alerts/fields.ts'

const read = (kind: string, value: string) =>
  alertFieldsOf(new URLSearchParams({ subject: 'key:k1', kind, value, url: ' https://a.test ', nonce: 'n' }))

describe('fields of an alert', () => {
  it('are a share of a budget, or cents of a balance', () => {
    const common = { subject: 'key:k1', url: 'https://a.test', nonce: 'n' }
    expect(read('budget_used', '7')).deep.equal({ ...common, kind: 'budget_used', threshold: 0.07 })
    expect(read('budget_used', '100')).deep.include({ threshold: 1 })
    expect(read('budget_used', '0.1')).deep.include({ threshold: 0.001 })
    expect(read('balance_below_cents', '5.01')).deep.equal({ ...common, kind: 'balance_below_cents', threshold: 501 })
    expect(read('balance_below_cents', '0')).deep.include({ threshold: 0 })
  })

  it('have bounds', () => {
    for (const value of ['', ' ', '0', '-1', '100.1', 'x', 'NaN', 'Infinity'])
      expect(read('budget_used', value), value).deep.equal({
        field: 'value',
        text: 'The percentage must be above 0 and at most 100.',
      })
    for (const value of ['', '-1', '10000001', 'x'])
      expect(read('balance_below_cents', value), value).deep.equal({
        field: 'value',
        text: 'The amount must be a number from 0 to 10,000,000.',
      })
    const noKind = { field: 'kind', text: 'Choose when the alert is sent.' }
    expect([read('other', '1'), alertFieldsOf(new URLSearchParams())]).deep.equal([noKind, noKind])
  })
})
