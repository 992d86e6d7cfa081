import { expect } from 'chai'
import type { RedisLink } from '../../../../lib/limits/redis/link.ts'
import { Processes } from '../../../../lib/limits/redis/processes.ts'
import { ManualClock } from '../../../support/clock.ts'

describe('Processes', () => {
  const setUp = (atLeast: number) => {
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
      processes: new Processes({ run } as unknown as RedisLink, clock, atLeast),
    }
  }

  it('share a limit evenly, each at least one', async () => {
    const { processes, replies } = setUp(1)
    expect(processes.share(10)).equal(10)
    replies.push([4])
    await processes.heartbeat()
    expect([1, 3, 4, 10].map(limit => processes.share(limit))).deep.equal([1, 1, 1, 2])
  })

  it('are as many as were seen last, while Redis is unavailable', async () => {
    const { clock, processes, replies } = setUp(1)
    replies.push([4], undefined)
    await processes.heartbeat()
    clock.advance(3000)
    await processes.heartbeat()
    expect(processes.share(8)).equal(2)
  })

  it('are never fewer than the configuration starts', async () => {
    const { processes, replies } = setUp(4)
    expect(processes.share(8)).equal(2)
    replies.push([1])
    await processes.heartbeat()
    expect(processes.share(8)).equal(2)
  })

  it('send a heartbeat every three seconds', async () => {
    const { asked, clock, processes } = setUp(1)
    for (let i = 0; i < 9; i++) {
      await processes.heartbeat()
      clock.advance(1000)
    }
    expect(asked()).equal(3)
  })
})
