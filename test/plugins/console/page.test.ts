import { expect } from 'chai'
import { html } from '../../../lib/console.ts'
import { replyBare, replyPage } from '../../../plugins/console/page.ts'

function replied(send: (exchange: Parameters<typeof replyBare>[0]) => void) {
  const seen = { status: 0, page: '', headers: new Map<string, string>() }
  send({
    setHeader: (name, value) => void seen.headers.set(name, value),
    reply: (status, page) => void Object.assign(seen, { status, page }),
  })
  return seen
}

describe('page', () => {
  it('of a visitor has the navigation, and a button that signs out', () => {
    const visitor = { user: '<alice>', secret: 's3cret' }
    const { status, page, headers } = replied(exchange =>
      replyPage(exchange, visitor, { title: 'Keys', body: html`<p>x</p>`, path: '/console/keys' }, 404),
    )
    expect(status).equal(404)
    expect(page)
      .contain('<a href="/console/keys" data-key="k" aria-current="page">')
      .and.contain('<span>&lt;alice&gt;</span>')
      .and.contain('action="/console/logout"')
      .and.not.contain('s3cret')
    expect(headers.get('cache-control')).equal('no-store')
  })

  it('of a stranger has neither', () => {
    const { status, page, headers } = replied(exchange =>
      replyBare(exchange, { brand: 'acme', environment: 'staging' }, 401, 'Not signed in', html`<p>x</p>`),
    )
    expect(status).equal(401)
    expect(page)
      .contain('<p>x</p>')
      .and.contain('<strong>acme</strong>')
      .and.contain('staging')
      .and.not.contain('<nav')
      .and.not.contain('<form')
    expect(headers.get('content-security-policy')).contain("default-src 'none'")
  })
})
