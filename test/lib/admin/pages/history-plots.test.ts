import { expect } from 'chai'
import { backendPlots, modelPlots, saturationOf, totalCards } from '../../../../lib/admin/pages/history-plots.ts'
import { historyOf } from '../../../support/history-reply.ts'
import { textIn } from '../../../support/operators.ts'

const states = { up: 0.5, unhealthy: 0, ejected: 0.5, probing: 0, draining: 0, drained: 0 }
const failures = { refused: 0, failed: 2, timeout: 0, unreachable: 0, cancelled: 0 }

describe('plots of history pages', () => {
  const measured = { states, failures, requests: 20, turned_away: 5, input_tokens: 6000, in_flight_mean: 2, limit: 8 }
  const history = historyOf([{}, measured])

  it('show states and failures that have occurred', () => {
    const plots = new Map(backendPlots(history).map(({ title, lines }) => [title, lines]))
    const state = plots.get('State, share of time')!
    expect(state.map(([label, read]) => [label, history.points.map(read)])).deep.equal([
      ['up', [null, 50]],
      ['ejected', [null, 50]],
    ])
    const up = historyOf([{ states: { ...states, up: 1, ejected: 0 } }, { states: { ...states, up: 0, ejected: 1 } }])
    const [, ejected] = backendPlots(up).find(({ title }) => title === 'State, share of time')!.lines
    expect(up.points.map(ejected![1])).deep.equal([null, 100])
    expect(plots.get('Failures by kind')!.map(([label]) => label)).deep.equal(['failed'])
  })

  it('have rates, whatever the length of a step', () => {
    const valuesOf = (of: typeof history, title: string) =>
      modelPlots(of)
        .find(one => one.title === title)!
        .lines.map(([, read]) => read(of.points[1]!))
    const all = { ...history, url: null }
    expect(valuesOf(all, 'Requests per minute')).deep.equal([2, 0.5])
    // That of a backend has no requests that its model has turned away.
    expect(valuesOf(history, 'Requests per minute')).deep.equal([2, null])
    expect(valuesOf(all, 'Tokens per second')).deep.equal([10, null, null])
    expect(valuesOf(all, 'Saturation')).deep.equal([25])
  })

  it('have the larger of two lines below the other, and gaps where nothing waited', () => {
    for (const [title, labels] of [
      ['Time to the first token', ['p95', 'p99', 'p50']],
      ['Requests in flight', ['At most', 'Limit', 'Mean']],
      ['Queue of the model', ['At most', 'Mean']],
    ] as const) {
      const { lines } = backendPlots(history).find(one => one.title === title)!
      expect(lines.map(([label]) => label)).deep.equal(labels)
      expect(lines.map(([, , wide = false]) => wide)).deep.equal(labels.map((_, at) => at === 0))
    }
    const zeroIsGap = ['Queue of the model', 'Mean wait for a backend']
    for (const title of zeroIsGap)
      expect(backendPlots(history).find(one => one.title === title)!.zeroIsGap, title).equal(true)
  })

  it('have cards of the whole time', () => {
    const cards = totalCards(history.total, more => `/requests?${new URLSearchParams({ model: 'm', ...more })}`)
    const text = cards.map(([name, value]) => `${name}: ${textIn(value.toString())}`)
    expect(cards.join()).contain('href="/requests?model=m&amp;status=errors"')
    expect(text).include('Requests: 20 2 failed').and.include('Up: 50 % of the time')
    expect(text).include('In flight: 2 at most –, limit 8')
    expect(saturationOf(historyOf([{ in_flight_mean: 2 }]).total)).equal(null)
  })
})
