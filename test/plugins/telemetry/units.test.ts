import { expect } from 'chai'
import type { JsonObject } from '../../../lib/plugin.ts'
import { play, type Scene } from '../../../lib/testing.ts'
import { pipe, target, unitUse, usage } from '../../../plugins/slots.ts'
import units from '../../../plugins/telemetry/units/index.ts'
import { chunk, model, targetOf } from '../../support/canonical.ts'
import { newUsage } from '../../support/reply-usage.ts'

type Route = NonNullable<Scene['route']>

async function counted(
  route: Route,
  body: JsonObject,
  more: { seconds?: number; tokens?: boolean; priced?: boolean } = {},
) {
  const pricing = more.priced === true ? { input: 1, cached_input: 1, output: 1 } : undefined
  const seen = { ...newUsage(), usagePresent: more.tokens === true }
  const { exchange } = await play(units, {
    route,
    body,
    given: [
      [pipe, { kind: 'pipe', model: 'm', body, withoutEffect: new Set() }],
      [target, targetOf(model({}, { pricing }))],
      [usage, seen],
    ],
    chunks: [chunk({ choice: -1, seconds: more.seconds })],
  })
  const use = exchange.find(unitUse)
  return use === null || use === undefined ? null : [use.unit, use.units]
}

describe('units', () => {
  it('are what the request asks for', async () => {
    expect(await counted('speech', { input: 'four' })).deep.equal(['characters', 4])
    expect(await counted('image-generations', { n: 2 })).deep.equal(['images', 2])
    expect(await counted('moderations', { input: ['a', 'b'] })).deep.equal(['characters', 2])
    expect(await counted('embeddings', { input: 'four' })).equal(null)
  })

  it('are the seconds that the backend has counted, rounded up', async () => {
    expect(await counted('transcriptions', {}, { seconds: 7.2 })).deep.equal(['seconds', 8])
    expect(await counted('translations', {}, { seconds: 3 })).deep.equal(['seconds', 3])
  })

  it('are none if tokens were reported and have a price', async () => {
    const body = { n: 2 }
    expect(await counted('image-generations', body, { tokens: true, priced: true })).deep.equal(['images', null])
    expect(await counted('image-generations', body, { tokens: true })).deep.equal(['images', 2])
    expect(await counted('image-generations', body, { priced: true })).deep.equal(['images', 2])
  })

  it('are none of a request that got no reply', async () => {
    const { exchange } = await play(units, { route: 'speech', body: {}, outcome: 'failed' })
    expect(exchange.find(unitUse)).include({ units: null })
  })
})
