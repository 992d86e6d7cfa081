import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { CommandError } from '../../../lib/cli/command.ts'
import { demoSource, fileSource, upstreamSource } from '../../../lib/cli/source.ts'
import { ConfigError } from '../../../lib/config/problems.ts'
import { createSimulator } from '../../../simulator/server.ts'
import { temporaryDirectory } from '../../support/cli.ts'
import { MODEL } from '../../support/config.ts'

describe('fileSource', () => {
  const directory = temporaryDirectory()

  it('reads the file anew each time, and has no key to show', () => {
    const file = join(directory(), 'a.yaml')
    const source = fileSource(file)
    expect(() => source.load()).throw(ConfigError)
    writeFileSync(file, MODEL)
    expect(source.load().models).lengthOf(1)
    expect(source.secrets).deep.equal([])
  })
})

describe('demoSource', () => {
  const directory = temporaryDirectory()

  it('writes data/demo.yaml for its owner alone, with a key', async () => {
    const source = await demoSource(join(directory(), 'data'))
    await source.close()
    expect(source.file).equal(join(directory(), 'data', 'demo.yaml'))
    expect(statSync(source.file).mode & 0o777).equal(0o600)
    expect(source.secrets[0]).match(/^service_[0-9a-f]{40}$/)
    expect(readFileSync(source.file, 'utf8')).contain(source.secrets[0])
  })

  it('keeps the file of the last time, and so its key', async () => {
    const first = await demoSource(directory())
    await first.close()
    writeFileSync(first.file, readFileSync(first.file, 'utf8').replace('name: Demo', 'name: Mine'))
    const second = await demoSource(directory())
    await second.close()
    expect(second.secrets).deep.equal(first.secrets)
    expect(second.load().accounts[0]!.name).equal('Mine')
  })

  it('replaces the address in the file with that of a simulated backend', async () => {
    const source = await demoSource(directory())
    try {
      const urls = new Set(source.load().models.flatMap(({ backends }) => backends.map(({ url }) => url)))
      expect(urls.size).equal(2)
      const [url, second] = urls
      expect(url).match(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
      const list = (await (await fetch(`${url}/models`)).json()) as { data: { id: string }[] }
      expect(list.data.map(({ id }) => id)).deep.equal(['demo', 'demo-plain'])
      const other = (await (await fetch(`${second}/models`)).json()) as typeof list
      expect(other.data.map(({ id }) => id)).deep.equal(['demo'])
    } finally {
      await source.close()
    }
  })

  it('starts with no simulated model when the file has none left', async () => {
    writeFileSync(join(directory(), 'demo.yaml'), MODEL.replace('8000', '8123'))
    const source = await demoSource(directory())
    await source.close()
    expect(source.load().models[0]!.backends[0]!.url).equal('http://127.0.0.1:8123/v1')
  })

  it('explains a data directory that is a file', async () => {
    const file = join(directory(), 'data')
    writeFileSync(file, '')
    const error = await demoSource(file).catch(thrown => thrown)
    expect(error).instanceOf(CommandError)
    expect(error.message).contain('cannot be written').and.contain('--config FILE')
  })
})

describe('upstreamSource', () => {
  const directory = temporaryDirectory()

  it('finds the models of a server and its engine; the key stays the same', async () => {
    const simulator = createSimulator({
      models: [{ id: 'org/one', max_model_len: 4096 }, { id: 'two' }],
      engine: 'sglang',
    })
    const port = await simulator.listen(0, '127.0.0.1')
    try {
      const first = await upstreamSource(directory(), `127.0.0.1:${port}`)
      const { models } = first.load()
      expect(models.map(({ id }) => id)).deep.equal(['org/one', 'two'])
      expect(models[0]).deep.include({ max_model_len: 4096 })
      expect(models[0]!.backends[0]).deep.include({ url: `http://127.0.0.1:${port}/v1`, engine: 'sglang' })
      expect(statSync(first.file).mode & 0o777).equal(0o600)
      const second = await upstreamSource(directory(), `http://127.0.0.1:${port}/v1/`)
      expect(second.secrets).deep.equal(first.secrets)
    } finally {
      await simulator.close()
    }
  })

  it('finds out in the background what the model can do', async () => {
    const simulator = createSimulator({ tokens_per_second: 0, first_token_ms: 0, thinking_kwarg: 'thinking' })
    const port = await simulator.listen(0, '127.0.0.1')
    try {
      const source = await upstreamSource(directory(), `127.0.0.1:${port}`)
      expect(source.load().models[0]!.capabilities).include({ reasoning: false })
      const said: string[] = []
      await source.improve!(line => said.push(line), new AbortController().signal)
      const { capabilities, backends } = source.load().models[0]!
      expect(capabilities).include({ reasoning: true, tools: true })
      expect(capabilities.chat_completions).include({ n: true, structured_outputs: true, suffix: false })
      expect(backends[0]!.profile).include({ thinking_kwarg: 'thinking' })
      expect(said.join('\n')).match(/^Found {4}simulated: .*\bn\b.*reasoning/)
      await simulator.close()
      const before = source.load()
      await source.improve!(line => said.push(line), new AbortController().signal)
      expect(said.at(-1)).match(/^Found {4}simulated: nothing, /)
      expect(source.load()).deep.equal(before)
    } finally {
      await simulator.close()
    }
  })

  it('says where to set the key that a server requires', async () => {
    const simulator = createSimulator({ api_key: 'very-secret' })
    const port = await simulator.listen(0, '127.0.0.1')
    const error = await upstreamSource(directory(), `http://127.0.0.1:${port}`).catch(thrown => thrown)
    await simulator.close()
    expect(error).instanceOf(CommandError)
    expect(error.message).match(/\(status 401\): put it into the environment variable UPSTREAM_API_KEY$/)
  })

  it('explains a server that cannot be reached, and writes nothing', async () => {
    const error = await upstreamSource(directory(), 'http://127.0.0.1:1').catch(thrown => thrown)
    expect(error).instanceOf(CommandError)
    expect(error.message).contain('127.0.0.1:1')
    expect(existsSync(join(directory(), 'upstream.yaml'))).equal(false)
  })
})
