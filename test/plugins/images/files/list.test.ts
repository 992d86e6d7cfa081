import { expect } from 'chai'
import type { StoredFile } from '../../../../lib/console.ts'
import { type ListQuery, listOf } from '../../../../plugins/images/files/list.ts'

const fileOf = (id: string, purpose = 'vision') => ({ id, purpose, createdAt: 0, expiresAt: 0 }) as StoredFile
const FILES = [fileOf('a'), fileOf('b', 'user_data'), fileOf('c'), fileOf('e')]

describe('plugins/images/files/list', () => {
  function page(query: Partial<ListQuery>) {
    const { data, ...rest } = listOf(FILES, { limit: 10, order: 'desc', ...query })
    return { ids: (data as { id: string }[]).map(({ id }) => id).join(''), ...rest }
  }
  const whole = { object: 'list', has_more: false }

  it('is newest first, or the other way round', () => {
    expect(page({})).deep.equal({ ...whole, ids: 'ecba', first_id: 'e', last_id: 'a' })
    expect(page({ order: 'asc' })).deep.equal({ ...whole, ids: 'abce', first_id: 'a', last_id: 'e' })
  })

  it('continues after a file, also one that is deleted', () => {
    expect(page({ limit: 2 })).include({ ids: 'ec', has_more: true, last_id: 'c' })
    expect(page({ limit: 2, after: 'c' })).include({ ids: 'ba', has_more: false })
    expect(page({ after: 'd' })).include({ ids: 'cba' })
    expect(page({ after: 'd', order: 'asc' })).include({ ids: 'e' })
    expect(page({ after: 'a' })).deep.equal({ ...whole, ids: '', first_id: null, last_id: null })
  })

  it('is of one purpose where one is named', () => {
    expect(page({ purpose: 'vision', limit: 2 })).include({ ids: 'ec', has_more: true })
    expect(page({ purpose: 'batch' })).include({ ids: '' })
  })
})
