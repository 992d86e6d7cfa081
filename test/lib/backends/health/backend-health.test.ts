import { expect } from 'chai'
import { Backend, type BackendState } from '../../../../lib/backends/backend.ts'
import type { EjectionReason } from '../../../../lib/backends/health/backend-health.ts'
import type { ProbeOutcome } from '../../../../lib/backends/health/prober.ts'
import { failure } from '../../../../lib/errors/errors.ts'
import { backendConfig } from '../../../support/backend-config.ts'
import { ManualClock } from '../../../support/clock.ts'

const ERROR = failure('backend_http_error', { model: 'm' })

function setUp() {
  const clock = new ManualClock()
  const changes: BackendState[] = []
  const reasons: EjectionReason[] = []
  /** Milliseconds until a probe request is due. The last one counts. */
  const due: number[] = []
  const backend = new Backend('m', backendConfig(), clock, {
    onChange: ({ state }) => changes.push(state),
    onEjected: (_, reason) => reasons.push(reason),
    probe: (_, ms) => due.push(ms),
  })
  const fail = (accounts: string) => {
    for (const account of accounts) {
      backend.acquire().release('answered')
      backend.health.failed({ account, path: '/chat/completions', stream: true }, ERROR)
    }
  }
  const unreachable = (times: number) => {
    for (let i = 0; i < times; i++) backend.health.unreachable()
  }
  /** Advances the clock until a probe request is due, and reports its outcome. */
  const probe = (outcome: ProbeOutcome) => {
    clock.advance(due.at(-1)!)
    expect(backend.health.probeDue()).equal(true)
    backend.health.probed(outcome)
  }
  return { clock, changes, reasons, due, backend, fail, unreachable, probe }
}

describe('backends/health/backend-health', () => {
  describe('is ejected', () => {
    it('by five failures in a row from two accounts', () => {
      const { backend, fail, changes, reasons } = setUp()
      fail('abab')
      expect(backend.state).equal('up')
      fail('a')
      expect([backend.state, backend.health.isUsable, backend.health.isReachable]).deep.equal(['ejected', false, true])
      expect([changes, reasons]).deep.equal([['ejected'], ['requests']])
      expect(backend.health.failure).equal(ERROR)
      expect(backend.health.failedKind).include({ path: '/chat/completions', stream: true })
    })

    it('by five connections in a row that cannot be opened', () => {
      const { backend, unreachable, reasons } = setUp()
      unreachable(4)
      backend.acquire().release('answered')
      unreachable(4)
      expect(backend.health.isUsable).equal(true)
      unreachable(1)
      expect([backend.health.isUsable, backend.health.isReachable, reasons]).deep.equal([false, false, ['connection']])
    })

    it('not by failures of one account while probe requests succeed', () => {
      const { backend, fail, probe, changes, due } = setUp()
      for (let i = 0; i < 20; i++) {
        fail('aaaaaaaaaa')
        probe('ok')
      }
      expect([backend.state, changes]).deep.equal(['up', []])
      expect(due.some(ms => ms > 0)).equal(true)
    })

    it('by failures of one account if a probe request fails, too', () => {
      for (const [outcome, isReachable] of [
        ['failed', true],
        ['unreachable', false],
      ] as const) {
        const { backend, fail, probe, reasons } = setUp()
        fail('aaaaa')
        expect(backend.state).equal('up')
        probe(outcome)
        expect([backend.state, backend.health.isReachable, reasons]).deep.equal(['ejected', isReachable, ['probe']])
      }
    })

    it('not by a failed probe request after a request was served', () => {
      const { backend, fail } = setUp()
      fail('aaaaa')
      expect(backend.health.probeDue()).equal(true)
      backend.acquire().release('ok')
      backend.health.probed('failed')
      expect(backend.state).equal('up')
    })

    it('not by refusals, which do not cancel failures of other accounts', () => {
      const { backend, fail } = setUp()
      for (let i = 0; i < 50; i++) backend.health.refused('a')
      expect(backend.state).equal('up')
      fail('abab')
      backend.health.refused('c')
      fail('a')
      expect(backend.state).equal('ejected')
    })
  })

  describe('counts failures in a row', () => {
    it('from the start after a request was served', () => {
      const { backend, fail, due } = setUp()
      for (let round = 0; round < 3; round++) {
        fail('abab')
        backend.acquire().release('ok')
      }
      expect([backend.state, due]).deep.equal(['up', []])
    })

    it('of one account until one of its requests is refused', () => {
      const { backend, fail, due } = setUp()
      fail('aaaa')
      backend.health.refused('a')
      fail('aaaa')
      expect(due).deep.equal([])
      backend.health.refused('b')
      fail('a')
      expect([backend.state, due]).deep.equal(['up', [0]])
      fail('b')
      expect(backend.state).equal('ejected')
    })
  })

  describe('is probed', () => {
    it('at most once a second', () => {
      const { backend, fail, due, clock, probe } = setUp()
      fail('aaaaa')
      expect(due.at(-1)).equal(0)
      probe('ok')
      clock.advance(400)
      fail('aaaaa')
      expect(due.at(-1)).equal(600)
      // After a served request, no probe request is needed.
      backend.acquire().release('ok')
      clock.advance(600)
      expect(backend.health.probeDue()).equal(false)
    })

    it('after a backoff that doubles up to a minute, and readmitted by the first success', () => {
      const { backend, fail, due, probe, changes } = setUp()
      fail('ababa')
      for (const wait of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) {
        expect(due.at(-1)).equal(wait)
        probe('failed')
        expect(backend.state).equal('ejected')
      }
      probe('ok')
      expect([backend.state, changes]).deep.equal(['up', ['ejected', 'up']])
    })

    it('with a backoff that only a served request resets', () => {
      const { backend, fail, due, probe } = setUp()
      fail('ababa')
      probe('failed')
      probe('ok')
      fail('ababa')
      expect(due.at(-1)).equal(4000)
      probe('ok')
      backend.acquire().release('ok')
      fail('ababa')
      expect(due.at(-1)).equal(1000)
    })

    it('and reports the state', () => {
      const { backend, fail } = setUp()
      fail('ababa')
      backend.health.probeDue()
      expect(backend.state).equal('probing')
      backend.health.probed('unreachable')
      expect([backend.state, backend.health.isReachable]).deep.equal(['ejected', false])
    })
  })

  describe('whose health check fails', () => {
    it('is ejected, and readmitted when a check passes', () => {
      const { backend, changes, reasons, due } = setUp()
      backend.health.checked(false)
      backend.health.checked(false)
      expect([backend.health.isUsable, backend.health.isReachable]).deep.equal([false, false])
      backend.health.checked(true)
      expect([changes, reasons, due]).deep.equal([['unhealthy', 'up'], ['health_check'], []])
    })

    it('is not probed before a check passes, which does not readmit it if requests have failed', () => {
      const { backend, fail, due, clock, probe } = setUp()
      fail('ababa')
      backend.health.checked(true)
      expect(backend.state).equal('ejected')
      backend.health.checked(false)
      expect(backend.state).equal('unhealthy')
      clock.advance(1000)
      expect(backend.health.probeDue()).equal(false)
      backend.health.checked(true)
      expect([backend.state, due.at(-1)]).deep.equal(['ejected', 0])
      probe('ok')
      expect(backend.state).equal('up')
    })
  })

  describe('in reduced use', () => {
    it('gets one request per second, and is readmitted when it serves one', () => {
      const { backend, fail, clock } = setUp()
      fail('ababa')
      expect([backend.health.mayTry(), backend.health.mayTry()]).deep.equal([true, false])
      clock.advance(1000)
      expect(backend.health.mayTry()).equal(true)
      const lease = backend.acquire()
      lease.release('answered')
      expect(backend.state).equal('ejected')
      backend.acquire().release('ok')
      expect(backend.state).equal('up')
    })

    it('is not readmitted by requests that were sent before the ejection', () => {
      const { backend, fail } = setUp()
      const before = backend.acquire()
      fail('ababa')
      before.release('ok')
      expect(backend.state).equal('ejected')
    })
  })
})
