import net from 'node:net'
import { expect } from 'chai'
import {
  delta,
  events,
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  status,
  textEvents,
  USAGE,
} from '../support/backend.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'

const messages = [{ role: 'user', content: 'hi' }]
const streamed = { model: 'm', stream: true, messages }
const whole = { model: 'm', messages }

const finishChunk = delta({}, 'stop')
const usageChunk = { id: 'c', choices: [], usage: USAGE }

interface Failure {
  readonly error: {
    readonly code: string
    readonly type: string
    readonly message: string
    readonly request_id: string
  }
}

describe('a reply on its way', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({
      backends: [backend.url],
      more: { timeouts: { connect_ms: 300, first_byte_ms: 1000, idle_ms: 1000, keep_alive_ms: 150 } },
    })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    expect(await gateway.metric('sluiceway_backend_requests_in_flight')).equal(0)
  })

  const send = async (script: Script, body: object = streamed) => {
    backend.script = script
    const response = await gateway.post('/v1/chat/completions', body as never)
    return { response, text: await response.text() }
  }

  const failureOf = (text: string) => JSON.parse(text) as Failure

  /** Sends a success, because five failures in a row would eject the only backend. */
  beforeEach(async () => {
    expect((await send(reply())).response.status).equal(200)
  })

  describe('a complete stream', () => {
    it('arrives whole, with usage last and [DONE]', async () => {
      const { response, text } = await send(events(...textEvents('Grüße aus Köln 🎉')))
      expect(response.status).equal(200)
      expect(response.headers.get('content-type')).match(/^text\/event-stream/)
      const data = text
        .trim()
        .split('\n\n')
        .map(line => line.replace(/^data: /, ''))
      expect(data.at(-1)).equal('[DONE]')
      const chunks = data.slice(0, -1).map(line => JSON.parse(line))
      expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).equal('Grüße aus Köln 🎉')
      expect(chunks.at(-1)).deep.include({ choices: [] })
      expect(chunks.at(-1).usage).include({ prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 })
    })

    it('survives any fragmentation, also inside a character', async () => {
      const bytes = Buffer.from(
        `${textEvents('né – 🎉')
          .map(event => `data: ${JSON.stringify(event)}\r\n\r\n`)
          .join('')}data: [DONE]\r\n\r\n`,
      )
      const { text } = await send(async res => {
        startStream(res)
        for (let i = 0; i < bytes.length; i += 5) {
          res.write(bytes.subarray(i, i + 5))
          if (i % 100 === 0) await new Promise(setImmediate)
        }
        res.end()
      })
      expect(text).contain('🎉')
      expect(text).match(/data: \[DONE\]\n\n$/)
    })

    it('needs no [DONE] when a finish reason and a clean end were seen', async () => {
      const { text } = await send(res => {
        startStream(res)
        for (const event of textEvents('ok')) sendEvent(res, event)
        res.end()
      })
      expect(text).match(/data: \[DONE\]\n\n$/)
    })

    for (const type of ['Text/Event-Stream; charset=UTF-8', 'text/plain', undefined]) {
      it(`is recognised by its type or by its beginning under type ${type}`, async () => {
        const script: Script = res => {
          res.writeHead(200, type === undefined ? {} : { 'content-type': type })
          for (const event of textEvents('one two')) sendEvent(res, event)
          res.end()
        }
        expect((await send(script)).text).match(/data: \[DONE\]\n\n$/)
        expect(JSON.parse((await send(script, whole)).text).choices[0].message.content).equal('one two')
      })
    }

    it('is decoded when the backend compresses it unasked', async () => {
      const { gzipSync } = await import('node:zlib')
      const bytes = gzipSync(
        `${textEvents('packed')
          .map(event => `data: ${JSON.stringify(event)}\n\n`)
          .join('')}data: [DONE]\n\n`,
      )
      const { text } = await send(res => {
        res.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
        res.end(bytes)
      })
      expect(text)
        .contain('packed')
        .and.match(/\[DONE\]\n\n$/)
    })

    it('is made of a JSON answer when the backend does not stream', async () => {
      const { response, text } = await send((res, request) =>
        reply('not streamed')(res, { ...request, body: {} }, null as never),
      )
      expect(response.headers.get('content-type')).match(/^text\/event-stream/)
      expect(text)
        .contain('not streamed')
        .and.match(/\[DONE\]\n\n$/)
    })

    it('is collected into a JSON reply when the backend streams unasked', async () => {
      const { response, text } = await send(events(...textEvents('one two')), whole)
      expect(response.headers.get('content-type')).equal('application/json')
      expect(JSON.parse(text).choices[0].message.content).equal('one two')
    })
  })

  describe('a broken stream is never completed', () => {
    const text = 'Half of an answer'
    const start: Script = res => {
      startStream(res)
      sendEvent(res, delta({ role: 'assistant', content: '' }))
      sendEvent(res, delta({ content: text }))
    }
    const then =
      (rest: (res: Parameters<Script>[0]) => void): Script =>
      (res, request, req) => {
        void start(res, request, req)
        setTimeout(() => rest(res), 20)
      }
    const cases: Readonly<Record<string, Script>> = {
      'closed without a finish reason': then(res => res.end()),
      '[DONE] without a finish reason': then(res => res.end('data: [DONE]\n\n')),
      'reset in the middle': then(res => res.socket?.resetAndDestroy()),
      'reset between the finish reason and the end': then(res => {
        sendEvent(res, finishChunk)
        setTimeout(() => res.socket?.resetAndDestroy(), 20)
      }),
      'closed inside a chunk of the body': then(res => {
        res.socket?.write('40\r\ndata: {"choi')
        res.socket?.end()
      }),
      'ended inside an event': then(res => res.end(`data: ${JSON.stringify(finishChunk)}\n\ndata: {"id":`)),
      'an error event': then(res => {
        sendEvent(res, {
          error: { message: 'CUDA out of memory at /opt/vllm/engine.py', type: 'InternalServerError', code: 500 },
        })
        res.end('data: [DONE]\n\n')
      }),
      'finish_reason abort': then(res => {
        sendEvent(res, delta({}, 'abort'))
        res.end('data: [DONE]\n\n')
      }),
      'an event that is no JSON': then(res => {
        res.write('data: {"choices": [\n\n')
        res.end('data: [DONE]\n\n')
      }),
      silence: then(() => {}),
    }
    for (const [name, script] of Object.entries(cases)) {
      it(name, async () => {
        const { response, text: body } = await send(script)
        expect(response.status).equal(200)
        expect(body).contain(text).and.not.contain('[DONE]').and.not.contain('/opt/vllm')
        expect(body).not.match(/"finish_reason":"(?!stop)/)
        const last = body
          .trim()
          .split('\n\n')
          .filter(line => line.startsWith('data: '))
          .at(-1)!
          .replace('data: ', '')
        const { error } = failureOf(last)
        expect(error.code).equal(name === 'silence' ? 'backend_timeout' : 'backend_http_error')
        expect(error.request_id).equal(response.headers.get('x-request-id'))
      })
    }
  })

  describe('before the first event the status is still open', () => {
    it('an error as first event becomes a status', async () => {
      for (const body of [streamed, whole]) {
        const { response, text } = await send(
          events({ error: { message: 'The request queue is full.', type: 'service_unavailable', code: 503 } }),
          body,
        )
        expect(response.status).equal(429)
        expect(failureOf(text).error.code).equal('backend_at_capacity')
        expect(Number(response.headers.get('retry-after'))).least(1)
        expect(response.headers.get('ratelimit-remaining')).equal('0')
      }
    })

    it('a backend whose first event cannot be read is cancelled at once', async () => {
      const before = backend.aborted.length
      const { response } = await send(res => {
        startStream(res)
        res.write('data: {"choices": [\n\n')
      })
      expect(response.status).equal(502)
      await eventually(() => backend.aborted.length > before, 'the close')
    })

    it('a stream that ends at once is a 502', async () => {
      const { response, text } = await send(res => {
        startStream(res)
        res.end('data: [DONE]\n\n')
      })
      expect(response.status).equal(502)
      expect(failureOf(text).error).include({ code: 'backend_http_error', type: 'server_error' })
    })

    it('a timeout is a 504 with the model', async () => {
      for (const script of [startStream, () => {}] as Script[]) {
        const { response, text } = await send(script)
        if (response.status === 200) expect(text).contain('backend_timeout')
        else {
          expect(response.status).equal(504)
          expect(failureOf(text).error).include({ code: 'backend_timeout', model: 'm', type: 'routing_error' })
        }
      }
    })
  })

  it('keeps a silent stream alive with comments, which are no events', async () => {
    const { text } = await send(async res => {
      startStream(res)
      sendEvent(res, delta({ content: 'a' }))
      await new Promise(resolve => setTimeout(resolve, 350))
      for (const event of [delta({ content: 'b' }), finishChunk, usageChunk]) sendEvent(res, event)
      res.end('data: [DONE]\n\n')
    })
    expect(text)
      .contain(': keep-alive\n\n')
      .and.match(/\[DONE\]\n\n$/)
  })

  it('lets a stream that has begun run longer than the time for its first event', async () => {
    const patient = await testGateway({ backends: [backend.url], more: { timeouts: { first_byte_ms: 1000 } } })
    try {
      backend.script = async res => {
        startStream(res)
        sendEvent(res, delta({ content: 'a' }))
        await new Promise(resolve => setTimeout(resolve, 1300))
        for (const event of [delta({ content: 'b' }), finishChunk]) sendEvent(res, event)
        res.end('data: [DONE]\n\n')
      }
      expect(await (await patient.post('/v1/chat/completions', streamed as never)).text()).match(/\[DONE\]\n\n$/)
    } finally {
      await patient.close()
    }
  })

  it('maps error answers', async () => {
    const cases: readonly [Script, number, string][] = [
      [status(401, { error: { message: 'bad key', type: 'x' } }), 502, 'backend_http_error'],
      [status(404, { error: { message: 'no such model', type: 'NotFoundError' } }), 502, 'backend_http_error'],
      [status(429, { error: { message: 'slow', type: 'x' } }, { 'retry-after': '7' }), 429, 'backend_overloaded'],
      [status(503, { error: { message: 'queue is full', type: 'x' } }), 429, 'backend_at_capacity'],
      [status(502, '<html>Bad Gateway</html>'), 502, 'backend_http_error'],
      [
        status(400, {
          error: {
            message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
            type: 'BadRequestError',
            code: 400,
          },
        }),
        400,
        'context_length_exceeded',
      ],
    ]
    for (const [script, code, name] of cases) {
      const { response, text } = await send(script)
      expect([response.status, failureOf(text).error.code]).deep.equal([code, name])
      if (name === 'backend_overloaded') expect(response.headers.get('retry-after')).equal('7')
      await send(reply())
    }
  })

  describe('a client that disconnects', () => {
    const scripts: Readonly<Record<string, Script>> = {
      'before the response': () => {},
      'before the first event': startStream,
      'after it': res => {
        startStream(res)
        sendEvent(res, delta({ content: 'a' }))
      },
    }
    for (const [when, script] of Object.entries(scripts)) {
      it(`frees the backend at once and is recorded once, ${when}`, async () => {
        const recorded = gateway.records().length
        const aborted = backend.aborted.length
        const started = backend.requests.length
        backend.script = script
        const abort = new AbortController()
        const pending = gateway
          .post('/v1/chat/completions', streamed as never, { signal: abort.signal })
          .then(response => response.text())
        await eventually(() => backend.requests.length > started, 'the request')
        abort.abort()
        await pending.catch(() => {})
        // Sooner than any timer of the gateway.
        await eventually(() => backend.aborted.length > aborted, 'the abort', 2000)
        await eventually(() => gateway.records().length > recorded, 'the record')
        expect(gateway.records().slice(recorded)).length(1).and.have.nested.property('[0].status_code', 499)
      })
    }
  })

  it('does not read from the backend ahead of a client that does not read', async () => {
    let written = 0
    let open = true
    backend.script = res => {
      startStream(res)
      const block = `data: ${JSON.stringify(delta({ content: 'x'.repeat(1000) }))}\n\n`.repeat(16)
      const more = () => {
        while (open && res.write(block)) written += block.length
        written += block.length
        if (open) res.once('drain', more)
      }
      more()
    }
    const socket = net.connect(Number(new URL(gateway.url).port), '127.0.0.1')
    const body = JSON.stringify(streamed)
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${KEY}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    socket.pause()
    // Until all buffers are full. Then nothing more is read from the backend.
    let before = -1
    for (let i = 0; i < 30 && (written === 0 || written !== before); i++) {
      before = written
      await new Promise(resolve => setTimeout(resolve, 200))
    }
    expect(written).equal(before)
    expect(written).below(20_000_000)
    open = false
    socket.destroy()
  })

  it('forwards no header of the client, and frames the body itself', async () => {
    backend.requests.length = 0
    backend.script = reply()
    await gateway.post('/v1/chat/completions', whole as never, {
      headers: {
        cookie: 'a=b',
        'proxy-authorization': 'Basic x',
        te: 'trailers',
        'x-forwarded-for': '1.2.3.4',
        'x-api-key': KEY,
        connection: 'close, x-hop',
        'x-hop': '1',
      },
    })
    const [seen] = backend.requests
    expect(Object.keys(seen!.headers).sort()).deep.equal([
      'accept-encoding',
      'connection',
      'content-length',
      'content-type',
      'host',
      'user-agent',
      'via',
      'x-request-id',
    ])
    expect(Number(seen!.headers['content-length'])).equal(seen!.bytes.length)
    expect(seen!.body.model).equal('upstream-m')
  })

  it('passes the trace of a client on, and no invalid one', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const tracestate = 'congo=t61rcWkgMzE, rojo=1'
    const sent = async (headers: Record<string, string>, path = '/v1/chat/completions', script = reply()) => {
      backend.requests.length = 0
      backend.script = script
      await (await gateway.post(path, { ...whole, max_tokens: 9 } as never, { headers })).text()
      return backend.requests.map(({ headers }) => [headers.traceparent, headers.tracestate])
    }
    for (const path of ['/v1/chat/completions', '/v1/messages'])
      expect(await sent({ traceparent, tracestate }, path), path).deep.equal([[traceparent, tracestate]])
    expect(await sent({ traceparent })).deep.equal([[traceparent, undefined]])
    expect(await sent({ traceparent, tracestate: 'A=1' })).deep.equal([[traceparent, undefined]])
    expect(await sent({ traceparent: traceparent.slice(1), tracestate })).deep.equal([[undefined, undefined]])
    expect(await sent({ tracestate })).deep.equal([[undefined, undefined]])
  })
})
