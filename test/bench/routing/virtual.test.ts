import { expect } from 'chai'
import { simulate } from '../../../bench/routing/virtual.ts'
import { VirtualTime } from '../../../bench/routing/virtual-time.ts'
import type { Session, Turn } from '../../../bench/routing/workloads.ts'
import { faster, H100_8B } from '../../../simulator/engine-speed.ts'

/** Consecutive requests without pauses. */
function session(id: string, at: number, prompts: readonly Turn['pieces'][]): Session {
  const turns = prompts.map(pieces => ({ pieces, answerTokens: 8 }))
  return { id, at, turns, pauses: turns.slice(1).map(() => 0) }
}

describe('VirtualTime', () => {
  it('calls timers in order, and those of the same time as they were set', () => {
    const time = new VirtualTime()
    const called: string[] = []
    const call = (name: string) => () => void called.push(`${name} ${time.monotonic()}`)
    time.after(5, call('c'))
    time.after(2, call('a'))
    time.after(5, call('d'))
    time.after(2, call('b'))
    time.after(3, call('never'))()
    while (time.next < Number.POSITIVE_INFINITY) time.step()
    expect(called).deep.equal(['a 2', 'b 2', 'c 5', 'd 5'])
  })
})

describe('the policies in virtual time', () => {
  const speed = { ...faster(H100_8B, 20), blockTokens: 16 }

  it('keep conversations at their backends, also after long new prompts and a burst', () => {
    const conversation = (i: number) => [{ id: `conversation${i}`, tokens: 2800 }]
    const one = (id: string, at: number) => session(`${id}/${at}`, at, [[{ id, tokens: 8000 }]])
    const long = [one('long0', 0), one('long1', 0)]
    // They wait behind the long prompts: a prompt that is not computed yet is in no cache.
    const burst = [4, 12].flatMap(at => [0, 1, 2, 3].map(i => session(`${i}/${at}`, at, [conversation(i)])))
    const all = Array.from({ length: 16 }, (_, i) => conversation(i))
    const sessions = [...long, ...burst, session('first', 1000, all), session('again', 2000, all)]
    const { samples } = simulate({ policy: 'cost', engines: 2, speed, times: 1, seed: 1, sessions })
    const again = samples.filter(({ at }) => at >= 2000)
    expect(again).length(16)
    expect(again.filter(({ cachedTokens }) => cachedTokens < 2700)).deep.equal([])
  })
})
