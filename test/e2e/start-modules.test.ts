import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { temporaryDirectory } from '../support/cli.ts'

const root = new URL('../..', import.meta.url).href

/** Starts a gateway with the default chain, and prints the URLs of the loaded modules. */
const START = `
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
const loaded = []
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
const [root, config] = process.argv.slice(2)
const { parseConfig } = await import(root + 'lib/config/read.ts')
const { startGateway } = await import(root + 'lib/process/gateway.ts')
const gateway = await startGateway(parseConfig(config, { baseDir: process.cwd(), env: {}, fileName: 'gateway.yaml' }))
const required = Object.keys(createRequire(root).cache).map(path => pathToFileURL(path).href)
process.stdout.write(JSON.stringify([...loaded, ...required]))
await gateway.drain()
process.exit(0)
`

const CONFIG = {
  listen: { port: 0 },
  admin: { port: 0 },
  store: 'sqlite:./store.db',
  journal: './journal',
  log: { level: 'silent' },
  models: [{ id: 'm', backends: [{ url: 'http://127.0.0.1:9/v1' }] }],
}

/** Modules that are loaded on demand. */
const LATER = [
  'lib/admin/pages/',
  'node_modules/@opentelemetry/exporter-',
  'node_modules/@opentelemetry/resources/',
  'node_modules/@opentelemetry/sdk-',
  'node_modules/@fastify/busboy/',
  'node_modules/ajv/dist/core.js',
  'node_modules/gpt-tokenizer/',
  'node_modules/marked/',
  'node_modules/openid-client/',
]

describe('a start with the default chain', () => {
  const directory = temporaryDirectory()

  it('loads nothing that only some requests need', async () => {
    writeFileSync(join(directory(), 'start.mjs'), START)
    const args = ['start.mjs', root, JSON.stringify(CONFIG)]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: directory(), maxBuffer: 1e7 })
    const modules = (JSON.parse(stdout) as string[]).map(url => url.replace(root, ''))
    expect(modules).include('plugins/request/validate/index.ts')
    expect(modules.filter(path => LATER.some(later => path.startsWith(later)))).deep.equal([])
  })
})
