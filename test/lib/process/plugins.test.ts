import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { definePlugin, type Hooks } from '../../../lib/core/plugin.ts'
import { defineErrors } from '../../../lib/errors/errors.ts'
import { BootError } from '../../../lib/process/boot.ts'
import { closePlugins, setUpPlugins } from '../../../lib/process/plugins.ts'
import { testServices } from '../../../lib/testing.ts'

describe('process/plugins', () => {
  let seen: string[]
  let lines: Record<string, unknown>[]
  let log: Logger

  beforeEach(() => {
    seen = []
    lines = []
    log = pino({ level: 'info' }, { write: line => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  })

  const planned = (name: string, setup: () => Hooks | Promise<Hooks>, at?: string) => ({
    plugin: definePlugin({ name, summary: '', setup }),
    options: {},
    ...(at !== undefined && { at }),
  })

  /** A plugin that notes when it is set up and closed. */
  const noting = (name: string, hooks: object = {}) =>
    planned(
      name,
      async () => {
        seen.push(`+${name}`)
        return { close: async () => void seen.push(`-${name}`), ...hooks }
      },
      'line 6: ',
    )

  const failsToClose = {
    close: async () => {
      throw new Error('cannot close')
    },
  }

  const setUp = (...plugins: ReturnType<typeof planned>[]) => setUpPlugins(plugins, testServices([], { log }))
  const problemsOf = async (...plugins: ReturnType<typeof planned>[]) => {
    const thrown: unknown = await setUp(...plugins).catch(error => error)
    expect(thrown).instanceOf(BootError)
    return (thrown as BootError).problems
  }

  it('are set up from top to bottom and closed from bottom to top', async () => {
    const ready = await setUp(noting('a'), noting('b'), noting('c'))
    expect(seen).deep.equal(['+a', '+b', '+c'])
    await closePlugins(ready, log)
    expect(seen.slice(3)).deep.equal(['-c', '-b', '-a'])
  })

  it('are closed when another cannot be set up', async () => {
    const fails = planned('c', () => {
      throw new Error('no licence')
    })
    expect(await problemsOf(noting('a'), noting('b', failsToClose), { ...fails, at: 'line 6: ' })).deep.equal([
      "line 6: plugin 'c' could not be set up: no licence",
    ])
    expect(seen).deep.equal(['+a', '+b', '-a'])
  })

  it('are refused with hooks that would never run, or whose promise would not be awaited', async () => {
    expect(await problemsOf(noting('a', { onRequest() {} }))).deep.equal([
      "line 6: plugin 'a' could not be set up: there is no hook 'onRequest'; there are onHeaders, onBody, onAttempt, onSend, onFinish.",
    ])
    expect(await problemsOf(noting('a', { async onFinish() {} }))).deep.equal([
      "line 6: plugin 'a' could not be set up: 'onFinish' is not awaited: make it an ordinary function.",
    ])
    expect(seen).deep.equal(['+a', '-a', '+a', '-a'])
  })

  it('know the error codes of all plugins of the chain, and of the gateway', async () => {
    const errors = defineErrors({ acme_word: [403, 'permission_error', 'A word is not allowed.'] })
    const declares = { plugin: definePlugin({ name: 'words', summary: '', errors, setup: () => ({}) }), options: {} }
    let known: object = {}
    const reads = {
      plugin: definePlugin({
        name: 'reads',
        summary: '',
        setup(_options, services) {
          known = services.errors
          return {}
        },
      }),
      options: {},
    }
    await setUpPlugins([reads, declares], testServices([], { log }))
    expect(known).property('acme_word').deep.equal(errors.table.acme_word)
    expect(known).property('invalid_api_key')
    expect(testServices().errors).not.property('acme_word')
  })

  it('must return hooks, even if none', async () => {
    const nothing = planned('nothing', () => undefined as unknown as Hooks)
    expect(await problemsOf(nothing)).deep.equal([
      "plugin 'nothing' could not be set up: its setup returned no hooks; return {} where there are none.",
    ])
  })

  it('are closed although one of them fails to close, which is logged', async () => {
    await closePlugins(await setUp(noting('a'), noting('b', failsToClose)), log)
    expect(seen).deep.equal(['+a', '+b', '-a'])
    expect(lines).lengthOf(1)
    expect(lines[0]).include({ level: 50, plugin: 'b', msg: 'a plugin failed to close' })
  })

  describe('that do not return', () => {
    const timeouts = { setupMs: 30, closeMs: 30 }

    it('from setup are abandoned, and closed when they return too late', async () => {
      const setup = Promise.withResolvers<Hooks>()
      const late = planned('late', () => setup.promise)
      const thrown: unknown = await setUpPlugins([late], testServices([], { log }), timeouts).catch(error => error)
      expect((thrown as BootError).problems).deep.equal([
        "plugin 'late' could not be set up: it did not finish within 0.03 s.",
      ])
      await new Promise<void>(resolve => setup.resolve({ close: async () => resolve() }))
    })

    it('from close do not keep others from closing', async () => {
      const stuck = planned('stuck', () => ({ close: () => new Promise<void>(() => {}) }))
      await closePlugins(await setUp(noting('first'), stuck), log, timeouts)
      expect(seen).deep.equal(['+first', '-first'])
      expect(lines.at(-1)).include({ plugin: 'stuck', msg: 'a plugin failed to close' })
    })
  })
})
