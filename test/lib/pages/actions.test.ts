import { expect } from 'chai'
import { confirmForm, doneNote, keyName } from '../../../lib/pages/actions.ts'
import { html } from '../../../lib/pages/html.ts'

describe('actions of pages', () => {
  it('ask with a form that has the fields of the first one, and the answer', () => {
    const form = new URLSearchParams({ csrf_token: 't', note: '"<' })
    const page = { text: 'It <ends>.', action: '/a', button: 'End', cancel: '/', form }
    const text = confirmForm(page).toString()
    expect(text).contain('<div class="dialog"><p>It &lt;ends&gt;.</p>').and.contain('<form method="post" action="/a"')
    const fields = Array.from(text.matchAll(/name="(\w+)" value="([^"]*)"/g), ([, name, value]) => [name, value])
    expect(fields).deep.equal([
      ['csrf_token', 't'],
      ['note', '&quot;&lt;'],
      ['confirmed', 'yes'],
    ])
    expect(text).contain('<button class="danger">End</button>').and.contain('href="/">Cancel</a>')
    expect(confirmForm({ ...page, keep: 'Keep it' }).toString()).contain('href="/">Keep it</a>')
  })

  it('note what was done, with or without a button that undoes it', () => {
    expect(doneNote('<key> is gone.').toString()).equal(
      '<div class="note toast row" role="status"><span>&lt;key&gt; is gone.</span></div>',
    )
    expect(doneNote('Off.', html`<form></form>`).toString()).contain('<span>Off.</span><form></form></div>')
  })

  it('name a key by label and id', () => {
    expect(keyName({ id: 'key_1', label: 'ci' })).equal('ci (key_1)')
    for (const label of [null, undefined, '']) expect(keyName({ id: 'key_1', label })).equal('key_1')
  })
})
