import { expect } from 'chai'
import { type Runnable, Turns } from '../../../lib/batches/turns.ts'
import { ManualClock } from '../../support/clock.ts'

const runnable = (id: string, account_id: string, served = 0) =>
  ({ batch: { id, account_id, served }, account: {} }) as unknown as Runnable

describe('turns of batches', () => {
  it('go to the account with the fewest tokens, and to its batches one after the other', () => {
    const turns = new Turns(new ManualClock())
    const all = [runnable('a1', 'a', 50), runnable('b1', 'b', 10), runnable('b2', 'b', 10)]
    const next = (running: { batch: { account_id: string }; row: { length: number } }[] = []) =>
      turns.next('m', all, running)?.batch.id
    expect([next(), next(), next()]).deep.equal(['b1', 'b2', 'b1'])
    expect(next([{ batch: { account_id: 'b' }, row: { length: 400 } }]), 'in flight').equal('a1')
    turns.served('b', 100)
    expect(next()).equal('a1')
    turns.update()
    expect(next()).equal('b2')
    expect(turns.next('m', [], [])).equal(undefined)
  })

  it('skip what waits', () => {
    const clock = new ManualClock()
    const turns = new Turns(clock)
    turns.wait('a1', 100)
    turns.wait('b1 m', 200)
    const next = () => turns.next('m', [runnable('a1', 'a'), runnable('b1', 'b')], [])?.batch.id
    expect(next()).equal(undefined)
    clock.advance(100)
    expect(next()).equal('a1')
  })
})
