import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/model-catalog.ts'
import { play, type Scene } from '../../../lib/testing.ts'
import { modelCard } from '../../../plugins/models/model-card.ts'
import modelList from '../../../plugins/models/model-list/index.ts'
import { key } from '../../../plugins/slots.ts'
import { model } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const small = model({}, { id: 'small', aliases: ['tiny'] })
const large = model({}, { id: 'large' })
const models = new ModelCatalog([small, large], [{ host: 'acme-1.test', models: ['large'] }])

const listed = (allowed?: readonly string[], scene: Scene = {}) =>
  play(modelList, {
    services: { models, config: { brand: 'acme' } as never },
    given: [[key, keyOf(allowed === undefined ? {} : { models: new Set(allowed) })]],
    ...scene,
  })

describe('model-list', () => {
  it('answers with the cards of all models, under the brand', async () => {
    const { reply } = await listed()
    expect(reply).deep.equal({
      status: 200,
      contentType: 'application/json',
      body: { object: 'list', data: [modelCard(small, 'acme'), modelCard(large, 'acme')] },
    })
  })

  it('shows what the key may use, and no alias', async () => {
    expect((await listed(['large'])).reply?.body).deep.equal({ object: 'list', data: [modelCard(large, 'acme')] })
    expect((await listed([])).reply?.body).deep.equal({ object: 'list', data: [] })
  })

  it('shows what a dedicated endpoint serves', async () => {
    const place = { surface: 'dedicated', endpoint: 'acme-1.test' } as const
    expect((await listed(undefined, place)).reply?.body).deep.equal({
      object: 'list',
      data: [modelCard(large, 'acme')],
    })
    expect((await listed(['small'], place)).reply?.body).deep.equal({ object: 'list', data: [] })
  })

  it('ignores a query', async () => {
    expect((await listed(undefined, { query: 'limit=1&after_id=small' })).reply?.body)
      .have.property('data')
      .lengthOf(2)
  })
})
