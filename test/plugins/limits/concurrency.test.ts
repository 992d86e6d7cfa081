import { expect } from 'chai'
import { Metrics } from '../../../lib/base/metrics.ts'
import { type Config, failure } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import concurrency from '../../../plugins/limits/concurrency/index.ts'
import { key } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'
import { leaseOf } from '../../support/limits.ts'

const config = { plans: { two: { concurrency: 2 }, free: {} } } as unknown as Config
const caller = (plan: string | undefined) => keyOf({ id: 'acme', plan })

describe('concurrency', () => {
  const { limits } = testServices()
  const played = (plan: string | undefined, scene: Scene = {}) =>
    play(concurrency, { given: [[key, caller(plan)]], services: { config, limits }, ...scene })
  const held = async (ids: readonly string[]) => {
    for (const id of ids) expect(await limits.leases.take(leaseOf('acme', 2, id))).equal(true)
  }
  const free = (ids: readonly string[]) => {
    for (const id of ids) limits.leases.release('acme', id)
  }

  it('refuses the request that is one too many, with the headers of every 429', async () => {
    await held(['a', 'b'])
    const { error } = await played('two')
    expect(error).include({ code: 'concurrency_limit_exceeded', status: 429 })
    expect(error?.details.headers).deep.equal({
      'retry-after': '1',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '1',
    })
    free(['a', 'b'])
  })

  it('has a lease while a request runs, and releases it at any end', async () => {
    const endings: Scene[] = [
      {},
      { outcome: 'client_gone' },
      { outcome: 'failed', chunks: [], ending: failure('backend_http_error', { model: 'm' }) },
    ]
    for (const ending of endings) {
      for (let i = 0; i < 3; i++) expect((await played('two', ending)).error).equal(undefined)
    }
    await held(['a', 'b'])
    free(['a', 'b'])
  })

  it('keeps the leases of other requests if it refuses', async () => {
    await held(['a', 'b'])
    await played('two')
    expect((await played('two')).error).not.equal(undefined)
    free(['a', 'b'])
  })

  it('has no limit for a plan without one, nor for an account without a plan', async () => {
    await held(['a', 'b'])
    for (const plan of ['free', 'unknown', undefined]) expect((await played(plan)).error).equal(undefined)
    free(['a', 'b'])
  })

  it('limits the requests of a key and of its account, and those of a plan by its limits', async () => {
    const plans = { p: { limits: { concurrency: 2 } } }
    const own = { config: { plans } as unknown as Config, limits }
    const ofKey = (id: string) =>
      play(concurrency, {
        given: [[key, keyOf({ id: 'acme', plan: 'p' }, { id, limits: { concurrency: 1 } })]],
        services: own,
      })
    expect(limits.leases.take({ ...leaseOf('acme', 1, 'x'), scope: 'k1' })).equal(true)
    const { error } = await ofKey('k1')
    expect(error).include({ code: 'concurrency_limit_exceeded' })
    expect(error?.message).contain('with this key')
    expect(error?.details.headers).include({ 'ratelimit-limit': '1' })
    for (let i = 0; i < 3; i++) expect((await ofKey('k2')).error).equal(undefined)
    limits.leases.release('acme', 'x', 'k1')
    expect((await ofKey('k1')).error).equal(undefined)
    // The refused request has no lease of the account.
    await held(['a', 'b'])
    expect((await ofKey('k1')).error?.message).contain('on this account have reached the limit of its plan: 2.')
    free(['a', 'b'])
    expect((await ofKey('k1')).error).equal(undefined)
  })

  it('counts and logs refusals in shadow mode', async () => {
    await held(['a', 'b'])
    const metrics = new Metrics()
    const services = { config, limits, metrics }
    expect((await played('two', { options: { shadow: true }, services })).error).equal(undefined)
    expect(await metrics.registry.getSingleMetricAsString('sluiceway_shadow_refusals_total')).contain(
      'sluiceway_shadow_refusals_total{plugin="concurrency",code="concurrency_limit_exceeded"} 1',
    )
    // It had no lease, so it released none.
    expect((await played('two')).error).not.equal(undefined)
    free(['a', 'b'])
  })

  it('passes on_store_failure to the store', async () => {
    const asked: unknown[] = []
    const leases = { take: (claim: unknown) => asked.push(claim) > 0, inFlight: () => 0, release() {} }
    const services = { config, limits: { ...limits, leases } }
    await played('two', { services })
    await played('two', { services, options: { on_store_failure: 'fail_open' } })
    await played('two', { services, options: { on_store_failure: 'fail_closed', shadow: true } })
    expect(asked).lengthOf(3)
    expect(asked[0]).include({ account: 'acme', limit: 2, enforced: true, onStoreFailure: 'local_share' })
    expect(asked[1]).include({ enforced: true, onStoreFailure: 'fail_open' })
    // A limit in shadow mode must not refuse when its store fails either.
    expect(asked[2]).include({ enforced: false, onStoreFailure: 'fail_open' })
  })

  it('waits for a store outside the process', async () => {
    const released: string[] = []
    const later = (taken: boolean) => ({
      take: async () => taken,
      inFlight: () => 0,
      release: (account: string) => void released.push(account),
    })
    const services = (taken: boolean) => ({ config, limits: { ...limits, leases: later(taken) } })
    expect((await played('two', { services: services(true) })).error).equal(undefined)
    expect((await played('two', { services: services(false) })).error).include({ status: 429 })
    expect(released).deep.equal(['acme'])
  })

  it('acquires no lease to count tokens', async () => {
    const counting = played('two', { route: 'count-tokens' }).then(
      () => 'ran',
      (error: Error) => error.message,
    )
    expect(await counting).equal("'concurrency' runs on no such route")
  })
})
