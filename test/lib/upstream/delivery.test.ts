import { expect } from 'chai'
import { replyTurns } from '../../../lib/base/turns.ts'
import { Delivery } from '../../../lib/upstream/delivery.ts'
import { eventually } from '../../support/gateway.ts'
import { holdTurns } from '../../support/held-turns.ts'

const tick = () => new Promise(resolve => setImmediate(resolve))

describe('upstream/delivery', () => {
  function scene() {
    const read: string[] = []
    const steps: string[] = []
    const reader = { onData: (chunk: Buffer) => void read.push(chunk.toString('latin1', 0, 1)) }
    const delivery: Delivery = new Delivery(
      reader,
      {
        passLate: chunk => void steps.push(`late ${chunk.toString('latin1', 0, 1)}`),
        onCaughtUp: () => void steps.push('caught up'),
      },
      'an account',
      () => 0,
    )
    const take = (name: string, bytes: number) => delivery.take(Buffer.from(name.padEnd(bytes)))
    return { delivery, read, steps, take }
  }

  it('passes on at once what comes while there is time', async () => {
    const { read, steps, take } = scene()
    await tick()
    expect([take('a', 10), take('b', 1_000_000)]).deep.equal([true, true])
    expect([read, steps]).deep.equal([['a', 'b'], []])
  })

  it('passes on a little at once, however busy the tick is, and the rest in its turn and order', async () => {
    const { delivery, read, steps, take } = scene()
    const over = holdTurns(replyTurns)
    try {
      expect([take('a', 1000), take('b', 1000), take('c', 1000), take('d', 10)]).deep.equal([true, true, false, false])
      expect([read, steps, delivery.isWaiting]).deep.equal([['a', 'b'], [], true])
    } finally {
      over()
    }
    await eventually(() => steps.length === 3, 'the turns')
    expect(steps).deep.equal(['late c', 'late d', 'caught up'])
    expect(delivery.isWaiting).equal(false)
  })

  it('passes on at once what a model may have generated since the last piece, where the process was held up', () => {
    let now = 0
    const read: number[] = []
    const owner = { passLate() {}, onCaughtUp() {} }
    const delivery = new Delivery({ onData: ({ length }) => void read.push(length) }, owner, 'an account', () => now)
    const over = holdTurns(replyTurns)
    try {
      now = 100
      expect([delivery.take(Buffer.alloc(15_000)), delivery.take(Buffer.alloc(5000))]).deep.equal([true, true])
      expect(delivery.take(Buffer.alloc(3000))).equal(false)
      expect(read).deep.equal([15_000, 5000])
    } finally {
      delivery.drop()
      over()
    }
  })

  it('lets a response wait no longer than others: each has one piece in a turn', async () => {
    const order: string[] = []
    const deliveries = ['a', 'b'].map(name => {
      const owner = { passLate: (chunk: Buffer) => void order.push(name + chunk.length), onCaughtUp() {} }
      return new Delivery({ onData() {} }, owner, 'an account', () => 0)
    })
    const over = holdTurns(replyTurns)
    for (const bytes of [3000, 4000]) for (const delivery of deliveries) delivery.take(Buffer.alloc(bytes))
    over()
    await eventually(() => order.length === 4, 'the turns')
    expect(order).deep.equal(['a3000', 'b3000', 'a4000', 'b4000'])
  })

  it('lets the response of one account wait for one turn of another account, however many responses that one has', async () => {
    const order: string[] = []
    const take = (account: string) => {
      const owner = { passLate: () => void order.push(account), onCaughtUp() {} }
      new Delivery({ onData() {} }, owner, account, () => 0).take(Buffer.alloc(3000))
    }
    replyTurns.add(1000)
    for (let i = 0; i < 500; i++) take('flood')
    take('other')
    await eventually(() => order.includes('other'), 'the turn of the other account')
    expect(order.indexOf('other')).equal(1)
    await eventually(() => order.length === 501, 'all turns')
  })

  it('reads on in its turn, for a while', async () => {
    const read: number[] = []
    const delivery: Delivery = new Delivery(
      { onData: ({ length }) => void read.push(length) },
      {
        passLate: ({ length }) => void read.push(length),
        onCaughtUp: () => {
          for (let i = 0; i < 9 && delivery.take(Buffer.alloc(8000)); i++);
        },
      },
      'an account',
      () => 0,
    )
    const release = holdTurns(replyTurns)
    delivery.take(Buffer.alloc(8000))
    release()
    await replyTurns.next()
    const inTurn = read.length
    expect(inTurn).within(4, 5)
    delivery.drop()
  })

  it('passes on a little in each tick, without a turn', async () => {
    const { read, take } = scene()
    const over = holdTurns(replyTurns)
    try {
      for (let i = 0; i < 5; i++) {
        expect(take(`${i}`, 2000)).equal(true)
        replyTurns.add(1)
        await tick()
      }
      expect(read).deep.equal(['0', '1', '2', '3', '4'])
    } finally {
      over()
    }
  })

  it('passes on at once what waits where the response breaks, and nothing where it is dropped', async () => {
    const { delivery, steps, take } = scene()
    const over = holdTurns(replyTurns)
    take('a', 5000)
    delivery.flush()
    expect([steps, delivery.isWaiting]).deep.equal([['late a'], false])
    take('b', 5000)
    delivery.drop()
    over()
    await tick()
    await replyTurns.next()
    expect(steps).deep.equal(['late a'])
  })
})
