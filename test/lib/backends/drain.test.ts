import { expect } from 'chai'
import { addressOf, Drain, isDrained } from '../../../lib/backends/drain.ts'
import { backendConfig } from '../../support/backend-config.ts'

describe('backends/drain', () => {
  it('has the reason that an operator can act on first', () => {
    const drain = new Drain()
    expect(drain.reason(backendConfig())).equal(null)
    expect(drain.reason(backendConfig({ weight: 0 }))).equal('weight')
    expect(drain.reason(backendConfig({ weight: 0, drain: true }))).equal('file')
    drain.byOperator = true
    expect(drain.reason(backendConfig({ drain: true }))).equal('operator')
    drain.removed = true
    expect(drain.reason(backendConfig())).equal('removed')
  })

  it('is meant by address, for one model or for all', () => {
    const url = 'http://user:secret@a/v1/'
    expect(addressOf(url)).equal('http://a/v1')
    expect(isDrained([{ url }], 'm', 'http://a/v1')).equal(true)
    expect(isDrained([{ url, model: 'm' }], 'm', 'http://a/v1')).equal(true)
    expect(isDrained([{ url, model: 'n' }], 'm', 'http://a/v1')).equal(false)
    expect(isDrained([{ url }], 'm', 'http://a/v2')).equal(false)
  })
})
