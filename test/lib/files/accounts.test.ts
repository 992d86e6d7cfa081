import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { removeFilesOf, removeFilesOfOthers } from '../../../lib/files/accounts.ts'
import { ownerOf } from '../../../lib/files/owner.ts'
import { BOB, pieces, useFiles } from '../../support/files.ts'

const BATCH = `batch_${'1'.repeat(24)}`

describe('files/accounts', () => {
  const files = useFiles()
  const create = (owner: string, account: string) =>
    files.open().createFrom(owner, { filename: 'a', purpose: 'batch_output', account }, pieces('{}'))
  /** A file of earlier versions, which did not store the account. */
  const createWithout = (owner: string) => {
    const folder = files.path(owner, `file-${'0'.repeat(32)}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/about.json`, JSON.stringify({ expiresAt: Number.MAX_SAFE_INTEGER }))
  }
  const owners = () => readdirSync(files.path()).filter(name => name !== 'incoming')

  it('removes all files of an account, by the account in their metadata or by their users', async () => {
    const [a, b] = [ownerOf('acme', 'a'), ownerOf('acme', 'b')]
    await create(a, 'acme')
    createWithout(a)
    createWithout(b)
    await create(BOB, 'other')
    await removeFilesOf(files.path(), 'acme', ['b', 'c'])
    expect(owners()).deep.equal([BOB])
    expect(readdirSync(files.path('incoming'))).deep.equal([])
  })

  it('removes batches of an owner without files', async () => {
    const store = files.open()
    const folder = await store.createFolder(BOB, BATCH, { account: 'acme', expiresAt: files.clock().now() + 1 })
    const part = await folder.createPart('a')
    await part.append([Buffer.from('x')])
    await part.close()
    await removeFilesOf(files.path(), 'acme', [])
    expect(files.kept()).deep.equal([])
    expect(await folder.parts()).deep.equal([])
  })

  it('removes the files of accounts that do not exist, but none without an account', async () => {
    const [acme, gone, old] = [ownerOf('acme', 'a'), ownerOf('gone', 'a'), ownerOf('acme', 'old')]
    await create(acme, 'acme')
    await create(gone, 'gone')
    createWithout(old)
    await removeFilesOfOthers(files.path(), async () => new Set(['acme']))
    expect(owners().toSorted()).deep.equal([acme, old].toSorted())
  })
})
