import { expect } from 'chai'
import { eventTable, marksOf } from '../../../../lib/admin/pages/events.ts'
import { textIn } from '../../../support/operators.ts'

const reload = { at: '2027-01-10T00:10:05.000000Z', kind: 'reload', model: null, url: null, reason: null, actor: null }
const ejected = {
  ...{ ...reload, at: '2027-01-10T00:19:00.000000Z', kind: 'ejected' },
  ...{ model: 'm', url: 'http://127.0.0.1:8000/v1', reason: 'health_check' },
}
const drain = { ...ejected, kind: 'drain', reason: 'operator', actor: 'operator alice' }
const EVENTS = [drain, ejected, reload]

describe('events on pages', () => {
  it('are marks of plots, oldest first', () => {
    const at = Date.UTC(2027, 0, 10, 0, 19) / 1000
    expect(marksOf(EVENTS)).deep.equal([
      { at: at - 535, text: 'reload' },
      { at, text: 'ejected', kind: 'bad' },
      { at, text: 'drain', kind: 'warn' },
    ])
    expect(marksOf([{ kind: 'unknown' }])).deep.equal([])
  })

  it('are a table, with the backend and the model where the page has several', () => {
    const own = textIn(eventTable(EVENTS, { of: 'backend' }).toString())
    expect(own).contain('drain began operator operator alice').and.contain('ejected health check –')
    expect(own).contain('configuration reloaded – –').and.not.contain(':8000')
    const { model: _model, ...bare } = ejected
    const ofModel = eventTable([bare], { of: 'model', model: 'm' }).toString()
    expect(ofModel).contain('href="/backends/history?model=m&amp;url=http%3A%2F%2F127.0.0.1%3A8000%2Fv1"')
    const all = eventTable(EVENTS, { of: 'all' }).toString()
    expect(all).contain('href="/models/m/history"').and.contain('>:8000<')
    expect(all).contain('href="/audit?actor=operator+alice">operator alice<')
    expect(textIn(all)).contain('configuration reloaded – – – –')
    expect(textIn(eventTable([{ ...drain, model: null }], { of: 'all' }).toString())).contain('drain began – :8000')
    expect(textIn(eventTable([], { of: 'all' }).toString())).contain('no reload, drain or ejection')
  })
})
