import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { JsonObject } from '../../lib/base/json.ts'
import { reply, type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { Cli, temporaryDirectory } from '../support/cli.ts'
import { configFile, KEY } from '../support/gateway.ts'

describe('trusted proxies', () => {
  const directory = temporaryDirectory()
  let backend: ScriptedBackend
  let cli: Cli

  before(async () => {
    backend = await scriptedBackend(reply())
  })

  afterEach(() => void cli.child.kill('SIGKILL'))

  after(() => backend.close())

  /** The docs_url of a refusal, the log and the journal, of a gateway that trusts these networks. */
  async function behind(trusted: string[], log: JsonObject) {
    const dir = directory()
    const file = join(dir, 'config.json')
    const listen = { host: '127.0.0.1', port: 0, trusted_proxies: trusted }
    // Records stay in the journal without a store.
    const store = 'postgres://127.0.0.1:1/none'
    writeFileSync(file, JSON.stringify(configFile(dir, { backends: [backend.url], more: { listen, log, store } })))
    cli = new Cli(['serve', '--config', file])
    const [, url] = await cli.match(/Gateway +(\S+)\/v1/)
    const ask = async (model: string) => {
      const headers = {
        authorization: `Bearer ${KEY}`,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'api.test:8443',
        'x-forwarded-for': '203.0.113.7',
      }
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] })
      return (await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body })).json()
    }
    await ask('m')
    const { error } = (await ask('none')) as { error: { docs_url: string } }
    cli.child.kill('SIGTERM')
    const { out } = await cli.ended
    const journal = join(dir, 'journal')
    const records = readdirSync(journal).map(name => readFileSync(join(journal, name), 'utf8'))
    return { url, docs: error.docs_url, out, records: records.join('\n') }
  }

  it('tell what clients have addressed, and their addresses, for the log alone', async () => {
    const { docs, out, records } = await behind(['127.0.0.0/8'], { level: 'info', client_address: true })
    expect(docs).equal('https://api.test:8443/docs/errors/model_not_found')
    expect(out.match(/"client_address":"203\.0\.113\.7"/g)).lengthOf(2)
    expect(records).contain('"m"').and.not.contain('203.0.113.7')
  })

  it('are nobody else', async () => {
    const { url, docs, out } = await behind(['10.0.0.0/8'], { level: 'info' })
    expect(docs).equal(`${url}/docs/errors/model_not_found`)
    expect(out).contain('"msg":"request"').and.not.contain('client_address')
  })
})
