import { expect } from 'chai'
import { findPage, isSecretLike, missingPage, pagesNamed } from '../../../lib/pages/find.ts'

const LINKS = [
  ['/', 'Overview'],
  ['/requests', 'Requests'],
  ['/models', 'Models'],
  ['/moderation', 'Moderation'],
] as const

describe('finding', () => {
  it('knows pages by their names, and by the beginnings of their names', () => {
    const paths = (text: string) => pagesNamed(LINKS, text).map(({ href }) => href)
    expect(paths('requests')).deep.equal(['/requests'])
    expect(paths('Mod')).deep.equal(['/models', '/moderation'])
    expect(paths('m')).deep.equal([])
    expect(paths('quests')).deep.equal([])
  })

  it('leads from an address without a page to all pages and to the search', () => {
    expect(missingPage('/console', '/console/find').toString())
      .contain('There is no page at this address')
      .and.contain('href="/console"')
      .and.contain('href="/console/find"')
  })

  it('knows the forms of secrets, which are not ids', () => {
    const secret = 'A-_9'.repeat(11).slice(0, 43)
    for (const text of [`acme_${secret}`, `acme_operator_${secret}`, 'Bearer x', 'sk-proj-1'])
      expect(isSecretLike(text), text).equal(true)
    for (const text of [
      ...['key_3f2a91c04b7d', 'req_0123456789ab', 'client_0193-7000', 'batch_0123456789abcdef01234567', 'm'],
      ...['01938a0b-0000-7000-8000-000000000001', 'http://127.0.0.1:8000/v1', 'my_model'],
    ])
      expect(isSecretLike(text), text).equal(false)
  })

  it('lists results, or says what was searched and what would match', () => {
    const page = { findPath: '/find', text: '<x>', takes: 'It takes ids.', isSecret: false }
    const results = [{ kind: 'key', name: '<ci>', href: '/keys/1' }]
    expect(findPage({ ...page, results }).toString())
      .contain('<a href="/keys/1">&lt;ci&gt;</a>')
      .and.contain('name="q" type="search" value="&lt;x&gt;"')
    expect(findPage({ ...page, results: [] }).toString())
      .contain('Nothing is found for &lt;x&gt;')
      .and.contain('It takes ids.')
    expect(findPage({ ...page, text: '', results: [] }).toString()).not.contain('Nothing is found')
    expect(findPage({ ...page, text: '', results: [], isSecret: true }).toString()).contain('the secret of a key')
  })
})
