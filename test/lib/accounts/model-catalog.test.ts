import { expect } from 'chai'
import { ModelCatalog, mayUse } from '../../../lib/accounts/model-catalog.ts'
import { model } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const small = model({}, { id: 'small', aliases: ['s', 'tiny'] })
const large = model({}, { id: 'large' })
const other = model({}, { id: 'other' })
const catalog = new ModelCatalog(
  [small, large, other],
  [
    { host: 'acme-1.test', models: ['small', 'other'] },
    { host: 'acme-2.test', models: [] },
  ],
)

describe('models', () => {
  it('are found by id and by alias', () => {
    expect(catalog.find('small', null)).equal(small)
    expect(catalog.find('tiny', null)).equal(small)
    expect(catalog.find('large', null)).equal(large)
  })

  it('are exact names', () => {
    for (const name of ['', 'Small', 'small ', '__proto__', 'constructor', 'hasOwnProperty', 'acme-1.test'])
      expect(catalog.find(name, null), name).equal(undefined)
  })

  it('of a dedicated endpoint are those it serves', () => {
    expect(catalog.find('s', 'acme-1.test')).equal(small)
    expect(catalog.find('large', 'acme-1.test')).equal(undefined)
    expect(catalog.find('small', 'acme-2.test')).equal(undefined)
    expect(catalog.find('small', 'unknown.test')).equal(undefined)
  })

  it('are visible where they are served to whom they are allowed, in the order of the configuration', () => {
    const all = keyOf()
    const some = keyOf({ models: new Set(['other', 'large', 'gone']) })
    const ids = (key: typeof all, endpoint: string | null) => catalog.visible(key, endpoint).map(({ id }) => id)
    expect(ids(all, null)).deep.equal(['small', 'large', 'other'])
    expect(ids(some, null)).deep.equal(['large', 'other'])
    expect(ids(all, 'acme-1.test')).deep.equal(['small', 'other'])
    expect(ids(some, 'acme-1.test')).deep.equal(['other'])
    expect(ids(all, 'acme-2.test')).deep.equal([])
  })

  it('are allowed by id, never by alias', () => {
    expect(mayUse(keyOf({ models: new Set(['small']) }), small)).equal(true)
    expect(mayUse(keyOf({ models: new Set(['tiny']) }), small)).equal(false)
    expect(mayUse(keyOf({ models: new Set() }), small)).equal(false)
    expect(mayUse(keyOf(), small)).equal(true)
  })
})
