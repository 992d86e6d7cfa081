import { expect } from 'chai'
import { hideSecrets, showSecrets } from '../../../lib/admin/model-secrets.ts'

const URL = 'http://10.0.0.1:8000/v1'
const entry = { id: 'm', backends: [{ url: URL, api_key: 'k', headers: { 'x-key': 'h' } }, { url: 'http://b/v1' }] }
const hidden = {
  id: 'm',
  backends: [{ url: URL, api_key: '(hidden)', headers: { 'x-key': '(hidden)' } }, { url: 'http://b/v1' }],
}

describe('secrets in entries of models', () => {
  it('are hidden, and come back for the same address', () => {
    expect(hideSecrets(entry)).deep.equal(hidden)
    expect(showSecrets(hidden, entry)).deep.equal(entry)
    expect(showSecrets({ backends: [{ url: URL, api_key: 'new' }] }, entry)).deep.equal({
      backends: [{ url: URL, api_key: 'new' }],
    })
    expect(hideSecrets({ id: 'm' })).deep.equal({ id: 'm' })
  })

  it('are needed for another address', () => {
    const moved = { backends: [{ url: 'http://evil/v1', api_key: '(hidden)' }] }
    expect(() => showSecrets(moved, entry)).throw(/'backends.0.api_key' is hidden/)
    const header = { backends: [{ url: URL, headers: { 'x-other': '(hidden)' } }] }
    expect(() => showSecrets(header, entry)).throw(/'backends.0.headers.x-other' is hidden/)
  })
})
