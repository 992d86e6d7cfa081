import { expect } from 'chai'
import type { Dashboard, LiveRow } from '../../../../lib/admin/live/dashboard.ts'
import { drainNote, drainRoutes } from '../../../../lib/admin/pages/drain.ts'
import type { CallInput, PageReply, PageRequest } from '../../../../lib/admin/pages/page.ts'
import { configOf, MODEL } from '../../../support/config.ts'
import { textIn } from '../../../support/operators.ts'

const rowOf = (url: string, state: LiveRow['state'], model = 'm') => ({ url, model, state, in_flight: 3 }) as LiveRow
const ROWS = [rowOf('http://a/v1', 'up'), rowOf('http://b/v1', 'up'), rowOf('http://c/v1', 'ejected')]
const config = configOf(`${MODEL}\n`)

describe('drains on the page Overview', () => {
  let calls: [string, CallInput | undefined][]
  beforeEach(() => {
    calls = []
  })
  const requestOf = (fields: Readonly<Record<string, string>>, query = ''): PageRequest => ({
    visitor: { operator: { id: 'op_1', name: 'alice' }, secret: 's' },
    params: {},
    query: new URLSearchParams(query),
    form: new URLSearchParams(fields),
    config,
    csv: () => Promise.reject(new Error('not called')),
    now: 0,
    problem: null,
    filterProblem: null,
    headers: {},
    call: async (name, input) => {
      calls.push([name, input])
      return {}
    },
  })
  const send = async (path: string, fields: Readonly<Record<string, string>>, rows: readonly LiveRow[] = ROWS) => {
    const state = async () => ({ rows, modelRows: [], gateways: [], failures: [], unready: [] })
    const route = drainRoutes({ state } as unknown as Dashboard).find(one => one.path === path)!
    return route.handle(requestOf(fields))
  }
  const a = { url: 'http://a/v1', model: 'm' }

  it('ask before a drain, and say what remains', async () => {
    for (const [rows, rest] of [
      [ROWS, 'One other backend of the model is up.'],
      [[...ROWS, rowOf('http://d/v1', 'up')], '2 other backends of the model are up.'],
      [[ROWS[0]!, ROWS[2]!, rowOf('http://e/v1', 'up', 'n')], 'No other backend of m is up.'],
    ] as const) {
      const { title, body } = (await send('/drain', a, rows)) as PageReply
      expect(title).equal('Drain a backend?')
      expect(textIn(body.toString()))
        .contain('http://a/v1 receives no new requests for m. Requests in flight finish: 3 now.')
        .and.contain(rest)
    }
    expect(calls).deep.equal([])
  })

  it('begin after the answer, end without a question, and name their backend', async () => {
    const to = (action: string) => ({ to: `/?done=${action}&backend=http%3A%2F%2Fa%2Fv1&of=m` })
    expect(await send('/drain', { ...a, confirmed: 'yes' })).deep.equal(to('drain'))
    expect(await send('/undrain', a)).deep.equal(to('undrain'))
    expect(calls).deep.equal([
      ['drain-backend', { body: a }],
      ['undrain-backend', { body: a }],
    ])
  })

  it('leave the refusal of an unknown backend to the operation', async () => {
    await send('/drain', { url: 'http://nowhere/v1' })
    expect(calls).deep.equal([['drain-backend', { body: { url: 'http://nowhere/v1' } }]])
  })

  it('are noted with a button that undoes them, if there is such a backend', () => {
    const noted = (query: string) =>
      drainNote(requestOf({}, query), {
        rows: ROWS,
        modelRows: [],
        gateways: [],
        failures: [],
        unready: [],
      })?.toString() ?? ''
    expect(noted('done=drain&backend=http://a/v1&of=m'))
      .contain('http://a/v1 of m is drained')
      .and.contain('action="/undrain"')
    expect(noted('done=undrain&backend=http://a/v1&of=m'))
      .contain('http://a/v1 of m is no longer drained')
      .and.contain('action="/drain"')
      .and.contain('name="confirmed" value="yes"')
    for (const query of ['done=drain&backend=http://a/v1&of=n', 'done=else&backend=http://a/v1&of=m', ''])
      expect(noted(query)).equal('')
  })
})
