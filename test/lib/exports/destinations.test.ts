import { appendFileSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ExportTarget, sendLines } from '../../../lib/exports/destinations.ts'
import { SECRET, startReceiver } from '../../support/receiver.ts'

describe('destinations of exports', () => {
  let dir = ''
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  after(() => rmSync(dir, { recursive: true }))
  const send = (target: Omit<ExportTarget, 'max_batch'>, ...lines: number[]) =>
    sendLines(
      { max_batch: 500, ...target },
      'records',
      lines.map(a => ({ a })),
      Date.now(),
    )

  it('append whole lines to a file, which may be renamed, and repair a torn end', async () => {
    const path = join(dir, 'records.jsonl')
    await send({ to: 'file', path }, 1, 2)
    expect(statSync(path).mode & 0o777).equal(0o600)
    appendFileSync(path, '{"a":')
    await send({ to: 'file', path }, 3)
    expect(readFileSync(path, 'utf8')).equal('{"a":1}\n{"a":2}\n{"a":\n{"a":3}\n')
    renameSync(path, `${path}.1`)
    await send({ to: 'file', path }, 4)
    expect(readFileSync(path, 'utf8')).equal('{"a":4}\n')
    const failed = await send({ to: 'file', path: join(path, 'a') }, 5).catch(error => error.code)
    expect(failed).match(/^(?:EEXIST|ENOTDIR)$/)
  })

  it('create the directory of a file', async () => {
    const path = join(dir, 'new', 'exports', 'records.jsonl')
    await send({ to: 'file', path }, 1)
    expect(readFileSync(path, 'utf8')).equal('{"a":1}\n')
    expect(statSync(join(dir, 'new')).mode & 0o777).equal(0o700)
  })

  it('post signed lines to a webhook, with the same id for the same lines', async () => {
    const receiver = await startReceiver()
    const target = { to: 'webhook', url: receiver.url, secret: SECRET } as const
    receiver.answers.push(500)
    expect(await send(target, 1).catch(error => error.message)).equal('status 500')
    await send(target, 1)
    await send(target, 2)
    const [first, second, third] = receiver.deliveries
    expect(receiver.deliveries.map(({ isSigned }) => isSigned)).deep.equal([true, true, true])
    expect(second!.body).deep.equal({ a: 1 })
    expect(first!.id).equal(second!.id).and.match(/^msg_/).and.not.equal(third!.id)
    await receiver.close()
  })
})
