import { expect } from 'chai'
import type { Backend } from '../../../lib/backends/backend.ts'
import { promptNamed, routedModel } from '../../support/routed-model.ts'

describe('RoutedPlacement', () => {
  it('counts a request until its first token, its failure or its cancellation, exactly once', () => {
    const { send, routing } = routedModel([{}, {}])
    const sent = [send(promptNamed('a')), send(promptNamed('b')), send(promptNamed('c'))]
    const [answered, failed, cancelled] = sent
    answered!.lease.answering(true)
    answered!.lease.answering(true)
    failed!.lease.release('answered')
    failed!.lease.release('answered')
    cancelled!.lease.release('neutral')
    cancelled!.lease.answering(true)
    const loads = () => Array.from(routing.backends, ({ load }) => [load.queued, load.answers, load.promptTokens])
    const of = (index: number) => loads().reduce((sum, load) => sum + load[index]!, 0)
    expect([of(0), of(1)]).deep.equal([0, 1])
    answered!.lease.release('ok')
    expect([of(0), of(1), of(2)]).deep.equal([0, 0, 0])
  })

  it('learns speeds from replies', () => {
    const { send, routing } = routedModel([{}])
    for (let i = 0; i < 20; i++) send(promptNamed(`p${i}`)).answer(100, { promptTokens: 10_000 })
    const [{ learnt }] = routing.learnt() as [ReturnType<typeof routing.learnt>[number]]
    expect(learnt.prefillTokensPerSecond).include({ samples: 20, source: 'replies' })
    expect(learnt.prefillTokensPerSecond.value).within(100_000, 130_000)
    expect(learnt.decodeStepMs).include({ value: 10, samples: 20 })
  })

  it('learns the size of a cache from replies, if it is unknown', () => {
    const { send, routing } = routedModel([{}])
    const report = (held: number) => {
      for (let round = 0; round < 40; round++) {
        for (let i = 0; i < 8; i++)
          send(promptNamed(`p${i}`)).answer(100, { promptTokens: 5000, cachedTokens: round < 1 ? 0 : held })
      }
      return routing.learnt()[0]!.learnt.cacheTokens.value
    }
    expect(report(0)).below(60_000)
  })

  it('learns no cache size from prompts that are still being computed, or were never computed', () => {
    const { clock, send, routing } = routedModel([{}])
    // The same prompt twice: the second is not in the cache before the first is computed.
    const first = send(promptNamed('a'))
    clock.advance(20)
    const second = send(promptNamed('a'))
    first.answer(50, { cachedTokens: 0 })
    second.answer(50, { cachedTokens: 0 })
    routing.of(first.backend).forget()
    send(promptNamed('b')).lease.release('neutral')
    clock.advance(20)
    send(promptNamed('b')).answer(50, { cachedTokens: 0 })
    expect(routing.learnt()[0]!.learnt.cacheTokens.value).equal(400_000)
  })

  it('learns no cache size from prompts with another ratio of tokens to bytes', () => {
    const { send, routing } = routedModel([{}])
    for (let i = 0; i < 40; i++)
      send(promptNamed(`p${i % 4}`)).answer(50, { promptTokens: 2500, cachedTokens: i < 4 ? 0 : 2499 })
    expect(routing.learnt()[0]!.learnt.cacheTokens.value).equal(400_000)
  })

  it('forgets a prompt that was cancelled before it was computed', () => {
    const { send, routing } = routedModel([{}])
    const known = (backend: Backend) => routing.explain([backend], promptNamed('a')).backends[0]!.knownTokens
    const { lease, backend } = send(promptNamed('a'))
    expect(known(backend)).above(4000)
    lease.release('answered')
    expect(known(backend)).equal(0)
    const begun = send(promptNamed('a'))
    begun.lease.answering(true)
    begun.lease.release('neutral')
    expect(known(backend)).above(4000)
  })

  it('reports predicted and measured values', () => {
    const { send, seen } = routedModel()
    send(promptNamed('a')).answer(200, { cachedTokens: 0 })
    send(promptNamed('a')).answer(20, { cachedTokens: 4900 })
    expect(seen.cached).deep.equal([
      [0, 0],
      [4864, 4900],
    ])
    expect(seen.firstToken.map(([, measured]) => measured)).deep.equal([200, 20])
  })
})
