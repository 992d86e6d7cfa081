import { expect } from 'chai'
import { htmlPage, PERSONAL } from '../../../plugins/console/page.ts'

describe('page', () => {
  it('takes a title as text and a body as HTML', () => {
    const page = htmlPage('A < B', '<p>text</p>')
    expect(page)
      .match(/^<!doctype html>/)
      .and.contain('<title>A &lt; B</title>')
      .and.contain('<h1>A &lt; B</h1><p>text</p>')
  })

  it('for one user is not cached, sends no referrer, and runs no script', () => {
    expect(Object.keys(PERSONAL)).deep.equal(['cache-control', 'referrer-policy', 'content-security-policy'])
    expect(PERSONAL['content-security-policy']).not.contain('script-src')
  })
})
