import { expect } from 'chai'
import { Changes } from '../../../lib/history/changes.ts'
import type { Sample } from '../../../lib/history/minute.ts'

const seen = (more: Partial<Sample>): Sample => {
  const idle = { inFlight: 0, queued: 0, capacity: null, fill: null }
  return { model: 'm', backend: 'http://a/v1', state: 'up', cordon: null, ...idle, ...more }
}

describe('Changes', () => {
  const eventsOf = (...looks: readonly Partial<Sample>[]) => {
    const changes = new Changes()
    for (const [at, look] of looks.entries()) changes.see([seen(look)], at)
    return changes.take().map(({ kind, reason, at }) => [kind, reason, at])
  }

  it('are none at the first look', () => {
    expect(eventsOf({ cordon: 'file', state: 'drained' })).deep.equal([])
  })

  it('are the return of a backend that was down', () => {
    const looks = [{}, { state: 'ejected' }, { state: 'probing' }, { state: 'up' }, { state: 'up' }] as const
    expect(eventsOf(...looks)).deep.equal([['readmitted', '', 3]])
  })

  it('are drains of the configuration; the audit log has those of operators', () => {
    const looks = [{}, { cordon: 'weight' }, {}, { cordon: 'operator' }, {}] as const
    expect(eventsOf(...looks)).deep.equal([
      ['drain', 'weight', 1],
      ['undrain', 'weight', 2],
    ])
  })

  it('are bounded, and taken once', () => {
    const changes = new Changes()
    const event = { kind: 'reload', model: '', backend: '', reason: '', at: 0 } as const
    for (let i = 0; i < 2000; i++) changes.add(event)
    expect(changes.take()).lengthOf(1000)
    expect(changes.take()).deep.equal([])
  })
})
