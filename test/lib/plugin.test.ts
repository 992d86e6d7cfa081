import { rmSync } from 'node:fs'
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
import { exportsOf, namesIn, undocumented } from '../support/door.ts'
import { exampleDirectory } from '../support/plugins-page.ts'

/** The exports of `sluiceway/plugin`; types are marked. Plugin authors notice every name that is added or removed. */
const DOOR = `
AddressGuard, backendOptions, bodyValidator, budgetsOf, centsOf, certainOverflow, certainPromptTokens, chat, clampedMaxTokens
CLIENT_SURFACES, contextExceeded, costOf, defineErrors, definePlugin, EFFORTS, fail, failure, filesInTime, formatOf
formatOptions, formatOptionsByKey, GatewayError, hasImages, hasTokenPrices, imageParts, imageType, isObject, isText
lengthOf, limitHeaders, markedCopy, mayUse, MICROCENTS_PER_CENT, microcentsOf, newChunk, nextTurn
operatorKey, parseJson, partsOf, pipeSize, promptCount, promptSize, PublicHttp, publicUrl, quotaOf, quoted, rateName, readSchema, referredFileOwner
replaceStart, requestedUnits, restoreNumbers, ROUTES, scopeName, servedRoutes, shortened, slot, target, textBytes
textEnd, textParts, textPieces, textStart, Tokenizer, Transformer, UrlRefused, whenKnown, windowAt, withoutDecoding
words
type AttemptFacts, type AttemptPhase, type BodyPhase, type Budget, type CanonicalRequest, type ChatRequest, type Chunk, type Clock
type Config, type ContentPart, type FinishPhase, type FinishReason, type FormatName, type FormatOptions
type FunctionTool, type HeadersPhase, type IgnoredMembers, type ImagePart, type InternalReply, type InternalRequest
type Json, type JsonObject, type Key, type Message, type Metrics, type ModelConfig, type ModelTokens, type PipeRequest
type PlanQuota, type Plugin, type PromptSize, type ReasoningOptions, type RequestRecord, type ResponseFormat, type Route
type Sampling, type SendPhase, type Services, type Slot, type StreamPhase, type Target, type TextRequest
type ToolCallDelta, type ToolChoice, type TraceContext, type Unit, type Units, type Usage
`

describe('sluiceway/plugin', () => {
  it('exports exactly the names of this list', () => {
    expect(exportsOf('lib/plugin.ts', door)).deep.equal(namesIn(DOOR))
  })

  it('documents every export where it is declared', () => {
    expect(undocumented('lib/plugin.ts')).deep.equal([])
  })
})

const MODEL = 'models: [{ id: m, backends: [{ url: "http://127.0.0.1:8000/v1" }] }]'

const EXAMPLES = ['max-output/index.ts', 'one-at-a-time.ts', 'without-reasoning.ts', 'words.ts']

/**
 * The examples of docs/PLUGINS.md as files next to a configuration, as an author outside of this repository has them.
 */
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

  it('refuse with errors that the gateway recognises', async () => {
    const { error } = await play(named('max-output'), { options: { limit: 100 }, given: [[chat, { maxTokens: 101 }]] })
    expect(error).include({ code: 'schema_validation_failed', status: 422 })
    expect(error!.details.param).equal('max_tokens')
    expect(error!.message).equal('At most 100 tokens may be asked for.')
  })

  it('share slots with the built-in plugins, and release what they acquired', async () => {
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
        expect(error).include({ code: 'acme_word' })
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
