import type { GatewayError, Key, Services } from '../../lib/plugin.ts'

/** Throws `error`. In shadow mode, counts and logs it instead: the request passes. */
type Enforce = (logId: string, key: Key, error: GatewayError) => void

/** `plugin`: name of the plugin that limits. `shadow`: true in shadow mode. */
export function enforcement(plugin: string, shadow: boolean, { log, metrics }: Services): Enforce {
  if (!shadow) {
    return (_logId, _key, error) => {
      throw error
    }
  }
  const counter = metrics.counter({
    name: 'sluiceway_shadow_refusals_total',
    help: 'Requests that a limit in shadow mode admitted and would have refused, by plugin and error code.',
    labelNames: ['plugin', 'code'],
  })
  return (logId, { id: key, account }, { code }) => {
    counter.inc({ plugin, code })
    const names = { request_id: logId, account: account.id, account_name: account.name, key }
    log.info({ plugin, code, ...names }, 'would have been refused')
  }
}
