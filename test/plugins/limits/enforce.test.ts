import { expect } from 'chai'
import { pino } from 'pino'
import { failure } from '../../../lib/plugin.ts'
import { testServices } from '../../../lib/testing.ts'
import { enforcement } from '../../../plugins/limits/enforce.ts'
import { keyOf } from '../../support/key.ts'

describe('enforcement', () => {
  const error = failure('rate_limit_exceeded', { limit: 1 })

  it('refuses', () => {
    const enforce = enforcement('rate-limit', false, testServices())
    expect(() => enforce('req_1', keyOf(), error)).throw(error.message)
  })

  it('counts and logs refusals with their account in shadow mode', async () => {
    const lines: string[] = []
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
    const services = testServices([], { log })
    const enforce = enforcement('rate-limit', true, services)
    for (let i = 0; i < 2; i++) enforce('req_1', keyOf({ id: 'acme' }), error)
    expect(JSON.parse(lines[0]!)).deep.equal({
      level: 30,
      plugin: 'rate-limit',
      code: 'rate_limit_exceeded',
      request_id: 'req_1',
      account: 'acme',
      account_name: keyOf().account.name,
      key: 'k1',
      msg: 'would have been refused',
    })
    const text = await services.metrics.registry.getSingleMetricAsString('sluiceway_shadow_refusals_total')
    expect(text).contain('{plugin="rate-limit",code="rate_limit_exceeded"} 2')
  })
})
