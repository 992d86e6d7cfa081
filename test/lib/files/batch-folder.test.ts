import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type BatchFolder, PartWriter } from '../../../lib/files/batch-folder.ts'
import { ALICE, BOB, FILES_KEY, gather, useFiles } from '../../support/files.ts'

const BATCH = `batch_${'1'.repeat(24)}`
const text = (value: string) => Buffer.from(value)

describe('files/batch-folder', () => {
  const files = useFiles()
  const about = () => ({ account: 'acme', expiresAt: files.clock().now() + 1000 })
  const create = (batch = BATCH, more = {}) => files.open(more).createFolder(ALICE, batch, about())

  const write = async (folder: BatchFolder) => {
    const part = await folder.createPart('a')
    await part.append([text('x')])
    await part.close()
  }

  for (const encryption_key of [undefined, FILES_KEY]) {
    it(`has a part for each process${encryption_key === undefined ? '' : ', encrypted'}`, async () => {
      const folder = await create(BATCH, encryption_key === undefined ? {} : { encryption_key })
      const parts = [await folder.createPart('b'), await folder.createPart('a-2')]
      for (const part of parts) {
        await part.append([text('secret 1'), text('secret 2')])
        await part.append([text('secret 3')])
        await part.close()
      }
      expect(await folder.parts()).deep.equal(['a-2.part', 'b.part'])
      for (const name of await folder.parts())
        expect((await gather(folder.records(name))).map(String)).deep.equal([1, 2, 3].map(n => `secret ${n}`))
      const bytes = readFileSync(files.path(ALICE, BATCH, 'b.part'))
      expect(bytes.includes('secret')).equal(encryption_key === undefined)
      expect(statSync(files.path(ALICE, BATCH, 'b.part')).mode & 0o777).equal(0o600)
    })
  }

  it('is created once, by whichever process', async () => {
    const folders = await Promise.all([create(), create(), create()])
    await write(folders[0]!)
    await create()
    for (const folder of folders) expect(await folder.parts()).deep.equal(['a.part'])
    expect(
      files
        .kept()
        .map(({ name }) => name)
        .toSorted(),
    ).deep.equal(['a.part', 'about.json'])
  })

  it('opens no part for writing twice, and none of another name', async () => {
    const folder = await create()
    await write(folder)
    expect(await folder.createPart('a').catch((error: unknown) => error)).include({ code: 'EEXIST' })
    for (const name of ['..', '', 'a/b', 'about.json', 'a.b'])
      expect(await folder.createPart(name).catch((error: Error) => error.message), name).contain('not a name')
  })

  it('is removed with its parts', async () => {
    const folder = await create(`msg${BATCH}`)
    await write(folder)
    expect(await folder.remove()).equal(true)
    expect(await folder.remove()).equal(false)
    expect(await folder.parts()).deep.equal([])
    expect(files.kept()).deep.equal([])
    expect(await folder.createPart('b').catch((error: unknown) => error)).include({ code: 'ENOENT' })
  })

  it('is removed after its time', async () => {
    await write(await create())
    await files.open().createFolder(BOB, BATCH, { ...about(), expiresAt: files.clock().now() + 2000 })
    files.clock().advance(1000)
    await files.open().sweep(new AbortController().signal)
    expect(files.kept().map(({ parentPath }) => parentPath)).deep.equal([files.path(BOB, BATCH)])
  })

  it('keeps nothing of records that could not be written', async () => {
    const folder = await create()
    const path = join(files.path(ALICE, BATCH), 'a.part')
    const file = await open(path, 'ax')
    const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
    let isFull = false
    const limited = {
      writeFile: async (bytes: Buffer) => {
        if (!isFull) return file.writeFile(bytes)
        await file.writeFile(bytes.subarray(0, 5))
        throw full
      },
      datasync: () => file.datasync(),
      truncate: (size: number) => file.truncate(size),
      close: () => file.close(),
    } as unknown as FileHandle
    const part = new PartWriter(limited, { path, place: BATCH, sealing: null })
    await part.append([text('one')])
    isFull = true
    expect(await part.append([text('two')]).catch((error: unknown) => error)).equal(full)
    isFull = false
    await part.append([text('three')])
    await part.close()
    expect((await gather(folder.records('a.part'))).map(String)).deep.equal(['one', 'three'])
  })

  it('shows only parts', async () => {
    const folder = await create()
    writeFileSync(files.path(ALICE, BATCH, 'x.tmp'), '')
    expect(await folder.parts()).deep.equal([])
  })
})
