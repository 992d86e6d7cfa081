/** Runs every example of docs/api, and of the page for the first call, against a gateway. */
import { createReadStream, globSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Anthropic from '@anthropic-ai/sdk'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import { eventually, KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { closeSimulators, simulatorWith } from '../support/simulator.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The dedicated endpoint of the examples. */
const ENDPOINT = 'demo.localhost'

/** Models of the examples for byte pipes, with their kinds. */
const BYTE_PIPES = {
  'bge-m3': 'embedding',
  'bge-reranker': 'rerank',
  'cross-encoder': 'score',
  sentiment: 'classify',
  whisper: 'transcription',
  kokoro: 'speech',
  flux: 'image',
  guardian: 'moderation',
}

/** Needs a browser session: test/e2e/console.test.ts. */
const ELSEWHERE = 'serverless-keys.md'

/** An image of one pixel, which the examples of docs/api/files.md write to a file. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Code blocks of one language, by page. */
function examples(language: string): readonly (readonly [page: string, code: string])[] {
  return globSync(['docs/api/*.md', 'docs/start/first-call.md'], { cwd: root }).flatMap(file => {
    const page = file.slice(file.lastIndexOf('/') + 1)
    const blocks = [...readFileSync(join(root, file), 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    if (page === ELSEWHERE) return []
    return blocks.flatMap(([, name, code]) => (name === language ? [[page, code!] as const] : []))
  })
}

interface Call {
  readonly path: string
  readonly body: string | undefined
}

/** The curl commands in a block that are a GET with parameters or a POST of JSON. */
function calls(code: string): readonly Call[] {
  // Quoted text may span lines.
  return Array.from(code.matchAll(/^curl (?:'[^']*'|\\\n|[^\n'])*/gm), ([command]) => command)
    .filter(command => !command.includes(' -F ') && !command.includes('$ID'))
    .map(command => {
      const [, path = ''] = /"\$BASE([^"]*)"/.exec(command) ?? []
      const [, body] = /-d '(\{[^']*\})'/.exec(command) ?? []
      const query = [...command.matchAll(/-d (\w+=\S+)/g)].map(([, parameter]) => parameter)
      return { path: query.length === 0 ? path : `${path}?${query.join('&')}`, body }
    })
}

const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>

describe('examples of the API pages', () => {
  let gateway: TestGateway
  /** Id of a request on the dedicated endpoint. */
  let id = ''

  before(async () => {
    const { root: upstream } = await simulatorWith({ models: [{ id: 'upstream-m', vision: true }] })
    const backends = [{ url: `${upstream}/v1`, model: 'upstream-m', engine: 'vllm' }]
    const capabilities = { vision: true, tools: true, chat_completions: { regex: true } }
    gateway = await testGateway({
      backends: [],
      more: {
        models: [
          { id: 'm', aliases: ['demo'], max_model_len: 8192, capabilities, backends },
          ...Object.entries(BYTE_PIPES).map(([id, kind]) => ({ id, kind, backends })),
        ],
        endpoints: [{ host: ENDPOINT, models: ['m'] }],
        batches: {},
        // Repeats the request until the record is in the store.
        rate_limits_per_minute: { request: 100_000 },
      },
      account: { keys: [{ id: 'k1', user: 'alice@test', kind: 'serverless', secret: KEY, endpoints: [ENDPOINT] }] },
    })
    id = await dedicatedRequest(gateway.url)
    const record = `/v1/endpoints/requests/${id}?endpoint=${ENDPOINT}`
    await eventually(async () => (await gateway.get(record)).status === 200, 'a record')
  })

  after(async () => {
    await gateway?.close()
    await closeSimulators()
  })

  for (const [page, code] of examples('sh')) {
    for (const { path, body } of calls(code)) {
      it(`curl: ${page}: ${path}`, async () => {
        const response = await (body === undefined ? gateway.get(path) : gateway.post(path, body))
        expect(response.status, await response.text()).equal(200)
      })
    }
  }

  for (const [page, code] of examples('js')) {
    it(`JavaScript: ${page}`, async () => {
      const file = join(gateway.dir, 'pixel.png')
      writeFileSync(file, Buffer.from(PIXEL, 'base64'))
      const globals = {
        OpenAI,
        Anthropic,
        toFile,
        createReadStream: () => createReadStream(file),
        process: { env: { BASE: gateway.url, KEY, ID: id }, stdout: { write: () => true } },
        console: { log: () => {} },
        fetch: async (...call: Parameters<typeof fetch>) => {
          const response = await fetch(...call)
          expect(response.status, String(call[0])).equal(200)
          return response
        },
      }
      const run = new AsyncFunction(...Object.keys(globals), code.replace(/^import .*$/gm, ''))
      await run(...Object.values(globals))
    })
  }
})

/** Sends a chat to the dedicated endpoint and returns its request id. */
function dedicatedRequest(url: string): Promise<string> {
  const headers = { host: ENDPOINT, authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const request = http.request(`${url}/v1/chat/completions`, { method: 'POST', headers }, response => {
      response.resume()
      response.on('end', () => resolve(String(response.headers['x-request-id'])))
    })
    request.on('error', reject)
    request.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello!' }] }))
  })
}
