import { expect } from 'chai'
import { BackendPool } from '../../../lib/backends/pool.ts'
import { listAll } from '../../../lib/process/list-backends.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { ManualClock } from '../../support/clock.ts'

describe('process/list-backends', () => {
  const pool = new BackendPool([model({}, { backends: [backendConfig({ url: 'http://a/v1' })] })], new ManualClock(), {
    health: null,
  })
  const list = (own: string | null, ofSource: string | null) =>
    listAll(
      [pool.snapshot()],
      { problem: () => own },
      {
        problem: () => ofSource,
        empty: () => [{ model: 'm', source: 'file /t', zdr: false, problem: 'there is no such file' }],
      },
    )

  it('shows what a backend says of itself, what is wrong with its discovery, and places without backends', () => {
    expect(list(null, null).map(({ url, problem }) => [url, problem])).deep.equal([
      ['http://a/v1', null],
      ['file /t', 'there is no such file'],
    ])
    expect(list('answers 401', null)[0]!.problem).equal('answers 401')
    expect(list('answers 401', 'dns A x: SERVFAIL')[0]!.problem).equal('answers 401; dns A x: SERVFAIL')
  })
})
