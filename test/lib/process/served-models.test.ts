import { expect } from 'chai'
import { ServedModels } from '../../../lib/process/served-models.ts'
import { openStore, type Store } from '../../../lib/store/store.ts'
import { putStoredModel } from '../../../lib/store/stored-models.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { modelServer } from '../../support/model-server.ts'
import { silent } from '../../support/stores.ts'

const entry = { id: 'n', backends: [{ url: 'http://10.0.0.1:8000/v1' }] }
const config = configOf(`stored_models: true\n${MODEL}`)

describe('stored models of a process', () => {
  let store: Store
  before(async () => {
    store = await openStore('sqlite::memory:', { log: silent })
  })
  after(() => store.close())

  it('are read at the start and after each change, also one between the two', async () => {
    await putStoredModel(store, { id: 'n', entry }, 1)
    const models = await ServedModels.start({ config, store, log: silent, everyMs: 5 })
    expect(models.over(config).models.map(({ id }) => id)).deep.equal(['m', 'n'])
    await putStoredModel(store, { id: 'o', entry: { ...entry, id: 'o' } }, 2)
    await models.refresh()
    const seen: string[] = []
    models.onChange(async () => {
      seen.push(
        models
          .over(config)
          .models.map(({ id }) => id)
          .join(' '),
      )
      throw new Error('logged')
    })
    expect(seen).deep.equal(['m n o'])
    await putStoredModel(store, { id: 'o', entry: null }, 3)
    await eventually(() => seen.at(-1) === 'm n')
    expect(models.notes()).deep.equal([])
    await putStoredModel(store, { id: 'm', entry: null }, 4)
    await putStoredModel(store, { id: 'n', entry: { id: 'n', backends: [] } }, 5)
    await eventually(() => seen.at(-1) === 'm')
    expect(models.notes()).length(2)
    await models.end()
  })

  it('are not read if they are off', async () => {
    const off = configOf(MODEL)
    const models = await ServedModels.start({ config: off, store, log: silent })
    await models.refresh()
    expect(models.over(off)).equal(off)
    await models.end()
  })
})

describe('discovered models of a process', () => {
  it('are found at the start and afterwards, and are those of the primary in a worker', async () => {
    const server = await modelServer(['a', 'b'])
    server.list = ['a']
    const discover = `{ url: "${server.url}", every_seconds: 0.1 }`
    const own = configOf(`models: [{ discover: ${discover}, defaults: { capabilities: { tools: true } } }]`)
    const models = await ServedModels.start({ config: own, store: null, log: silent, discoveryLog: silent })
    const ids = () => models.over(own).models.map(({ id }) => id)
    expect(ids()).deep.equal(['a'])
    const seen: (readonly string[])[] = []
    models.onChange(async () => void seen.push(ids()))
    server.list = ['a', 'b']
    await eventually(() => seen.length === 1)
    expect(seen).deep.equal([['a', 'b']])

    const worker = await ServedModels.start({ config: own, store: null, log: silent })
    expect(worker.over(models.discovered(own)).models.map(({ id }) => id)).deep.equal(['a', 'b'])
    expect(worker.over(own).models).deep.equal([])
    server.answer = res => void res.writeHead(500).end()
    await eventually(() => models.notes().length === 1)
    expect(models.notes()).deep.equal(models.discoveryNotes())
    expect(worker.notes()).deep.equal([])
    models.keep(configOf(MODEL))
    expect(ids()).deep.equal([])
    await models.end()
    await worker.end()
    await server.close()
  })
})
