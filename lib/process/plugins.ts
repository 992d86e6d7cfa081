/** Sets up the plugins of a chain, and closes them. */
import type { Logger } from 'pino'
import { isObject, type JsonObject } from '../base/json.ts'
import { within } from '../base/timeout.ts'
import type { ReadyPlugin } from '../core/chain.ts'
import type { Hooks, Plugin } from '../core/plugin.ts'
import type { Services } from '../core/services.ts'
import { BootError, type ConfiguredPlugin } from './boot.ts'

/** Maximum time of a plugin's setup() and close(): a plugin that hangs must not block a start, a reload or a drain. */
interface PluginTimeouts {
  readonly setupMs: number
  readonly closeMs: number
}

const TIMEOUTS: PluginTimeouts = { setupMs: 60_000, closeMs: 10_000 }

/** Sets the plugins up from top to bottom. If one fails, closes those before it and throws BootError. */
export async function setUpPlugins(
  plugins: readonly ConfiguredPlugin[],
  shared: Services,
  timeouts = TIMEOUTS,
): Promise<readonly ReadyPlugin[]> {
  const tables = plugins.map(({ plugin }) => plugin.errors?.table)
  const services: Services = { ...shared, errors: Object.assign({}, shared.errors, ...tables) }
  const ready: ReadyPlugin[] = []
  for (const { plugin, options, at = '' } of plugins) {
    try {
      const hooks = await hooksOf(plugin, options, services, timeouts)
      ready.push({ plugin, hooks })
      checkHooks(hooks)
    } catch (thrown) {
      await closePlugins(ready, services.log, timeouts)
      throw new BootError([`${at}plugin '${plugin.name}' could not be set up: ${(thrown as Error).message}`])
    }
  }
  return ready
}

/** Closes the plugins from bottom to top. A plugin that fails to close is logged, and the others are closed. */
export async function closePlugins(
  plugins: readonly ReadyPlugin[],
  log: Logger,
  { closeMs } = TIMEOUTS,
): Promise<void> {
  for (const { plugin, hooks } of plugins.toReversed()) {
    try {
      await within(closeMs, `it did not finish within ${closeMs / 1000} s.`, Promise.resolve(hooks.close?.()))
    } catch (err) {
      log.error({ err, plugin: plugin.name }, 'a plugin failed to close')
    }
  }
}

async function hooksOf(
  plugin: Plugin,
  options: JsonObject,
  services: Services,
  { setupMs }: PluginTimeouts,
): Promise<Hooks> {
  const settingUp = Promise.resolve(plugin.setup(options, services))
  try {
    const hooks: unknown = await within(setupMs, `it did not finish within ${setupMs / 1000} s.`, settingUp)
    if (!isObject(hooks)) throw new Error('its setup returned no hooks; return {} where there are none.')
    return hooks as Hooks
  } catch (thrown) {
    // A setup() that finishes after its timeout has opened resources, so its hooks must still be closed.
    void settingUp.then(hooks => hooks?.close?.()).catch(() => {})
    throw thrown
  }
}

const HOOKS: readonly string[] = ['onHeaders', 'onBody', 'onAttempt', 'onSend', 'onFinish'] satisfies (keyof Hooks)[]
const SYNCHRONOUS = ['onAttempt', 'onSend', 'transform', 'onFinish'] as const satisfies (keyof Hooks)[]

/** Finds mistakes that types allow: a misspelt hook would never run, and an async hook would not be awaited. */
function checkHooks(hooks: Hooks): void {
  for (const name of Object.keys(hooks)) {
    if (/^on[A-Z]/.test(name) && !HOOKS.includes(name))
      throw new Error(`there is no hook '${name}'; there are ${HOOKS.join(', ')}.`)
  }
  for (const name of SYNCHRONOUS) {
    if (hooks[name]?.constructor.name === 'AsyncFunction')
      throw new Error(`'${name}' is not awaited: make it an ordinary function.`)
  }
}
