import { expect } from 'chai'
import { configOf, problemsOf } from '../../../support/config.ts'

const file = (limits: object, models: readonly object[] = []) => {
  const backends = [{ url: 'http://127.0.0.1:8000/v1' }]
  return JSON.stringify({
    models: [{ id: 'org/m', aliases: ['m'], backends }, ...models],
    plans: { p: { limits } },
  })
}

describe('checks on limits', () => {
  it('accept limits by model, of end users and several windows, and name models by their ids', () => {
    const budget_cents = [
      { amount: 5, window: '1h' },
      { amount: 100, window: '30d' },
    ]
    const limits = {
      budget_cents,
      models: { m: { requests_per_minute: 1, tokens_per_minute: 2, concurrency: 3, budget_cents } },
      end_user: { from: 'header', header: 'X-User', tokens_per_minute: 4, budget_cents: budget_cents[0] },
    }
    const { p } = configOf(file(limits)).plans
    expect(p!.limits?.models).deep.equal({ 'org/m': limits.models.m })
    expect(p!.limits?.end_user).deep.equal({ ...limits.end_user, label: false })
    expect(p!.limits?.budget_cents).deep.equal(budget_cents)
  })

  const refused: readonly (readonly [object, string])[] = [
    [{ models: { other: {} } }, "models.other: there is no model 'other'"],
    [
      {
        budget_cents: [
          { amount: 1, window: '24h' },
          { amount: 2, window: '1d' },
        ],
      },
      'budget_cents.1.window: is as long as plans.p.limits.budget_cents.0.window',
    ],
    [
      { models: { m: { budget_cents: { amount: 1, window: 'month' } } } },
      'models.m.budget_cents.window: must be a number and m, h or d, such as 1h, 1d or 7d, and at most a year',
    ],
    [{ end_user: { from: 'header' } }, 'end_user.header: is required with from: header'],
    [{ end_user: { from: 'user', header: 'x' } }, 'end_user.header: has no meaning with from: user'],
    [{ budget_cents: [] }, 'budget_cents: must be an array that is not empty'],
    [{ budget_cents: Array(5).fill({ amount: 1, window: '1d' }) }, 'budget_cents: must be an array of at most 4 items'],
  ]
  for (const [limits, problem] of refused)
    it(`refuse ${JSON.stringify(limits)}`, () => expect(problemsOf(file(limits))).include(`plans.p.limits.${problem}`))
})
