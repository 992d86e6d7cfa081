import { expect } from 'chai'
import { type Probed, type ProbeOutcome, Prober } from '../../../../lib/backends/health/prober.ts'

class Subject implements Probed {
  readonly health = this
  isDue = true
  readonly outcomes: ProbeOutcome[] = []

  probeDue(): boolean {
    return this.isDue
  }

  probed(outcome: ProbeOutcome): void {
    this.outcomes.push(outcome)
  }
}

function setUp() {
  const timers: { readonly ms: number; call: (() => void) | null }[] = []
  const sent: { readonly signal: AbortSignal; settle: (outcome: ProbeOutcome) => void; fail: () => void }[] = []
  const prober = new Prober<Subject>(
    (_, signal) => new Promise((settle, reject) => sent.push({ signal, settle, fail: () => reject(new Error('x')) })),
    (ms, call) => {
      const timer: (typeof timers)[number] = { ms, call }
      timers.push(timer)
      return () => {
        timer.call = null
      }
    },
  )
  const fire = () => {
    for (const timer of timers.splice(0)) timer.call?.()
  }
  return { prober, timers, sent, fire, subject: new Subject() }
}

const settled = () => new Promise(setImmediate)

describe('backends/health/prober', () => {
  it('sends a request when it is due, and reports the outcome', async () => {
    const { prober, timers, sent, fire, subject } = setUp()
    prober.schedule(subject, 700)
    expect([timers[0]?.ms, sent.length]).deep.equal([700, 0])
    fire()
    for (const outcome of ['unreachable', 'ok'] as const) {
      sent.at(-1)!.settle(outcome)
      await settled()
      expect(subject.outcomes.at(-1)).equal(outcome)
      prober.schedule(subject, 0)
      fire()
    }
    sent.at(-1)!.fail()
    await settled()
    expect(subject.outcomes).deep.equal(['unreachable', 'ok', 'failed'])
  })

  it('keeps only the last schedule, and sends no second request while one is in flight', async () => {
    const { prober, timers, sent, fire, subject } = setUp()
    prober.schedule(subject, 5000)
    prober.schedule(subject, 0)
    expect(timers[0]?.call).equal(null)
    fire()
    prober.schedule(subject, 0)
    fire()
    expect(sent.length).equal(1)
    sent[0]!.settle('ok')
    await settled()
    prober.schedule(subject, 0)
    fire()
    expect(sent.length).equal(2)
  })

  it('sends nothing if the request is no longer needed', () => {
    const { prober, sent, fire, subject } = setUp()
    subject.isDue = false
    prober.schedule(subject, 0)
    fire()
    expect(sent).deep.equal([])
  })

  it('cancels pending requests of removed backends, and reports no outcome', async () => {
    const { prober, timers, sent, fire, subject } = setUp()
    prober.schedule(subject, 0)
    fire()
    const [other, stays] = [new Subject(), new Subject()]
    prober.schedule(other, 0)
    prober.schedule(stays, 0)
    prober.keep(new Set([stays]))
    expect(sent[0]!.signal.aborted).equal(true)
    sent[0]!.fail()
    await settled()
    expect(subject.outcomes).deep.equal([])
    expect(timers.map(({ call }) => call === null)).deep.equal([true, false])
    prober.close()
    expect(timers.map(({ call }) => call === null)).deep.equal([true, true])
  })
})
