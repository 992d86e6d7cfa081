import { mock } from 'node:test'
import { expect } from 'chai'
import { Backend } from '../../lib/backends/backend.ts'
import { Metrics } from '../../lib/base/metrics.ts'
import { Routing } from '../../lib/routing/routing.ts'
import { TokenRatios } from '../../lib/tokens/token-ratios.ts'
import { seededRandom } from '../../simulator/random.ts'
import { backendConfig } from '../support/backend-config.ts'
import { chatRequest, model as modelConfig, targetOf } from '../support/canonical.ts'
import { ManualClock } from '../support/clock.ts'

const RESTARTS = 10_000
const GATEWAYS = 4
const BACKENDS = 8
/** A message is sent at once or after 5 ms, and arrives 1 ms later. */
const SYNCHRONISATION_MS = 6
const MESSAGE_MS = 1

/** Gateways in front of the same engines, which share over one channel. */
class Fleet {
  readonly clock = new ManualClock()
  readonly #receivers: ((message: string) => void)[] = []
  readonly #model = modelConfig(
    {},
    { backends: [], routing: { policy: 'cost', session_header: undefined, attention_tokens: 32_000 } },
  )
  /** The backends of each gateway, by engine. */
  readonly gateways = Array.from({ length: GATEWAYS }, () => ({
    backends: [] as Backend[],
    routing: new Routing({
      clock: this.clock,
      metrics: new Metrics(),
      tokens: new TokenRatios(),
      share: {
        secret: 'a secret of sixteen',
        open: receive => {
          this.#receivers.push(receive)
          return {
            publish: message =>
              void setTimeout(() => {
                for (const one of this.#receivers) one(message)
              }, MESSAGE_MS),
            close() {},
          }
        },
      },
    }),
  }))

  advance(ms: number): void {
    for (let i = 0; i < ms; i++) {
      this.clock.advance(1)
      mock.timers.tick(1)
    }
  }

  /** Engine `index` is at this address now. Discovery of all gateways has found it. */
  discovered(index: number, url: string): void {
    for (const { backends, routing } of this.gateways) {
      backends[index] = new Backend('m', backendConfig({ url }), this.clock)
      routing.update(backends)
    }
  }

  /** A health check of every gateway has this result. */
  checked(index: number, isHealthy: boolean): void {
    for (const { backends, routing } of this.gateways) {
      backends[index]!.health.checked(isHealthy)
      if (!isHealthy) routing.lost(backends[index]!)
    }
  }

  /** A gateway sends a prompt to an engine. */
  send(gateway: number, index: number, text: string) {
    const { backends, routing } = this.gateways[gateway]!
    const placement = this.#routed(routing, text).place(backends[index]!)
    return {
      cancel: () => placement.ended(undefined),
      answer: (ms: number) => {
        this.clock.advance(ms)
        mock.timers.tick(ms)
        placement.begun()
        this.advance(5)
        placement.ended({ promptTokens: 5000, completionTokens: 2, cachedTokens: 0, reasoningTokens: null })
      },
    }
  }

  /** What each gateway knows of an engine for this prompt. */
  explain(index: number, text: string) {
    return this.gateways.map(
      ({ backends, routing }) => routing.explain(request(text), targetOf(this.#model), [backends[index]!]).backends[0]!,
    )
  }

  rates(index: number) {
    return this.gateways.map(({ backends, routing }) => routing.learnt().get(backends[index]!)!.prefillTokensPerSecond)
  }

  close(): void {
    for (const { routing } of this.gateways) routing.close()
  }

  #routed(routing: Routing, text: string) {
    return routing.route({ request: request(text), target: targetOf(this.#model), bodyBytes: 0 })!
  }
}

function request(text: string) {
  const reasoning = { enabled: false, effort: undefined, param: 'reasoning_effort', byDefault: 'off' } as const
  return chatRequest({ stream: true, reasoning, messages: [{ role: 'user', content: text.repeat(2000) }] })
}

describe('Routing of several gateways', () => {
  let fleet: Fleet
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] })
    fleet = new Fleet()
    for (let i = 0; i < BACKENDS; i++) fleet.discovered(i, `http://engine${i}/v1`)
  })
  afterEach(() => {
    fleet.close()
    mock.timers.reset()
  })

  it(`shares a backend again within one synchronisation, after each of ${RESTARTS} restarts`, () => {
    const draw = seededRandom(7)
    const pick = (count: number) => Math.floor(draw() * count)
    for (let restart = 0; restart < RESTARTS; restart++) {
      const index = pick(BACKENDS)
      const [before, after] = [`before ${restart} `, `after ${restart} `]
      fleet.send(pick(GATEWAYS), index, before).answer(200)
      fleet.advance(SYNCHRONISATION_MS)
      for (const { knownTokens } of fleet.explain(index, before)) expect(knownTokens, `${restart}`).above(3000)
      const isMoved = restart % 2 === 0
      if (isMoved) {
        fleet.discovered(index, `http://engine${index}-${restart}/v1`)
      } else {
        fleet.checked(index, false)
        fleet.advance(pick(20))
        fleet.checked(index, true)
      }
      for (const { knownTokens, waitMs } of fleet.explain(index, before))
        expect([knownTokens, waitMs], `${restart}`).deep.equal([0, 0])
      const sent = fleet.send(pick(GATEWAYS), index, after)
      fleet.advance(SYNCHRONISATION_MS)
      for (const { knownTokens, waitMs } of fleet.explain(index, after)) {
        expect(knownTokens, `${restart}`).above(3000)
        expect(waitMs, `${restart}`).above(0)
      }
      sent.cancel()
    }
  })

  it('forgets the speed of an engine with the engine, and has that of its pool then', () => {
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < BACKENDS; i++) fleet.send(0, i, `${round} ${i} `).answer(i === 3 ? 20 : 100)
    }
    const [slow] = fleet.rates(0)
    const [fast] = fleet.rates(3)
    expect(fast!.value).above(2 * slow!.value)
    expect(fast!.contradicts).equal(true)
    fleet.checked(3, false)
    fleet.checked(3, true)
    expect(fleet.rates(3)[0]).deep.equal(slow)
    for (let round = 0; round < 40; round++) fleet.send(0, 3, `again ${round} `).answer(20)
    expect(fleet.rates(3)[0]!.value).above(2 * slow!.value)
    fleet.discovered(3, 'http://another/v1')
    expect(fleet.rates(3)[0]!.value).equal(fleet.rates(0)[0]!.value)
  })

  it('ignores what another gateway has sent to a backend that is down here', () => {
    const [{ backends, routing }] = fleet.gateways as [(typeof fleet.gateways)[number]]
    backends[0]!.health.checked(false)
    routing.lost(backends[0]!)
    fleet.send(1, 0, 'unaware ')
    fleet.advance(SYNCHRONISATION_MS)
    const [here, sender, other] = fleet.explain(0, 'unaware ')
    expect([here!.knownTokens > 0, sender!.knownTokens > 0, other!.knownTokens > 0]).deep.equal([false, true, true])
  })

  it('forgets a model whose backends are all gone', () => {
    for (let i = 0; i < 20; i++) fleet.send(0, 0, `${i} `).answer(10)
    const [{ routing }] = fleet.gateways as [(typeof fleet.gateways)[number]]
    expect(fleet.rates(0)[0]!.samples).above(4)
    routing.update([])
    expect(routing.learnt().size).equal(0)
    const backends = [new Backend('m', backendConfig(), fleet.clock), new Backend('m', backendConfig(), fleet.clock)]
    routing.update(backends)
    expect(routing.learnt().get(backends[0]!)!.prefillTokensPerSecond.samples).equal(0)
  })
})
