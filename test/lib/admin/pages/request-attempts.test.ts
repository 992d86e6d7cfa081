import { expect } from 'chai'
import { attemptTable, resultText, statusText } from '../../../../lib/admin/pages/request-attempts.ts'
import type { JsonObject } from '../../../../lib/base/json.ts'
import { textIn } from '../../../support/operators.ts'

const shown = (attempts: JsonObject[] | null, more: JsonObject = {}) =>
  attemptTable({
    account_id: 'acc',
    session: null,
    model_resolved: 'm',
    is_streaming: true,
    attempt_list: attempts,
    ...more,
  })?.toString()

describe('the attempts of a request', () => {
  it('have the backend with its page, the result in words, and why it went there', () => {
    const attempt = { backend: 'http://a/v1', model: 'm', tokens: null, prompt_tokens: null, ms: 12 }
    const page = shown([
      { ...attempt, reason: 'status 503: the queue is overloaded', routed: 'prefix', predicted_ms: 40 },
      {
        ...{ ...attempt, backend: 'http://b/v1', reason: null, tokens: 1234, prompt_tokens: 5, ms: 800 },
        ...{ routed: 'load', predicted_ms: 250, first_token_ms: 310, predicted_cached_tokens: 4, cached_tokens: 3 },
      },
    ])!
    expect(page).contain('/backends/history?model=m&amp;url=http%3A%2F%2Fb%2Fv1')
    const text = textIn(page)
    expect(text)
      .contain('1 a:80 answered 503 Service Unavailable: the queue is overloaded most of the prompt in its cache')
      .and.contain('40 ms → –')
      .and.contain('2 b:80 answered answers sooner than the backend')
      .and.contain('250 ms → 310 ms 4 → 3 5 1,234 800 ms')
  })

  it('name the model of a fallback, and the session', () => {
    const attempt = { backend: 'http://a/v1', reason: null, ms: 1 }
    const page = shown(
      [
        { ...attempt, model: 'other' },
        { ...attempt, model: 'm' },
      ],
      { model_resolved: 'm', session: 'x' },
    )!
    expect(textIn(page)).contain('model other').and.contain('names a session').and.not.contain('model m')
    expect(page).contain('/requests?account=acc&amp;session=x')
  })

  it('of records of older versions and of JSON replies have no comparison', () => {
    const attempt = { backend: 'http://a/v1', reason: 'timeout', tokens: null, prompt_tokens: null, ms: 12 }
    expect(textIn(shown([attempt])!)).contain('1 a:80 sent nothing in time – – – – – 12 ms')
    expect(textIn(shown([{ ...attempt, first_token_ms: 10 }], { is_streaming: false })!)).contain(
      'in time – – – – – 12',
    )
    for (const none of [null, []]) expect(shown(none)).equal(undefined)
  })

  it('have words for every outcome', () => {
    for (const reason of ['refused', 'failed', 'timeout', 'unreachable', 'cancelled'])
      expect(resultText({ reason }), reason).match(/^[a-z ]+$/)
    expect(resultText({ reason: 'no connection was open in time' })).equal('no connection was open in time')
    expect(statusText('599')).equal('599')
  })
})
