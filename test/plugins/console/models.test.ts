import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import { modelsOf } from '../../../plugins/console/models.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { ownAccount } from '../../support/visitors.ts'

const [first] = configOf(MODEL).models
const models = new ModelCatalog([
  { ...first!, id: 'a' },
  { ...first!, id: 'b', kind: 'embedding' },
  { ...first!, id: 'c' },
])

describe('models of accounts', () => {
  it('are those that any key may use, of one kind if requested', () => {
    const accounts = [ownAccount({ models: new Set(['c']) }), ownAccount({ models: new Set(['b']) })]
    expect(modelsOf({ models }, accounts)).deep.equal(['b', 'c'])
    expect(modelsOf({ models }, accounts, 'chat')).deep.equal(['c'])
    expect(modelsOf({ models }, [ownAccount({ models: null })])).deep.equal(['a', 'b', 'c'])
    expect(modelsOf({ models }, [])).deep.equal([])
  })
})
