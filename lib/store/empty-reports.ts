import type { OwnKeys } from './own-keys.ts'
import type { Reports } from './reports.ts'

/** The answers of a store without rows, for tests of plugins that read it (lib/testing.ts). */
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

/** Without members or keys. */
export const noOwnKeys: OwnKeys = {
  accounts: async () => [],
  list: async () => [],
  create: async () => 'unknown',
  change: async () => false,
  rotate: async () => undefined,
  revoke: async () => false,
}
