import { writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { obstacles } from '../../../lib/cli/live-process.ts'
import { temporaryDirectory } from '../../support/cli.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { freePort } from '../../support/programs.ts'

describe('obstacles', () => {
  const directory = temporaryDirectory()

  /** A server that answers every request with this status. */
  async function taken(status: number) {
    const server = http.createServer((_req, res) => res.writeHead(status).end())
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const close = () => new Promise(resolve => server.close(resolve))
    return { port: (server.address() as AddressInfo).port, close }
  }

  async function found(port: number, admin: number | string, more = ''): Promise<readonly string[]> {
    const listeners = `listen: { host: 127.0.0.1, port: ${port} }\nadmin: ${admin === 'false' ? false : `{ host: 127.0.0.1, port: ${admin} }`}`
    const config = configOf(`${listeners}\n${more}${MODEL}`, {}, directory())
    return (await obstacles(config)).map(({ name, problem }) => `${name}: ${problem}`)
  }

  it('are none where ports are free and folders can be made', async () => {
    expect(await found(await freePort(), await freePort())).deep.equal([])
  })

  it('is a port that another program has', async () => {
    const other = await taken(404)
    const port = await freePort()
    const [problem, ...more] = await found(other.port, port)
    expect(more).deep.equal([])
    expect(problem).contain(`listen 127.0.0.1:${other.port}: in use by another program`).and.contain('ss -ltnp')
    expect(await found(port, other.port)).lengthOf(1)
    expect(await found(other.port, 'false')).lengthOf(1)
    await other.close()
  })

  it('is no port that the running gateway has', async () => {
    const own = await taken(200)
    const admin = await taken(200)
    expect(await found(own.port, admin.port)).deep.equal([])
    await Promise.all([own.close(), admin.close()])
  })

  it('is an address that this machine has not', async () => {
    const config = configOf(`listen: { host: 192.0.2.1 }\nadmin: false${MODEL}`, {}, directory())
    expect((await obstacles(config)).map(({ problem }) => problem).join()).match(/no such address/)
  })

  it('is a file system without files', async () => {
    const problem = (await found(await freePort(), await freePort(), 'journal: /proc/sluiceway/journal')).join()
    // For an ordinary user, /proc is a folder that cannot be written.
    expect(problem).match(
      /^journal \/proc\/sluiceway\/journal: (no file can be created in|user \d+ cannot write into) \/proc$/,
    )
  })

  it('is a file in the place of a folder', async () => {
    const file = join(directory(), 'file')
    writeFileSync(file, '')
    const paths = [`journal: ${file}`, `files: { path: ${file}/files }`, `store: sqlite:${file}/store.db`]
    for (const path of paths) {
      const problems = await found(await freePort(), await freePort(), path)
      expect(problems, path).lengthOf(1)
      expect(problems[0]).contain(`${file} is not a directory`)
    }
  })
})
