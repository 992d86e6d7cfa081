import { expect } from 'chai'
import type { Json } from '../../../lib/base/json.ts'
import { Inquiries } from '../../../lib/process/inquiries.ts'
import { backendConfig } from '../../support/backend-config.ts'
import { model } from '../../support/canonical.ts'
import { eventually } from '../../support/gateway.ts'
import { closeStubs, stubServer } from '../../support/stub.ts'

describe('inquiries', () => {
  afterEach(closeStubs)

  it('warn once of a backend that does not serve its model, and ask again until it does', async () => {
    const lines: [string, string][] = []
    const log = {
      warn: (_: unknown, text: string) => lines.push(['warn', text]),
      info: (_: unknown, text: string) => lines.push(['info', text]),
    } as never
    const answer: { body: Json } = { body: { data: [{ id: 'Qwen/Qwen3-32B' }] } }
    const url = `${await stubServer({ 'GET /v1/models': answer })}/v1`
    const models = [model({}, { backends: [backendConfig({ url, model: 'nope' })] })]
    const inquiries = new Inquiries({ log, everyMs: 10 })
    try {
      inquiries.update(models)
      const problem = "does not serve 'nope'; it serves Qwen/Qwen3-32B"
      await eventually(() => inquiries.problem('m', url) === problem)
      expect(inquiries.problem('other', url)).equal(null)
      // A reload, or a further round, repeats nothing.
      inquiries.update(models)
      answer.body = { data: [{ id: 'nope' }] }
      await eventually(() => inquiries.problem('m', url) === null)
      expect(lines).deep.equal([
        ['warn', `a backend ${problem}`],
        ['info', 'a backend serves its model again'],
      ])
    } finally {
      inquiries.close()
    }
  })
})
