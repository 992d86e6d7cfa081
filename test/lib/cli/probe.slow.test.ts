// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the configuration names a variable in this way
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { UsageError } from '../../../lib/cli/command.ts'
import { probedConfig } from '../../../lib/cli/config-text.ts'
import { run } from '../../../lib/cli/probe.ts'
import { type ProbeOptions, probeBackend } from '../../../lib/engines/probe/probe.ts'
import type { SimulatorOptions } from '../../../simulator/options.ts'
import { configOf } from '../../support/config.ts'
import { closeSimulators, simulatorWith } from '../../support/simulator.ts'
import { deadAddress } from '../../support/stub.ts'
import { testProxy } from '../../support/tunnels.ts'

const MAIN = fileURLToPath(new URL('../../../lib/cli/main.ts', import.meta.url))

const pem = (name: string) => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Through the command line, as a process of its own. */
function probed(...args: string[]): Promise<Ended> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [MAIN, 'probe', ...args], (_, stdout, stderr) => {
      resolve({ code: child.exitCode ?? -1, stdout, stderr })
    })
  })
}

async function textFor(options: SimulatorOptions, more: ProbeOptions = {}, withKey = false) {
  const { root } = await simulatorWith(options)
  const result = await probeBackend(root, more)
  return { text: probedConfig(result, withKey), result, root }
}

describe('cli/probe', () => {
  afterEach(closeSimulators)

  for (const engine of ['vllm', 'sglang', 'llama.cpp'] as const) {
    it(`prints a configuration that gives ${engine} the profile that was found`, async () => {
      const { text, result, root } = await textFor({ engine })
      const [model] = configOf(text).models
      expect(model).deep.include({ id: 'simulated', max_model_len: 32_768, capabilities: result.capabilities })
      expect(model!.backends[0]).deep.include({
        url: `${root}/v1`,
        model: 'simulated',
        engine,
        profile: result.profile,
      })
      expect(text.startsWith(`# ${root}/v1: ${engine} `)).equal(true)
    })
  }

  it('prints only what differs from the named profile', async () => {
    expect((await textFor({ engine: 'llama.cpp' })).text).not.include('profile:')
    const { text } = await textFor({ engine: 'llama.cpp', developer_role: true })
    expect(text).include('        profile:\n          developer_role: true\n')
  })

  it('prints other models, notes, and a variable instead of the key', async () => {
    const options = { engine: 'llama.cpp', models: [{ id: 'a' }, { id: 'b' }], api_key: 'very-secret' } as const
    const { text } = await textFor(options, { apiKey: 'very-secret' }, true)
    expect(text).include('# It also serves: b (--model ID tests one of them).\n')
    expect(text).match(/^# An entry of `models` with `discover: \{ url: http:\/\/.*\/v1 \}` serves all of them\.$/m)
    expect(text).include('# Reasons unless a request switches it off.\n')
    expect(text).include('api_key: ${BACKEND_API_KEY}\n').not.include('very-secret')
    expect(configOf(text, { BACKEND_API_KEY: 'x' }).models[0]!.backends[0]!.api_key).equal('x')
  })

  it('makes a name for clients of the path of a file', async () => {
    const { text } = await textFor({ engine: 'llama.cpp', models: [{ id: '/models/Qwen 3 32B.gguf' }] })
    const [model] = configOf(text).models
    expect(model!.id).equal('Qwen-3-32B.gguf')
    expect(model!.backends[0]!.model).equal('/models/Qwen 3 32B.gguf')
  })

  it('says where to set a key that the server requires', async () => {
    const { root } = await simulatorWith({ api_key: 'very-secret' })
    const { code, stderr } = await probed(root)
    expect(code).equal(1)
    expect(stderr).match(/ wants another API key \(status 401\): pass it with --api-key KEY\n$/)
  })

  it('prints the configuration on stdout and progress on stderr', async () => {
    const { root } = await simulatorWith({ models: [{ id: 'a' }, { id: 'b', max_model_len: 2048 }] })
    const { code, stdout, stderr } = await probed(root, '--model', 'b', '--timeout', '5')
    expect(code).equal(0)
    expect(configOf(stdout).models[0]).include({ id: 'b', max_model_len: 2048 })
    expect(stderr).match(/^testing models …\ntesting reasoning …\n/)
  })

  it('says in one sentence that nothing listens, and ends with 1', async () => {
    const url = await deadAddress()
    const { code, stdout, stderr } = await probed(url)
    expect({ code, stdout }).deep.equal({ code: 1, stdout: '' })
    expect(stderr).match(/\nsluiceway probe: Nothing listens at http:\/\/127\.0\.0\.1:\d+: [^\n]+\n$/)
  })

  it('refuses wrong arguments', async () => {
    for (const args of [[], ['a', 'b'], ['ftp://a'], [''], ['a', '--timeout', '0'], ['a', '--nonsense']]) {
      const error = await run(args).catch((reason: unknown) => reason)
      expect(error, args.join(' ')).instanceOf(UsageError)
    }
    expect((await probed()).code).equal(2)
  })

  it('opens connections with a client certificate, and through a proxy', async () => {
    const { root } = await simulatorWith({ models: [{ id: 'm' }] })
    const own = { cert: readFileSync(pem('cert.pem')), key: readFileSync(pem('key.pem')) }
    const front = tls.createServer({ ...own, ca: own.cert, requestCert: true, rejectUnauthorized: true }, client => {
      const upstream = net.connect(Number(new URL(root).port), '127.0.0.1')
      client.pipe(upstream).pipe(client)
      for (const socket of [client, upstream]) socket.on('error', () => {})
    })
    await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
    const proxy = await testProxy()
    try {
      const url = `https://127.0.0.1:${(front.address() as net.AddressInfo).port}`
      const certificate = ['--ca', pem('cert.pem'), '--cert', pem('cert.pem'), '--key', pem('key.pem')]
      const way = [...certificate, '--servername', 'localhost', '--proxy', proxy.url]
      const { code, stdout } = await probed(url, ...way)
      expect(code).equal(0)
      expect(stdout).match(/id: m\n/)
      expect(new Set(proxy.asked.map(({ target }) => target))).deep.equal(new Set([new URL(url).host]))
      expect((await probed(url, '--ca', pem('cert.pem'), '--servername', 'localhost')).code).equal(1)
    } finally {
      front.close()
      proxy.close()
    }
  })

  it('refuses options of connections that cannot be used', async () => {
    for (const [options, problem] of [
      [['--proxy', 'proxy:3128'], '--proxy must be a URL such as http://proxy:3128'],
      [['--cert', pem('cert.pem')], '--cert and --key go together'],
      [['--ca', '/nowhere.pem'], '--ca: the file /nowhere.pem cannot be read'],
    ] as const) {
      const thrown = await run(['http://127.0.0.1:1', ...options]).catch((error: unknown) => error)
      expect(thrown).instanceOf(UsageError).property('message', problem)
    }
  })
})
