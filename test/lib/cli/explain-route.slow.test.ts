import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { faster, H100_8B } from '../../../simulator/engine-speed.ts'
import { createTimedEngine, type TimedEngine } from '../../../simulator/timed-engine.ts'
import { Cli, temporaryDirectory } from '../../support/cli.ts'
import { ACCOUNT_ID } from '../../support/config.ts'
import { type TestGateway, testGateway } from '../../support/gateway.ts'

describe('sluiceway explain-route', () => {
  const directory = temporaryDirectory()
  let engines: TimedEngine[]
  let gateway: TestGateway

  beforeEach(async () => {
    engines = [1, 2, 3].map(() => createTimedEngine(faster(H100_8B, 20)))
    const ports = await Promise.all(engines.map(engine => engine.listen(0, '127.0.0.1')))
    const backends = ports.map(port => `http://127.0.0.1:${port}/v1`)
    gateway = await testGateway({ backends, model: { max_model_len: 100_000 } })
  })
  afterEach(async () => {
    await gateway.close()
    for (const engine of engines) await engine.close()
  })

  /** The command beside a gateway with this `admin`. */
  const explain = (admin: string, request: unknown, ...more: string[]) => {
    const file = join(directory(), 'config.yaml')
    writeFileSync(
      file,
      `admin: ${admin}\nmodels: [{ id: m, backends: [{ url: http://127.0.0.1:1/v1 }] }]\nstore: sqlite:a.db\naccounts: [{ id: ${ACCOUNT_ID}, name: acme }]\n`,
    )
    const cli = new Cli(['explain-route', '--config', file, ...more])
    cli.child.stdin!.end(typeof request === 'string' ? request : JSON.stringify(request))
    return cli.ended
  }
  const running = () => `{ host: 127.0.0.1, port: ${new URL(gateway.gateway.adminUrl!).port} }`

  it('prints the cost at each backend, term by term, as the running gateway sees it', async () => {
    const messages = [{ role: 'user', content: 'word '.repeat(4000) }]
    await (await gateway.post('/v1/chat/completions', { model: 'm', stream: true, max_tokens: 3, messages })).text()
    const { code, out, err } = await explain(running(), { model: 'm', messages })
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    const [, head, ...lines] = out.trimEnd().split('\n')
    const rows = lines.slice(0, -1)
    expect(lines.at(-1)).match(
      /^Beliefs, with their samples: \d+ prompt tokens\/s \(1\), floor \d+\.\d ms \(\d\), decode step \d+\.\d\d ms \(\d\), 0\.\d{7} ms/,
    )
    expect(head!.trim().split(/\s+/)).deep.equal([
      '-',
      'backend',
      'wait',
      'own',
      'crowding',
      'decode',
      'pressure',
      'memory',
      'cost',
      'floor',
      'predicted',
      'prompt',
      'known',
    ])
    expect(rows).length(3)
    const chosen = rows.filter(row => row.startsWith('*'))
    expect(chosen).length(1)
    const known = rows.map(row => Number(row.trim().split(/\s+/).at(-1)))
    expect(known.filter(tokens => tokens > 4000)).length(1)
    expect(known.filter(tokens => tokens === 0)).length(2)
    // By its name, the account has the cache of its id.
    const byName = await explain(running(), { model: 'm', messages }, '--account', 'acme')
    const byId = await explain(running(), { model: 'm', messages }, '--account', ACCOUNT_ID)
    expect(byName).deep.equal(byId).and.include({ code: 0 })
    // Nothing was sent, and nothing counted.
    expect(await gateway.metric('sluiceway_requests_total')).equal(1)
    expect(await gateway.metric('sluiceway_routing_decisions_total')).equal(1)
  })

  it('says what is wrong with the request', async () => {
    const problem = async (request: unknown, ...more: string[]) => {
      const { code, err } = await explain(running(), request, ...more)
      expect(code).equal(1)
      return err
    }
    expect(await problem({ model: 'nope', messages: [] })).include("There is no model 'nope'.")
    expect(await problem({ model: 'm', messages: [] }, '--path', '/v1/nope')).include('/v1/nope is no route')
    expect(await problem({ model: 'm', messages: [] }, '--zdr')).include("no backend with 'zdr: true'")
    expect(await problem('{')).include('not JSON')
    expect(await problem({ model: 'm', messages: [] }, '--account', 'globex')).include(
      "no account 'globex': there is 'acme'",
    )
  })

  it('says so when the gateway does not run, or cannot be asked', async () => {
    const off = await explain('false', {})
    expect(off).include({ code: 1 })
    expect(off.err).include('is off')
    const { code, err } = await explain('{ host: 127.0.0.1, port: 1 }', {})
    expect(code).equal(1)
    expect(err).include('does not run')
  })
})
