import { expect } from 'chai'
import { FINISH_REASONS, newChunk } from '../../../lib/canonical/reply.ts'
import { EFFORTS } from '../../../lib/canonical/request.ts'

describe('the canonical form', () => {
  it('starts every chunk empty, and with the same members in the same order', () => {
    const one = newChunk(0)
    const two = newChunk(3)
    expect(Object.keys(one)).deep.equal(Object.keys(two))
    expect({ ...one, choice: 3 }).deep.equal(two)
    const { choice, start, ...others } = one
    expect([choice, start]).deep.equal([0, false])
    expect(Object.values(others).every(value => value === undefined)).equal(true)
  })

  it('knows the efforts from none to the most', () => {
    expect(EFFORTS).deep.equal(['none', 'low', 'medium', 'high', 'xhigh', 'max'])
  })

  it('knows why a choice can have finished: every other reason is a failure', () => {
    expect(FINISH_REASONS).deep.equal(['stop', 'length', 'tool_calls', 'content_filter'])
  })
})
