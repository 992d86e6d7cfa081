import { expect } from 'chai'
import { type Logger, pino } from 'pino'
import { Metrics } from '../../../lib/base/metrics.ts'
import type { InternalRequest } from '../../../lib/plugin.ts'
import { play, type Scene, testServices } from '../../../lib/testing.ts'
import guard from '../../../plugins/rules/guard/index.ts'
import { key, target, zdr } from '../../../plugins/slots.ts'
import { chunk, model, targetOf } from '../../support/canonical.ts'
import { configOf } from '../../support/config.ts'
import { keyOf } from '../../support/key.ts'

/** A guard that asks the model `m`, which allows no `bad` and does not answer `silent`. `code`: an error. */
async function guarded(
  { code, ...options }: { code?: string | undefined; [option: string]: unknown },
  scene: Scene = {},
) {
  const asked: { stage: string; text: string; request_id: string }[] = []
  const keys: InternalRequest['key'][] = []
  const metrics = new Metrics()
  const lines: string[] = []
  const log: Logger = pino({}, { write: line => void lines.push(line) })
  const services: NonNullable<Scene['services']> = {
    metrics,
    log,
    models: { find: () => model() } as never,
    internal: {
      async send({ body, key: caller }) {
        keys.push(caller)
        const question = JSON.parse(JSON.parse(String(body)).messages[1].content)
        asked.push(question)
        if (code !== undefined) return { requestId: '', status: 422, body: JSON.stringify({ error: { code } }) }
        const verdict = { allow: !question.text.includes('bad'), reason: 'x'.repeat(300) }
        const content = question.text.includes('silent') ? 'hm' : JSON.stringify(verdict)
        return { requestId: '', status: 200, body: JSON.stringify({ choices: [{ message: { content } }] }) }
      },
    },
  }
  const given: Scene['given'] = [[key, keyOf()], [target, targetOf(model())], ...(scene.given ?? [])]
  const played = await play(guard, { ...scene, options: { model: 'm', ...options } as never, given, services })
  return { ...played, asked, keys, lines, verdicts: await metrics.registry.metrics() }
}

const saying = (content: string) => ({ model: 'm', messages: [{ role: 'user', content }] })
const REPLY = [chunk({ start: true }), chunk({ text: 'something bad' }), chunk({ finish: 'stop' })]

describe('guard', () => {
  for (const size of ['small', 'large'] as const) {
    it(`judges every text of a ${size} request`, async () => {
      const body = { ...saying('good'), messages: [...saying('one').messages, ...saying('two').messages] }
      const { error, asked } = await guarded({}, { body, size })
      expect(error).equal(undefined)
      expect(asked).length(1)
      expect(asked[0]).deep.include({ stage: 'input', text: 'one\ntwo', model: 'm' })
    })
  }

  it('refuses with the first characters of the reason', async () => {
    const { error, verdicts } = await guarded({}, { body: saying('bad') })
    expect(error).include({ code: 'content_blocked', status: 400, type: 'invalid_request_error' })
    expect(error!.message).equal(`The content filter does not allow this request: ${'x'.repeat(200)}….`)
    expect(error!.messageWithoutNames).not.contain('xxx')
    expect(verdicts).contain('sluiceway_guard_verdicts_total{verdict="blocked"} 1')
  })

  it('judges only what it is told to', async () => {
    const input = await guarded({ check: ['input'] }, { body: saying('good'), chunks: REPLY })
    expect(input.asked.map(({ stage }) => stage)).deep.equal(['input'])
    expect(input.chunks.at(-1)).include({ finish: 'stop' })
    const output = await guarded({ check: ['output'] }, { body: saying('bad'), chunks: REPLY })
    expect(output.asked.map(({ stage }) => stage)).deep.equal(['output'])
    expect(output.chunks.at(-1)).include({ finish: 'content_filter', text: undefined })
    expect(output.exchange.stopReason).equal('content_filter')
  })

  it('without a verdict refuses and stops, or passes', async () => {
    const silent = { body: saying('silent'), chunks: [chunk({ start: true, text: 'silent', finish: 'stop' })] }
    const { error, lines, verdicts } = await guarded({ check: ['input'] }, silent)
    expect(error).include({ code: 'content_blocked', status: 503 })
    expect(error!.headers).include({ 'x-should-retry': 'true' })
    expect(verdicts).contain('sluiceway_guard_verdicts_total{verdict="failed"} 1')
    expect(lines.join('')).contain('the answer has no verdict').and.not.contain('silent')
    const stopped = await guarded({ check: ['output'] }, silent)
    expect(stopped.chunks).deep.equal([chunk({ start: true, finish: 'content_filter' })])
    const open = await guarded({ on_failure: 'open' }, silent)
    expect(open.error).equal(undefined)
    expect(open.chunks.at(-1)).include({ text: 'silent', finish: 'stop' })
  })

  it('refuses for good what no judge may read, and does not say to send it again', async () => {
    const noZdr = new Map<string | undefined, object>([
      [undefined, { webhook: 'http://127.0.0.1:9/judge', model: undefined }],
      ['model_zdr_not_supported', {}],
    ])
    for (const [code, options] of noZdr) {
      const scene: Scene = { body: saying('good'), given: [[zdr, 'policy']] }
      const { error, lines } = await guarded({ ...options, code }, scene)
      expect(error).include({ code: 'content_blocked', status: 400 })
      expect(error!.message).contain('it cannot check requests with zero data retention')
      expect(lines.join('')).contain('no verdict of the guard')
      expect((await guarded({ ...options, code, on_failure: 'open' }, scene)).error).equal(undefined)
    }
  })

  it('asks with zero data retention if the request requires it', async () => {
    const { keys } = await guarded({}, { body: saying('good'), given: [[zdr, 'header']] })
    expect(keys[0]!.account.zdrRequired).equal(true)
  })

  it('does not run on requests of the gateway itself', () => {
    expect(guard.routes!.surface).include.members(['gateway', 'dedicated', 'batch']).and.not.include('internal')
  })

  it('needs one judge, which exists', () => {
    const options = { zdr: false, check: ['input'], hold_tokens: 1, timeout_ms: 1, on_failure: 'open' } as const
    const set = (more: object) => () => guard.setup({ ...options, ...more }, testServices())
    expect(set({})).throw("it needs either 'webhook' or 'model'.")
    expect(set({ webhook: 'http://a.test', model: 'm' })).throw("it needs either 'webhook' or 'model'.")
    expect(set({ model: 'm' })).throw("there is no chat model 'm'.")
    expect(set({ model: 'm', zdr: true })).throw("'zdr' has no effect with 'model', whose backends have it.")
    expect(set({ webhook: 'http://a.test', zdr: true })).not.throw()
  })

  it('may have a model that a server lists later', () => {
    const own = { zdr: false, check: ['input'], hold_tokens: 1, timeout_ms: 1, on_failure: 'open', model: 'j' } as const
    const lines: string[] = []
    const log = pino({}, { write: line => void lines.push(line) })
    const config = configOf('models: [{ discover: { url: "http://a.test" } }]\n')
    expect(() => guard.setup(own, testServices([], { config, log }))).not.throw()
    expect(lines.join('')).contain('the model of the guard is not discovered')
  })
})
