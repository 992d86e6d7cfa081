import { once } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { LoopWriteQueue } from '../../../lib/base/write-queue.ts'

describe('base/write-queue', () => {
  it('runs deferred jobs at the end of the tick, in order', async () => {
    const steps: string[] = []
    const own = new LoopWriteQueue()
    own.add({ onFlush: () => void steps.push('first') })
    own.add({ onFlush: () => void steps.push('second') })
    process.nextTick(() => steps.push('tick'))
    await turn()
    expect(steps).deep.equal(['tick', 'first', 'second'])
  })

  it('runs jobs of addFirst() and addNext() before the others, whenever they were added', async () => {
    const steps: string[] = []
    const own = new LoopWriteQueue()
    const job = (step: string) => ({ onFlush: () => void steps.push(step) })
    own.add(job('one'))
    own.addFirst(job('before'))
    own.add(job('two'))
    await turn()
    expect(steps).deep.equal(['before', 'one', 'two'])
    own.add(job('last'))
    own.addNext(job('second'))
    own.addFirst(job('first'))
    await turn()
    expect(steps.slice(3)).deep.equal(['first', 'second', 'last'])
    own.addFirst(job('alone'))
    await turn()
    expect(steps.at(-1)).equal('alone')
  })

  it('runs jobs that are added during a flush in the next tick', async () => {
    const steps: string[] = []
    const own = new LoopWriteQueue()
    own.add({
      onFlush() {
        own.add({ onFlush: () => void steps.push('next') })
        steps.push('this')
      },
    })
    await turn()
    expect(steps).deep.equal(['this'])
    await turn()
    expect(steps).deep.equal(['this', 'next'])
  })

  it('runs the other jobs when one throws, and does not hide the error', async () => {
    const steps: string[] = []
    const own = new LoopWriteQueue()
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    const uncaught = once(process, 'uncaughtException')
    own.add({
      onFlush() {
        throw new Error('mine')
      },
    })
    own.add({ onFlush: () => void steps.push('other') })
    const [thrown] = (await uncaught) as [Error]
    for (const other of others) process.on('uncaughtException', other)
    expect(thrown.message).equal('mine')
    expect(steps).deep.equal(['other'])
  })
})
