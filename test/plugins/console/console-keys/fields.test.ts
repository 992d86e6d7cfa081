import { expect } from 'chai'
import type { Refusal } from '../../../../lib/console.ts'
import { keyFieldsOf, lastDayOf } from '../../../../plugins/console/console-keys/fields.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const read = (query: string) => keyFieldsOf(new URLSearchParams(query), NOW)

describe('fields of a key', () => {
  it('are absent by default', () => {
    const none = { label: null, expires_at: null, models: null }
    expect(read('')).deep.equal(none)
    expect(read('label=+&expires=')).deep.equal(none)
  })

  it('have a last day, of which the whole counts', () => {
    const end = Date.parse('2026-11-22T00:00:00Z') * 1000
    expect(read('label=+ci+&expires=2026-11-21&model=a&model=b&model=a')).deep.equal({
      label: 'ci',
      expires_at: end,
      models: ['a', 'b'],
    })
    expect(lastDayOf(end)).equal('2026-11-21')
  })

  it('are refused in words', () => {
    const refused = (query: string, field: string) => {
      const refusal = read(query) as Refusal
      expect(refusal.field, query).equal(field)
      return refusal.text
    }
    expect(refused(`label=${'x'.repeat(101)}`, 'label')).contain('at most 100 characters')
    for (const day of ['soon', '2026-02-30', '2026-13-01', '21.11.2026', '275761-01-01'])
      expect(refused(`expires=${day}`, 'expires'), day).contain('must be a date')
    expect(refused('expires=2026-11-20', 'expires')).contain('in the past')
  })
})
