import { readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { newChunk } from '../../lib/canonical/reply.ts'
import { parseConfig } from '../../lib/config/read.ts'
import type { Plugin } from '../../lib/core/plugin.ts'
import * as door from '../../lib/plugin.ts'
import { planChains } from '../../lib/process/boot.ts'
import type { RouteName } from '../../lib/routes/routes.ts'
import { play } from '../../lib/testing.ts'
import { chat, key } from '../../plugins/slots.ts'
import { exampleDirectory, repository } from '../support/plugins-page.ts'

/** What `sluiceway/plugin` exports, by name; types are marked. Whatever is added or removed here, plugin authors notice. */
const DOOR = `
assetAt, backendOptions, bodyValidator, certainOverflow, certainPromptTokens, chat, clampedMaxTokens, contextExceeded, cookieName, cookieSecret, costOf, csvOf
definePlugin, EFFORTS, ERRORS, escapeHtml, fail, failure, fileOwner, filesInTime, filesUnavailable, formatOf, formatOptions, formParser
GatewayError, hasImages, html, HTML, htmlPlot, htmlTable, imageParts, imageType, isManager, isObject, isOwnOrigin, isRequestId, isSecure, isText, isUuid, key, lengthOf
limitHeaders, loadMarkdown, mayCreateKeys, mayUse, MICROCENTS_PER_CENT, MAX_OWN_KEYS, newChunk, nextTurn, PAGE_HEADERS, pageOf, parseIso, parseJson
partsOf, pipe, pipeSize, priced, promptCount, promptSize, queryReader, quoted, readSchema, referredFileOwner, refuseFileUnderZdr, replaceStart
ROUTES, schemaNames, sessionCookie, shellQuoted, shortened, SIGN_IN_SECONDS, SignInFailure, slot, target, textBytes, textEnd, textParts, textPieces, textStart, Tokenizer, totalsBy, totalsOf, Transformer, usesLink,
whenKnown, windowMilliseconds, withoutDecoding, words, zdr
type AccountConfig, type AccountRequestFilter, type AccountRequestPage, type AttemptFacts, type AttemptOutcome, type AttemptPhase
type BodyPhase, type CanonicalRequest, type ChatCapabilities, type ChatRequest, type Chunk, type Clock, type Config
type ContentPart, type Counter, type CreditState, type Effort, type ErrorCode, type ErrorDetails, type Files, type FinishPhase
type Format, type FormatName, type FormatOptions, type FunctionTool, type Gauge, type HeadersPhase, type Histogram, type Hooks
type Html, type HtmlValue, type IgnoredMember, type IgnoredMembers, type ImagePart, type IssuedKey, type Json
type JsonObject, type Key, type Message, type Metrics, type ModelConfig, type ModelTokens, type NewOwnKey, type OnStoreFailure
type Outcome, type OwnAccount, type OwnKeyFields, type OwnKeys, type PipeRequest, type PlanConfig, type Plot
type Plugin, type PricedRow, type Pricing, type PromptSize, type QuotaState, type RateState, type Reached, type ReasoningOptions, type RequestFilter
type RequestLimitsConfig, type RequestRecord, type ResponseFormat, type Role, type Route, type RouteFilter, type RouteName, type Sampling
type Save, type SendPhase, type Series, type Services, type Shell, type Sink, type Slot, type SpendState, type StoredFile, type StoredKey
type StoredMember, type StreamPhase, type Surface, type Target, type TextRequest, type TokenRatios, type ToolCallDelta, type ToolChoice, type Totals
type TraceContext, type UploadMetadata, type Usage, type UsageFilter, type UsageOfPeriod, type UsageRow, type ValueOf, type Words
`

/** Exports of the door: name, and the file that declares it. */
function exportsOfDoor(): readonly { readonly name: string; readonly type: boolean; readonly from: string }[] {
  const text = readFileSync(join(repository, 'lib/plugin.ts'), 'utf8')
  return [...text.matchAll(/^export (type )?\{([^}]+)\} from '([^']+)'/gm)].flatMap(([, all, names, from]) =>
    names!
      .split(',')
      .map(one => one.trim())
      .filter(one => one !== '')
      .map(one => ({
        name: one.replace('type ', ''),
        type: all !== undefined || one.startsWith('type '),
        from: from!,
      })),
  )
}

/** The text of the file that declares `name`: this one, or the one that it exports it from. */
function declaring(file: string, name: string): string {
  const text = readFileSync(file, 'utf8')
  const from = new RegExp(`\\nexport (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from '([^']+)'`).exec(text)?.[1]
  return from === undefined ? text : declaring(join(dirname(file), from), name)
}

describe('sluiceway/plugin', () => {
  it('exports what this list names, and nothing else', () => {
    const shown = exportsOfDoor().map(({ name, type }) => (type ? `type ${name}` : name))
    expect(shown.toSorted()).deep.equal(
      DOOR.trim()
        .split(/\s*[,\n]\s*/)
        .toSorted(),
    )
    const values = exportsOfDoor().flatMap(({ name, type }) => (type ? [] : name))
    expect(Object.keys(door).toSorted()).deep.equal(values.toSorted())
  })

  it('documents every export where it is declared', () => {
    const undocumented = exportsOfDoor().filter(({ name, from }) => {
      // Packages have documentation of their own, members of the configuration docs/CONFIG.md.
      if (!from.startsWith('.') || from.startsWith('./config/')) return false
      const text = declaring(join(repository, 'lib', from), name)
      const declared = `\\nexport (?:abstract |async )?(?:const|function\\*?|class|interface|type) ${name}\\b`
      return !new RegExp(`\\*/${declared}`).test(text)
    })
    expect(undocumented.map(({ name, from }) => `${name} of ${from}`)).deep.equal([])
  })
})

const MODEL = 'models: [{ id: m, backends: [{ url: "http://127.0.0.1:8000/v1" }] }]'

const EXAMPLES = ['max-output/index.ts', 'one-at-a-time.ts', 'without-reasoning.ts', 'words.ts']

/** The examples of docs/PLUGINS.md as an author outside this repository would have them, in files of their own beside a configuration. */
describe('plugins outside the repository', () => {
  let directory: string
  let plugins: readonly Plugin[]

  before(async () => {
    directory = exampleDirectory()
    const uses = EXAMPLES.map((file, i) => {
      return { use: `./${file}`, enabled: true, options: {}, change: 'none', path: `plugins.${i}` } as const
    })
    const config = parseConfig(MODEL, { baseDir: directory, env: {}, fileName: 'test.yaml' })
    const entries = [...config.plugins.entries, ...uses]
    const plan = await planChains({ ...config, plugins: { origin: 'list', entries } })
    expect(plan.problems).deep.equal([])
    plugins = plan.plugins.slice(-uses.length).map(({ plugin }) => plugin)
  })
  after(() => rmSync(directory, { recursive: true }))

  const named = (name: string) => plugins.find(plugin => plugin.name === name)!

  it('are all there, and each is loaded from its path', () => {
    expect(plugins.map(({ name }) => name)).deep.equal(['max-output', 'one-at-a-time', 'without-reasoning', 'words'])
  })

  it('refuse with errors that the gateway knows as its own', async () => {
    const { error } = await play(named('max-output'), { options: { limit: 100 }, given: [[chat, { maxTokens: 101 }]] })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error!.details.param).equal('max_tokens')
    expect(error!.message).equal('At most 100 tokens may be asked for.')
  })

  it('share slots with the built-in plugins, and give back what they took', async () => {
    const plugin = named('one-at-a-time')
    const hooks = await plugin.setup({}, {} as never)
    const once: Plugin = { ...plugin, setup: () => hooks }
    const given = [[key, { id: 'k1' }]] as const
    for (const _ of [1, 2]) expect((await play(once, { given })).error).equal(undefined)
    const nested: Plugin = { ...plugin, setup: () => ({ ...hooks, onFinish: () => {} }) }
    await play(nested, { given })
    const { error } = await play(once, { given })
    expect(error).include({ code: 'concurrency_limit_exceeded', status: 429 })
    expect(error!.details.headers).include({ 'retry-after': '1' })
  })

  it('read every text, and name the member of the client', async () => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":"forbidden"}' } }
    const tool = { name: 'f', description: 'forbidden' }
    const bodies: readonly (readonly [RouteName, JsonObject, string])[] = [
      ['chat', { messages: [{ role: 'assistant', tool_calls: [call] }] }, 'messages.0.tool_calls.0.function.arguments'],
      [
        'messages',
        { max_tokens: 1, messages: [{ role: 'user', content: 'a' }], tools: [tool] },
        'tools.0.function.description',
      ],
      ['responses', { input: 'a', instructions: 'forbidden' }, 'instructions.content'],
      ['completions', { prompt: ['a', 'forbidden'] }, 'prompt.1'],
    ]
    for (const size of ['small', 'large'] as const) {
      for (const [route, body, param] of bodies) {
        const { error } = await play(named('words'), { route, size, body: { model: 'm', ...body } })
        expect(error).include({ code: 'http_403' })
        expect(error!.details.param).equal(param)
      }
    }
  })

  it('change replies by a transformer', async () => {
    const first = { ...newChunk(0), start: true, reasoning: 'Let me see.' }
    const last = { ...newChunk(0), text: 'Yes.', finish: 'stop' as const }
    const { chunks, ended } = await play(named('without-reasoning'), { chunks: [first, last] })
    expect(chunks.map(({ reasoning, text }) => [reasoning, text])).deep.equal([
      [undefined, undefined],
      [undefined, 'Yes.'],
    ])
    expect(ended).equal('end')
  })
})
