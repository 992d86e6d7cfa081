import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import type { JsonObject } from '../../../lib/plugin.ts'
import { play, type Scene } from '../../../lib/testing.ts'
import pipeModel from '../../../plugins/models/pipe-model/index.ts'
import { key, pipe, target, zdr } from '../../../plugins/slots.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model as modelOf } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const chat = modelOf({}, { id: 'chat', backends: [backendConfig()] })
const vectors = modelOf({}, { id: 'vectors', aliases: ['v'], kind: 'embedding', backends: [backendConfig()] })
const more = modelOf({}, { id: 'more', kind: 'embedding', backends: [backendConfig()] })
const models = new ModelCatalog([chat, vectors, more], [])

const asked = (body: JsonObject, scene: Scene = {}) =>
  play(pipeModel, { route: 'embeddings', body, services: { models }, given: [[key, keyOf()]], ...scene })

describe('pipe-model', () => {
  it('resolves the model, and suggests others of its kind only', async () => {
    const { exchange } = await asked({ model: 'v', input: 'x' })
    const found = exchange.find(target)!
    expect([found.model, found.zdr]).deep.equal([vectors, false])
    expect(found.alternatives()).deep.equal([vectors, more])
    expect(exchange.find(pipe)).deep.include({ kind: 'pipe', model: 'v', body: { model: 'v', input: 'x' } })
  })

  it('names the members that have no effect', async () => {
    const { exchange } = await asked({ model: 'v', input: ['x'], user: 'alice' })
    expect([...exchange.find(pipe)!.withoutEffect]).deep.equal(['user'])
  })

  it('refuses a model of another kind, on either side', async () => {
    const { error } = await asked({ model: 'chat', input: 'x' })
    expect(error).include({ code: 'unsupported_feature', status: 400 })
    expect(error!.message).equal("Model 'chat' does not support /v1/embeddings: its kind is 'chat'.")
    expect(error!.details.param).equal('model')
    const rerank = await asked({ model: 'v', query: 'q', documents: ['d'] }, { route: 'rerank' })
    expect(rerank.error?.code).equal('unsupported_feature')
  })

  it('refuses an unknown model, one of others, and one without zero data retention', async () => {
    expect((await asked({ model: 'no', input: 'x' })).error?.code).equal('model_not_found')
    const others = [[key, keyOf({ models: new Set(['more']) })]] as const
    expect((await asked({ model: 'v', input: 'x' }, { given: others })).error?.code).equal('model_not_allowed')
    const given = [[key, keyOf()] as const, [zdr, 'policy'] as const]
    expect((await asked({ model: 'v', input: 'x' }, { given })).error).include({ status: 422 })
  })
})
