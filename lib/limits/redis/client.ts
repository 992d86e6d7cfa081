import { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from './address.ts'

export type RedisClient = Redis | Cluster

const CONNECT_MS = 1000
/** A connection on which answers are due and nothing arrives for this long is dead. */
const SILENT_MS = 2000

/**
 * Nothing is queued while there is no connection, and nothing is sent twice: whoever waits is told at once, and a script
 * that may have run is not run again behind our back.
 */
const COMMON = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: CONNECT_MS,
  socketTimeout: SILENT_MS,
  lazyConnect: true,
  connectionName: 'sluiceway',
  // A master that became a replica: find the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} as const

/** Not connected yet. Once it has been told to connect it goes on trying for ever. */
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
  // Without a listener an error would end the process; whoever sends commands is told by their failure.
  client.on('error', () => {})
  return client
}

/**
 * Teaches a script to every master, so that the first request need not send its text. Rejects where one does not take it;
 * then it takes it with the first request.
 */
export async function loadScript(client: RedisClient, lua: string): Promise<void> {
  const masters = client instanceof Cluster ? client.nodes('master') : [client]
  await Promise.all(masters.map(master => master.script('LOAD', lua)))
}

function clusterOptions(account: object) {
  const { enableOfflineQueue, lazyConnect, ...node } = COMMON
  return {
    enableOfflineQueue,
    lazyConnect,
    clusterRetryStrategy: retryStrategy,
    clusterNodeRetryStrategy: retryStrategy,
    // Redirections are safe: a node that redirects has not run the script. After a lost connection nobody knows.
    maxRedirections: 3,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: 1000,
    slotsRefreshTimeout: CONNECT_MS,
    redisOptions: { ...node, ...account },
  }
}

/** Half a second at most, so that Redis is used again soon after it is back; jitter keeps processes apart. */
function retryStrategy(times: number): number {
  return Math.min(50 * 2 ** Math.min(times, 8), 500) * (0.5 + Math.random() / 2)
}
