import { expect } from 'chai'
import fc from 'fast-check'
import { events, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { calls, ends, role } from '../support/fixtures/events.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { jsonText } from '../support/json-text.ts'

/** Values per request. */
const BATCH = 100

/** Values that clients and models write pass as the same text on every API, in both directions. */
describe('JSON values', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend()
    const capabilities = {
      tools: true,
      chat_completions: { tools: true, streaming_tools: true, structured_outputs: true },
    }
    const bounds = { body_limit_bytes: 50_000_000 }
    gateway = await testGateway({ backends: [backend.url], model: { capabilities }, more: bounds })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  async function reply(path: string, body: string): Promise<string> {
    const response = await gateway.post(path, `{"model":"m",${body}}`)
    const text = await response.text()
    expect(response.status, text.slice(0, 500)).equal(200)
    return text
  }

  const sent = () => backend.requests.at(-1)!.bytes.toString()

  /** Fails with the one text that is missing. */
  function holdsAll(text: string, wanted: readonly string[]): void {
    const missing = wanted.find(each => !text.includes(each))
    if (missing !== undefined) expect.fail(`not in the text: ${missing.slice(0, 2000)}`)
  }

  const quoted = (text: string) => JSON.stringify(text)
  const tool = (name: string, schema: string) =>
    `{"type":"function","function":{"name":"${name}","parameters":${schema}}}`
  const call = (id: number, text: string, index = '') =>
    `{${index}"id":"c${id}","type":"function","function":{"name":"f","arguments":${text}}}`

  const schemaOf = (text: string) => `{"type":"object","properties":{"v":{"default":${text}}}}`
  const objects = (values: readonly string[]) => values.map(text => `{"v":${text}}`)

  async function requests(values: readonly string[]): Promise<void> {
    const schemas = values.map(schemaOf)
    const inputs = objects(values)
    const turn = `{"role":"assistant","tool_calls":[${inputs.map((text, i) => call(i, quoted(text)))}]}`
    const tools = `"tools":[${schemas.map((schema, i) => tool(`f${i}`, schema))}],"tool_choice":"none"`
    const output = `"schema":{"type":"object","enum":[${values}]}`
    const jsonSchema = `"response_format":{"type":"json_schema","json_schema":{"name":"n",${output}}}`
    const asArguments = inputs.map(text => `"arguments":${quoted(text)}`)
    const asParameters = schemas.map(schema => `"parameters":${schema}`)

    await reply('/v1/chat/completions', `"messages":[${turn},{"role":"user","content":"x"}],${tools},${jsonSchema}`)
    holdsAll(sent(), [...asArguments, ...asParameters, output])
    await reply('/v1/completions', `"prompt":"x","logit_bias":{"10":1.0,"2":-0},${jsonSchema}`)
    holdsAll(sent(), [output, '"logit_bias":{"10":1.0,"2":-0}'])

    const uses = inputs.map((text, i) => `{"type":"tool_use","id":"c${i}","name":"f","input":${text}}`)
    const results = inputs.map((_, i) => `{"type":"tool_result","tool_use_id":"c${i}","content":"x"}`)
    const blocks = `"messages":[{"role":"assistant","content":[${uses}]},{"role":"user","content":[${results}]}]`
    const blockTools = `"tools":[${schemas.map((schema, i) => `{"name":"f${i}","input_schema":${schema}}`)}]`
    await reply('/v1/messages', `"max_tokens":9,${blocks},${blockTools}`)
    holdsAll(sent(), [...asArguments, ...asParameters])

    const items = inputs.map(
      (text, i) => `{"type":"function_call","call_id":"c${i}","name":"f","arguments":${quoted(text)}}`,
    )
    const flat = schemas.map((schema, i) => `{"type":"function","name":"f${i}","parameters":${schema}}`)
    const metadata = `"metadata":{"10":[${values}],"2":-0}`
    const input = `"input":[${items},{"type":"message","role":"user","content":"x"}]`
    const format = `"text":{"format":{"type":"json_schema","name":"n",${output}}}`
    const echo = await reply('/v1/responses', `${input},"tools":[${flat}],"tool_choice":"none",${metadata},${format}`)
    holdsAll(sent(), [...asArguments, ...asParameters, output])
    holdsAll(echo, [...asParameters, metadata, output])
  }

  async function replies(values: readonly string[], isText: boolean): Promise<void> {
    const inputs = objects(values)
    const asWritten = inputs.map((text, i) => call(i, isText ? quoted(text) : text))
    backend.script = (res, request, req) => {
      if (request.body.stream === true) {
        const deltas = inputs.map(
          (text, i) =>
            `{"choices":[{"index":0,"delta":{"tool_calls":[${call(i, isText ? quoted(text) : text, `"index":${i},`)}]}}]}`,
        )
        return events(role, ...deltas, ends('tool_calls'))(res, request, req)
      }
      const message = `{"role":"assistant","content":null,"tool_calls":[${asWritten}]}`
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(`{"choices":[{"index":0,"message":${message},"finish_reason":"tool_calls"}]}`)
    }
    const ask = `"messages":[{"role":"user","content":"x"}],"tools":[${tool('f', '{"type":"object","properties":{}}')}]`
    const asArguments = inputs.map(text => `"arguments":${quoted(text)}`)
    for (const stream of ['"stream":false', '"stream":true']) {
      holdsAll(await reply('/v1/chat/completions', `${stream},${ask}`), asArguments)
      const flat = '"input":"x","tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}}}]'
      holdsAll(await reply('/v1/responses', `${stream},${flat}`), asArguments)
      const blocks =
        '"max_tokens":9,"messages":[{"role":"user","content":"x"}],"tools":[{"name":"f","input_schema":{"type":"object","properties":{}}}]'
      const member = stream.endsWith('true') ? '"partial_json":' : '"input":'
      const wanted = inputs.map(text => member + (stream.endsWith('true') ? quoted(text) : text))
      holdsAll(await reply('/v1/messages', `${stream},${blocks}`), wanted)
    }
  }

  it('pass as the same text in arguments, histories, schemas and metadata', async () => {
    const batchOf = fc.array(jsonText, { minLength: BATCH, maxLength: BATCH })
    let batches = 0
    const check = fc.asyncProperty(batchOf, async values => {
      backend.script = events(role, calls(), ends('stop'))
      await requests(values)
      await replies(values, batches++ % 2 === 0)
    })
    await fc.assert(check, { numRuns: 10_000 / BATCH, endOnFailure: true })
  })

  it('keep the order of log probabilities by token', async () => {
    const logprobs =
      '{"tokens":["7"],"token_logprobs":[-0.5],"top_logprobs":[{"7":-0.5,"10":-1.5,"2":-2.0}],"text_offset":[0]}'
    const choice = (end: string) => `{"choices":[{"index":0,"text":"7","logprobs":${logprobs},"finish_reason":${end}}]}`
    for (const stream of [true, false]) {
      backend.script = (res, request, req) => {
        if (stream) return events(choice('null'), choice('"stop"'))(res, request, req)
        res.writeHead(200, { 'content-type': 'application/json' }).end(choice('"stop"'))
      }
      const text = await reply('/v1/completions', `"prompt":"x","logprobs":3,"stream":${stream}`)
      expect(text).include('{"7":-0.5,"10":-1.5,"2":-2.0}')
    }
  })

  it('have U+FFFD in place of lone surrogates, in texts of any length, tools and arguments', async () => {
    backend.script = events(role, ends('stop'))
    for (const filler of ['', 'x'.repeat(100_000)]) {
      const cut = `"cut \\ud83d${filler}"`
      const schema = `{"type":"object","properties":{"\\ud83d":{"description":${cut}}}}`
      const input = `{"a":${cut}}`
      const called = `{"role":"assistant","tool_calls":[${call(1, quoted(input))}]}`
      const user = `{"role":"user","content":${cut}}`
      const bodies = {
        '/v1/chat/completions': `"messages":[${user},${called},${user}],"tools":[${tool('f', schema)}]`,
        '/v1/completions': `"prompt":[${cut}]`,
        '/v1/messages': `"max_tokens":9,"messages":[${user},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":${input}}]}],"tools":[{"name":"f","input_schema":${schema}}]`,
        '/v1/responses': `"input":[{"type":"message","role":"user","content":${cut}},{"type":"function_call","call_id":"c","name":"f","arguments":${quoted(input)}}],"instructions":${cut}`,
      }
      for (const [path, body] of Object.entries(bodies)) {
        await reply(path, body)
        expect(sent(), path).not.match(/\\ud83d/)
        expect(sent(), path).match(/\ufffd|\\ufffd/)
      }
    }
  })
})
