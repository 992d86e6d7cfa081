import { expect } from 'chai'
import { stringify } from 'yaml'
import { type ModelServer, modelServer } from '../../../support/model-server.ts'
import { hiddenIn, textIn, usePages } from '../../../support/operators.ts'

const ID = 'Qwen/Qwen3-8B'
const PATH = `/models/${encodeURIComponent(ID)}`
const entry = { id: ID, backends: [{ url: 'http://127.0.0.1:9/v1', api_key: 'backend-key' }] }

describe('the pages of models', () => {
  const pages = usePages({ more: { stored_models: true } })

  it('add a model, change it, and delete it after a question', async () => {
    const added = await pages().send('/models', { entry: stringify(entry) })
    expect(textIn(added.text)).contain(`${ID} is added`).and.contain('api_key: (hidden)')
    expect(added.text).not.contain('backend-key')
    expect(textIn((await pages().get('/models')).text)).contain(`${ID} active chat 1 store`)
    const changed = { ...entry, aliases: ['q'], backends: [{ ...entry.backends[0], api_key: '(hidden)' }] }
    expect(textIn((await pages().send(PATH, { entry: stringify(changed) })).text)).contain(`${ID} is changed`)
    await pages().send(PATH, { entry: stringify({ ...changed, aliases: undefined }) })
    expect(await pages().api('GET', `/admin/v1${PATH}`)).deep.include({
      model: { id: ID, backends: changed.backends },
    })
    const question = await pages().send(`${PATH}/delete`, {})
    expect(textIn(question.text)).contain(`Delete ${ID}?`).and.contain('You cannot undo this.')
    const deleted = await pages().send(`${PATH}/delete`, hiddenIn(question.text))
    expect(textIn(deleted.text)).contain(`${ID} is deleted.`).and.not.contain(`${ID} active`)
  })

  it('hide a model of the file, if another remains, and show it again', async () => {
    const last = await pages().send('/models/m/delete', { confirmed: 'yes' })
    expect(last.status).equal(422)
    await pages().send('/models', { entry: stringify(entry) })
    expect(textIn((await pages().send('/models/m/delete', {})).text)).contain('You can undo this.')
    expect(textIn((await pages().send('/models/m/delete', { confirmed: 'yes' })).text)).contain('m is hidden')
    expect(textIn((await pages().get('/models')).text)).contain('m hidden chat 1 file')
    expect(textIn((await pages().send('/models/m/show', {})).text)).contain('m is shown again. Undo')
  })

  it('show refusals next to the text', async () => {
    for (const [text, message] of [
      ['id: x\nbackends: [', /not valid YAML: see line 2\./],
      ['word', /must have the members of a model/],
      ['id: x\nbackends: [{ url: http://h/v1, weigth: 1 }]', /weigth/],
    ] as const) {
      const { status, text: page } = await pages().send('/models', { entry: text })
      expect(status, text).within(400, 422)
      expect(textIn(page)).match(message).and.contain(text.split('\n').join(' '))
    }
  })

  it('have the list as CSV', async () => {
    expect((await pages().get('/models.csv')).text).match(/^id,source,in_file,state,problem,model,discovered\r\n/)
  })
})

describe('the pages of models without stored_models', () => {
  const pages = usePages()

  it('only show them', async () => {
    const { text } = await pages().get('/models/m')
    expect(textIn(text)).contain('aliases: - alias').and.contain('if the file has stored_models: true')
    expect(text).not.contain('<textarea')
    expect((await pages().send('/models', { entry: stringify(entry) })).status).equal(400)
  })
})

describe('the pages of discovered models', () => {
  let server: ModelServer
  before(async () => {
    server = await modelServer(['found'])
  })
  after(() => server.close())
  const pages = usePages(() => ({
    more: { stored_models: true, models: [{ discover: { url: server.url } }] },
  }))

  it('show where each is from, and what the probe has found', async () => {
    const list = textIn((await pages().get('/models')).text)
    expect(list).match(/found active chat 1 discovered vllm, 4096 tokens, tools, reasoning, .*regex/)
    const page = textIn((await pages().get('/models/found')).text)
    expect(page).contain(`Source: discovered. Discovered by ${server.url} at ${server.url} : vllm, 4096 tokens, tools`)
    expect(textIn((await pages().send('/models/found/delete', {})).text)).contain('Hide found?')
    const hidden = await pages().send('/models/found/delete', { confirmed: 'yes' })
    expect(textIn(hidden.text)).contain('The discovered model is hidden: requests for it are refused.')
    await pages().send('/models/found/show', {})
    const entry = stringify({ id: 'found', backends: [{ url: server.url }] })
    await pages().send('/models/found', { entry })
    expect(textIn((await pages().get('/models')).text)).contain('found active chat 1 store, over the discovered one')
    const question = textIn((await pages().send('/models/found/delete', {})).text)
    expect(question).contain('The discovered model with this id is used again. You cannot undo this.')
  })
})
