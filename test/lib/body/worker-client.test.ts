import { expect } from 'chai'
import { BodyWorker } from '../../../lib/body/worker-client.ts'
import { GatewayError } from '../../../lib/errors.ts'
import { attached, rawBody } from '../../support/bodies.ts'

const never = new AbortController().signal

const bodyWith = (content: string) => Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }))

describe('body/worker-client', () => {
  let worker: BodyWorker

  beforeEach(() => {
    worker = new BodyWorker()
  })

  afterEach(() => worker.close())

  it('parses on its thread, several bodies at a time, each to its own answer', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => worker.parse(rawBody(bodyWith(String(i))), never)),
    )
    expect(all.map(({ body }) => body)).deep.equal(
      Array.from({ length: 20 }, (_, i) => ({ model: 'm', messages: [{ role: 'user', content: String(i) }] })),
    )
    expect(all.every(({ detached }) => detached.count === 0)).equal(true)
  })

  it('brings long texts beside the body, to be put back byte for byte', async () => {
    const text = `${'"\\\n\u2028é🎉'.repeat(20_000)}`
    const { body, detached } = await worker.parse(rawBody(bodyWith(text)), never)
    const json = JSON.stringify(body)
    expect(json.length).below(1000)
    expect(JSON.parse(attached(json, worker.mark, detached))).deep.equal({
      model: 'm',
      messages: [{ role: 'user', content: text }],
    })
  })

  it('takes a body that is a view of larger memory, and leaves the rest of it alone', async () => {
    const memory = Buffer.alloc(20_000, 'x')
    const bytes = bodyWith('y'.repeat(9000))
    bytes.copy(memory, 100)
    const { body } = await worker.parse(rawBody(memory.subarray(100, 100 + bytes.length)), never)
    expect(body).nested.include({ 'messages[0].content': 'y'.repeat(9000) })
    expect(memory.length).equal(20_000)
  })

  it('passes refusals on, and goes on working', async () => {
    const cases: readonly [string, string, RegExp][] = [
      ['{', 'invalid_json_request', /not valid JSON/],
      ['', 'invalid_json_request', /empty/],
      ['['.repeat(200), 'schema_validation_failed', /128 levels/],
      [`[${'1,'.repeat(1_000_001)}1]`, 'schema_validation_failed', /1000000 JSON values/],
    ]
    for (const [text, code, message] of cases) {
      const thrown = await worker.parse(rawBody(Buffer.from(text)), never).catch((error: unknown) => error)
      expect(thrown).instanceOf(GatewayError).and.include({ code })
      expect((thrown as GatewayError).message).match(message)
    }
    expect((await worker.parse(rawBody(bodyWith('a')), never)).body).have.property('model', 'm')
  })

  it('lets go of a body whose client has left', async () => {
    const abort = new AbortController()
    const pending = worker
      .parse(rawBody(bodyWith('x'.repeat(1_000_000))), abort.signal)
      .catch((error: unknown) => error)
    const reason = new Error('gone')
    abort.abort(reason)
    expect(await pending).equal(reason)
    expect((await worker.parse(rawBody(bodyWith('next')), never)).body).have.property('model')
  })

  it('fails what a dying thread was busy with, and starts another', async () => {
    const pending = [1, 2].map(() => worker.parse(rawBody(bodyWith('x')), never).catch((error: unknown) => error))
    await worker.close()
    for (const thrown of await Promise.all(pending)) {
      expect(thrown).instanceOf(GatewayError).and.include({ code: 'internal_error' })
    }
    expect((await worker.parse(rawBody(bodyWith('y')), never)).body).have.property('model')
  })

  it('makes marks that nobody can guess', () => {
    const other = new BodyWorker()
    expect(worker.mark).not.equal(other.mark)
    expect(worker.mark).match(/^@@detached-[0-9a-f]{32}-$/)
  })

  it('has nothing to close before the first body', async () => {
    await new BodyWorker().close()
  })
})
