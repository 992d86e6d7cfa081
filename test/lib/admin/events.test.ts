import { expect } from 'chai'
import { cordon } from '../../../lib/admin/backends.ts'
import { eventList, eventsOf } from '../../../lib/admin/events.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import { addBackendEvents } from '../../../lib/store/backend-events.ts'
import { useAdminContext } from '../../support/admin-context.ts'

describe('reloads, drains and ejections, for operators', () => {
  const { context } = useAdminContext()

  it('are those of all models, or of one, in a range until now', async () => {
    const { now, store } = context()
    const ejected = { kind: 'ejected', model: 'other', backend: 'http://b/v1', reason: 'requests', at: now } as const
    await addBackendEvents(store, [
      ejected,
      { ...ejected, kind: 'reload', model: '', backend: '', reason: '', at: now - 60_000_000 },
      { ...ejected, at: now - 2 * 3_600_000_000 },
    ])
    await cordon(context(), { url: 'http://127.0.0.1:8000/v1', model: 'm' })
    const kinds = async (query: Parameters<typeof eventList>[1]) =>
      ((await eventList(context(), query)).events as JsonObject[]).map(({ kind, model }) => [kind, model])
    expect(await kinds({ range: '1h' })).deep.equal([
      ['drain', 'm'],
      ['ejected', 'other'],
      ['reload', null],
    ])
    expect(await kinds({ range: '1h', model: 'm' })).deep.equal([
      ['drain', 'm'],
      ['reload', null],
    ])
    expect(await kinds({ range: '24h', model: 'other' })).lengthOf(3)
  })

  it('of one model or backend are found behind newer ones of others', async () => {
    const url = 'http://127.0.0.1:8000/v1'
    await cordon(context(), { url, model: 'm' })
    await cordon(context(), { url })
    const other = { url: 'http://127.0.0.1:8001/v1', model: 'other' }
    for (let i = 0; i < 200; i++) await cordon(context(), other)
    const { now } = context()
    const modelsOf = async (filter: { model: string; url: string | null }) =>
      (await eventsOf(context(), { ...filter, from: 0, to: now })).map(({ model }) => model)
    expect(await modelsOf({ model: 'm', url: null })).deep.equal([null, 'm'])
    expect(await modelsOf({ model: 'm', url })).deep.equal([null, 'm'])
    expect(await modelsOf({ model: 'm', url: other.url })).deep.equal([])
    expect(await modelsOf({ model: 'unknown', url: null })).deep.equal([])
    expect(await modelsOf({ model: 'other', url: null })).lengthOf(200)
  })
})
