import { expect } from 'chai'
import { MODEL, warningsOf } from '../../../support/config.ts'

// test/wrong-configurations.test.ts has a row for each warning.
describe('warnings of a file', () => {
  it('are in the order of the file, with models counted', () => {
    const models = ['a', 'b', 'c'].map(id => `- { id: ${id}, backends: [{ url: http://x/v1 }] }`).join('\n')
    const text = `
accounts: [{ id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21, credits_cents: 1, models: [b, c] }]
timeouts: { request_ms: 300 }
models:\n${models}`
    expect(warningsOf(text)).deep.equal([
      "accounts.0.credits_cents: requests to the model 'b' and 1 more cost nothing: set pricing of the model, to 0 if intended",
      'timeouts.request_ms: is in milliseconds, and then requests end with 408: for 300 seconds, write 300000',
    ])
  })

  it('find options of trace in a list of plugins, too', () => {
    const text = `plugins: [{ use: auth }, { use: trace, options: { endpoint: "http://c/otlp/v1/traces" } }]${MODEL}`
    expect(warningsOf(text)).deep.equal([
      'plugins.1.options.endpoint: the gateway appends /v1/traces itself: write http://c/otlp',
    ])
  })
})
