import { expect } from 'chai'
import { configOf, MODEL, problemsOf } from '../../../support/config.ts'

const file = (records: string) => `export: { records: { ${records} } }${MODEL}`
const SECRET = "'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'"

describe('checks on exports', () => {
  it('take each destination with its members', () => {
    for (const target of [
      'to: stdout',
      'to: file, path: a.jsonl',
      `to: webhook, url: 'https://a.test/', secret: ${SECRET}`,
      "to: otlp, url: 'http://a.test:4318'",
    ])
      expect(problemsOf(file(target)), target).deep.equal([])
    const { records } = configOf(file('to: file, path: a.jsonl')).export!
    expect(records).include({ to: 'file', max_batch: 500 })
    expect(records!.path).match(/^\/.*a\.jsonl$/)
    expect(configOf(MODEL)).not.property('export')
  })

  it('refuse members that lack or have no effect', () => {
    expect(problemsOf(file('to: file'))).deep.equal(['export.records: to: file needs path'])
    expect(problemsOf(file('to: webhook'))).deep.equal([
      'export.records: to: webhook needs url',
      'export.records: to: webhook needs secret',
    ])
    expect(problemsOf(file('to: stdout, path: a'))).deep.equal(['export.records.path: has no effect with to: stdout'])
    expect(problemsOf(file('to: syslog'))).length(1)
  })
})
