import { expect } from 'chai'
import { Lookup } from '../../../../lib/backends/discovery/lookup.ts'
import { LookupError, type LookupResult, type Source } from '../../../../lib/backends/discovery/source.ts'
import { eventually } from '../../../support/gateway.ts'

/** Returns the answers in order, then repeats the last. */
class ScriptedSource implements Source {
  lookups = 0
  isClosed = false
  readonly #answers: (Partial<LookupResult> | Error)[]

  constructor(...answers: (Partial<LookupResult> | Error)[]) {
    this.#answers = answers
  }

  async lookup(): Promise<LookupResult> {
    this.lookups++
    const answer = (this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0])!
    if (answer instanceof Error) throw answer
    const { urls = [], total = urls.length, ttlMs = null, ranks } = answer
    return { urls, total, ttlMs, ...(ranks && { ranks }) }
  }

  close(): void {
    this.isClosed = true
  }
}

describe('backends/discovery/lookup', () => {
  const open: Lookup[] = []
  afterEach(() => {
    for (const lookup of open.splice(0)) lookup.close()
  })

  function look(source: Source, everyMs = 1) {
    const changes: { readonly found: readonly string[]; readonly problem: string | null }[] = []
    const onChange = ({ urls, problem }: Lookup) => void changes.push({ found: urls, problem })
    const lookup = new Lookup(source, { everyMs, minMs: 5, onChange })
    open.push(lookup)
    return { lookup, changes }
  }

  it('reports only changes', async () => {
    const source = new ScriptedSource({ urls: ['a'] }, { urls: ['a'] }, { urls: ['a', 'b'] }, { urls: ['b'] })
    const { changes } = look(source)
    await eventually(() => source.lookups > 10)
    expect(changes.map(({ found }) => found)).deep.equal([['a'], ['a', 'b'], ['b']])
  })

  it('keeps the last result while lookups fail, and reports that once', async () => {
    const lost = new LookupError('NXDOMAIN')
    const source = new ScriptedSource({ urls: ['a'] }, lost, lost, lost, { urls: ['a'] }, { urls: [] })
    const { changes } = look(source)
    await eventually(() => source.lookups > 10)
    expect(changes).deep.equal([
      { found: ['a'], problem: null },
      { found: ['a'], problem: 'NXDOMAIN: the last answer is kept' },
      { found: ['a'], problem: null },
      { found: [], problem: null },
    ])
  })

  it('reports why there is no result yet', async () => {
    const { lookup, changes } = look(new ScriptedSource(new LookupError('SERVFAIL')))
    await lookup.first
    expect(changes).deep.equal([{ found: [], problem: 'SERVFAIL' }])
    expect(lookup.hasAnswered).equal(false)
  })

  it('reports once that there were too many, for any number', async () => {
    const source = new ScriptedSource({ urls: ['a'], total: 10_000 }, { urls: ['a'], total: 9999 }, { urls: ['a'] })
    const { changes } = look(source)
    await eventually(() => source.lookups > 5)
    expect(changes.map(({ problem }) => problem)).deep.equal(['10000 were found: only 256 are used', null])
  })

  it('looks up earlier if the time to live is shorter, but not without a pause', async () => {
    const source = new ScriptedSource({ urls: ['a'], ttlMs: 0 })
    look(source, 3_600_000)
    await eventually(() => source.lookups >= 2)
    const calm = new ScriptedSource({ urls: ['a'], ttlMs: 60_000 })
    look(calm, 1)
    await eventually(() => calm.lookups > 3)
  })

  it('does not reveal the message of a fault', async () => {
    const { lookup } = look(new ScriptedSource(new Error('secret')))
    await lookup.first
    expect(lookup.problem).equal('it cannot be looked up')
  })

  it('ends on close()', async () => {
    const source = new ScriptedSource({ urls: ['a'] })
    const { lookup, changes } = look(source, 3_600_000)
    lookup.close()
    await lookup.first
    await new Promise(resolve => setImmediate(resolve))
    expect(source.isClosed).equal(true)
    expect(changes).deep.equal([])
  })

  it('reports changes of ranks', async () => {
    const ranked = (priority: number) => ({ urls: ['a'], ranks: new Map([['a', { priority, weight: 1 }]]) })
    const source = new ScriptedSource(ranked(1), ranked(1), ranked(0), { urls: ['a'] })
    const { lookup, changes } = look(source)
    await eventually(() => source.lookups > 5)
    expect(changes).lengthOf(3)
    expect(lookup.ranks.size).equal(0)
  })
})
