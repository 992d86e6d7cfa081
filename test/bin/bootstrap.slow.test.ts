/** The process of bin/sluiceway.mjs, and the Node that it starts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { Cli, temporaryDirectory } from '../support/cli.ts'
import { MODEL } from '../support/config.ts'
import { eventually } from '../support/gateway.ts'
import { useRedis } from '../support/services.ts'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The processes whose parent is this one. */
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

describe('the outer process', () => {
  const directory = temporaryDirectory()
  const redis = useRedis()

  const start = async (more = '') => {
    const file = join(directory(), 'a.yaml')
    writeFileSync(file, `listen: { port: 0 }\nadmin: { port: 0 }\n${more}${MODEL}`)
    const cli = new Cli(['serve', '--config', file], { bin: true, cwd: directory() })
    await cli.match(/http:\/\/127/)
    return { cli, outer: cli.child.pid!, inner: childrenOf(cli.child.pid!)[0]! }
  }

  for (const workers of [1, 2])
    it(`takes the gateway with it if it is killed, with ${workers} workers`, async () => {
      const { cli, inner } = await start(`workers: ${workers}\nlimits_store: ${redis()}\n`)
      const all = workers === 1 ? [inner] : [inner, ...childrenOf(inner)]
      expect(all.map(isRunning)).not.include(false)
      cli.child.kill('SIGKILL')
      await eventually(() => !all.some(isRunning), 'the end of the gateway')
    })

  it('passes signals to the gateway, and its exit code back', async () => {
    const { cli } = await start()
    cli.child.kill('SIGTERM')
    expect((await cli.ended).code).equal(0)
  })

  it('ends by the signal that ended the gateway', async () => {
    const { cli, inner } = await start()
    process.kill(inner, 'SIGKILL')
    await cli.ended
    expect(cli.child.signalCode).equal('SIGKILL')
  })
})
