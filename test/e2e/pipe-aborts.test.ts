/** Uploads on a byte pipe whose client or backend disconnects, in every phase. Afterwards nothing is left of them. */
import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { type AudioBackend, audioBackend, formBuffer, TRANSCRIPTION, upload } from '../support/audio.ts'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'

const FORM = formBuffer({ before: [['model', 'whisper']], bytes: 4 * 1024 * 1024 })
/** More than the gateway buffers of an upload before it calls the backend. */
const MOST = 3 * 1024 * 1024
/** Fewer than the failures that eject a backend. */
const TIMES = 4

/** The first part of a form, and then nothing. */
async function* partOf(bytes: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += 65_536) yield FORM.subarray(at, Math.min(bytes, at + 65_536))
  if (bytes < FORM.length) await new Promise(() => {})
}

interface Case {
  readonly phase: string
  /** Bytes of the form that the client sends. */
  readonly sends: number
  /** The backend's behaviour instead of a reply. */
  readonly backend?: (backend: AudioBackend) => void
  /** The client disconnects when this is true. Absent: it waits for the response. `i`: uploads before this one. */
  readonly leavesWhen?: (backend: AudioBackend, i: number) => boolean
  /** Outcome of the exchange, in the metrics. */
  readonly status: number
  /** Uploads that reach the backend. */
  readonly heard: boolean
}

const CASES: readonly Case[] = [
  { phase: 'by the client before the body', sends: 0, leavesWhen: () => true, status: 499, heard: false },
  {
    phase: 'by the client in the body',
    sends: MOST,
    leavesWhen: ({ forms }, i) => (forms[i]?.bytes ?? 0) > 0,
    status: 499,
    heard: true,
  },
  {
    phase: 'by the client after the body',
    sends: FORM.length,
    backend: backend => {
      backend.reply = () => {}
    },
    leavesWhen: ({ forms }, i) => forms[i]?.isWhole === true,
    status: 499,
    heard: true,
  },
  {
    phase: 'by the backend before the head of its response',
    sends: FORM.length,
    backend: backend => {
      backend.reply = res => void res.socket?.destroy()
    },
    status: 502,
    heard: true,
  },
  {
    phase: 'by the backend in the body of the request',
    sends: FORM.length,
    backend: backend => {
      backend.onHead = req => {
        req.once('data', () => req.socket.destroy())
        return true
      }
    },
    status: 502,
    heard: true,
  },
  {
    phase: 'by the backend in the body of its response',
    sends: FORM.length,
    backend: backend => {
      backend.reply = res => {
        res.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 }).write('{"text":')
        setTimeout(() => res.socket?.destroy(), 5)
      }
    },
    status: 200,
    heard: true,
  },
]

describe('uploads that are cut off', () => {
  let gateway: TestGateway
  let backend: AudioBackend

  beforeEach(async () => {
    backend = await audioBackend()
    const backends = [{ url: backend.url, model: 'up', engine: 'vllm' }]
    const models = [{ id: 'whisper', kind: 'transcription', max_concurrency: 1, backends }]
    gateway = await testGateway({ backends: [], more: { models } })
  })

  afterEach(async () => {
    await gateway?.close()
    await backend?.close()
  })

  const files = () => readdirSync(gateway.dir, { recursive: true }).filter(name => String(name).startsWith('files'))

  async function cutOff({ sends, leavesWhen }: Case, i: number): Promise<void> {
    const { call, answer } = upload(gateway.url, KEY, partOf(sends))
    call.flushHeaders()
    const over = answer.then(
      () => {},
      () => {},
    )
    if (leavesWhen !== undefined) {
      await eventually(() => gateway.gateway.exchanges === 1, 'the exchange')
      await eventually(() => leavesWhen(backend, i), 'the moment to leave')
      call.destroy()
    }
    await over
    await eventually(() => gateway.gateway.exchanges === 0, 'the end of the exchange')
  }

  for (const one of CASES) {
    it(`${one.phase} leave nothing behind`, async () => {
      const filesBefore = files()
      one.backend?.(backend)
      for (let i = 0; i < TIMES; i++) await cutOff(one, i)
      expect(backend.forms).length(one.heard ? TIMES : 0)
      await eventually(() => backend.forms.every(({ isAborted }) => isAborted), 'every request to the backend is over')
      expect(await gateway.metric('sluiceway_requests_total', `status="${one.status}"`)).equal(TIMES)
      for (const name of ['requests_in_flight', 'backend_requests_in_flight', 'bodies_used_bytes', 'bodies_reading'])
        await eventually(async () => (await gateway.metric(`sluiceway_${name}`)) === 0, name)
      // Connections for a health check and for metrics of routing.
      await eventually(async () => (await backend.connections()) <= 2, 'connections are closed')
      expect(files()).deep.equal(filesBefore)

      // The model's lease is released.
      backend.onHead = () => false
      backend.reply = res => void res.setHeader('content-type', 'application/json').end(JSON.stringify(TRANSCRIPTION))
      expect((await upload(gateway.url, KEY, [FORM]).answer).status).equal(200)
    })
  }
})
