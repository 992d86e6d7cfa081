import type { GatewayError, Key, Services } from '../../lib/plugin.ts'

/** Refuses; in shadow mode it only says that it would have, and the request goes on. */
export type Enforce = (requestId: string, key: Key, error: GatewayError) => void

/** `plugin`: whose limit it is. */
export function enforcement(plugin: string, shadow: boolean, { log, metrics }: Services): Enforce {
  if (!shadow) {
    return (_requestId, _key, error) => {
      throw error
    }
  }
  const counter = metrics.counter({
    name: 'sluiceway_shadow_refusals_total',
    help: 'Requests that a limit in shadow mode let pass and would have refused, by plugin and error code.',
    labelNames: ['plugin', 'code'],
  })
  return (requestId, key, { code }) => {
    counter.inc({ plugin, code })
    log.info({ plugin, code, request_id: requestId, account: key.account.id, key: key.id }, 'would have been refused')
  }
}
