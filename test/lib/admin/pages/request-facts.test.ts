import { expect } from 'chai'
import { factList } from '../../../../lib/admin/pages/request-facts.ts'
import { textIn } from '../../../support/operators.ts'
import { makeRecord } from '../../../support/record.ts'

const RECORD = {
  ...makeRecord(),
  ...{ account_id: 'acc', account_name: 'acme', created_at: '2026-11-21T12:00:00.000Z', status_code: 502 },
}

const show = (more: object) => factList({ ...RECORD, ...more } as never, { currency: 'EUR' }).toString()

describe('the facts of a request', () => {
  it('have words in place of the names of members', () => {
    const text = textIn(
      show({ transport_status_code: 503, queue_ms: 12, is_streaming: true, output_tokens: 1234, cost_microcents: 2e6 }),
    )
    expect(text)
      .contain('Status of the backend, not 200 503 Service Unavailable')
      .and.contain('Waited for a backend 12 ms')
      .and.contain('Streamed yes')
      .and.contain('Output tokens 1,234')
      .and.contain('Charged 0.02 EUR')
    expect(text).not.match(/\b[a-z]+_[a-z_]+\b/)
  })

  it('link to the lists behind them', () => {
    const page = show({
      ...{ model_resolved: 'm', backend: 'http://a:1/v1', session: 's', batch_id: 'b', key_id: 'k', user_id: 'u' },
      ...{ client: 'curl', request_tags: ['x', 'y'] },
    })
    for (const href of [
      '/accounts/acc"',
      '/requests?account=acc&amp;key=k"',
      '/accounts/acc/keys?only=k"',
      '/requests?account=acc"',
      '/requests?status=502"',
      '/requests?model=m"',
      '/models/m/history"',
      '/requests?backend=http%3A%2F%2Fa%3A1%2Fv1"',
      '/requests?account=acc&amp;session=s&amp;since=720"',
      '/requests?batch=b"',
      '/requests?client=curl"',
      '/requests?tag=y"',
      '/requests?account=acc&amp;user=u"',
      '/backends/history?model=m&amp;url=http%3A%2F%2Fa%3A1%2Fv1"',
    ])
      expect(page).contain(`href="${href}`)
  })

  it('link to the backend of the model that was asked last', () => {
    const attempt_list = [{ model: 'm' }, { model: 'fallback' }]
    const page = show({ model_resolved: 'm', backend: 'http://a:1/v1', attempt_list, account_id: null, key_id: 'k' })
    expect(page).contain('href="/backends/history?model=fallback&amp;url=')
    expect(page).contain('href="/requests?key=k"').and.not.contain('/keys?only=k')
  })

  it('have the words of errors', () => {
    const failed = {
      error_code: 'backend_timeout',
      stream_error_type: 'backend_http_error',
      upstream_error: 'status 500',
    }
    expect(textIn(show(failed)))
      .contain('Error The model did not answer in time backend_timeout')
      .and.contain('Error in the stream The server of the model gave no usable answer backend_http_error')
      .and.contain('Why the last backend failed answered 500 Internal Server Error')
  })

  it('omit what is not known, and escape', () => {
    expect(show({ finish_reason: null })).not.contain('Finish reason')
    expect(show({ error_message: '<b>' }))
      .contain('&lt;b&gt;')
      .and.not.contain('<b>')
    expect(textIn(factList({ ...RECORD, account_name: undefined } as never, { currency: 'EUR' }).toString())).contain(
      'Account acc',
    )
  })
})
