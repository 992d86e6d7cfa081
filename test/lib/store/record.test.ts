import { expect } from 'chai'
import { MEMBER_NAMES, MEMBERS } from '../../../lib/store/record.ts'
import { makeRecord } from '../../support/record.ts'

describe('members of a record', () => {
  it('are all listed, the id first', () => {
    expect(MEMBER_NAMES).deep.equal(Object.keys(MEMBERS))
    expect([...MEMBER_NAMES].sort()).deep.equal(Object.keys(makeRecord()).sort())
    expect(MEMBER_NAMES[0]).equal('id')
  })
})
