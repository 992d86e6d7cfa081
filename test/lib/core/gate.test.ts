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

describe('gate', () => {
  it('is open before anything is asked for', () => {
    const gate = new Gate()
    expect([gate.isOpen, gate.decision(), gate.opened()]).deep.equal([true, undefined, undefined])
  })

  it('opens when every decision has come', async () => {
    const gate = new Gate()
    const come: (() => void)[] = []
    for (let i = 0; i < 2; i++) gate.hold(new Promise(resolve => come.push(resolve)))
    const opened = gate.opened()
    for (const one of come.reverse()) {
      expect(gate.isOpen).equal(false)
      one()
      await new Promise(setImmediate)
    }
    await opened
    expect(gate.isOpen).equal(true)
  })

  it('refuses with the topmost, in the name of its plugin, when the last decision has come', async () => {
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
    // Also when it is asked again.
    for (let i = 0; i < 2; i++) {
      expect(await gate.decision()).include({ message: refusal('/a').message, refusedBy: 'first' })
      expect(last).equal(true)
    }
    expect(gate.isOpen).equal(false)
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
