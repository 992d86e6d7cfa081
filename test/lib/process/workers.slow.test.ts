import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { reply, type ScriptedBackend, scriptedBackend } from '../../support/backend.ts'
import { Cli, runCli, temporaryDirectory } from '../../support/cli.ts'
import { configFile, eventually, KEY } from '../../support/gateway.ts'
import { useRedis } from '../../support/services.ts'

/** Calls that Redis did not answer in time. */
const failuresIn = (metrics: string) => Number(/^sluiceway_limits_store_failures_total (\d+)$/m.exec(metrics)?.[1] ?? 0)

describe('workers', () => {
  const redis = useRedis()
  const directory = temporaryDirectory()
  let backend: ScriptedBackend

  before(async () => {
    backend = await scriptedBackend(reply())
  })
  after(() => backend?.close())

  it('explain what to do when the port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    const dir = directory()
    const file = join(dir, 'config.json')
    const more = { limits_store: redis(), workers: 2, listen: { host: '127.0.0.1', port } }
    writeFileSync(file, JSON.stringify(configFile(dir, { backends: [backend.url], more })))
    const { code, err } = await runCli(['serve', '--config', file])
    taken.close()
    expect(code).equal(1)
    expect(err).contain(`127.0.0.1:${port} is in use: stop what listens there`).and.not.contain('internal error')
  })

  it('end while nothing reads stdout, a socket as under systemd, also after one was replaced', async () => {
    const dir = directory()
    const file = join(dir, 'config.json')
    const more = { limits_store: redis(), workers: 2, log: { level: 'info' } }
    writeFileSync(file, JSON.stringify(configFile(dir, { backends: [backend.url], more })))
    const serving = new Cli(['serve', '--config', file])
    const { child } = serving
    try {
      const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
      const [, admin] = await serving.match(/Admin +(\S+) /)
      child.stdout!.pause()
      const requests = () => Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/v1/models`)))
      const isDropped = async () => {
        await requests()
        return /^sluiceway_log_dropped_lines_total [1-9]/m.test(await (await fetch(`${admin}/metrics`)).text())
      }
      await eventually(isDropped, 'a line that is dropped')
      const workers = () => readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
      const [ending] = workers()
      process.kill(Number(ending), 'SIGTERM')
      await eventually(() => workers().length === 2 && !workers().includes(ending!), 'a new worker')
      await eventually(async () => (await fetch(`${admin}/readyz`)).ok, 'ready')
      await requests()
      child.kill('SIGTERM')
      const [code] = await once(child, 'exit')
      expect(code).equal(0)
    } finally {
      child.kill('SIGKILL')
      child.stdout!.destroy()
    }
  })

  it('share the port and the limits, are replaced when they die, and drain together', async () => {
    const dir = directory()
    const file = join(dir, 'config.json')
    const more = {
      limits_store: redis(),
      workers: 2,
      log: { level: 'warn' },
      plans: { one: { requests: { limit: 30, window: '1d' } } },
    }
    const config = configFile(dir, { backends: [backend.url], more, account: { plan: 'one' } })
    writeFileSync(file, JSON.stringify(config))
    const serving = new Cli(['serve', '--config', file])
    try {
      const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
      const [, admin] = await serving.match(/Admin +(\S+) /)
      const chat = async () => {
        const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
        const headers = { authorization: `Bearer ${KEY}`, connection: 'close' }
        const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
        await response.arrayBuffer()
        return response.status
      }
      const metricsOfAll = async () => (await fetch(`${admin}/metrics`)).text()
      const statuses = await Promise.all(Array.from({ length: 40 }, chat))
      const metrics = await metricsOfAll()
      // A worker without an answer from Redis admits its own share. No other worker may admit more than the limit.
      if (failuresIn(metrics) === 0) {
        expect(statuses.filter(status => status === 200)).length(30)
        expect(statuses.filter(status => status === 429)).length(10)
      } else expect(statuses.filter(status => status === 200)).length.within(30, 30 + 15)

      const served = statuses.filter(status => status === 200).length
      expect(metrics).match(
        new RegExp(
          `^sluiceway_requests_total\\{route="chat",model="m",status="200",code="",surface="gateway"\\} ${served}$`,
          'm',
        ),
      )
      // Readiness is that of all workers together.
      expect(metrics).match(/^sluiceway_backend_up\{.*\} 1$/m)
      // The share of workers, not their number.
      expect(metrics).match(/^sluiceway_backend_state\{.*state="up"\} 1$/m)
      expect(metrics).match(/^sluiceway_journal_healthy 1$/m)
      if (failuresIn(metrics) === 0) expect(metrics).match(/^sluiceway_limits_store_up 1$/m)
      // Of the primary: once, and not added up.
      expect(metrics).match(/^sluiceway_build_info\{.*\} 1$/m)
      expect(metrics).match(/^sluiceway_config_last_reload_successful 1$/m)
      expect(metrics.match(/^process_start_time_seconds \d+$/gm)).lengthOf(1)
      expect(metrics).match(/^nodejs_eventloop_lag_p99_seconds /m)

      // Children of the primary, by Linux's own list.
      const pid = serving.child.pid!
      const workers = () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
      const [victim, other] = workers()
      const titles = workers().map(pid => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ''))
      expect(titles.toSorted()).deep.equal(['sluiceway: worker 1', 'sluiceway: worker 2'])
      expect(await (await fetch(`${admin}/readyz`)).text()).equal('ok\n')

      // A disk that is full for one of them: no file of its may grow any more.
      execFileSync('prlimit', [`--pid=${other}`, '--fsize=0:unlimited'])
      const unready = async () => {
        await chat()
        return (await (await fetch(`${admin}/readyz`)).text()) === 'the journal cannot be written\n'
      }
      await eventually(unready, 'unready')
      expect(await (await fetch(`${admin}/metrics`)).text()).match(/^sluiceway_journal_healthy 0$/m)
      execFileSync('prlimit', [`--pid=${other}`, '--fsize=unlimited'])
      await eventually(async () => (await fetch(`${admin}/readyz`)).status === 200, 'ready')

      writeFileSync(file, JSON.stringify({ ...config, workers: 3, docs_url: 'https://docs.test' }))
      const [, members] = await serving.match(
        /"members":(\S+),"msg":"these members have changed: they take effect at the next start/,
      )
      expect(members).equal('["workers"]')
      // Its replacement runs what the others run, although the file cannot be used at that moment.
      writeFileSync(file, 'models: []')
      await serving.match(/configuration rejected: the running one stays in force/)
      expect(await (await fetch(`${admin}/metrics`)).text()).match(/^sluiceway_config_last_reload_successful 0$/m)
      process.kill(victim!, 'SIGKILL')
      expect((await fetch(`${admin}/metrics`)).status).equal(200)
      await serving.match(/a worker ended and is replaced/)
      await eventually(() => workers().length === 2 && !workers().includes(victim!), 'a new worker')
      expect(await (await fetch(`${admin}/metrics`)).text()).match(/^sluiceway_worker_restarts_total 1$/m)
      const heir = workers().find(pid => pid !== other)
      await new Promise(wait => setTimeout(wait, 3000))
      expect(workers()).include(heir).and.lengthOf(2)

      serving.child.kill('SIGTERM')
      expect((await serving.ended).code).equal(0)
      await eventually(async () => {
        try {
          await fetch(url!)
          return false
        } catch {
          return true
        }
      }, 'nobody listens any more')
    } finally {
      serving.child.kill('SIGKILL')
    }
  })

  it('admit exactly as many as the limit says in the first burst after they are ready', async () => {
    const held: (() => void)[] = []
    const waiting = await scriptedBackend((...asked) => {
      held.push(() => void reply()(...asked))
    })
    const dir = directory()
    const file = join(dir, 'config.json')
    const more = { limits_store: redis(), workers: 4, plans: { p: { concurrency: 20 } }, log: { level: 'error' } }
    const account = { id: crypto.randomUUID(), plan: 'p' }
    writeFileSync(file, JSON.stringify(configFile(dir, { backends: [waiting.url], more, account })))
    const serving = new Cli(['serve', '--config', file])
    try {
      const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
      const [, admin] = await serving.match(/Admin +(\S+) /)
      expect(await (await fetch(`${admin}/readyz`)).text()).equal('ok\n')
      const headers = { authorization: `Bearer ${KEY}`, connection: 'close', 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })
      const statuses: number[] = []
      const burst = Array.from({ length: 60 }, async () => {
        const response = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })
        await response.arrayBuffer()
        statuses.push(response.status)
      })
      // The admitted ones are held at the backend, the others have their answer.
      await eventually(() => statuses.length + held.length === 60, 'a decision for each')
      const failures = failuresIn(await (await fetch(`${admin}/metrics`)).text())
      const admitted = held.length
      for (const answer of held) answer()
      await Promise.all(burst)
      if (failures === 0) expect(admitted).equal(20)
      else expect(admitted).within(20, 20 + 15)
    } finally {
      serving.child.kill('SIGKILL')
      await waiting.close()
    }
  })
})
