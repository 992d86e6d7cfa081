import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import OpenAI, { toFile } from 'openai'
import { type ScriptedBackend, scriptedBackend } from '../support/backend.ts'
import { FILES_KEY, filesIn } from '../support/files.ts'
import { KEY, type TestGateway, testGateway } from '../support/gateway.ts'
import { replyProblems } from '../support/reply-schemas.ts'
import { PIXEL } from '../support/rules.ts'

const PNG = Buffer.from(PIXEL, 'base64')
const MAX_IMAGE = 20_000
const MAX_BATCH = 1_000_000
const LINES = Buffer.from(`${JSON.stringify({ custom_id: 'a', secret: 'x'.repeat(100) })}\n`.repeat(5000))

/** Files of batches, encrypted. test/e2e/files.test.ts has the rules for all files. */
describe('files of batches', () => {
  let backend: ScriptedBackend
  let gateway: TestGateway
  let client: OpenAI

  before(async () => {
    backend = await scriptedBackend()
    gateway = await testGateway({
      backends: [backend.url],
      model: { capabilities: { vision: true } },
      more: {
        files: {
          path: './files',
          max_bytes: MAX_IMAGE,
          max_total_bytes_per_user: 3_000_000,
          encryption_key: FILES_KEY,
        },
        batches: { max_file_bytes: MAX_BATCH },
      },
    })
    client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: KEY, maxRetries: 0 })
  })

  after(async () => {
    await gateway?.close()
    await backend?.close()
  })

  afterEach(async () => {
    for await (const { id } of client.files.list()) await client.files.delete(id)
    expect(kept()).deep.equal([])
  })

  const kept = () => filesIn(join(gateway.dir, 'files'))

  async function upload(fields: readonly (readonly [string, string | Uint8Array<ArrayBuffer>])[]) {
    const body = new FormData()
    for (const [name, value] of fields) {
      if (typeof value === 'string') body.append(name, value)
      else body.append(name, new Blob([value]), 'secret-name.jsonl')
    }
    const headers = { authorization: `Bearer ${KEY}` }
    const response = await fetch(`${gateway.url}/v1/files`, { method: 'POST', body, headers })
    const json = (await response.json()) as { error?: { code: string; param?: string; message: string } }
    return { status: response.status, json, error: json.error }
  }
  const bothOrders = (purpose: string, file: Uint8Array<ArrayBuffer>) => [
    [
      ['file', file],
      ['purpose', purpose],
    ] as const,
    [
      ['purpose', purpose],
      ['file', file],
    ] as const,
  ]

  it('pass through the official package, and are encrypted on the disk', async () => {
    const file = await client.files.create({ file: await toFile(LINES, 'secret-name.jsonl'), purpose: 'batch' })
    expect(file).include({ purpose: 'batch', bytes: LINES.length, filename: 'secret-name.jsonl' })
    expect(replyProblems('file', file)).deep.equal([])
    const response = await client.files.content(file.id)
    expect(response.headers.get('content-type')).equal('application/jsonl')
    expect(Buffer.from(await response.arrayBuffer()).equals(LINES)).equal(true)
    const { data } = await client.files.list({ purpose: 'batch' } as OpenAI.FileListParams)
    expect(data.map(({ id }) => id)).deep.equal([file.id])
    expect(kept()).length(2)
    for (const path of kept()) expect(readFileSync(path).includes('secret'), path).equal(false)
    await client.files.delete(file.id)
    expect(kept()).deep.equal([])
  })

  it('have a size limit of their own, wherever the form has their purpose', async () => {
    const [fits, larger] = [new Uint8Array(MAX_BATCH), new Uint8Array(MAX_BATCH + 1)]
    for (const fields of bothOrders('batch', fits)) expect((await upload(fields)).status).equal(200)
    for (const fields of bothOrders('batch', larger)) {
      const { status, error } = await upload(fields)
      expect([status, error?.code, error?.param]).deep.equal([413, 'request_body_too_large', 'file'])
      expect(error?.message).contain(String(MAX_BATCH))
    }
  })

  it('do not raise the limit of images, nor lift the check of their type', async () => {
    const large = new Uint8Array(Buffer.concat([PNG, Buffer.alloc(MAX_IMAGE)]))
    for (const fields of bothOrders('vision', large)) {
      const { status, error } = await upload(fields)
      expect([status, error?.code, error?.param]).deep.equal([413, 'request_body_too_large', 'file'])
      expect(error?.message).contain(String(MAX_IMAGE))
    }
    for (const fields of bothOrders('vision', new Uint8Array(LINES.subarray(0, 10_000)))) {
      const { status, error } = await upload(fields)
      expect([status, error?.code, error?.param]).deep.equal([422, 'schema_validation_failed', 'file'])
    }
    for (const fields of bothOrders('vision', new Uint8Array(PNG))) expect((await upload(fields)).status).equal(200)
    for (const purpose of ['batch_output', 'message_batch'])
      for (const fields of bothOrders(purpose, new Uint8Array(PNG)))
        expect((await upload(fields)).error?.param, purpose).equal('purpose')
  })

  it('are no images', async () => {
    const { id } = await client.files.create({ file: await toFile(PNG, 'a.jsonl'), purpose: 'batch' })
    const image = { type: 'image_url', image_url: { file_id: id } } as unknown as OpenAI.ChatCompletionContentPart
    const thrown = await client.chat.completions
      .create({ model: 'm', messages: [{ role: 'user', content: [image] }] })
      .catch((error: unknown) => error)
    expect(thrown).include({ status: 400, code: 'model_request_rejected' })
  })

  it('are not delivered whole if they were changed on the disk', async () => {
    const { id } = await client.files.create({ file: await toFile(LINES, 'a'), purpose: 'batch' })
    const path = kept().find(name => name.endsWith('content'))!
    const written = readFileSync(path)
    const cases = {
      changed: Buffer.from(written),
      cut: written.subarray(0, 100_000),
      empty: Buffer.alloc(0),
      plain: Buffer.alloc(written.length, 'x'),
    }
    cases.changed[200_000]! ^= 1
    for (const [name, bytes] of Object.entries(cases)) {
      writeFileSync(path, bytes)
      const received = await client.files
        .content(id)
        .then(response => response.arrayBuffer())
        .then(
          buffer => buffer.byteLength,
          () => 'failed',
        )
      expect(received, name).equal('failed')
    }
    const refused = await client.files.content(id).catch((error: unknown) => error)
    expect(refused, 'nothing was sent').include({ status: 503, code: 'internal_error' })
    writeFileSync(path, written)
    expect((await (await client.files.content(id)).arrayBuffer()).byteLength).equal(LINES.length)
  })
})
