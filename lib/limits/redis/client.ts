import { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../../config/redis-address.ts'

export type RedisClient = Redis | Cluster

const CONNECT_MS = 1000
/**
 * A connection is closed if replies are due and nothing arrives for this time. ioredis includes time in which this
 * process was too busy to read.
 */
const IDLE_MS = 5000

/** A command without a connection fails at once. None is sent twice: it may have run although its reply was lost. */
const COMMON = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  socketTimeout: IDLE_MS,
  lazyConnect: true,
  connectionName: 'sluiceway',
  // The master has become a replica: reconnect to find the new master.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const

/** Creates a client that is not connected yet. After connect() it reconnects without a limit. */
export function createClient(address: RedisAddress): RedisClient {
  const { mode, nodes, master, tls, username, password, db } = address
  const account = {
    ...(username === undefined ? null : { username }),
    ...(password === undefined ? null : { password }),
    ...(tls ? { tls: {} } : null),
  }
  const client =
    mode === 'cluster'
      ? new Cluster([...nodes], clusterOptions(account))
      : new Redis({
          ...COMMON,
          ...account,
          db,
          retryStrategy,
          ...(mode === 'sentinel'
            ? {
                sentinels: [...nodes],
                name: master,
                sentinelRetryStrategy: retryStrategy,
                enableTLSForSentinelMode: tls,
              }
            : nodes[0]!),
        })
  // Without a listener, an 'error' event would end the process. Commands fail with their own errors.
  client.on('error', () => {})
  return client
}

/** Why there is no connection, such as a wrong password. Errors of commands only say that there is none. */
export function connectionProblem(error: NodeJS.ErrnoException & { lastNodeError?: unknown }): string | undefined {
  // Of a cluster, the reason is that of the last node.
  if (error.lastNodeError instanceof Error) return error.lastNodeError.message
  // The text of Redis is about its protocol.
  if (error.message.startsWith('NOAUTH')) return 'NOAUTH a password is needed: redis://:password@host:port'
  // After attempts at several addresses, Node's error has a code and no message.
  return error.message || error.code
}

function clusterOptions(account: object) {
  const { enableOfflineQueue, lazyConnect, ...node } = COMMON
  return {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    clusterNodeRetryStrategy: retryStrategy,
    // The node that redirects has not run the script. Nothing else is repeated, because it may have run.
    maxRedirections: 3,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: 1000,
    slotsRefreshTimeout: CONNECT_MS,
    redisOptions: { ...node, ...account },
  }
}

/** At most half a second, so that Redis is used again soon after it returns. Jitter keeps processes apart. */
function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 8), 500) * (0.5 + Math.random() / 2)
}
