/**
 * Promises of the plugin contract that the compiler keeps: each @ts-expect-error below is a mistake that does not
 * compile. `npm run types` fails when one of them does. Nothing here is ever run.
 */
import type { Hooks } from '../../lib/core/plugin.ts'
import type { ValueOf } from '../../lib/core/slots.ts'
import { chat, definePlugin, type Plugin, slot, type Transformer, target } from '../../lib/plugin.ts'

interface Account {
  readonly id: string
}

const account = slot('account').of<Account>()
const tags = slot('tags').of<readonly string[] | null>()
const other = slot('other').of<Account>()

declare const stage: Transformer

// ---------------------------------------------------------------- what a plugin may do

export const everything = definePlugin({
  name: 'everything',
  summary: 'Uses all there is.',
  routes: {
    surface: ['gateway'],
    format: ['messages'],
    route: ['chat'],
    proxied: true,
    canonical: true,
    access: 'key',
  },
  options: { type: 'object' },
  needs: [account],
  provides: [tags],
  wants: [other],
  after: ['auth'],
  setup: ({ limit }: { readonly limit: number }, { clock, log, metrics, config, keys, models, records }) => ({
    async onHeaders(exchange) {
      const id: string = exchange.get(account).id
      const found: Account | undefined = exchange.find(other)
      exchange.set(tags, found === undefined ? [id, String(limit)] : null)
      exchange.setHeader('x-now', String(clock.now()))
      exchange.reply(200, { id }, 'application/json')
    },
    onBody({ body, bodyBytes, route, signal }) {
      log.debug({ bodyBytes, route: route.name, aborted: signal.aborted, model: body.model })
    },
    onSend: exchange => exchange.setHeader('x-status', `${exchange.status} ${exchange.source}`),
    transform: exchange => (exchange.streaming && exchange.get(tags) !== null ? stage : undefined),
    onFinish({ outcome, durationMs, requestSent, error, find }) {
      metrics.counter({ name: 'ends', help: 'Ends.' }).inc()
      void [
        outcome,
        durationMs,
        requestSent satisfies boolean,
        error?.code,
        find,
        config.brand,
        keys,
        models,
        records.healthy,
      ]
    },
    close: () => {},
  }),
})

export const least = definePlugin({ name: 'least', summary: '', setup: () => ({}) })

/** Any plugin fits where plugins are kept. */
export const plugins: readonly Plugin[] = [everything, least]

// ---------------------------------------------------------------- phases

export const phases = definePlugin({
  name: 'phases',
  summary: '',
  needs: [account],
  setup: () => ({
    onHeaders(exchange) {
      // @ts-expect-error the body has not been read yet
      void exchange.body
      // @ts-expect-error nor does its size
      void exchange.bodyBytes
      // @ts-expect-error there is no answer yet
      void exchange.status
    },
    onBody(exchange) {
      // @ts-expect-error the client's own words stay as they are: rules change the `chat` slot
      exchange.body = {}
      // @ts-expect-error there is no answer yet
      void exchange.outcome
    },
    onSend(exchange) {
      // @ts-expect-error it is too late to answer otherwise
      exchange.reply(200, {})
      // @ts-expect-error the request may have been refused before anything was filled: find() it
      exchange.get(account)
      // @ts-expect-error the status is decided
      exchange.status = 200
      // @ts-expect-error slots are filled in request hooks only
      exchange.set(account, { id: 'a' })
    },
    transform(exchange) {
      // @ts-expect-error it is too late to answer otherwise
      exchange.reply(200, {})
      // @ts-expect-error a transformer has no response head
      exchange.setHeader('x', '1')
      return undefined
    },
    onFinish(exchange) {
      // @ts-expect-error the head has gone
      exchange.setHeader('x', '1')
      // @ts-expect-error it may never have been filled
      exchange.get(account)
      // @ts-expect-error what has ended is not changed
      exchange.requestSent = true
      // @ts-expect-error what has ended is not changed
      exchange.status = 200
    },
  }),
})

// ---------------------------------------------------------------- slots

export const undeclared = definePlugin({
  name: 'undeclared',
  summary: '',
  needs: [account],
  provides: [tags],
  wants: [other],
  setup: () => ({
    onHeaders(exchange) {
      // @ts-expect-error not among needs, provides and wants
      exchange.get(chat)
      // @ts-expect-error not among needs, provides and wants
      exchange.find(target)
      // @ts-expect-error a wanted slot may be empty: find() it
      exchange.get(other)
      // @ts-expect-error a needed slot is another plugin's to fill
      exchange.set(account, { id: 'a' })
      // @ts-expect-error a wanted slot is another plugin's to fill
      exchange.set(other, { id: 'a' })
      // @ts-expect-error the slot holds something else
      exchange.set(tags, 'a')
      // @ts-expect-error "nothing" is null, never undefined
      exchange.set(tags, undefined)
      // @ts-expect-error what is found may not be there
      void exchange.find(account).id
    },
  }),
})

export const nothing = definePlugin({
  name: 'nothing',
  summary: '',
  setup: () => ({
    onHeaders(exchange) {
      // @ts-expect-error it has declared no slot at all
      exchange.get(account)
    },
  }),
})

export const apart = definePlugin({
  name: 'apart',
  summary: '',
  needs: [account],
  setup: () => ({
    onHeaders(exchange) {
      // @ts-expect-error another slot, although it holds the same type
      exchange.get(other)
    },
  }),
})

/** A slot's type is that of its value. */
export const value: ValueOf<typeof tags> = ['a']

// @ts-expect-error a slot's name is a word that is known when the program is written
export const nameless = slot(Math.random() > 0.5 ? 1 : 2)

// ---------------------------------------------------------------- definitions

export const misspelt = definePlugin({
  name: 'misspelt',
  summary: '',
  // @ts-expect-error there is no such hook
  setup: () => ({ onRequest: () => {} }),
})

export const unfinished = [
  // @ts-expect-error a plugin has a name
  definePlugin({ summary: '', setup: () => ({}) }),
  // @ts-expect-error a plugin says in one line what it does
  definePlugin({ name: 'unfinished', setup: () => ({}) }),
  // @ts-expect-error a plugin is set up
  definePlugin({ name: 'unfinished', summary: '' }),
  // @ts-expect-error there is no such route
  definePlugin({ name: 'unfinished', summary: '', routes: { format: ['chats'] }, setup: () => ({}) }),
  // @ts-expect-error there is no such column of the route table
  definePlugin({ name: 'unfinished', summary: '', routes: { public: true }, setup: () => ({}) }),
  // @ts-expect-error slots are objects, not names
  definePlugin({ name: 'unfinished', summary: '', needs: ['account'], setup: () => ({}) }),
]

export const late: Hooks = {
  // @ts-expect-error stages do not wait
  transform: async () => undefined,
}
