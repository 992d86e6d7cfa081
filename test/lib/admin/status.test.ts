import { expect } from 'chai'
import type { ListedGateway } from '../../../lib/admin/live/fleet.ts'
import { type ProcessState, statusJson } from '../../../lib/admin/status.ts'
import type { JsonObject } from '../../../lib/base/json.ts'
import type { Config } from '../../../lib/config/config.ts'
import { configOf, MODEL } from '../../support/config.ts'

const STATE: ProcessState = {
  version: '1.2.3',
  startedAt: Date.UTC(2026, 10, 23),
  pids: [7, 8],
  file: '/etc/sluiceway.yaml',
  lastReload: { at: Date.UTC(2026, 10, 24), problems: ['line 1: brand: is wrong'] },
  unready: ['draining'],
  metrics: `# HELP x
sluiceway_journal_healthy 1
sluiceway_store_lag_records 12
sluiceway_store_lag_seconds 0.5
sluiceway_limits_store_up 0
`,
}

const GATEWAY: ListedGateway = {
  machine: 'gw-a',
  version: '1.2.3',
  started: '2026-11-23T00:00:00.000Z',
  ready: false,
  unready: ['draining'],
  workers: [{ pid: 7 }, { pid: 8 }],
  seen_at: '2026-11-24T00:00:00.000Z',
  stale: false,
}

const hashOf = (config: Config) => (statusJson(config, STATE, true, [GATEWAY]).config as JsonObject).hash as string

describe('the status of a gateway', () => {
  it('has version, processes, the last reload and the state of the stores', () => {
    const config = configOf(`${MODEL}limits_store: redis://127.0.0.1:6379\n`)
    expect(statusJson(config, STATE, true, [GATEWAY])).deep.equal({
      version: '1.2.3',
      started: '2026-11-23T00:00:00.000Z',
      ready: false,
      unready: ['draining'],
      workers: [{ pid: 7 }, { pid: 8 }],
      config: {
        path: '/etc/sluiceway.yaml',
        hash: hashOf(config),
        last_reload: { at: '2026-11-24T00:00:00.000Z', successful: false, problems: ['line 1: brand: is wrong'] },
      },
      stores: { store: { kind: 'sqlite', healthy: true }, limits_store: { kind: 'redis', healthy: false } },
      journal: { healthy: true, lag_records: 12, lag_seconds: 0.5 },
      gateways: [GATEWAY],
    })
  })

  it('has a hash that differs exactly if the configuration differs', () => {
    const hash = (text: string) => hashOf(configOf(MODEL + text))
    expect(hash(''))
      .match(/^[0-9a-f]{16}$/)
      .and.equal(hash('# a comment\n'))
    expect(hash('brand: acme\n')).not.equal(hash(''))
  })
})
