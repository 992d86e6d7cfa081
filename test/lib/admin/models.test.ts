import { expect } from 'chai'
import { changeModel, createModel, deleteModel, modelList, modelOf } from '../../../lib/admin/models.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { listAudit } from '../../../lib/store/audit.ts'
import { listStoredModels } from '../../../lib/store/stored-models.ts'
import { adminConfig, refusal, useAdminContext } from '../../support/admin-context.ts'
import { configOf } from '../../support/config.ts'

const ID = 'Qwen/Qwen3-8B'
const RAW = encodeURIComponent(ID)
const entry = { id: ID, backends: [{ url: 'http://10.0.0.1:8000/v1', api_key: 'backend-key' }] }

describe('models of operators', () => {
  const { context: plain, audit } = useAdminContext()
  const config = configOf(`stored_models: true\n${adminConfig}`)
  const context = () => ({ ...plain(), config })
  const states = async () => {
    const { models } = await modelList(context())
    return (models as JsonObject[]).map(({ id, source, state }) => `${id} ${source} ${state}`)
  }

  it('are added, changed and removed, with an entry of the audit log each', async () => {
    const created = await createModel(context(), entry)
    expect(created).deep.equal({
      id: ID,
      source: 'store',
      in_file: false,
      state: 'used',
      problem: null,
      model: { id: ID, backends: [{ url: 'http://10.0.0.1:8000/v1', api_key: '(hidden)' }] },
      discovered: null,
    })
    expect(await states()).deep.equal(['m file used', 'other file used', `${ID} store used`])
    const changed = await changeModel(context(), RAW, { aliases: ['q'], created: 5 })
    expect(changed.model).deep.include({ aliases: ['q'], created: 5 })
    expect((await changeModel(context(), RAW, { created: null })).model).not.have.property('created')
    expect(await listStoredModels(plain().store)).deep.equal([{ id: ID, entry: { ...entry, aliases: ['q'] } }])
    expect(await changeModel(context(), RAW, { aliases: ['q'] })).deep.include({ state: 'used' })
    expect(await deleteModel(context(), RAW)).deep.include({ id: ID, state: 'removed' })
    expect(await refusal(modelOf(context(), RAW))).match(/^404/)
    expect(await audit()).deep.equal(['model.delete', 'model.change', 'model.change', 'model.create'])
    const { entries } = await listAudit(plain().store, {}, undefined, 10)
    expect(JSON.stringify(entries)).contain('(hidden)').and.not.contain('backend-key')
    expect(entries[0]).deep.include({ target: ID, after: null })
  })

  it('replace one of the file until they are deleted', async () => {
    expect(await changeModel(context(), 'other', { created: 7 })).deep.include({ source: 'store', in_file: true })
    expect(await states()).deep.equal(['m file used', 'other store used'])
    expect(await deleteModel(context(), 'other')).deep.include({ source: 'file', state: 'used' })
  })

  it('hide one of the file, and show it again', async () => {
    expect(await deleteModel(context(), 'other')).deep.include({ source: 'file', state: 'hidden' })
    expect(await refusal(deleteModel(context(), 'other'))).match(/^404/)
    expect(await refusal(changeModel(context(), 'other', { created: 1 }))).match(/^400 .*hidden/)
    expect(await changeModel(context(), 'other', { hidden: false })).deep.include({ source: 'file', state: 'used' })
    await deleteModel(context(), 'other')
    const more = { hidden: false, created: 7 }
    expect(await changeModel(context(), 'other', more)).deep.include({ source: 'store', state: 'used' })
  })

  it('are refused if `check` refuses them', async () => {
    const url = 'http://10.0.0.2:8000/v1'
    const wrong: readonly (readonly [JsonObject, RegExp])[] = [
      [{ id: 'm', backends: [{ url }] }, /'id' is the id of a model already/],
      [{ id: 'a', backends: [] }, /'backends': /],
      [
        { id: 'a', backends: [{ url }], aliases: ['latest'] },
        /'aliases.0': 'latest' is in use as aliases.0 of model 'm'/,
      ],
      [{ id: 'a', backends: [{ url }], colour: 1 }, /'colour': /],
      [{ id: 'a', backends: [{ url: 'ftp://h' }] }, /'backends.0.url': /],
      [{ id: 'a', backends: [{ url }], fallback: ['mm'] }, /'fallback.0': there is no model 'mm'/],
      [{ id: 'a', backends: [{ url }, { url }] }, /'backends.1': is the same backend as/],
      [{ id: 'a', backends: [{ url, api_key: '$\u007bHOME}' }] }, /'backends.0.api_key' must not contain \$\{/],
      [{ id: 'a', backends: [{ url, api_key: '(hidden)' }] }, /'backends.0.api_key' is hidden/],
    ]
    for (const [body, message] of wrong)
      expect(await refusal(createModel(context(), body)), JSON.stringify(body))
        .match(/^422 schema_validation_failed/)
        .and.match(message)
    expect(await refusal(deleteModel(context(), 'm'))).match(
      /^422 .*'endpoints.0.models.0' in the file: there is no model/,
    )
    expect(await refusal(changeModel(context(), 'm', { id: 'n' }))).match(/^422 .*'id' cannot be changed/)
    expect(await refusal(changeModel(context(), '%', {}))).match(/^404/)
    expect(await audit()).deep.equal([])
    expect(await listStoredModels(plain().store)).deep.equal([])
  })

  it('are listed, and cannot be changed, if they are off', async () => {
    const { models } = await modelList(plain())
    expect((models as JsonObject[]).map(({ id }) => id)).deep.equal(['m', 'other'])
    expect(await refusal(createModel(plain(), entry))).match(/^400 http_400 .*stored_models: true/)
  })
})
