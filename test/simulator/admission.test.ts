import { expect } from 'chai'
import { Admission } from '../../simulator/admission.ts'

describe('simulator/admission', () => {
  it('runs requests up to a limit, queues more up to another, and refuses the rest', () => {
    const admission = new Admission(1, 2)
    const started: string[] = []
    const enter = (name: string) => admission.enter(() => started.push(name))
    const a = enter('a')
    const b = enter('b')
    enter('c')
    expect(started).deep.equal(['a'])
    expect([admission.running, admission.waiting, admission.isFull]).deep.equal([1, 2, true])
    expect(enter('d')).equal(undefined)

    a!.leave()
    a!.leave()
    expect(started).deep.equal(['a', 'b'])
    b!.leave()
    expect(started).deep.equal(['a', 'b', 'c'])
    expect([admission.running, admission.waiting, admission.isFull]).deep.equal([1, 0, false])
  })

  it('removes a waiting request that leaves', () => {
    const admission = new Admission(1, 2)
    const started: string[] = []
    const a = admission.enter(() => started.push('a'))
    const b = admission.enter(() => started.push('b'))
    admission.enter(() => started.push('c'))
    b!.leave()
    a!.leave()
    expect(started).deep.equal(['a', 'c'])
  })
})
