/**
 * Prints the files of lib/ and plugins/ that run code for one small streamed chat, after a warm-up:
 * `node bench/touched-files.ts`. These are what a reader has to open to follow a request from end to end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { Session } from 'node:inspector/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '../lib/config/read.ts'
import { startGateway } from '../lib/process/gateway.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const KEY = 'service_bench_secret'
const WARM_UP = 20
const REQUESTS = 10

const delta = (members: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'a', object: 'chat.completion.chunk', choices: [{ index: 0, delta: members, finish_reason: finish }] })}\n\n`

/** A backend that streams three words. */
const backend = http.createServer((req, res) => {
  req.resume()
  req.on('end', () => {
    res.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const word of ['one', 'two', 'three']) res.write(delta({ content: word }))
    res.end(`${delta({}, 'stop')}data: [DONE]\n\n`)
  })
})
await new Promise<void>(resolve => backend.listen(0, '127.0.0.1', resolve))
const dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
const file = {
  listen: { host: '127.0.0.1', port: 0 },
  admin: { host: '127.0.0.1', port: 0 },
  store: `sqlite:${join(dir, 'store.db')}`,
  journal: join(dir, 'journal'),
  files: { path: join(dir, 'files') },
  log: { level: 'silent' },
  models: [
    {
      id: 'm',
      backends: [{ url: `http://127.0.0.1:${(backend.address() as AddressInfo).port}`, model: 'm', engine: 'vllm' }],
    },
  ],
  accounts: [
    {
      id: '6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21',
      name: 'bench',
      kind: 'serverless',
      models: ['*'],
      members: [{ user: 'bench@test', role: 'owner' }],
      keys: [{ id: 'k1', user: 'bench@test', kind: 'serverless', secret: KEY }],
    },
  ],
}
const gateway = await startGateway(parseConfig(JSON.stringify(file), { baseDir: dir, env: {}, fileName: 'bench.json' }))

async function request(): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hi' }] }),
  })
  if (!(await response.text()).includes('[DONE]')) throw new Error(`The gateway responded with ${response.status}.`)
}

for (let i = 0; i < WARM_UP; i++) await request()
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
/** Files whose code has run since the last call. */
async function ranSince(): Promise<Set<string>> {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  const ran = result.filter(
    ({ url, functions }) => url.startsWith('file:') && functions.some(({ ranges }) => ranges[0]!.count > 0),
  )
  return new Set(ran.map(({ url }) => relative(root, fileURLToPath(url))))
}

await ranSince()
let common: Set<string> | undefined
for (let i = 0; i < REQUESTS; i++) {
  await request()
  const ran = await ranSince()
  // What every request runs: timers of the store and the journal run beside some.
  common = common === undefined ? ran : common.intersection(ran)
}
const touched = [...common!].filter(path => /^(lib|plugins)\//.test(path)).sort()
process.stdout.write(`${touched.join('\n')}\n`)
const count = (room: string) => touched.filter(path => path.startsWith(room)).length
process.stdout.write(`lib/: ${count('lib/')} files, plugins/: ${count('plugins/')} files\n`)

await gateway.drain()
backend.close()
rmSync(dir, { recursive: true, force: true })
