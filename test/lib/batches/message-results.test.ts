import { expect } from 'chai'
import { messageResults } from '../../../lib/batches/message-results.ts'
import { gather, pieces } from '../../support/files.ts'

const results = async (...lines: readonly object[]) => {
  const files = () => pieces(...lines.map(line => `${JSON.stringify(line)}\n`))
  return (await gather(messageResults(files))).map(line => JSON.parse(line.toString()))
}

describe("results in Anthropic's shapes", () => {
  it('are messages, errors, cancelled and expired requests', async () => {
    const error = { type: 'error', error: { type: 'not_found_error', message: 'No.', code: 'model_not_found' } }
    expect(
      await results(
        { custom_id: 'a', response: { status_code: 200, request_id: 'r', body: { id: 'msg' } }, error: null },
        { custom_id: 'b', response: { status_code: 404, request_id: 'r', body: error }, error: null },
        { custom_id: 'c', response: null, error: { code: 'batch_cancelled', message: '' } },
        { custom_id: 'd', response: null, error: { code: 'batch_expired', message: '' } },
      ),
    ).deep.equal([
      { custom_id: 'a', result: { type: 'succeeded', message: { id: 'msg' } } },
      {
        custom_id: 'b',
        result: { type: 'errored', error: { ...error, request_id: 'r' } },
      },
      { custom_id: 'c', result: { type: 'canceled' } },
      { custom_id: 'd', result: { type: 'expired' } },
    ])
  })
})
