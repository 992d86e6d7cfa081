import { expect } from 'chai'
import { MovingMean } from '../../../../lib/routing/samples.ts'
import { LinePlacement } from '../../../../lib/routing/spare/line-placement.ts'
import { UNSET_ROUTING } from '../../../support/backend-config.ts'
import { promptNamed, routedModel } from '../../../support/routed-model.ts'

describe('countEvicted', () => {
  /** Two backends that can cache four prompts each. */
  function scene() {
    const routed = routedModel([{}, {}].map(() => ({ routing: { ...UNSET_ROUTING, cache_tokens: 20_000 } })))
    const { routing, clock, send, pool } = routed
    const all = [...pool.backends()].map(backend => routing.of(backend))
    const line = (name: string, at = all[0]!) => {
      at.fit(0.25, clock.monotonic())
      const prompt = { ...promptNamed(name, { bytes: 20_000 }), isStreamed: false }
      new LinePlacement(routing.context, at, prompt, new MovingMean(0.1)).ended({
        promptTokens: 5000,
        completionTokens: 10,
        cachedTokens: null,
        reasoningTokens: null,
      })
      clock.advance(1000)
    }
    const request = (name: string) => {
      const sent = send(promptNamed(name, { bytes: 20_000 }))
      sent.answer(100)
      clock.advance(1000)
      return sent
    }
    const lost = () => all.reduce((sum, { lines }) => sum + lines.evictedShare(clock.monotonic()), 0)
    return { all, line, request, lost }
  }

  it('counts a prompt of which lines have evicted a part', () => {
    const { all, line, request, lost } = scene()
    const first = request('asked again')
    for (const at of all) for (let i = 0; i < 4; i++) line(`line${i}`, at)
    expect(lost()).equal(0)
    request('asked again')
    const at = all.find(({ backend }) => backend === first.backend)!
    expect(at.lines.evictedShare(20_000)).above(0)
    for (const other of all) if (other !== at) expect(other.lines.evictedShare(20_000)).equal(0)
  })

  it('counts nothing that another backend has cached', () => {
    const { all, line, request, lost } = scene()
    const { backend } = request('a')
    const [at, other] = all[0]!.backend === backend ? all : [all[1]!, all[0]!]
    line('a', other)
    for (let i = 0; i < 4; i++) line(`line${i}`, at)
    request('a')
    expect(lost()).equal(0)
  })

  it('counts nothing that is evicted without lines', () => {
    const { request, lost } = scene()
    request('a')
    for (let i = 0; i < 12; i++) request(`other${i}`)
    request('a')
    expect(lost()).equal(0)
  })
})
