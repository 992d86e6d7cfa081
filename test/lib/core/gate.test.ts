import { expect } from 'chai'
import { Gate } from '../../../lib/core/gate.ts'
import { failure } from '../../../lib/errors/errors.ts'

const refusal = (problem: string) => failure('http_404', { problem })
const later = (ms: number, then: () => void) =>
  new Promise<void>((resolve, reject) =>
    setTimeout(() => {
      try {
        then()
        resolve()
      } catch (error) {
        reject(error)
      }
    }, ms),
  )

describe('core/gate', () => {
  it('is open without decisions', () => {
    const gate = new Gate()
    expect([gate.decision(), gate.opened()]).deep.equal([undefined, undefined])
  })

  it('opens when every decision is made', async () => {
    const gate = new Gate()
    const decide: (() => void)[] = []
    for (let i = 0; i < 2; i++) gate.hold(new Promise(resolve => decide.push(resolve)))
    const opened = gate.opened()
    for (const one of decide.reverse()) {
      expect(gate.opened()).not.equal(undefined)
      one()
      await new Promise(setImmediate)
    }
    await opened
    expect(gate.opened()).equal(undefined)
  })

  it('rejects with the refusal of the topmost plugin, after the last decision', async () => {
    const gate = new Gate()
    let last = false
    gate.hold(
      later(20, () => {
        throw refusal('/a')
      }),
    )
    gate.attribute('first')
    gate.hold(Promise.reject(refusal('/b')))
    gate.hold(
      later(40, () => {
        last = true
      }),
    )
    gate.attribute('second')
    // A second call gives the same result.
    for (let i = 0; i < 2; i++) {
      expect(await gate.decision()).include({ message: refusal('/a').message, refusedBy: 'first' })
      expect(last).equal(true)
    }
    expect(await gate.opened()?.catch((error: unknown) => error)).include({ refusedBy: 'first' })
  })

  it('waits for a decision that is added while it waits', async () => {
    const gate = new Gate()
    gate.hold(later(10, () => gate.hold(Promise.reject(refusal('/late')))))
    expect(await gate.decision()).include({ message: refusal('/late').message })
  })

  it('turns a fault into a refusal', async () => {
    const gate = new Gate()
    const fault = new TypeError('broken')
    gate.hold(Promise.reject(fault))
    gate.attribute('one')
    const decided = await gate.decision()
    expect(decided).include({ code: 'internal_error', refusedBy: 'one' })
    expect(decided?.details.cause).equal(fault)
  })
})
