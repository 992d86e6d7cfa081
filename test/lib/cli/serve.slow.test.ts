import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { createSimulator } from '../../../simulator/server.ts'
import { Cli, runCli, temporaryDirectory } from '../../support/cli.ts'
import { MODEL } from '../../support/config.ts'
import { eventually } from '../../support/gateway.ts'
import { freePort } from '../../support/programs.ts'

/** No port of its own: suites run side by side. */
const ANYWHERE = 'listen: { port: 0 }\nadmin: { port: 0 }\n'

describe('sluiceway serve', () => {
  const directory = temporaryDirectory()
  const running: Cli[] = []
  afterEach(async () => {
    for (const cli of running.splice(0)) {
      cli.child.kill('SIGKILL')
      await cli.ended
    }
  })

  let env: Record<string, string> = {}
  const start = (...argv: string[]): Cli => {
    const cli = new Cli(['serve', ...argv], { cwd: directory(), env })
    running.push(cli)
    return cli
  }
  const write = (text: string): string => {
    const file = join(directory(), 'a.yaml')
    writeFileSync(file, text)
    return file
  }

  it('refuses wrong usage', async () => {
    const traffic = '--traffic needs the demo: leave out --config and --upstream'
    const mistakes: readonly (readonly [string[], string])[] = [
      [['--config', 'a', '--upstream', 'b'], '--config and --upstream cannot be combined: add the server to the file'],
      [['--traffic', '--config', 'a'], traffic],
      [['--traffic', '--upstream', 'b'], traffic],
      [['--trafic'], "unknown option '--trafic': did you mean '--traffic'?"],
      [['--upstream', 'ftp://h'], "--upstream 'ftp://h' is not an http or https URL."],
      [['--port', 'http'], '--port must be a number from 0 to 65535'],
    ]
    for (const [argv, message] of mistakes) {
      const { code, err } = await runCli(['serve', ...argv], { cwd: directory() })
      expect(code).equal(2)
      expect(err.startsWith(`sluiceway serve: ${message}\n\nUsage: `), err).equal(true)
    }
  })

  it('explains an invalid file and a chain that cannot run, exit code 1', async () => {
    const bad = await runCli(['serve', '--config', write(`${MODEL}lisen: {}`)])
    expect(bad.code).equal(1)
    expect(bad.err).match(/lisen: unknown key 'lisen': did you mean 'listen'\?\n$/)
    const chainless = await runCli([
      'serve',
      '--config',
      write(`journal: ./j\nplugins: [{ use: auth }]\n${ANYWHERE}${MODEL}`),
    ])
    expect(chainless.code).equal(1)
    expect(chainless.err).match(/a\.yaml has a chain of plugins that cannot run:\n/)
  })

  it('says what to do when the port is in use, exit code 1', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const file = write(`${ANYWHERE}${MODEL}`)
    const [gateway, admin] = await Promise.all([
      runCli(['serve', '--config', file, '--port', String(port)]),
      runCli(['serve', '--config', file, '--admin-port', String(port)]),
    ])
    other.close()
    expect(gateway).deep.include({
      code: 1,
      err: `sluiceway serve: 127.0.0.1:${port} is in use: stop what listens there, or choose another port with --port PORT\n`,
    })
    expect(admin.code).equal(1)
    expect(admin.err).match(/choose another port with --admin-port PORT\n$/)
  })

  it('says why its files cannot be used, in one line', async () => {
    const [file, other] = [write(`${ANYWHERE}${MODEL}`), write('')]
    const problemOf = async (member: string) => {
      writeFileSync(file, `${ANYWHERE}${MODEL}${member}`)
      const { code, err } = await runCli(['serve', '--config', file])
      expect(code).equal(1)
      expect(err.split('\n')).lengthOf(2)
      return err
    }
    expect(await problemOf(`journal: ${other}`)).match(
      /^sluiceway serve: request records cannot be kept in \S+a\.yaml: /,
    )
    expect(await problemOf(`files: { path: ${other}/files }`)).match(
      /^sluiceway serve: uploaded files cannot be kept in /,
    )
    const store = `sqlite:${other}/store.db`
    expect(await problemOf(`store: ${store}`)).match(/^sluiceway serve: the store sqlite:\S+ cannot be used: E[A-Z]+: /)
  })

  it('serves and ends in order while stdout and stderr are full', async () => {
    const port = await freePort()
    const file = write(`log: { level: debug }\n${ANYWHERE}${MODEL}`)
    const device = openSync('/dev/full', 'w')
    const entry = fileURLToPath(new URL('../../../bin/sluiceway.mjs', import.meta.url))
    const child = spawn(process.execPath, [entry, 'serve', '--config', file, '--port', String(port)], {
      stdio: ['ignore', device, device],
    })
    closeSync(device)
    const ended = once(child, 'exit')
    const isUp = () =>
      fetch(`http://127.0.0.1:${port}/`).then(
        ({ ok }) => ok,
        () => false,
      )
    await eventually(isUp, 'the gateway')
    for (let i = 0; i < 100; i++) expect(await isUp()).equal(true)
    child.kill('SIGTERM')
    expect(await ended).deep.equal([0, null])
  })

  it('says so when the host is not an address of this machine', async () => {
    const { code, err } = await runCli(['serve', '--config', write(`${ANYWHERE}${MODEL}`), '--host', '192.0.2.1'])
    expect(code).equal(1)
    expect(err).match(/: 192\.0\.2\.1 is not an address of this machine: choose another with --host HOST\n$/)
    const admin = await runCli([
      'serve',
      '--config',
      write(`listen: { port: 0 }\nadmin: { host: 192.0.2.1 }\n${MODEL}`),
    ])
    expect(admin.err).match(/: 192\.0\.2\.1:9090 is not an address of this machine: change admin\.host in the file\n$/)
    const name = await runCli(['serve', '--config', write(`${ANYWHERE}${MODEL}`), '--host', 'no such host'])
    expect(name.err).match(/: the host 'no such host' cannot be found: choose another with --host HOST\n$/)
  })

  it('runs a file, reloads it when it changes and on SIGHUP, and drains on SIGTERM', async () => {
    const list = async (url: string): Promise<string[]> => {
      const answer = await fetch(`${url}/models`, { headers: { authorization: 'Bearer service_1234' } })
      return ((await answer.json()) as { data: { id: string }[] }).data.map(({ id }) => id)
    }
    const account =
      'accounts: [{ id: 6f2c1e9a-8d1b-4c57-9a53-0d6b1c1f7e21, keys: [{ id: k, secret: service_1234 }] }]\n'
    const text = `${ANYWHERE}${account}${MODEL}`
    const file = write(text)
    env = { HTTPS_PROXY: 'http://127.0.0.1:1' }
    const gateway = start('--config', file)
    env = {}
    await gateway.match(/"variables":\["HTTPS_PROXY"\],"msg":"these variables have no effect: set proxy of backends/)
    const [, url = ''] = await gateway.match(/^Gateway {2}(http:\/\/127\.0\.0\.1:\d+\/v1)$/m)
    expect(await list(url)).deep.equal(['m'])

    writeFileSync(file, `${text}lisen: {}`)
    await gateway.match(/configuration rejected: the running one stays in force/)
    expect(await list(url)).deep.equal(['m'])

    writeFileSync(file, text.replace('id: m', 'id: renamed'))
    gateway.child.kill('SIGHUP')
    await gateway.match(/configuration reloaded/)
    expect(await list(url)).deep.equal(['renamed'])

    gateway.child.kill('SIGTERM')
    expect((await gateway.ended).code).equal(0)
  })

  it('says so when a second signal has cut the drain short, exit code 1', async () => {
    const gateway = start('--config', write(`${ANYWHERE}drain_delay_seconds: 600\n${MODEL}`))
    await gateway.match(/^Gateway /m)
    gateway.child.kill('SIGTERM')
    await gateway.match(/"msg":"draining"/)
    const again = setInterval(() => gateway.child.kill('SIGTERM'), 250)
    const { code, err } = await gateway.ended.finally(() => clearInterval(again))
    expect(code).equal(1)
    expect(err).match(/\nsluiceway serve: a second signal has ended the drain: unfinished requests were cut off\n$/)
  })

  it('logs a crash, after the requests before it', async () => {
    const file = write('')
    const plugin = `export default { name: 'own', summary: '', routes: { route: ['landing'] }, setup: () => ({
      onFinish() { setTimeout(() => { throw new Error('out of hand') }, 50) },
    }) }`
    writeFileSync(join(dirname(file), 'own.mjs'), plugin)
    const chain = [...defaultChain(), './own.mjs'].map(use => `{ use: ${use} }`)
    writeFileSync(file, `${ANYWHERE}plugins: [${chain.join(', ')}]${MODEL}`)
    const gateway = start('--config', file)
    const [, url = ''] = await gateway.match(/^Gateway {2}(http:\S+)\/v1$/m)
    await (await fetch(url)).arrayBuffer()
    const { code, out } = await gateway.ended
    expect(code).equal(1)
    const lines = [...out.matchAll(/^\{.*\}$/gm)].map(([line]) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ level, msg }) => [level, msg])).deep.include.members([
      [30, 'request'],
      [60, 'crashed'],
    ])
  })

  it('without a file runs the demo: every line it prints to paste works', async () => {
    const demo = start('--port', '0', '--admin-port', '0')
    await demo.match(/^Ctrl-C stops it\.$/m)
    const [, admin = ''] = await demo.match(/^Admin {4}(http:\S+) /m)
    expect((await fetch(`${admin}/readyz`)).status).equal(200)
    const [, block = ''] = await demo.match(/Try it:\n\n([\s\S]*)\n\nCtrl-C/)
    const [models, chat, stream] = await Promise.all(
      block.split('\n\n').map(line => promisify(execFile)('sh', ['-c', line])),
    )
    expect(JSON.parse(models!.stdout).data.map(({ id }: { id: string }) => id)).deep.equal(['demo', 'demo-plain'])
    expect(JSON.parse(chat!.stdout).choices[0].message.content).a('string').and.not.equal('')
    expect(stream!.stdout)
      .match(/^data: \{/)
      .and.match(/\ndata: \[DONE\]\n\n$/)

    demo.child.kill('SIGINT')
    const { code, out } = await demo.ended
    expect(code).equal(0)
    expect(out.slice(out.indexOf('Ctrl-C'))).equal('Ctrl-C stops it.\n')
  })

  it('runs in front of a running server', async () => {
    const simulator = createSimulator({ models: [{ id: 'theirs' }], api_key: 'their-key' })
    const port = await simulator.listen(0, '127.0.0.1')
    try {
      const env = { UPSTREAM_API_KEY: 'their-key' }
      const gateway = new Cli(['serve', '--upstream', `127.0.0.1:${port}`, '--port', '0', '--admin-port', '0'], {
        cwd: directory(),
        env,
      })
      running.push(gateway)
      const [, , chat = ''] = await gateway.match(/(curl .*)\n\n(curl .*)\n\ncurl .*\n/)
      const { stdout } = await promisify(execFile)('sh', ['-c', chat])
      expect(JSON.parse(stdout)).deep.include({ object: 'chat.completion', model: 'theirs' })
    } finally {
      await simulator.close()
    }
  })

  it('says so when there is no server', async () => {
    const { code, err } = await runCli(['serve', '--upstream', 'http://127.0.0.1:1'], { cwd: directory() })
    expect(code).equal(1)
    expect(err).match(/^sluiceway serve: .*http:\/\/127\.0\.0\.1:1.*\n$/)
  })

  it('opens pages by the links of the demo, and shows simulated customers in them', async () => {
    const demo = start('--traffic', '--port', '0', '--admin-port', '0')
    const [, customers = ''] = await demo.match(/^Customers' pages: {2}(\S+)$/m)
    const [, operators = ''] = await demo.match(/^Operators' pages: {2}(\S+)$/m)
    expect((await fetch(customers)).headers.get('set-cookie')).contain('_session=')
    const entered = await fetch(operators)
    const cookie = entered.headers.get('set-cookie')!.split(';')[0]!
    const { origin } = new URL(operators)
    await eventually(async () => {
      const page = await (await fetch(`${origin}/requests`, { headers: { cookie } })).text()
      return /title="http:[^"]*\/v1"/.test(page)
    })
    demo.child.kill('SIGTERM')
    expect((await demo.ended).code).equal(0)
  })

  it('gives the demo the same key every time', async () => {
    const keys: string[] = []
    for (let i = 0; i < 2; i++) {
      const demo = start('--port', '0', '--admin-port', '0')
      const [, key = ''] = await demo.match(/^API key {2}(\S+)$/m)
      keys.push(key)
      demo.child.kill('SIGTERM')
      await demo.ended
    }
    expect(keys[0]).equal(keys[1])
    expect(readFileSync(join(directory(), 'data', 'demo.yaml'), 'utf8')).contain(keys[0])
  })
})
