import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ListedBackend } from '../../../lib/backends/backend-list.ts'
import { run } from '../../../lib/cli/backends.ts'
import { UsageError } from '../../../lib/cli/command.ts'
import {
  reply,
  type ScriptedBackend,
  scriptedBackend,
  sendEvent,
  startStream,
  textEvents,
} from '../../support/backend.ts'
import { Cli, runCli, temporaryDirectory } from '../../support/cli.ts'
import { configFile, eventually, KEY } from '../../support/gateway.ts'
import { freePort } from '../../support/programs.ts'
import { useRedis } from '../../support/services.ts'

/** The gateway asks a backend other things, too. */
const chats = ({ requests }: ScriptedBackend) => requests.filter(({ path }) => path === '/v1/chat/completions').length

describe('sluiceway backends', () => {
  const redis = useRedis()
  const directory = temporaryDirectory()
  let first: ScriptedBackend
  let second: ScriptedBackend
  let file = ''
  let serving: Cli | undefined

  beforeEach(async () => {
    first = await scriptedBackend(reply())
    second = await scriptedBackend(reply())
    const more = {
      limits_store: redis(),
      workers: 2,
      log: { level: 'warn' },
      admin: { host: '127.0.0.1', port: await freePort() },
    }
    file = join(directory(), 'config.json')
    writeFileSync(file, JSON.stringify(configFile(directory(), { backends: [first.url, second.url], more })))
  })
  afterEach(async () => {
    serving?.child.kill('SIGTERM')
    await serving?.ended
    await first?.close()
    await second?.close()
  })

  async function ok(...argv: string[]): Promise<string> {
    const { code, out, err } = await runCli(['backends', argv[0]!, '--config', file, ...argv.slice(1)])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    return out
  }

  async function listed(): Promise<ListedBackend[]> {
    return (JSON.parse(await ok('list', '--json')) as { backends: ListedBackend[] }).backends
  }

  async function start(): Promise<(stream?: boolean) => Promise<Response>> {
    serving = new Cli(['serve', '--config', file])
    const [, url] = await serving.match(/Gateway +(\S+)\/v1/)
    return (stream = false) =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${KEY}` },
        body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'hi' }] }),
      })
  }

  it('drains a backend in every process, across restarts, while its streams go on', async () => {
    const finish: (() => void)[] = []
    first.script = second.script = res => {
      startStream(res)
      const [role, ...rest] = textEvents('Hello there')
      sendEvent(res, role!)
      finish.push(() => {
        for (const event of rest) sendEvent(res, event)
        res.end('data: [DONE]\n\n')
      })
    }
    let chat = await start()
    const streams = await Promise.all(Array.from({ length: 8 }, () => chat(true)))
    await eventually(() => finish.length === 8)
    const busy = chats(first) > 0 ? first : second
    const idle = busy === first ? second : first
    const before = chats(busy)
    expect(await ok('drain', busy.url)).match(/is drained: .*seconds\.\n$/)
    await eventually(async () => (await listed()).some(({ state }) => state === 'draining'), 'the drain')
    expect((await listed()).find(({ url }) => url === busy.url)).include({ in_flight: before, drain: 'operator' })
    const unknown = await runCli(['backends', 'list', '--config', file, '--model', 'mm'])
    expect(unknown).include({ code: 1, err: "sluiceway backends: there is no model 'mm': did you mean 'm'?\n" })
    for (const end of finish) end()
    for (const stream of streams) expect(await stream.text()).contain('[DONE]')
    await eventually(async () => (await listed()).some(({ state }) => state === 'drained'), 'the end of the drain')

    first.script = second.script = reply()
    for (let i = 0; i < 10; i++) expect((await chat()).status).equal(200)
    expect(chats(busy)).equal(before)
    expect(chats(idle)).least(10)

    serving!.child.kill('SIGTERM')
    await serving!.ended
    chat = await start()
    for (let i = 0; i < 10; i++) expect((await chat()).status).equal(200)
    expect(chats(busy), 'after a restart').equal(before)
    expect(await ok('list'))
      .match(/^MODEL +BACKEND +STATE/)
      .and.match(/drained .* operator/)
    expect(await ok('list', '--csv')).match(/^\uFEFFmodel,backend,state,.*\r\n/)
    const beliefs = (await ok('list', '--beliefs')).trimEnd().split('\n')
    expect(beliefs[0]).match(/^MODEL +BACKEND +BELIEF +VALUE +SOURCE +SAMPLES +CHANGED +ENGINE +NOTE$/)
    expect(beliefs.slice(1, 5).map(row => row.split(/ +/).slice(2, 6).join(' '))).deep.equal([
      'prefill_tokens_per_second 30000 replies 0',
      'floor_ms 0 replies 0',
      'decode_step_ms 6 replies 0',
      'cache_tokens 400000 replies 0',
    ])

    expect(await ok('undrain', new URL(busy.url).host)).match(/no longer drained/)
    await eventually(async () => (await listed()).every(({ state }) => state === 'up'))
    await eventually(async () => {
      await (await chat()).text()
      return chats(busy) > before
    }, 'a request to the backend that is back')
  })

  it('lists backends that come and go in every process, and drains one by its address', async () => {
    const targets = join(directory(), 'targets.json')
    const write = (...backends: readonly ScriptedBackend[]) =>
      writeFileSync(targets, JSON.stringify([{ targets: backends.map(({ port }) => `127.0.0.1:${port}`) }]))
    write(first)
    const config = JSON.parse(readFileSync(file, 'utf8'))
    config.models[0].backends = [
      { discover: 'file', path: 'targets.json', every_seconds: 0.1, model: 'upstream-m', engine: 'vllm' },
    ]
    writeFileSync(file, JSON.stringify(config))
    const chat = await start()
    expect((await listed()).map(({ url }) => url)).deep.equal([first.url])
    write(first, second)
    // In both processes: a connection may reach either.
    const shares = async () => {
      await Promise.all(Array.from({ length: 8 }, async () => (await chat()).text()))
      return chats(second) > 0
    }
    await eventually(shares, 'requests to the new backend')
    expect(await ok('drain', `127.0.0.1:${first.port}`)).match(/is drained.*\nNo backend of the file has this address/)
    await eventually(async () => (await listed()).some(({ state }) => state === 'drained'), 'the drain')
    const before = chats(first)
    await shares()
    expect(chats(first)).equal(before)
    write(second)
    await eventually(async () => (await listed()).map(({ url }) => url).join() === second.url, 'one backend')
    rmSync(targets)
    await eventually(
      async () => (await listed())[0]?.problem?.includes('the last answer is kept') === true,
      'a problem',
    )
    expect((await chat()).status).equal(200)
  })

  it('says what to do where no gateway runs, or nothing is meant', async () => {
    const { code, err } = await runCli(['backends', 'list', '--config', file])
    expect(code).equal(1)
    expect(err).match(/no gateway answers at http:\/\/127\.0\.0\.1:\d+: start it/)
    const fails = (...argv: string[]) => run(argv.map(word => (word === 'FILE' ? file : word))).catch(thrown => thrown)
    expect((await fails('drain', '--config', 'FILE', 'http://10.9.9.9/v1')).message).match(/^there is no backend/)
    expect((await fails('undrain', '--config', 'FILE', first.url)).message).match(/is not drained by an operator/)
    expect(await fails('drain', '--config', 'FILE')).instanceOf(UsageError)
    expect(await fails('stop')).instanceOf(UsageError)
    expect(await fails('list', '--config', 'FILE', '--csv', '--json')).instanceOf(UsageError)
    expect(await fails()).instanceOf(UsageError)
  })
})
