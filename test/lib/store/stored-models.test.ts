import { expect } from 'chai'
import { listStoredModels, putStoredModel, removeStoredModel } from '../../../lib/store/stored-models.ts'
import { onEveryStore } from '../../support/stores.ts'

describe('models in the store', () => {
  onEveryStore(store => {
    it('are added, replaced, hidden and removed', async () => {
      const entry = { id: 'Qwen/b', backends: [{ url: 'http://10.0.0.1:8000/v1' }], created: 1 }
      await putStoredModel(store(), { id: 'Qwen/b', entry }, 1)
      await putStoredModel(store(), { id: 'a', entry: null }, 2)
      expect(await listStoredModels(store())).deep.equal(
        [
          { id: 'Qwen/b', entry },
          { id: 'a', entry: null },
        ].sort((one, other) => (one.id < other.id ? -1 : 1)),
      )
      await putStoredModel(store(), { id: 'Qwen/b', entry: null }, 3)
      await removeStoredModel(store(), 'a')
      await removeStoredModel(store(), 'unknown')
      expect(await listStoredModels(store())).deep.equal([{ id: 'Qwen/b', entry: null }])
    })
  })
})
