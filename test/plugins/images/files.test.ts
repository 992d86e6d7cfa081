import { expect } from 'chai'
import type { Batches } from '../../../lib/console.ts'
import { type Files, fileOwner, type StoredFile } from '../../../lib/console.ts'
import type { JsonObject, Key } from '../../../lib/plugin.ts'
import { play, testServices } from '../../../lib/testing.ts'
import files from '../../../plugins/images/files/index.ts'
import { key, zdr } from '../../../plugins/slots.ts'
import { memoryBatches } from '../../support/batches.ts'
import { keyOf } from '../../support/key.ts'

const OWNER = fileOwner(keyOf())!
const FILE: StoredFile = {
  id: `file-${'1'.repeat(32)}`,
  bytes: 3,
  type: 'image/png',
  filename: 'a.png',
  purpose: 'vision',
  createdAt: 1_750_000_000_999,
  expiresAt: 1_750_003_600_999,
}

/** A store with one file of Alice. */
function oneFile(): Files & { readonly removed: string[] } {
  const removed: string[] = []
  const isThere = (owner: string, id: string) => owner === OWNER && id === FILE.id && removed.length === 0
  return {
    ...testServices().files,
    removed,
    list: async owner => (isThere(owner, FILE.id) ? [FILE] : []),
    find: async (owner, id) => (isThere(owner, id) ? FILE : undefined),
    async remove(owner, id) {
      if (!isThere(owner, id)) return false
      removed.push(id)
      return true
    },
  }
}

interface Playing {
  readonly store?: Files
  readonly caller?: Key
  readonly id?: string
  readonly asked?: 'header' | null
  readonly query?: string
  readonly batches?: Batches
}

describe('files', () => {
  const playing = (
    route: 'file' | 'file-list' | 'file-delete' | 'file-upload',
    {
      store = oneFile(),
      caller = keyOf(),
      id = FILE.id,
      asked = null as 'header' | null,
      query = '',
      ...more
    } = {} as Playing,
  ) =>
    play(files, {
      route,
      query,
      params: { file_id: id },
      services: { files: store, ...more },
      given: [
        [key, caller],
        [zdr, asked],
      ],
    })

  it('have the members of the OpenAI API, with times in seconds', async () => {
    const { reply } = await playing('file')
    expect(reply?.body).deep.equal({
      id: FILE.id,
      object: 'file',
      bytes: 3,
      created_at: 1_750_000_000,
      expires_at: 1_750_003_600,
      filename: 'a.png',
      purpose: 'vision',
      status: 'processed',
    })
    const list = await playing('file-list')
    expect(list.reply?.body).include({ object: 'list', has_more: false, first_id: FILE.id, last_id: FILE.id })
  })

  it('end the batches that read them, unless there is no such file', async () => {
    const ended: string[] = []
    const batches = { ...memoryBatches(), inputRemoved: async (_: string, id: string) => void ended.push(id) }
    const store = { ...oneFile(), find: async () => undefined }
    expect((await playing('file-delete', { store, batches })).error).include({ code: 'http_404' })
    expect(ended).deep.equal([])
    await playing('file-delete', { batches })
    expect(ended).deep.equal([FILE.id])
  })

  it('do not exist for others, or once they are deleted', async () => {
    const store = oneFile()
    const bob = keyOf({}, { user: 'bob@acme.test' })
    for (const route of ['file', 'file-delete'] as const) {
      expect((await playing(route, { store, caller: bob })).error, route).include({ code: 'http_404' })
      expect((await playing(route, { store, id: 'nonsense' })).error, route).include({ code: 'http_404' })
    }
    expect((await playing('file-delete', { store })).reply?.body).deep.equal({
      id: FILE.id,
      object: 'file',
      deleted: true,
    })
    expect((await playing('file-delete', { store })).error).include({ code: 'http_404' })
    expect(store.removed).deep.equal([FILE.id])
  })

  it('need a key that can own them', async () => {
    for (const route of ['file', 'file-list', 'file-delete', 'file-upload'] as const) {
      for (const own of [{ user: undefined }, { kind: 'pass' }, { kind: 'dedicated' }] as const) {
        const { error } = await playing(route, { caller: keyOf({}, own) })
        expect(error, route).include({ code: 'files_require_user_key', status: 403 })
      }
    }
  })

  it('are not stored under zero data retention, but can be read and deleted', async () => {
    expect((await playing('file-upload', { asked: 'header' })).error).include({ code: 'http_400' })
    for (const route of ['file', 'file-list', 'file-delete'] as const)
      expect((await playing(route, { asked: 'header' })).error, route).equal(undefined)
  })

  describe('in a list', () => {
    const fileOf = (id: string, purpose = 'vision') => ({ id, purpose, createdAt: 0, expiresAt: 0 }) as StoredFile
    const all = [fileOf('a'), fileOf('b', 'user_data'), fileOf('c'), fileOf('e')]

    async function page(query: string) {
      const store = { ...oneFile(), list: async () => all }
      const { data, ...rest } = (await playing('file-list', { store, query })).reply!.body as JsonObject
      return { ids: (data as { id: string }[]).map(({ id }) => id).join(''), ...rest }
    }
    const whole = { object: 'list', has_more: false }

    it('are newest first, or oldest first', async () => {
      expect(await page('')).deep.equal({ ...whole, ids: 'ecba', first_id: 'e', last_id: 'a' })
      expect(await page('order=asc')).deep.equal({ ...whole, ids: 'abce', first_id: 'a', last_id: 'e' })
    })

    it('continue after a file, also after a deleted one', async () => {
      expect(await page('limit=2')).include({ ids: 'ec', has_more: true, last_id: 'c' })
      expect(await page('limit=2&after=c')).include({ ids: 'ba', has_more: false })
      expect(await page('after=d')).include({ ids: 'cba' })
      expect(await page('after=d&order=asc')).include({ ids: 'e' })
      expect(await page('after=a')).deep.equal({ ...whole, ids: '', first_id: null, last_id: null })
    })

    it('are of one purpose if the query names one', async () => {
      expect(await page('purpose=vision&limit=2')).include({ ids: 'ec', has_more: true })
      expect(await page('purpose=batch')).include({ ids: '' })
    })
  })
})
