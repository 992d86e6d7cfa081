import { expect } from 'chai'
import { chat, formatOptions, slot, slotCount, target } from '../../../lib/core/slots.ts'
import * as builtIn from '../../../plugins/slots.ts'

describe('slots', () => {
  it('have an index each, and the same name has the same index', () => {
    const before = slotCount()
    const one = slot('slots-test-one').of<number>()
    const two = slot('slots-test-two').of<string>()
    expect(slotCount()).equal(before + 2)
    expect(one.index).not.equal(two.index)
    expect(slot('slots-test-one').of<number>().index).equal(one.index)
    expect(slotCount()).equal(before + 2)
    expect(Math.max(one.index, two.index)).below(slotCount())
  })

  it('of the core are those of the plugins', () => {
    expect([builtIn.chat, builtIn.formatOptions, builtIn.target]).deep.equal([chat, formatOptions, target])
  })

  it('of the built-in plugins have the names of their constants, written as in a configuration', () => {
    for (const [constant, { name }] of Object.entries(builtIn)) {
      expect(name, constant).equal(constant.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`))
    }
  })
})
