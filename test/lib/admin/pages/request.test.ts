import { expect } from 'chai'
import { eventually } from '../../../support/gateway.ts'
import { textIn, usePages } from '../../../support/operators.ts'

describe('the page of a request', () => {
  const pages = usePages()
  const show = async (more: object) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more }
    const response = await pages().gateway.post('/v1/chat/completions', body)
    await response.text()
    const id = response.headers.get('x-request-id')!
    await eventually(async () => (await pages().get(`/requests/${id}`)).status === 200)
    return { id, ...(await pages().get(`/requests/${id}`)) }
  }

  it('shows its latency and all its fields', async () => {
    const { id, text } = await show({ messages: [{ role: 'user', content: 'simulate: first_token=40 tokens=5' }] })
    expect(textIn(text))
      .contain(`Request ${id}`)
      .and.contain('First byte')
      .and.contain('until the backend began to answer')
    expect(textIn(text))
      .match(/Attempt 1: :\d+/)
      .and.contain('fewest requests for its weight')
    expect(text).contain('<rect class="span-attempt"').and.contain('<a href="/backends/history?model=m&amp;url=')
    expect(textIn(text)).contain('test').and.contain('/v1/chat/completions').and.contain('Output tokens 5')
    expect(text).not.contain('What went wrong')
  })

  it('shows the error, the message of the backend, and advice', async () => {
    const { text } = await show({ messages: [{ role: 'user', content: 'simulate: status=500' }] })
    expect(textIn(text)).contain('What went wrong').and.contain('What to do').and.contain('The backend:')
    expect(textIn(text))
      .contain('The server of the model gave no usable answer')
      .and.contain('The backend: answered 500 Internal Server Error')
      .and.contain('Runbook for operators: A backend is down')
    const { text: refused } = await show({ model: 'no-such' })
    expect(textIn(refused)).contain('What to do').and.contain('There is no such model').and.not.contain('Runbook')
  })

  it('answers 404 for an unknown request', async () => {
    for (const id of ['req_000000000000', 'x', '%E0%A4%A', '%3Cscript%3E'])
      expect((await pages().get(`/requests/${id}`)).status, id).equal(404)
  })
})
