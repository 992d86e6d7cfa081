import { Readable } from 'node:stream'
import { pino } from 'pino'
import { KeyRing, ModelCatalog } from './accounts/access.ts'
import { CacheIsolation } from './accounts/cache-isolation.ts'
import { keyedHash } from './accounts/keyed-hash.ts'
import { type Clock, systemClock } from './base/clock.ts'
import { Metrics } from './base/metrics.ts'
import type { Services } from './core/services.ts'
import { ERRORS } from './errors/errors.ts'
import type { Files } from './files/files.ts'
import { LedgerView } from './limits/ledger.ts'
import type { Limits } from './limits/limits.ts'
import { memoryLimits } from './limits/memory/limits.ts'
import type { OwnKeys } from './store/own-keys.ts'
import type { RequestRecord } from './store/record.ts'
import type { Reports } from './store/reports.ts'
import { TokenRatios } from './tokens/token-ratios.ts'

/** No uploaded files, and no uploads. */
const noFiles: Files = {
  maxBytes: 0,
  create: () => Promise.reject(new Error('these test services store no files')),
  list: async () => [],
  find: async () => undefined,
  content: async () => undefined,
  stream: () => Readable.from([]),
  remove: async () => false,
}

const emptyReports: Reports = {
  requests: async () => ({ requests: [], has_more: false, cursor: null }),
  request: async () => undefined,
  accountRequests: async () => ({ requests: [], has_more: false, cursor: null }),
  accountRequest: async () => undefined,
  batch: async () => ({ cost: null, recent: 0 }),
  booked: async () => 0,
  metrics: async endpoint => ({ endpoint }),
  usage: async ({ from, to }) => ({ rows: [], from, to }),
  members: async () => [],
}

/** Users without accounts and keys. */
const noOwnKeys: OwnKeys = {
  accounts: async () => [],
  list: async () => [],
  create: async () => 'unknown',
  change: async () => false,
  rotate: async () => undefined,
  revoke: async () => false,
}

function newLimits(clock: Clock): Limits {
  const ledger = new LedgerView({ totals: async () => new Map() }, { clock })
  const limits = memoryLimits(clock, ledger)
  // Stops the timers, which would keep the process of a test alive.
  void limits.close()
  return limits
}

/** Services without effects outside the process. `records` receives the records; `own` replaces single services. */
export function testServices(records: RequestRecord[] = [], own: Partial<Services> = {}): Services {
  return {
    config: {
      brand: 'service',
      credits: { broken_streams: 'free' },
      metrics: { accounts: 0 },
      modelSources: [],
    } as unknown as Services['config'],
    clock: systemClock,
    log: pino({ level: 'silent' }),
    metrics: new Metrics(),
    keys: new KeyRing(),
    models: new ModelCatalog([]),
    cacheIsolation: new CacheIsolation('off', ''),
    keyedHash: keyedHash({ cache_isolation_key: 'test', journal: '' }),
    records: { healthy: true, append: record => void records.push(record) },
    limits: newLimits(own.clock ?? systemClock),
    tokens: new TokenRatios(),
    reports: emptyReports,
    files: noFiles,
    batches: null,
    errors: ERRORS,
    internal: { send: () => Promise.reject(new Error('these test services send no requests')) },
    ownKeys: noOwnKeys,
    ownAlerts: null,
    oidc: null,
    sessions: {
      open: async () => undefined,
      start: async () => undefined,
      userOf: async () => undefined,
      close: async () => {},
    },
    ...own,
  }
}
