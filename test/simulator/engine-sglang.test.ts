import { expect } from 'chai'
import type { Json, JsonObject } from '../../lib/base/json.ts'
import { at, chat, closeSimulators, joined, simulatorWith } from '../support/simulator.ts'

const PATH = '/v1/chat/completions'
const USAGE = { stream: true, stream_options: { include_usage: true, continuous_usage_stats: true } }
describe('simulator/engine-sglang', () => {
  afterEach(closeSimulators)

  it('has every member in every delta, reasoning_content and matched_stop', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const { events } = await post(PATH, chat('Hello', { stream: true, max_tokens: 3 }))
    expect(at(events[1], 'choices', 0, 'delta')).deep.equal({
      role: null,
      content: 'You',
      reasoning_content: null,
      tool_calls: null,
    })
    expect(at(events[1], 'usage')).equal(null)
    const { json } = await post(PATH, chat('Hello', { reasoning: { effort: 'low' } }))
    expect(at(json, 'choices', 0, 'message', 'reasoning_content')).a('string')
    expect(at(json, 'choices', 0, 'matched_stop')).equal(151_645)
    expect(Number(at(json, 'usage', 'reasoning_tokens'))).above(0)
    const stopped = await post(PATH, chat('simulate: say=a b', { stop: ['b'] }))
    expect(at(stopped.json, 'choices', 0, 'matched_stop')).equal('b')
  })

  it('keeps a dollar sign in a delta', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const { events } = await post(PATH, chat("simulate: say=$& $' $1", { stream: true }))
    expect(joined(events, 'content')).equal("$& $' $1")
  })

  it('sends a chunk without choices before the usage chunk, and null for no cached tokens', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const { events } = await post(PATH, chat('Hello', USAGE))
    expect(at(events.at(-3), 'choices')).deep.equal([])
    expect(events.at(-3)).property('sglext')
    expect(at(events.at(-2), 'usage', 'prompt_tokens_details')).equal(null)
  })

  it('reports a full queue inside a 200 as a nested error, and other errors flat', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const full = await post(PATH, chat('simulate: queue_full', { stream: true }))
    expect(full.status).equal(200)
    expect(at(full.events[0], 'error')).include({ object: 'error', code: 503, message: 'The request queue is full.' })
    const whole = await post(PATH, chat('simulate: queue_full'))
    expect(whole.status).equal(503)
    expect(whole.json).include({ object: 'error', code: 503 })
  })

  it('refuses a prompt above the window with the messages of SGLang, and top_k 0', async () => {
    const { post } = await simulatorWith({ engine: 'sglang', models: [{ id: 'simulated', max_model_len: 50 }] })
    const refused = async (content: string, more = {}) =>
      (await post('/v1/chat/completions', chat(content, more))).json.message
    expect(await refused('water', { max_tokens: 51 })).equal(
      'max_completion_tokens is too large: 51.This model supports at most 50 completion tokens.',
    )
    expect(await refused('water', { max_tokens: 45 })).match(
      /maximum context length of 50 tokens\. You requested a total of \d+ tokens: \d+ tokens from the input messages and 45 tokens/,
    )
    expect(await refused('water '.repeat(60))).match(/^The input \(\d+ tokens\) is longer than/)
    expect(await refused('water', { top_k: 0 })).equal('top_k must be -1 (disable) or at least 1, got 0.')
    expect(await refused('water', { reasoning_effort: 'xhigh', max_tokens: 4 })).equal(undefined)
    expect(await refused('water', { reasoning_effort: 'minimal', max_tokens: 4 })).equal(undefined)
  })

  it('reads regex and ebnf at the top level', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const content = async (more: JsonObject) =>
      at((await post(PATH, chat('x', more))).json, 'choices', 0, 'message', 'content')
    expect(await content({ regex: 'a\\d' })).match(/^a\d$/)
    expect(await content({ ebnf: 'root ::= "b" [0-9]' })).match(/^b\d$/)
    expect(await content({ structured_outputs: { regex: 'a\\d' } })).match(/^You wrote/)
  })

  it('refuses a prompt above the limit of its scheduler, in a stream as an error event', async () => {
    const { post } = await simulatorWith({ engine: 'sglang', models: [{ id: 'm', max_model_len: 100, vision: true }] })
    const refused = async (content: Json, more: JsonObject = {}) => {
      const { status, json, events } = await post(
        PATH,
        chat('', { model: 'm', messages: [{ role: 'user', content }], ...more }),
      )
      return [status, String(at(json, 'message') ?? at(events[0]!, 'error', 'message'))]
    }
    const long = (tokens: number) => 'water '.repeat(tokens)
    const [, told] = await refused(long(82))
    expect(told).match(/^Input length \(9\d tokens\) exceeds the maximum allowed length \(94 tokens\)/)
    expect(await refused(long(82), { stream: true })).deep.equal([200, told])
    expect((await refused(long(120)))[1]).match(/longer than the model's context length/)
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
    const [status, multimodal] = await refused([{ type: 'text', text: long(40) }, image])
    expect([status, multimodal]).deep.equal([400, multimodal])
    expect(multimodal).match(/^Multimodal prompt is too long after expanding .* => \d+ >= 94\.$/)
  })

  it('refuses a regular expression with a required tool', async () => {
    const { post } = await simulatorWith({ engine: 'sglang' })
    const both = { tools: [{ type: 'function', function: { name: 'f' } }], regex: '[ab]' }
    const forced = await post(PATH, chat('f', { ...both, tool_choice: 'required' }))
    expect([forced.status, at(forced.json, 'message')]).deep.equal([
      400,
      'Only one of regex, json_schema, or ebnf can be set.',
    ])
    const free = await post(PATH, chat('f', both))
    expect(at(free.json, 'choices', 0, 'message', 'content')).match(/^[ab]$/)
  })
})
