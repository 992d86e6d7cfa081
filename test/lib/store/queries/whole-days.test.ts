import { expect } from 'chai'
import { wholeParts } from '../../../../lib/store/queries/whole-days.ts'

describe('wholeParts', () => {
  it('contains every hour of the period once, as whole days if possible', () => {
    for (let from = 0; from < 50; from++) {
      for (let to = from; to < 100; to++) {
        const { days, hours } = wholeParts(from, to)
        const all = hours.flatMap(([start, end]) => Array.from({ length: end - start }, (_, i) => start + i))
        for (let day = days[0]; day < days[1]; day++) all.push(...Array.from({ length: 24 }, (_, i) => day * 24 + i))
        const expected = Array.from({ length: to - from }, (_, i) => from + i)
        expect(
          all.toSorted((a, b) => a - b),
          `${from} ${to}`,
        ).deep.equal(expected)
        expect(hours.reduce((sum, [start, end]) => sum + end - start, 0)).below(48)
      }
    }
    expect(wholeParts(24, 72)).deep.equal({ days: [1, 3], hours: [] })
  })
})
