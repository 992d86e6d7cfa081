import { expect } from 'chai'
import { VirtualTime } from '../../../../bench/routing/virtual-time.ts'
import type { Backend } from '../../../../lib/backends/pool.ts'
import { LineGate, type WaitingLine } from '../../../../lib/routing/spare/line-gate.ts'
import { SpareModel } from '../../../../lib/routing/spare/spare-model.ts'
import { promptNamed, routedModel } from '../../../support/routed-model.ts'

const LIMITS = { growth: 0.05, max_added_ttft_ms: 50, max_share: 1, max_cache_share: 0.2, slots: 2 }

describe('LineGate', () => {
  function scene() {
    const { routing, pool } = routedModel([{}, { zdr: true }])
    const time = new VirtualTime()
    const spare = new SpareModel(routing)
    const sent: string[] = []
    const placements: { ended(usage: undefined): void }[] = []
    const state = { limits: LIMITS as typeof LIMITS | undefined, waiting: 0, modelPlaces: Number.POSITIVE_INFINITY }
    const wanted: number[] = []
    const gate = new LineGate({
      after: time.after,
      limits: () => state.limits,
      usable: (_model, zdr) => [...pool.backends()].filter(({ config }) => !zdr || config.zdr),
      waiting: () => state.waiting,
      modelPlaces: () => state.modelPlaces,
      of: () => spare,
      full: backends => void wanted.push(backends.length),
    })
    const run = (ms: number) => {
      for (const end = time.ms + ms; time.next <= end; ) time.step()
      time.ms += ms
    }
    const enter = (name: string, zdr = false) => {
      const prompt = { ...promptNamed(name, { bytes: 100 }), isStreamed: false }
      const line: WaitingLine = {
        zdr,
        prompt,
        send: (backend: Backend) => {
          sent.push(name)
          placements.push(spare.place(backend, prompt))
        },
        previous: null,
        next: null,
        isListed: false,
      }
      gate.enter('m', line)
      return line
    }
    return { gate, time, sent, placements, state, wanted, run, enter, pool }
  }

  it('sends lines in order, in a later tick, while there is capacity', () => {
    const { gate, sent, run, enter, placements } = scene()
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) enter(name)
    expect(sent).deep.equal([])
    expect(gate.waiting('m')).equal(6)
    run(1)
    expect(sent).deep.equal(['a', 'b', 'c', 'd'])
    expect(gate.waiting('m')).equal(2)
    expect(gate.heldBack('m')).equal('room')
    placements[0]!.ended(undefined)
    gate.changed('m')
    run(1)
    expect(sent.at(-1)).equal('e')
  })

  it('looks again every 20 ms while lines wait', () => {
    const { sent, state, run, enter } = scene()
    state.waiting = 1
    enter('a')
    run(30)
    expect(sent).deep.equal([])
    state.waiting = 0
    run(20)
    expect(sent).deep.equal(['a'])
  })

  it('forgets a line that has left', () => {
    const { gate, sent, state, run, enter } = scene()
    state.waiting = 1
    const line = enter('a')
    enter('b')
    gate.leave('m', line)
    gate.leave('m', line)
    expect(gate.waiting('m')).equal(1)
    state.waiting = 0
    run(30)
    expect(sent).deep.equal(['b'])
    gate.leave('m', line)
    expect(gate.waiting('m')).equal(0)
    expect(gate.heldBack('m')).equal(null)
  })

  it('does not delay other lines by those that need zero data retention', () => {
    const { sent, run, enter } = scene()
    for (const name of ['z1', 'z2', 'z3']) enter(name, true)
    enter('a')
    run(1)
    expect(sent).have.members(['z1', 'z2', 'a'])
  })

  it('has room for as many lines as there are places for, and says when there is more', () => {
    const { gate, state, run, enter, placements } = scene()
    let calls = 0
    const end = gate.onRoom('m', () => calls++)
    expect(gate.room('m')).equal(4)
    run(1)
    expect(calls).equal(1)
    for (const name of ['a', 'b', 'c', 'd']) enter(name)
    expect(gate.room('m')).equal(0)
    run(1)
    expect([gate.room('m'), calls]).deep.equal([0, 1])
    placements[0]!.ended(undefined)
    gate.changed('m')
    run(1)
    expect([gate.room('m'), calls]).deep.equal([1, 2])
    end()
    placements[1]!.ended(undefined)
    gate.changed('m')
    run(1000)
    expect(calls).equal(2)
    state.modelPlaces = 1
    expect(gate.room('m')).equal(1)
    state.limits = undefined
    expect(gate.room('m')).equal(0)
  })

  it('says so again when all lines that filled it were sent at once', () => {
    const { gate, state, run, enter, sent } = scene()
    state.limits = { ...LIMITS, slots: 100, max_added_ttft_ms: 1e6 }
    const rooms: number[] = []
    gate.onRoom('m', () => {
      const room = gate.room('m')
      rooms.push(room)
      for (let i = 0; i < room; i++) enter(`line ${sent.length + i}`)
    })
    run(100)
    expect(rooms.slice(0, 2)).deep.equal([32, 32])
    expect(sent.length).greaterThan(100)
  })

  it('notices without an event that there is room', () => {
    const { gate, state, run } = scene()
    state.limits = undefined
    let calls = 0
    gate.onRoom('m', () => calls++)
    run(100)
    expect(calls).equal(0)
    state.limits = LIMITS
    run(500)
    expect(calls).equal(1)
  })

  it('sends nothing without places of the model, and asks for places that other processes have', () => {
    const { gate, sent, state, run, enter, wanted, pool } = scene()
    state.modelPlaces = 0
    enter('a')
    run(1)
    expect(gate.heldBack('m')).equal('room')
    state.modelPlaces = 5
    for (const backend of pool.backends()) backend.places.update(0, false)
    run(30)
    expect([sent.length, wanted.length]).deep.equal([0, 1])
    expect(wanted[0]).equal(2)
  })

  it('counts the lines that could be sent, and none before those of clients that wait', () => {
    const { gate, state } = scene()
    expect([...gate.models()]).deep.equal([])
    expect(gate.spareSlots('m')).equal(4)
    state.waiting = 1
    expect(gate.spareSlots('m')).equal(0)
    expect(gate.isOffline('m')).equal(false)
  })

  it('ends its timers', () => {
    const { gate, time, enter, state } = scene()
    state.waiting = 1
    enter('a')
    gate.close()
    expect(time.next).equal(Number.POSITIVE_INFINITY)
  })
})
