import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { eventually, type TestGateway, testGateway } from '../support/gateway.ts'

const pluginModule = new URL('../../lib/plugin.ts', import.meta.url).href

/** Refuses a word of a prompt with a code of its own, and stops a reply at a word. */
const WORDS = `import { chat, defineErrors, definePlugin, quoted, Transformer } from '${pluginModule}'

const errors = defineErrors({ acme_word: [403, 'permission_error', "The word '{word}' is not allowed."] })

class StopsAt extends Transformer {
  chunk(chunk) {
    if (chunk.text?.includes('swordfish')) this.stop('content_filter')
    else this.next.chunk(chunk)
  }
}

export default definePlugin({
  name: 'words',
  summary: 'Refuses a word.',
  routes: { proxied: true, canonical: true },
  needs: [chat],
  errors,
  setup: () => ({
    onBody(exchange) {
      if (JSON.stringify(exchange.get(chat)).includes('marlin')) throw errors.failure('acme_word', { word: quoted('marlin') })
    },
    transform: () => new StopsAt(),
  }),
})
`

interface Choice {
  readonly index: number
  readonly finish_reason: string | null
  readonly message?: { readonly content: string | null }
}

describe('a plugin of an operator', () => {
  let directory: string
  let backend: ScriptedBackend
  let gateway: TestGateway

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'sluiceway-words-'))
    writeFileSync(join(directory, 'words.ts'), WORDS)
    writeFileSync(join(directory, 'package.json'), '{ "type": "module" }')
    backend = await scriptedBackend()
    const plugins = { base: 'default', add: [{ use: join(directory, 'words.ts'), after: 'model' }] }
    gateway = await testGateway({ backends: [backend.url], more: { plugins } })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
    rmSync(directory, { recursive: true, force: true })
  })

  const messages = (content: string) => ({ model: 'm', max_tokens: 50, messages: [{ role: 'user', content }] })
  const ask = (content: string, more: object = {}) =>
    gateway.post('/v1/chat/completions', { ...messages(content), ...more })

  /** Sends the words, and then nothing more until the gateway closes the connection. */
  function generating(...words: readonly string[]): ScriptedBackend['script'] {
    return res => {
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const content of words)
        res.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`)
    }
  }

  it('refuses with a code of its own, in the envelope of each API', async () => {
    const refused = await ask('A marlin.')
    expect(refused.status).equal(403)
    const { error } = (await refused.json()) as { error: { docs_url: string } }
    const own = { code: 'acme_word', type: 'permission_error', message: "The word 'marlin' is not allowed." }
    expect(error).include(own)
    expect(refused.headers.get('x-should-retry')).equal('false')
    const anthropic = await gateway.post('/v1/messages', messages('A marlin.'))
    expect(anthropic.status).equal(403)
    expect(await anthropic.json()).nested.include({ type: 'error', 'error.code': 'acme_word' })

    const page = await fetch(error.docs_url)
    expect(page.status).equal(200)
    expect(await page.text())
      .contain('acme_word')
      .and.contain('permission_error')
    const openapi = (await (await fetch(new URL('/openapi.json', gateway.url))).json()) as {
      components: { schemas: { ErrorCode: { enum: string[] } } }
    }
    expect(openapi.components.schemas.ErrorCode.enum).include('acme_word')
    expect(await gateway.metric('sluiceway_refusals_total', 'plugin="words",code="acme_word"')).equal(2)
  })

  it('stops a stream with content_filter, and the engine', async () => {
    backend.script = generating('Look: ', 'a swordfish', ' swims')
    const aborted = backend.aborted.length
    const text = await (await ask('Hi', { stream: true })).text()
    expect(text).contain('Look: ').and.not.contain('swordfish').and.not.contain('swims')
    expect(text).match(/"finish_reason":"content_filter"[^\n]*\n\n(data: [^\n]*\n\n)*data: \[DONE\]\n\n$/)
    await eventually(() => backend.aborted.length > aborted, 'the backend is left')
    await eventually(
      () =>
        gateway
          .records()
          .some(({ finish_reason, status_code }) => finish_reason === 'content_filter' && status_code === 200),
      'a record',
    )
  })

  it('stops each choice of a JSON reply', async () => {
    backend.script = res => {
      const choice = (index: number, content: string) => ({
        index,
        message: { role: 'assistant', content },
        finish_reason: 'stop',
      })
      res.writeHead(200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ choices: [choice(0, 'Good.'), choice(1, 'A swordfish.'), choice(2, 'Bye.')] }))
    }
    const { choices } = (await (await ask('Hi', { n: 3 })).json()) as { choices: Choice[] }
    expect(choices.map(({ finish_reason, message }) => [finish_reason, message?.content ?? ''])).deep.equal([
      ['stop', 'Good.'],
      ['content_filter', ''],
      ['content_filter', ''],
    ])
  })

  it('stops Messages and Responses in their own words', async () => {
    backend.script = generating('Look: ', 'a swordfish')
    const anthropic = await (await gateway.post('/v1/messages', { ...messages('Hi'), stream: true })).text()
    expect(anthropic).contain('event: message_stop').and.not.contain('swordfish').and.not.contain('event: error')
    const responses = await gateway.post('/v1/responses', { model: 'm', input: 'Hi', stream: true })
    expect(await responses.text())
      .contain('"incomplete_details":{"reason":"content_filter"}')
      .and.not.contain('swordfish')
  })
})
