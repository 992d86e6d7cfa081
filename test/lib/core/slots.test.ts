import { expect } from 'chai'
import { chat, formatOptions, slot, slotCount, target } from '../../../lib/core/slots.ts'
import * as builtIn from '../../../plugins/slots.ts'

describe('core/slots', () => {
  it('have one index per name', () => {
    const before = slotCount()
    const one = slot('slots-test-one').of<number>()
    const two = slot('slots-test-two').of<string>()
    expect(slotCount()).equal(before + 2)
    expect(one.index).not.equal(two.index)
    expect(slot('slots-test-one').of<number>().index).equal(one.index)
    expect(slotCount()).equal(before + 2)
    expect(Math.max(one.index, two.index)).below(slotCount())
  })

  it('of the core are the same objects for plugins', () => {
    expect([builtIn.chat, builtIn.formatOptions, builtIn.target]).deep.equal([chat, formatOptions, target])
  })

  it('of the built-in plugins have the names of their constants, in kebab case', () => {
    for (const [constant, { name }] of Object.entries(builtIn)) {
      expect(name, constant).equal(constant.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`))
    }
  })
})
