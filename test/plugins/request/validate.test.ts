import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import validate from '../../../plugins/request/validate/index.ts'

const messages = [{ role: 'user', content: 'Hi' }]

describe('validate', () => {
  it('admits a body that matches its schema', async () => {
    const { error } = await play(validate, { route: 'chat', body: { model: 'm', messages } })
    expect(error).equal(undefined)
  })

  it('refuses one that does not', async () => {
    const { error } = await play(validate, { route: 'chat', body: { model: 'm', messages, temperature: 'hot' } })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error?.details).include({ param: 'temperature', ownParam: true })
  })

  it('does nothing where no body is read', async () => {
    const { error } = await play(validate, { route: 'model-list' })
    expect(error).equal(undefined)
  })
})
