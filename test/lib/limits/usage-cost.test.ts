import { expect } from 'chai'
import type { ModelConfig } from '../../../lib/config/config.ts'
import { priced, priceFactors, totalsBy, totalsOf } from '../../../lib/limits/usage-cost.ts'
import type { UsageRow } from '../../../lib/store/queries/usage.ts'

const MODELS = [
  { id: 'a', pricing: { input: 10, cached_input: 2, output: 40 } },
  { id: 'odd', pricing: { input: 0.1, cached_input: 0.1, output: 0.3 } },
  { id: 'free' },
] as unknown as readonly ModelConfig[]

const row = (fields: Partial<UsageRow> = {}): UsageRow => ({
  user_id: 'ann',
  date: '2026-11-21',
  model: 'a',
  requests: 1,
  input_tokens: 1000,
  output_tokens: 100,
  cache_read_tokens: 400,
  units: 0,
  batch: 0,
  ...fields,
})

const FULL = () => 1

describe('usage totals', () => {
  it('cost tokens times price, with a separate price for cached tokens', () => {
    const [one] = priced([row()], MODELS, FULL)
    expect(one!.microcents).equal(600 * 10 + 400 * 2 + 100 * 40)
    expect(totalsOf([one!])).deep.equal({
      input_tokens: 1000,
      output_tokens: 100,
      cache_read_tokens: 400,
      requests: 1,
      estimated_cost_cents: 0.0108,
    })
  })

  it('cost nothing for an unknown or free model', () => {
    expect(priced([row({ model: 'gone' }), row({ model: 'free' }), row({ model: null })], MODELS, FULL)).satisfy(
      (rows: readonly { microcents: number }[]) => rows.every(({ microcents }) => microcents === 0),
    )
  })

  it('cost the factor of the plan for lines of batches', () => {
    const batches = { a: { priceFactor: 0.25 }, b: null } as Record<string, { priceFactor: number } | null>
    const config = { plans: Object.fromEntries(Object.entries(batches).map(([name, own]) => [name, { batches: own }])) }
    const costs = (plan: string | undefined) =>
      priced([row(), row({ batch: 1 })], MODELS, priceFactors(config as never, plan)).map(one => one.microcents)
    expect([costs('a'), costs('b'), costs(undefined)]).deep.equal([
      [10_800, 2700],
      [10_800, 5400],
      [10_800, 5400],
    ])
  })

  it('never charge more cached tokens than input tokens', () => {
    expect(priced([row({ cache_read_tokens: 5000 })], MODELS, FULL)[0]!.microcents).equal(1000 * 2 + 100 * 40)
  })

  it('agree exactly, by day and by model', () => {
    const rows = priced(
      Array.from({ length: 60 }, (_, i) =>
        row({
          date: `2026-11-${String(1 + (i % 7)).padStart(2, '0')}`,
          model: i % 2 === 0 ? 'a' : 'odd',
          input_tokens: 7 * i + 1,
          output_tokens: 3 * i,
          cache_read_tokens: i,
        }),
      ),
      MODELS,
      FULL,
    )
    const whole = totalsOf(rows)
    for (const member of ['date', 'model'] as const) {
      const parts = totalsBy(rows, member) as unknown as readonly Record<string, number>[]
      for (const name of Object.keys(whole)) {
        const sum = parts.reduce((total, part) => total + Math.round(part[name]! * 1e6), 0)
        expect(sum, `${member} ${name}`).equal(Math.round(Number(whole[name]) * 1e6))
      }
    }
    for (const { microcents } of rows) expect(Number.isInteger(microcents)).equal(true)
  })

  it('are one per day or model, in the order of the rows', () => {
    const rows = priced([row({ date: '2026-11-20' }), row(), row({ model: 'free' })], MODELS, FULL)
    expect(totalsBy(rows, 'date').map(({ date, requests }) => [date, requests])).deep.equal([
      ['2026-11-20', 1],
      ['2026-11-21', 2],
    ])
    expect(totalsBy(rows, 'model').map(({ model, requests }) => [model, requests])).deep.equal([
      ['a', 2],
      ['free', 1],
    ])
  })

  it('are zero without rows', () => {
    expect(totalsOf([])).deep.equal({
      input_tokens: 0,
      output_tokens: 0,
      cache_read_tokens: 0,
      requests: 0,
      estimated_cost_cents: 0,
    })
  })
})
