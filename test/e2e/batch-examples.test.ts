/** Runs the examples for batches of docs/clients and docs/api, as they stand there, with the published packages. */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

/** Between two requests for a state, because requests are limited. */
const PAUSE_MS = 200
const CHAT = '/v1/chat/completions'

const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>

/** The JavaScript below a heading, without imports. */
function codeOf(page: string, heading: string): string {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const [own = ''] = section.split(/^## /m)
  const blocks = [...own.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)
  expect(blocks, page).not.deep.equal([])
  return blocks.join('\n').replace(/^import .*$/gm, '')
}

describe('examples of batches', () => {
  let gateway: TestGateway
  let openai: OpenAI
  let anthropic: Anthropic

  beforeEach(async () => {
    const { root } = await simulatorWith({ models: [{ id: 'upstream-m' }] })
    gateway = await testGateway({
      backends: [`${root}/v1`],
      model: { aliases: ['qwen3-32b', 'demo'] },
      more: { batches: {} },
    })
    openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
    anthropic = new Anthropic({ baseURL: gateway.url, apiKey: KEY, maxRetries: 0 })
  })
  afterEach(async () => {
    await gateway.close()
    await closeSimulators()
  })

  /** What the example logs. */
  async function run(code: string, client?: OpenAI | Anthropic): Promise<unknown[][]> {
    const logged: unknown[][] = []
    const globals = {
      ...{ OpenAI, Anthropic, toFile, client },
      process: { env: { BASE: gateway.url, KEY } },
      console: { log: (...values: unknown[]) => logged.push(values) },
    }
    const shown = Object.entries(globals).filter(([, value]) => value !== undefined)
    await new AsyncFunction(...shown.map(([name]) => name), code)(...shown.map(([, value]) => value))
    return logged
  }

  const firstOf = (logged: unknown[][]) => logged.map(([first]) => first).toSorted()

  it('run with the openai package, and leave no files', async () => {
    const logged = await run(codeOf('docs/clients/openai-sdk.md', 'Batches'), openai)
    const [batch] = (await openai.batches.list()).data
    expect(batch).deep.include({
      ...{ status: 'completed', endpoint: '/v1/chat/completions', completion_window: '24h', error_file_id: null },
      ...{ request_counts: { total: 2, completed: 2, failed: 0 }, metadata: { job: 'cities' }, model: 'm' },
    })
    expect(firstOf(logged)).deep.equal(['Paris', 'Rome', batch!.id].toSorted())
    expect(logged.at(-1)).deep.equal([batch!.id, 'completed', batch!.request_counts])
    const reply = logged[0]![1] as OpenAI.ChatCompletion
    expect(reply).include({ object: 'chat.completion', model: 'm' })
    expect(reply.choices[0]?.message.content).a('string').and.not.equal('')
    expect((await openai.files.list()).data).deep.equal([])
  })

  it('run with the Anthropic package, and leave no batch', async () => {
    const logged = await run(codeOf('docs/clients/anthropic-sdk.md', 'Batches'), anthropic)
    expect(logged).lengthOf(3)
    expect(firstOf(logged.slice(0, 2))).deep.equal(['Paris', 'Rome'])
    for (const [, content] of logged.slice(0, 2)) expect(content).nested.property('[0].type', 'text')
    expect(logged[2]![0]).match(/^msgbatch_[0-9a-f]{24}$/)
    expect(logged[2]![1]).equal('ended')
    expect((await anthropic.messages.batches.list()).data).deep.equal([])
    expect((await openai.files.list()).data).deep.equal([])
  })

  it('run as the API pages have them', async () => {
    expect((await run(codeOf('docs/api/batches.md', 'Examples')))[0]![0]).include({ object: 'chat.completion' })
    expect((await run(codeOf('docs/api/message-batches.md', 'Examples')))[0]![1]).include({ type: 'succeeded' })
  })

  it('keep what is done when the packages cancel a batch', async () => {
    const params = (content: string) => ({ model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content }] })
    const bodies = { quick: params('Hello'), slow: params('Hello\nsimulate: first_token=60000') }
    const { batches } = anthropic.messages
    const requests = Object.entries(bodies).map(([custom_id, params]) => ({ custom_id, params }))
    const { id } = await batches.create({ requests })
    const lines = Object.entries(bodies).map(([custom_id, body]) =>
      JSON.stringify({ custom_id, method: 'POST', url: CHAT, body }),
    )
    const file = await toFile(Buffer.from(lines.join('\n')), 'in.jsonl')
    const { id: input_file_id } = await openai.files.create({ file, purpose: 'batch' })
    const own = await openai.batches.create({ input_file_id, endpoint: CHAT, completion_window: '24h' })
    await eventually(async () => {
      await sleep(PAUSE_MS)
      const { request_counts } = await openai.batches.retrieve(own.id)
      return request_counts?.completed === 1 && (await batches.retrieve(id)).request_counts.processing === 1
    }, 'a reply in each batch')

    expect(await batches.delete(id).catch((thrown: unknown) => thrown)).include({ status: 400 })
    expect(await batches.cancel(id)).include({ id, processing_status: 'canceling' })
    expect(await openai.batches.cancel(own.id)).include({ id: own.id, status: 'cancelling' })
    await eventually(async () => {
      await sleep(PAUSE_MS)
      const isEnded = (await batches.retrieve(id)).processing_status === 'ended'
      return isEnded && (await openai.batches.retrieve(own.id)).status === 'cancelled'
    }, 'the end of both')

    const results: Record<string, string> = {}
    for await (const { custom_id, result } of await batches.results(id)) results[custom_id] = result.type
    expect(results).deep.equal({ quick: 'succeeded', slow: 'canceled' })
    const ended = await openai.batches.retrieve(own.id)
    const content = async (file?: string | null) => JSON.parse(await (await openai.files.content(file!)).text())
    expect(await content(ended.output_file_id)).include({ custom_id: 'quick', error: null })
    expect(await content(ended.error_file_id)).deep.include({ custom_id: 'slow', response: null })
    expect(await batches.delete(id)).deep.include({ id, type: 'message_batch_deleted' })
  })
})
