import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { RedisLink } from '../../../../lib/limits/redis/link.ts'
import { knownProcesses, Processes } from '../../../../lib/limits/redis/processes.ts'
import { temporaryDirectory } from '../../../support/cli.ts'
import { ManualClock } from '../../../support/clock.ts'

describe('Processes', () => {
  const setUp = (atLeast: number, { last, assumed = atLeast }: { last?: number; assumed?: number } = {}) => {
    const kept: number[] = []
    const known = { last, keep: (count: number) => void kept.push(count) }
    const clock = new ManualClock()
    const replies: (readonly number[] | undefined)[] = []
    let asked = 0
    const run = async () => {
      asked++
      return replies.shift()
    }
    return {
      clock,
      replies,
      asked: () => asked,
      kept,
      processes: new Processes({ run, setTime() {} } as unknown as RedisLink, clock, { atLeast, assumed, known }),
    }
  }

  it('share a limit evenly, at least one each', async () => {
    const { processes, replies } = setUp(1)
    expect(processes.share(10)).equal(10)
    replies.push([4, 0])
    await processes.heartbeat()
    expect([1, 3, 4, 10].map(limit => processes.share(limit))).deep.equal([1, 1, 1, 2])
  })

  it('admit their share, everything or nothing while Redis is unavailable', () => {
    const { processes } = setUp(4)
    expect(processes.shareOnFailure(8, 'local_share')).equal(2)
    expect(processes.shareOnFailure(8, 'fail_open')).equal(Number.POSITIVE_INFINITY)
    expect(() => processes.shareOnFailure(8, 'fail_closed'))
      .throw()
      .include({ code: 'internal_error', status: 503 })
  })

  it('keep the last count while Redis is unavailable', async () => {
    const { clock, processes, replies } = setUp(1)
    replies.push([4, 0], undefined)
    await processes.heartbeat()
    clock.advance(3000)
    await processes.heartbeat()
    expect(processes.share(8)).equal(2)
  })

  it('are never fewer than the workers of the configuration', async () => {
    const { processes, replies } = setUp(4)
    expect(processes.share(8)).equal(2)
    replies.push([1, 0])
    await processes.heartbeat()
    expect(processes.share(8)).equal(2)
  })

  it('send a heartbeat every three seconds', async () => {
    const { asked, clock, processes, replies } = setUp(1)
    replies.push([1, 0], [1, 0], [1, 0])
    for (let i = 0; i < 9; i++) {
      await processes.heartbeat()
      clock.advance(1000)
    }
    expect(asked()).equal(3)
  })

  it('ask again at once after a missing answer', async () => {
    const { asked, processes, replies } = setUp(1)
    replies.push(undefined, [1, 0])
    for (let i = 0; i < 3; i++) await processes.heartbeat()
    expect(asked()).equal(2)
  })

  it('start with the count of an earlier process, else with the configured one', () => {
    expect(setUp(1, { last: 5, assumed: 2 }).processes.share(20)).equal(4)
    expect(setUp(1, { assumed: 2 }).processes.share(20)).equal(10)
    expect(setUp(8, { last: 5 }).processes.share(24)).equal(3)
  })

  it('are not fewer while others may be starting, and are saved afterwards', async () => {
    const { clock, kept, processes, replies } = setUp(1, { last: 4 })
    replies.push([1, 0], [2, 0], [2, 0])
    await processes.heartbeat()
    clock.advance(3000)
    await processes.heartbeat()
    expect(processes.share(8)).equal(2)
    expect(kept).deep.equal([])
    clock.advance(8000)
    await processes.heartbeat()
    expect(processes.share(8)).equal(4)
    expect(kept).deep.equal([2])
  })
})

describe('the saved number of processes', () => {
  const directory = temporaryDirectory()

  it('survives a restart', () => {
    const dir = directory()
    const known = knownProcesses(dir)
    expect(known.last).equal(undefined)
    known.keep(4)
    known.keep(4)
    expect(knownProcesses(dir).last).equal(4)
    known.keep(2)
    expect([known.last, knownProcesses(dir).last]).deep.equal([2, 2])
    expect(readdirSync(dir)).deep.equal(['limits-processes'])
  })

  it('is undefined if the file contains none', () => {
    const dir = directory()
    for (const text of ['', 'x', '0', '1.5', '-3']) {
      writeFileSync(join(dir, 'limits-processes'), text)
      expect(knownProcesses(dir).last, text).equal(undefined)
    }
  })

  it('is kept in memory if the disk cannot be written', () => {
    const known = knownProcesses(join(directory(), 'missing'))
    known.keep(3)
    expect(known.last).equal(3)
  })
})
