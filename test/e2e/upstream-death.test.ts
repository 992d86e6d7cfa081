import { createGzip } from 'node:zlib'
import { expect } from 'chai'
import {
  reply,
  type Script,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
} from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'
import { SURFACES, type SurfaceCall, streamEvent, wholeReply } from '../support/surfaces.ts'

type Death = (res: Parameters<Script>[0], request: Parameters<Script>[1]) => void

/** Far above the gateway's timeouts here, and far below its defaults. */
const IN_TIME_MS = 60_000

const END = 'data: [DONE]\n\n'

/** Ways in which a stream breaks after its first events. `silence` is reported as a timeout, the others as failures. */
const DEATHS: Readonly<Record<string, Death>> = {
  'a clean end without a finish reason': res => void res.end(),
  '[DONE] without a finish reason': res => void res.end(END),
  'a reset': res => void res.socket?.resetAndDestroy(),
  'a closed connection': res => void res.socket?.end(),
  'a closed connection inside a chunk': res => {
    res.socket?.write('40\r\ndata: {"choi')
    res.socket?.end()
  },
  'a broken chunk': res => void res.socket?.write('zz\r\ndata: {}\r\n'),
  'a clean end inside an event': (res, request) =>
    void res.end(`data: ${JSON.stringify(streamEvent(request, undefined, 'stop')).slice(0, -3)}`),
  'a clean end inside a line': res => void res.end('dat'),
  'a reset behind the finish reason': (res, request) => {
    sendEvent(res, streamEvent(request, undefined, 'stop'))
    setTimeout(() => res.socket?.resetAndDestroy(), 15)
  },
  'an error event': res => {
    sendEvent(res, { error: { message: 'CUDA error at /opt/engine.py:5', type: 'InternalServerError', code: 500 } })
    res.end(END)
  },
  'a flat error event': res => {
    sendEvent(res, { object: 'error', message: 'CUDA error at /opt/engine.py:5', code: 500 })
    res.end(END)
  },
  'an event named error': res => void res.end(`event: error\ndata: "CUDA error at /opt/engine.py:5"\n\n${END}`),
  'finish reason abort': (res, request) => {
    sendEvent(res, streamEvent(request, undefined, 'abort'))
    res.end(END)
  },
  'the finish reason `error`': (res, request) => {
    sendEvent(res, streamEvent(request, undefined, 'error'))
    res.end(END)
  },
  'an event that is no JSON': res => void res.end(`data: {"choices": [\n\n${END}`),
  'an event that is no object': res => void res.end(`data: 5\n\n${END}`),
  'an event of another choice': res => {
    sendEvent(res, { choices: [{ index: 7, delta: { content: 'x' }, text: 'x', finish_reason: 'stop' }] })
    res.end(END)
  },
  silence: () => {},
}

describe('a backend that fails', () => {
  let backend: ScriptedBackend
  let other: ScriptedBackend
  let gateway: TestGateway

  const start = async (more: object = {}) => {
    // Nearly all requests are sent to the first backend first.
    const first = { url: backend.url, model: 'up', engine: 'vllm', weight: 1_000_000 }
    const second = { url: other.url, model: 'up', engine: 'vllm', weight: 0.001 }
    gateway = await testGateway({
      backends: [],
      model: { backends: [first, second], ...more },
      more: { timeouts: { connect_ms: 2000, first_byte_ms: 1500, idle_ms: 1200 } },
    })
  }

  const good: Script = (res, request) => {
    if (request.body.stream !== true) return void res.end(JSON.stringify(wholeReply(request, 'from the other')))
    startStream(res)
    sendEvent(res, streamEvent(request, 'from the other'))
    sendEvent(res, streamEvent(request, undefined, 'stop'))
    res.end(END)
  }

  before(async () => {
    backend = await scriptedBackend(good)
    other = await scriptedBackend(good)
    await start()
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    await other?.close()
  })

  const ask = async (surface: SurfaceCall, script: Script, stream = true) => {
    backend.requests.length = other.requests.length = 0
    backend.script = script
    const started = performance.now()
    const response = await gateway.post(surface.path, surface.body('hi', stream))
    const text = await response.text()
    return { response, text, ms: performance.now() - started, runs: backend.requests.length + other.requests.length }
  }

  afterEach(async () => {
    await eventually(async () => (await gateway.metric('sluiceway_requests_in_flight')) === 0, 'no request in flight')
    await eventually(async () => (await gateway.metric('sluiceway_backend_requests_in_flight')) === 0, 'backends free')
  })

  for (const surface of SURFACES) {
    describe(`after the first event, on ${surface.name}`, () => {
      // Five failures in a row would eject the backend.
      beforeEach(async () => {
        expect((await ask(surface, good)).text).contain(surface.ending)
      })

      for (const [name, death] of Object.entries(DEATHS)) {
        it(`by ${name}`, async () => {
          const { response, text, ms, runs } = await ask(surface, (res, request) => {
            startStream(res)
            sendEvent(res, streamEvent(request, 'Half of '))
            sendEvent(res, {
              ...streamEvent(request, 'an answer'),
              usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
            })
            setTimeout(() => death(res, request), 15)
          })
          expect(response.status).equal(200)
          expect(ms).below(IN_TIME_MS)
          expect(runs, 'runs').equal(1)
          expect(text).contain('Half of ').and.contain('an answer')
          expect(text).not.contain(surface.ending).and.not.contain('/opt/engine')
          const [, json] = surface.failure.exec(text) ?? []
          expect(json, text.slice(-500)).be.a('string')
          expect(json).contain(name === 'silence' ? '"backend_timeout"' : '"backend_http_error"')
          if (surface.name === 'responses') expect(JSON.parse(json!).response.status).equal('failed')
          else expect(JSON.parse(json!).error.request_id).equal(response.headers.get('x-request-id'))
          // No finish reason is invented, neither here nor after the error.
          expect(text).not.match(/"stop_reason":"|"status":"completed"|"finish_reason":"(?!stop)/)
        })
      }
    })
  }

  it('in the middle of a JSON reply is an error with a status, and no retry', async () => {
    const deaths: Readonly<Record<string, Script>> = {
      'half of the JSON': res => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 })
        res.write('{"choices":[')
        setTimeout(() => res.socket?.end(), 15)
      },
      'a reset': res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{"choices":[')
        setTimeout(() => res.socket?.resetAndDestroy(), 15)
      },
      'no JSON': res => void res.end('<html>'),
      'no choices': res => void res.end('{}'),
      'no finish reason': (res, request) =>
        void res.end(JSON.stringify(wholeReply(request, 'x')).replace('"stop"', 'null')),
      'an error with 200': res => void res.end('{"error":{"message":"died","code":500}}'),
      'half of a compressed answer': res => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        const gzip = createGzip()
        gzip.on('data', (piece: Buffer) => res.end(piece.subarray(0, piece.length / 2)))
        gzip.end('{"choices":[]}'.repeat(100))
      },
      'silence in the middle': res => {
        res.writeHead(200, { 'content-type': 'application/json' })
        res.write('{"choices":[')
      },
    }
    for (const surface of SURFACES) {
      for (const [name, script] of Object.entries(deaths)) {
        await ask(surface, good, false)
        const { response, text, ms, runs } = await ask(surface, script, false)
        expect([response.status, runs], `${surface.name}: ${name} ${text}`).deep.equal([
          name.startsWith('silence') ? 504 : 502,
          1,
        ])
        expect(ms).below(IN_TIME_MS)
        expect(JSON.parse(text).error.code).match(/^backend_(http_error|timeout)$/)
      }
    }
  })

  it('is ejected when it has broken five streams in a row', async () => {
    await gateway.close()
    await start()
    const up = () => gateway.metric('sluiceway_backend_up')
    for (let i = 0; i < 5; i++) {
      expect(await up(), `after ${i}`).equal(2)
      const { text } = await ask(SURFACES[0]!, (res, request) => {
        startStream(res)
        sendEvent(res, streamEvent(request, 'Half of '))
        setTimeout(() => res.socket?.resetAndDestroy(), 15)
      })
      expect(text).contain('Half of ').and.contain('backend_http_error')
    }
    // All of one account: the probe request fails, too.
    await eventually(async () => (await up()) === 1, 'an ejection')
    backend.requests.length = 0
    backend.script = reply()
    for (let i = 0; i < 3; i++) await gateway.post(SURFACES[0]!.path, SURFACES[0]!.body('hi', true))
    expect(backend.requests.filter(({ bytes }) => bytes.includes('hi'))).deep.equal([])
    await eventually(async () => (await up()) === 2, 'a probe request')
  })

  it('is not ejected where it refuses a request between its failures', async () => {
    await gateway.close()
    await start()
    const failing = Array<number>(4).fill(500)
    const statuses: number[] = []
    for (const code of [...failing, 400, ...failing]) {
      const script: Script = res => void res.writeHead(code).end('{"error":{"message":"no"}}')
      statuses.push((await ask(SURFACES[0]!, script, false)).response.status)
    }
    // The other backend would succeed.
    expect(statuses).deep.equal([502, 502, 502, 502, 400, 502, 502, 502, 502])
  })

  describe('before its first event', () => {
    const lost: Readonly<Record<string, Script>> = {
      'a reset': (_res, _request, req) => void req.socket.resetAndDestroy(),
      'a closed connection': (_res, _request, req) => void req.socket.end(),
      'what is no HTTP': (_res, _request, req) => void req.socket.end('220 smtp ready\r\n'),
      'status 503': res => void res.writeHead(503).end('starting'),
      'status 502': res => void res.writeHead(502).end('<html>'),
      'status 404': res => void res.writeHead(404).end('{}'),
      'status 401': res => void res.writeHead(401).end('{}'),
      'status 429': res => void res.writeHead(429).end('{}'),
      'a full queue': res => void res.writeHead(503).end('{"error":{"message":"The request queue is full."}}'),
      'a full queue inside a stream': res => {
        startStream(res)
        sendEvent(res, { error: { message: 'The request queue is full.', code: 503 } })
        res.end(END)
      },
    }
    const kept: Readonly<Record<string, Script>> = {
      'status 500': res => void res.writeHead(500).end('{"error":{"message":"died"}}'),
      'status 400': res => void res.writeHead(400).end('{"error":{"message":"bad temperature"}}'),
      'silence before the head': () => {},
      'silence before the first event': res => startStream(res),
      'a stream without events': res => {
        startStream(res)
        res.end(END)
      },
      'a stream that is reset at once': res => {
        startStream(res)
        setTimeout(() => res.socket?.resetAndDestroy(), 15)
      },
      'an error inside a stream': res => {
        startStream(res)
        sendEvent(res, { error: { message: 'engine died', code: 500 } })
        res.end(END)
      },
    }

    for (const surface of SURFACES) {
      it(`is replaced by another on ${surface.name}, where it cannot have begun to work`, async () => {
        // A new retry budget, for as many retries as ways to fail.
        await gateway.close()
        await start()
        for (const [name, script] of Object.entries(lost)) {
          await ask(surface, good)
          const { response, text, runs } = await ask(surface, script)
          expect(response.status, `${name}: ${text}`).equal(200)
          expect(text, name).contain('from the other').and.contain(surface.ending)
          expect(other.requests.length, name).equal(1)
          // A kept-alive connection that fails may have been closed before: the request is repeated once.
          expect(runs, name).within(2, name.startsWith('status') ? 2 : 3)
        }
      })

      it(`is not replaced on ${surface.name} where it may have`, async () => {
        for (const [name, script] of Object.entries(kept)) {
          await ask(surface, good)
          const { response, text, runs, ms } = await ask(surface, script)
          expect(response.status, `${name}: ${text}`).within(400, 504)
          expect([runs, other.requests.length], name).deep.equal([1, 0])
          expect(ms, name).below(IN_TIME_MS)
          expect(JSON.parse(text).error.request_id).equal(response.headers.get('x-request-id'))
        }
      })
    }

    it('is replaced no more often than the budget allows', async () => {
      await gateway.close()
      await start()
      const statuses: number[] = []
      for (let i = 0; i < 60; i++) statuses.push((await ask(SURFACES[0]!, lost['status 429']!, false)).response.status)
      const retried = statuses.filter(code => code === 200).length
      expect(retried).within(10, 30)
      expect(statuses.filter(code => code === 429)).length(60 - retried)
      expect(await gateway.metric('sluiceway_retries_total')).equal(retried)
    })

    it('is replaced when nothing listens at its address', async () => {
      await gateway.close()
      const gone = await scriptedBackend()
      await gone.close()
      const url = backend.url
      Object.assign(backend, { url: gone.url })
      await start()
      Object.assign(backend, { url })
      const { response, runs } = await ask(SURFACES[0]!, good)
      expect([response.status, runs]).deep.equal([200, 1])
    })
  })
})
