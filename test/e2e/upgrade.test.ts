import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { Cli, temporaryDirectory } from '../support/cli.ts'
import { configFile } from '../support/gateway.ts'
import { HeldStreams, SteadyClients } from '../support/held-streams.ts'
import { freePort } from '../support/programs.ts'
import { useRedis } from '../support/services.ts'

const STREAMS = 200

describe('an upgrade on one machine', () => {
  const directory = temporaryDirectory()
  const redis = useRedis()
  const running: Cli[] = []
  let streams: HeldStreams

  beforeEach(async () => {
    streams = await HeldStreams.start()
  })

  afterEach(async () => {
    for (const { child } of running.splice(0)) child.kill('SIGKILL')
    await streams.close()
  })

  async function serving(file: string): Promise<Cli> {
    const cli = new Cli(['serve', '--config', file])
    running.push(cli)
    await cli.match(/Gateway +(\S+)\/v1/)
    return cli
  }

  async function upgrade(more: JsonObject): Promise<void> {
    const [port, adminPort] = [await freePort(), await freePort()]
    const file = join(directory(), 'config.json')
    const config = configFile(directory(), {
      backends: [streams.backend.url],
      more: {
        listen: { host: '127.0.0.1', port, reuse_port: true },
        admin: { host: '127.0.0.1', port: adminPort, reuse_port: true },
        drain_seconds: 60,
        ...more,
      },
    })
    writeFileSync(file, JSON.stringify(config))
    const old = await serving(file)
    expect(readFileSync(`/proc/${old.child.pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()).equal('sluiceway')
    await streams.begin(port, STREAMS)
    const clients = new SteadyClients(port)
    await serving(file)
    old.child.kill('SIGTERM')
    await clients.servedMore(100, 'while the old process drains')
    expect(old.child.exitCode, 'its streams still run').equal(null)
    expect((await fetch(`http://127.0.0.1:${adminPort}/readyz`)).status).equal(200)
    const whole = await streams.release()
    expect((await old.ended).code).equal(0)
    await clients.servedMore(20, 'after it has ended')
    await clients.stop()
    const { served, failures } = clients
    if (process.env.FIGURES) console.log({ served, failures: failures.length, whole })
    expect(failures).deep.equal([])
    expect(whole).equal(STREAMS)
  }

  // May be repeated: Linux resets connections that arrive between the last accept and the close of the
  // socket (docs/OPERATIONS.md). A preempted process makes that time longer.
  it('refuses no connection and breaks no stream', () => upgrade({})).retries(2)

  it('refuses none and breaks none with several workers', () => upgrade({ workers: 2, limits_store: redis() })).retries(
    2,
  )
})
