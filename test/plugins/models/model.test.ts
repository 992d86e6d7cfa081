import { expect } from 'chai'
import { ModelCatalog } from '../../../lib/accounts/access.ts'
import { play, type Scene } from '../../../lib/testing.ts'
import model from '../../../plugins/models/model/index.ts'
import { chat, key, target, zdr } from '../../../plugins/slots.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { chatRequest, model as modelOf } from '../../support/canonical.ts'
import { keyOf } from '../../support/key.ts'

const small = modelOf({}, { id: 'small', aliases: ['tiny'], backends: [backendConfig()] })
const safe = modelOf({}, { id: 'safe', backends: [backendConfig(), backendConfig({ zdr: true })] })
const other = modelOf({}, { id: 'other', backends: [backendConfig()] })
const models = new ModelCatalog([small, safe, other], [{ host: 'acme-1.test', models: ['small', 'safe'] }])

interface Asked extends Scene {
  readonly allowed?: readonly string[]
  readonly required?: 'header' | 'policy' | null
}

function asked(name: string, { allowed, required, ...scene }: Asked = {}) {
  return play(model, {
    services: { models },
    given: [
      [chat, chatRequest({ model: name })],
      [key, keyOf(allowed === undefined ? {} : { models: new Set(allowed) })],
      ...(required === undefined ? [] : [[zdr, required] as const]),
    ],
    ...scene,
  })
}

async function resolved(name: string, scene?: Asked) {
  const { error, exchange } = await asked(name, scene)
  if (error !== undefined) throw error
  return exchange.find(target)!
}

async function refused(name: string, scene?: Asked) {
  const { error } = await asked(name, scene)
  if (error === undefined) throw new Error('nothing was refused')
  const { code, status, message, details } = error
  return { code, status, message, param: details.param }
}

describe('model', () => {
  it('is found by id and by alias', async () => {
    expect((await resolved('small')).model).equal(small)
    expect((await resolved('tiny')).model).equal(small)
  })

  it('has the session that the client names, first in the header of the model', async () => {
    const headers = { 'x-session-id': 'one', 'x-own': 'two' }
    expect((await resolved('small', { headers })).session).equal('one')
    const routing = { ...small.routing, session_header: 'x-own' }
    const own = new ModelCatalog([{ ...small, routing }], [])
    expect((await resolved('small', { headers, services: { models: own } })).session).equal('two')
    expect((await resolved('small')).session).equal(undefined)
  })

  it('that is unknown is a 404 that lists those the key may use', async () => {
    expect(await refused('Small')).deep.equal({
      code: 'model_not_found',
      status: 404,
      message: "Model 'Small' does not exist. Available models: small, safe, other.",
      param: 'model',
    })
    expect((await refused('gone', { allowed: ['other', 'safe'] })).message).match(/Available models: safe, other\.$/)
    expect((await refused('gone', { allowed: [] })).message).match(/Available models: none\.$/)
  })

  it('limits the length of the quoted name and the number of listed models', async () => {
    expect((await refused('x'.repeat(100_000))).message.length).below(400)
    const many = Array.from({ length: 60 }, (_, i) => modelOf({}, { id: `m${i}`, backends: [backendConfig()] }))
    const { message } = await refused('gone', { services: { models: new ModelCatalog(many) } })
    expect(message).contain('m49, ….').and.not.contain('m50')
  })

  it('that the key is not entitled to is a 403, by id and by alias', async () => {
    for (const name of ['small', 'tiny'])
      expect(await refused(name, { allowed: ['other'] })).deep.equal({
        code: 'model_not_allowed',
        status: 403,
        message: "This key may not use model 'small'.",
        param: 'model',
      })
  })

  describe('on a dedicated endpoint', () => {
    const place = { surface: 'dedicated', endpoint: 'acme-1.test' } as const

    it('is one that it serves', async () => {
      expect((await resolved('tiny', place)).model).equal(small)
      expect(await refused('other', place)).include({
        code: 'model_not_found',
        message: "Model 'other' does not exist. Available models: small, safe.",
      })
      expect(await refused('small', { ...place, endpoint: 'acme-2.test' })).include({ code: 'model_not_found' })
    })
  })

  // docs/DESIGN.md#zero-data-retention
  describe('under zero data retention', () => {
    it('selects the partition that has it', async () => {
      expect(await resolved('safe', { required: 'header' })).include({ model: safe, zdr: true })
      expect(await resolved('safe', { required: 'policy' })).include({ zdr: true })
      expect(await resolved('safe', { required: null })).include({ zdr: false })
      expect(await resolved('safe')).include({ zdr: false })
    })

    it('is refused without such a partition: 400 by the header, 422 by the account', async () => {
      expect(await refused('tiny', { required: 'header' })).deep.equal({
        code: 'model_zdr_not_supported',
        status: 400,
        message: "Model 'tiny' has no zero-data-retention backend.",
        param: 'model',
      })
      expect(await refused('small', { required: 'policy' })).include({ code: 'model_zdr_not_supported', status: 422 })
    })

    it('is not the reason for which an unknown or forbidden model is refused', async () => {
      expect(await refused('gone', { required: 'header' })).include({ code: 'model_not_found' })
      expect(await refused('small', { required: 'header', allowed: [] })).include({ code: 'model_not_allowed' })
    })
  })

  it('suggests only models that the key may use here', async () => {
    const { alternatives } = await resolved('small', { allowed: ['small', 'safe'] })
    expect(alternatives()).deep.equal([small, safe])
    const here = await resolved('small', { surface: 'dedicated', endpoint: 'acme-1.test' })
    expect(here.alternatives()).deep.equal([small, safe])
  })
})
