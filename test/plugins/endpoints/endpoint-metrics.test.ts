import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import plugin from '../../../plugins/endpoints/endpoint-metrics/index.ts'
import { key } from '../../../plugins/slots.ts'
import { ManualClock } from '../../support/clock.ts'
import { keyOf } from '../../support/key.ts'
import { fakeReports } from '../../support/reports.ts'

const clock = new ManualClock()
const NOW = clock.now() * 1000
const given = [[key, keyOf({}, { endpoints: ['a.test'] })]] as const

const ask = async (query: string) => {
  const { reports, asked } = fakeReports({ metrics: async endpoint => ({ endpoint, request_count: 3 }) })
  return { ...(await play(plugin, { given, query, services: { reports, clock } })), asked }
}

describe('endpoint-metrics', () => {
  it('answers with the last hour by default', async () => {
    const { reply, asked } = await ask('endpoint=A.test')
    expect(reply).include({ status: 200 })
    expect(reply?.body).deep.equal({ endpoint: 'a.test', request_count: 3 })
    expect(asked).deep.equal([['metrics', 'a.test', NOW - 3_600_000_000, NOW]])
  })

  it('covers the requested period, one minute to a week', async () => {
    for (const minutes of [1, 10_080]) {
      const { asked } = await ask(`endpoint=a.test&range_minutes=${minutes}`)
      expect(asked[0]![2]).equal(NOW - minutes * 60_000_000)
    }
    for (const minutes of ['0', '10081', '1.5', '-5', 'all']) {
      const { error, asked } = await ask(`endpoint=a.test&range_minutes=${minutes}`)
      expect(error, minutes).include({ code: 'schema_validation_failed', status: 422 })
      expect(error!.details.param).equal('range_minutes')
      expect(asked).deep.equal([])
    }
  })

  it('needs an endpoint, and one that the key opens', async () => {
    expect((await ask('')).error).include({ status: 422, code: 'schema_validation_failed' })
    const { error, asked } = await ask('endpoint=b.test')
    expect(error).include({ status: 403, code: 'http_403' })
    expect(asked).deep.equal([])
  })
})
