import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { deleteFolder, incomingFolder, namesIn, putFolder } from '../../../lib/files/directory.ts'
import { ALICE, useFiles } from '../../support/files.ts'

describe('files/directory', () => {
  const files = useFiles()
  beforeEach(() => void files.open())
  const complete = () => {
    const folder = incomingFolder(files.path(), 'file-1')
    mkdirSync(folder)
    writeFileSync(join(folder, 'content'), 'x')
    return folder
  }
  const path = () => files.path(ALICE, 'file-1')

  it('moves a folder to its owner, and keeps the one that is there', async () => {
    const [first, second] = [complete(), complete()]
    await putFolder(first, path())
    expect([existsSync(first), readdirSync(path())]).deep.equal([false, ['content']])
    await putFolder(second, path())
    expect(existsSync(second)).equal(true)
  })

  it('deletes a folder once', async () => {
    await putFolder(complete(), path())
    const both = await Promise.all([deleteFolder(files.path(), path()), deleteFolder(files.path(), path())])
    expect(both.toSorted()).deep.equal([false, true])
    expect(await namesIn(files.path('incoming'))).deep.equal([])
    expect(await namesIn(path())).deep.equal([])
  })
})
