import { expect } from 'chai'
import { SpareModel } from '../../../../lib/routing/spare/spare-model.ts'
import { promptNamed, routedModel } from '../../../support/routed-model.ts'

const LIMITS = { growth: 0.05, max_added_ttft_ms: 50, max_share: 1, max_cache_share: 0.2, slots: 4 }

/** A model, and a function that sends a line. */
function scene(...backends: Parameters<typeof routedModel>) {
  const routed = routedModel(...backends)
  const { routing, pool, clock } = routed
  const spare = new SpareModel(routing)
  const all = [...pool.backends()]
  // Its requests are believed to take long enough for lines to be allowed.
  const used = () => {
    for (const name of ['x', 'y', 'z']) routed.send(promptNamed(name, { bytes: 60_000 })).answer(500)
  }
  const choose = (name = 'line', bytes = 2000, limits = LIMITS) =>
    spare.choose(all, { ...promptNamed(name, { bytes }), isStreamed: false }, limits, spare.isOffline())
  const line = (name = 'line', bytes = 2000) => {
    const chosen = choose(name, bytes)
    if (typeof chosen === 'string') return chosen
    const lease = chosen.acquire(spare.place(chosen, { ...promptNamed(name, { bytes }), isStreamed: false }))
    return { chosen, lease }
  }
  return { ...routed, spare, all, used, choose, line, clock, routing }
}

describe('SpareModel', () => {
  it('is offline until an interactive request, and ten seconds after the last one', () => {
    const { spare, send, clock } = scene()
    expect(spare.isOffline()).equal(true)
    const sent = send(promptNamed('a'))
    expect(spare.isOffline()).equal(false)
    clock.advance(60_000)
    expect(spare.isOffline()).equal(false)
    sent.lease.release('ok')
    clock.advance(9999)
    expect(spare.isOffline()).equal(false)
    clock.advance(1)
    expect(spare.isOffline()).equal(true)
  })

  it('fills the slots of offline backends with lines', () => {
    const { spare, all, line, clock } = scene([{}, {}])
    expect(spare.slots(all, LIMITS, true)).equal(8)
    for (let i = 0; i < 8; i++) {
      expect(line(`line${i}`)).not.a('string')
      clock.advance(100)
    }
    expect(all.map(backend => spare.linesAt(backend))).deep.equal([4, 4])
    expect(line()).equal('room')
    expect(spare.slots(all, LIMITS, true)).equal(0)
  })

  it('sends no line where an interactive request waits, or the prompt of a line is computed', () => {
    const { used, send, line, clock, routing, all } = scene([{}])
    used()
    const sent = send(promptNamed('b'))
    expect(line()).equal('prompt')
    clock.advance(10)
    sent.lease.answering(true)
    sent.lease.release('ok')
    expect(line()).not.a('string')
    expect(line()).equal('prompt')
    // The first token of a whole reply is not seen.
    clock.advance(500 + routing.floorMs)
    expect(routing.of(all[0]!).lines.load.queuedAt(clock.monotonic())).equal(0)
  })

  it('does not let lines decide where a prompt begins that no backend knows', () => {
    const { send, spare, all, clock } = scene([{}, {}])
    const answering = send(promptNamed('a'))
    clock.advance(10)
    answering.lease.answering(true)
    const other = all.find(backend => backend !== answering.backend)!
    other.acquire(spare.place(other, { ...promptNamed('line', { bytes: 60_000 }), isStreamed: false }))
    expect(send(promptNamed('b')).backend).equal(other)
  })

  it('holds lines back that would delay interactive requests', () => {
    const { used, choose } = scene([{}])
    used()
    expect(choose('short', 2000, { ...LIMITS, growth: 0 })).equal('growth')
    expect(choose('short', 2000, { ...LIMITS, growth: 1 })).not.a('string')
    expect(choose('long', 400_000, { ...LIMITS, growth: 1, max_added_ttft_ms: 1000 })).equal('growth')
  })

  it('prefers a backend that knows the beginning of the line', () => {
    const { line, choose, clock } = scene([{}, {}, {}])
    const first = line('same', 40_000)
    clock.advance(5000)
    expect(first).not.a('string')
    for (let i = 0; i < 5; i++) {
      expect(choose('same', 40_000)).equal((first as { chosen: unknown }).chosen)
      clock.advance(1000)
    }
  })

  it('guards interactive requests against evictions, unless the engine drops what lines leave first', () => {
    for (const [cache_by_priority, expected] of [
      [false, 'guard'],
      [true, 'object'],
    ] as const) {
      const { used, choose, routing, all, clock } = scene([{}])
      const config = { ...all[0]!.config, profile: { ...all[0]!.config.profile, cache_by_priority } }
      all[0]!.reconfigure(config)
      used()
      expect(choose()).not.a('string')
      routing.of(all[0]!).lines.evicted(1000, clock.monotonic())
      const chosen = choose()
      expect(typeof chosen === 'string' ? chosen : typeof chosen).equal(expected)
    }
  })

  it('counts those that wait for a request that a line delays', () => {
    const limits = { ...LIMITS, growth: 1, max_added_ttft_ms: 1000, max_cache_share: 1 }
    const chosen = (requests: number) => {
      const { used, send, line, choose, clock } = scene([{}])
      used()
      for (let i = 0; i < requests; i++) send(promptNamed(`another ${i}`, { bytes: 60_000 })).answer(500)
      // A prefill counts for the time without another one before it.
      expect(line('short', 200)).not.a('string')
      clock.advance(1000)
      return choose('line', 57_000, limits)
    }
    expect(chosen(0)).not.a('string')
    expect(chosen(60)).equal('guard')
  })

  it('counts the backends to which a line could be sent now', () => {
    const { used, send, spare, all } = scene()
    used()
    const online = () => spare.slots(all, { ...LIMITS, growth: 0.5 }, false)
    expect(online()).equal(3)
    send(promptNamed('waits'))
    expect(online()).equal(2)
  })
})
