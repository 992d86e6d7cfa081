import { expect } from 'chai'
import { spareFacts, sumSpare } from '../../../../lib/admin/live/spare.ts'

describe('spare capacity for operators', () => {
  const gate = {
    models: () => ['m', 'n'],
    spareSlots: (model: string) => (model === 'm' ? 2 : 0),
    waiting: () => 3,
    isOffline: (model: string) => model === 'm',
    heldBack: (model: string) => (model === 'm' ? null : ('growth' as const)),
  }

  it('is that of each model whose lines the process has had', () => {
    expect(spareFacts(gate)).deep.equal([
      { model: 'm', slots: 2, waiting: 3, offline: true, held_back: null },
      { model: 'n', slots: 0, waiting: 3, offline: false, held_back: 'growth' },
    ])
  })

  it('is summed up over processes; a model is offline if it is so in all of them', () => {
    const other = { model: 'm', slots: 1, waiting: 0, offline: false, held_back: 'room' } as const
    expect(sumSpare([...spareFacts(gate), other])).deep.equal([
      { model: 'm', slots: 3, waiting: 3, offline: false, held_back: 'room' },
      { model: 'n', slots: 0, waiting: 3, offline: false, held_back: 'growth' },
    ])
  })
})
