import type { OwnKeys } from './own-keys.ts'
import type { Reports } from './reports.ts'

/** Reports without rows, for tests of plugins (lib/testing.ts). */
export const emptyReports: Reports = {
  requests: async () => ({ requests: [], has_more: false, cursor: null }),
  request: async () => undefined,
  accountRequests: async () => ({ requests: [], has_more: false, cursor: null }),
  accountRequest: async () => undefined,
  booked: async () => 0,
  metrics: async endpoint => ({ endpoint }),
  usage: async ({ from, to }) => ({ rows: [], from, to }),
  members: async () => [],
}

/** Users without accounts and keys, for tests of plugins (lib/testing.ts). */
export const noOwnKeys: OwnKeys = {
  accounts: async () => [],
  list: async () => [],
  create: async () => 'unknown',
  change: async () => false,
  rotate: async () => undefined,
  revoke: async () => false,
}
