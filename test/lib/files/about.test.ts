import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { fileAbout, readAbout, toFile, writeAbout } from '../../../lib/files/about.ts'
import type { StoredFile } from '../../../lib/files/files.ts'
import { Sealing } from '../../../lib/files/sealing.ts'
import { ALICE, useFiles } from '../../support/files.ts'

const FILE: StoredFile = {
  id: `file-${'1'.repeat(32)}`,
  bytes: 5,
  type: 'application/jsonl',
  filename: 'secret.jsonl',
  purpose: 'batch',
  createdAt: 1,
  expiresAt: 2,
}

describe('files/about', () => {
  const files = useFiles()
  const folder = () => {
    const path = files.path(ALICE)
    mkdirSync(path, { recursive: true })
    return path
  }

  it('has the metadata of a file and its account', async () => {
    await writeAbout(folder(), fileAbout(FILE, 'acme', null))
    const about = (await readAbout(folder()))!
    expect(about).include({ account: 'acme', expiresAt: 2 })
    expect(toFile(about, null)).deep.equal({ ...FILE, account: 'acme' })
  })

  it('has an encrypted name if the file is encrypted', async () => {
    const sealing = new Sealing(Buffer.alloc(32, 7))
    await writeAbout(folder(), fileAbout({ ...FILE, sealed: true }, 'acme', sealing))
    expect(readFileSync(`${folder()}/about.json`, 'utf8'))
      .contain('"batch"')
      .not.contain('secret')
    const about = (await readAbout(folder()))!
    expect(toFile(about, sealing).filename).equal('secret.jsonl')
    expect(toFile({ ...about, id: `file-${'2'.repeat(32)}` }, sealing).filename).equal('unreadable')
    expect(toFile(about, null).filename).equal('unreadable')
  })

  it('is undefined if the text is missing or another one', async () => {
    expect(await readAbout(files.path('none'))).equal(undefined)
    for (const text of ['', '{', '[]', '{"id":"file-1"}']) {
      writeFileSync(`${folder()}/about.json`, text)
      expect(await readAbout(folder()), text).equal(undefined)
    }
  })
})
