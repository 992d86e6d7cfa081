import { expect } from 'chai'
import { isChangeable, keySection } from '../../../../lib/admin/pages/key-table.ts'
import type { PageRequest } from '../../../../lib/admin/pages/page.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { textIn } from '../../../support/operators.ts'

const KEY: JsonObject = {
  ...{ id: 'key_1', account_id: 'acc', user: 'a@x', kind: 'serverless', endpoints: [], label: 'ci', limits: null },
  ...{ models: ['org/m'], created_at: null, expires_at: null, disabled: false, disabled_by: null, revoked_at: null },
  ...{ last_used_at: null, previous_valid_until: null, source: 'store' },
}

const request = (query = '') =>
  ({
    ...{ params: { id: 'acc' }, query: new URLSearchParams(query), form: new URLSearchParams() },
    ...{ visitor: { operator: { id: 'o', name: 'o' }, secret: 's' }, config: { currency: 'USD' } },
  }) as unknown as PageRequest
const table = (keys: readonly JsonObject[], query = '') => keySection(request(query), keys).toString()

describe('the table of keys', () => {
  it('links a key and its user to their requests, and models to their pages', () => {
    const page = table([KEY])
    for (const link of [
      'href="/requests?account=acc&amp;key=key_1" data-id><code class="whole">key_1<',
      'href="/requests?account=acc&amp;user=a%40x">',
      'href="/models/org%2Fm/history">org/m<',
    ])
      expect(page).contain(link)
    expect(table([{ ...KEY, user: null, models: null }]))
      .not.contain('user=')
      .and.not.contain('/models/')
  })

  it('wraps a long label', () => {
    const label = 'x'.repeat(200)
    expect(table([{ ...KEY, label }])).contain(`<span class="name">${label}</span>`)
  })

  it('has one key alone, or the first ten with a link to all', () => {
    const keys = Array.from({ length: 12 }, (_, at) => ({ ...KEY, id: `key_${at}` }))
    expect(textIn(table(keys, 'only=key_3')))
      .contain('key_3')
      .and.not.contain('key_4')
    expect(textIn(table(keys)))
      .contain('All 12 keys')
      .and.not.contain('key_1 ')
  })

  it('says who has disabled a key, unless it is revoked', () => {
    const state = (more: JsonObject) => textIn(table([{ ...KEY, ...more }]))
    expect(state({})).contain(' ci active ')
    expect(state({ disabled: true, disabled_by: 'operator' })).contain(' ci disabled by an operator ')
    expect(state({ disabled: true, disabled_by: 'user' })).contain(' ci disabled by its user ')
    expect(table([{ ...KEY, disabled: true, disabled_by: 'group' }])).contain(
      '<span class="warn">disabled by a group its user left</span>',
    )
    expect(state({ disabled: true, disabled_by: 'user', revoked_at: '2026-11-21T12:00:00Z' }))
      .contain(' ci revoked ')
      .and.not.contain('disabled')
  })

  it('has actions for keys of the store that are not revoked', () => {
    expect(isChangeable(KEY)).equal(true)
    expect(
      [{ source: 'file' }, { revoked_at: '2026-11-21T12:00:00Z' }].map(one => isChangeable({ ...KEY, ...one })),
    ).deep.equal([false, false])
  })
})
