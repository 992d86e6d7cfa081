import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Key } from '../../../lib/accounts/access.ts'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { Config } from '../../../lib/config/config.ts'
import { createAdmissionControl, openFilesLimit } from '../../../lib/process/admission.ts'

describe('admission of a process', () => {
  /** How the first refused request begins its message. `sameKey`: all requests have one key, else one account. */
  function refusal(config: Config['admission'], openFiles: number, hasBody: boolean, sameKey: boolean): string {
    const { admission } = createAdmissionControl(config, openFiles, new Metrics())
    try {
      for (let i = 0; ; i++) {
        const request = admission.enter({ id: sameKey ? 'k' : `k${i}`, account: { id: 'a' } } as Key)
        if (hasBody) request.beginBody()
      }
    } catch (thrown) {
      return /^This \w+ (?:has|is sending) \d+/.exec((thrown as Error).message)![0]
    }
  }

  function connectionLimit(config: Config['admission'], openFiles: number): number {
    const { connections } = createAdmissionControl(config, openFiles, new Metrics())
    const server = new Server()
    connections.watch(server, () => false)
    let count = 0
    for (let isRefused = false; !isRefused; count++) {
      const destroy = () => {
        isRefused = true
      }
      server.emit('connection', Object.assign(new EventEmitter(), { remoteAddress: '10.0.0.1', destroy }))
    }
    return count - 1
  }

  it('has limits that leave most files to others, and generous ones where there are many', () => {
    const all = (config: Config['admission'], openFiles: number) => {
      // Otherwise the limit of requests would be reached before that of bodies.
      const onlyBodies = { ...config, requests_per_account: 100_000, requests_per_key: 100_000 }
      return [
        refusal(config, openFiles, false, true),
        refusal(config, openFiles, false, false),
        refusal(onlyBodies, openFiles, true, true),
        refusal(onlyBodies, openFiles, true, false),
        connectionLimit(config, openFiles),
      ]
    }
    expect(all({}, 1024)).deep.equal([
      'This key has 256',
      'This account has 256',
      'This key is sending 256',
      'This account is sending 256',
      512,
    ])
    expect(all({}, Number.POSITIVE_INFINITY)).deep.equal([
      'This key has 10000',
      'This account has 10000',
      'This key is sending 5000',
      'This account is sending 5000',
      10_000,
    ])
    expect(all({ requests_per_account: 5, bodies_per_key: 2, connections_per_address: 3 }, 1024)).deep.equal([
      'This key has 5',
      'This account has 5',
      'This key is sending 2',
      'This account is sending 256',
      3,
    ])
  })

  it('reads how many files the process may open', () => {
    const dir = mkdtempSync(join(tmpdir(), 'limits-'))
    const path = join(dir, 'limits')
    writeFileSync(
      path,
      'Limit  Soft Limit  Hard Limit  Units\nMax open files            4096                 8192  files\n',
    )
    expect(openFilesLimit(path)).equal(4096)
    writeFileSync(path, 'Max open files            unlimited            unlimited            files\n')
    expect(openFilesLimit(path)).equal(Number.POSITIVE_INFINITY)
    rmSync(dir, { recursive: true })
    expect(openFilesLimit(path)).equal(Number.POSITIVE_INFINITY)
  })

  it('has metrics of what is open and what was refused', async () => {
    const metrics = new Metrics()
    const { admission, connections, update } = createAdmissionControl({}, 1024, metrics)
    update({ requests_per_key: 1 })
    const key = { id: 'k', account: { id: 'a' } } as never
    admission.enter(key)
    expect(() => admission.enter(key)).throw('This key has 1 requests')
    connections.onClosed('idle')
    const text = await metrics.registry.metrics()
    expect(text).contain('sluiceway_admission_refused_total{limit="requests_per_key"} 1\n')
    expect(text).contain('sluiceway_admission_refused_total{limit="bodies_per_account"} 0\n')
    expect(text).contain('sluiceway_connections_closed_total{reason="idle"} 1\n')
    expect(text).contain('sluiceway_connections_closed_total{reason="refused"} 0\n')
    expect(text).contain('sluiceway_connections 0\n')
  })
})
