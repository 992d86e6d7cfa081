import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type Script, type ScriptedBackend, scriptedBackend, startStream } from '../support/backend.ts'
import { FAILURES, FIXTURES, type Fixture, failing, isTextOnly, sending, sseOf } from '../support/fixtures/index.ts'
import { type TestGateway, testGateway } from '../support/gateway.ts'
import { type Call, type Outcome, readOutcome, SURFACES, type Surface } from '../support/replies/index.ts'
import { QUESTIONS } from '../support/replies/questions.ts'

/** The finish reasons of chat completions, and their names on each route. */
const FINISH: Readonly<Record<Surface, Readonly<Record<string, string>>>> = {
  chat: { stop: 'stop', tool_calls: 'tool_calls', length: 'length', content_filter: 'content_filter' },
  // Messages has four stop reasons (docs/api/messages.md#response): none of them is for a filtered reply.
  messages: { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'end_turn' },
  responses: {
    stop: 'completed',
    tool_calls: 'completed',
    length: 'max_output_tokens',
    content_filter: 'content_filter',
  },
  completions: { stop: 'stop', length: 'length', content_filter: 'content_filter' },
}

describe('the same reply on every surface', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({ backends: [backend.url], more: { timeouts: { keep_alive_ms: 100 } } })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  async function ask(surface: Surface, stream: boolean): Promise<Outcome> {
    const { path, body } = QUESTIONS[surface]
    return readOutcome(surface, await gateway.post(path, { ...body, stream }))
  }

  const surfacesOf = (fixture: Fixture) => SURFACES.filter(surface => surface !== 'completions' || isTextOnly(fixture))

  describe('a reply', () => {
    for (const fixture of FIXTURES) {
      it(fixture.name, async () => {
        backend.script = sending(fixture)
        for (const surface of surfacesOf(fixture)) {
          for (const stream of [true, false]) {
            expect(await ask(surface, stream), `${surface}, ${stream ? 'streamed' : 'whole'}`).deep.equal(
              truth(fixture, surface, stream),
            )
          }
        }
      })
    }
  })

  describe('however its bytes arrive', () => {
    const [fixture] = FIXTURES as [Fixture]
    const ways: Readonly<Record<string, (sse: string) => Script>> = {
      'byte by byte': sse => trickle(Buffer.from(sse), 1),
      'seven bytes at a time': sse => trickle(Buffer.from(sse), 7),
      'with CR LF and a byte order mark': sse => trickle(Buffer.from(`\ufeff${sse.replaceAll('\n', '\r\n')}`), 512),
      'with comments and without the space': sse =>
        trickle(Buffer.from(`: hello\n\n${sse.replaceAll('data: ', ':\ndata:')}`), 512),
      'in several data lines': sse => trickle(Buffer.from(sse.replaceAll(',"choices":', ',\ndata: "choices":')), 512),
      'compressed although nobody asked': sse => res => {
        res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(gzipSync(sse))
      },
    }
    for (const [name, way] of Object.entries(ways)) {
      it(name, async () => {
        for (const surface of SURFACES) {
          backend.script = way(sseOf(fixture, surface))
          for (const stream of [true, false]) {
            expect(await ask(surface, stream), surface).deep.equal(truth(fixture, surface, stream))
          }
        }
      })
    }
  })

  it('with pauses, which comments fill on every surface', async () => {
    const [fixture] = FIXTURES as [Fixture]
    for (const surface of SURFACES) {
      const sse = sseOf(fixture, surface)
      const half = sse.indexOf('\n\n', sse.length / 2) + 2
      backend.script = async res => {
        startStream(res)
        for (const part of [sse.slice(0, half), sse.slice(half)]) {
          await new Promise(resolve => setTimeout(resolve, 250))
          res.write(part)
        }
        res.end()
      }
      const { path, body } = QUESTIONS[surface]
      const response = await gateway.post(path, { ...body, stream: true })
      const text = await response.clone().text()
      expect(text.match(/^: keep-alive$/gm)?.length, surface).least(2)
      expect(await readOutcome(surface, response)).deep.equal(truth(fixture, surface, true))
    }
  })

  describe('a failure', () => {
    for (const failure of FAILURES) {
      it(failure.name, async () => {
        for (const surface of SURFACES) {
          for (const stream of [true, false]) {
            backend.script = failing(failure)
            const { code, status = failure.code === 'backend_at_capacity' ? 429 : 502, text } = failure
            const inBand = stream && text !== undefined
            expect(await ask(surface, stream), `${surface}, ${stream ? 'streamed' : 'whole'}`).deep.equal(
              inBand ? { failed: code, text } : { failed: code, status },
            )
            // Five in a row would eject the only backend.
            backend.script = reply()
            await ask('chat', false)
          }
        }
      })
    }

    it('wherever the bytes end', async () => {
      const fixture = FIXTURES.find(({ name }) => name.startsWith('reasoning, text, then a call')) as Fixture
      for (const surface of ['chat', 'messages', 'responses'] as const) {
        const bytes = Buffer.from(sseOf(fixture, surface))
        const end = bytes.indexOf('data: [DONE]')
        for (let k = 1; k < end; k += 11) {
          const sent = bytes.subarray(0, k).toString()
          // After the finish, between two events: only usage is missing.
          if (sent.includes('"finish_reason":"tool_calls"') && sent.endsWith('\n\n')) continue
          backend.script = res => {
            startStream(res)
            res.end(bytes.subarray(0, k))
          }
          const outcome = await ask(surface, true)
          expect(outcome, `${surface}, ${k} bytes`).property('failed', 'backend_http_error')
          backend.script = reply()
          await ask('chat', false)
        }
      }
    })
  })
})

// ---------------------------------------------------------------- what is expected

function truth(fixture: Fixture, surface: Surface, stream: boolean): Outcome {
  const { text = '', refusal = '', reasoning = '', calls = [], finish = 'stop', stopped, usage = [0, 0, 0] } = fixture
  const [input, output, cached] = usage
  const isStopSequence = surface === 'messages' && stopped !== undefined
  return {
    text: text + refusal,
    reasoning: surface === 'chat' || surface === 'messages' ? reasoning : undefined,
    calls: surface === 'messages' ? calls.map((call, i) => toolUse(call, fixture.inputs?.[i], stream)) : calls,
    finish: isStopSequence ? 'stop_sequence' : String(FINISH[surface][finish]),
    usage: { input, output, cached },
  }
}

/** Messages requires an object: other arguments are converted to one, and a JSON reply has it parsed. */
function toolUse(call: Call, input: JsonObject | undefined, stream: boolean): Call {
  if (input !== undefined) return { ...call, arguments: JSON.stringify(input) }
  return stream ? call : { ...call, arguments: JSON.stringify(JSON.parse(call.arguments)) }
}

function trickle(bytes: Buffer, slice: number): Script {
  return async (res: ServerResponse) => {
    startStream(res)
    for (let at = 0; at < bytes.length; at += slice) {
      res.write(bytes.subarray(at, at + slice))
      if (at % 8 === 0) await new Promise(setImmediate)
    }
    res.end()
  }
}
