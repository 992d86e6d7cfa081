import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { Reloader } from '../../../lib/cli/reload.ts'
import { fileSource } from '../../../lib/cli/source.ts'
import type { Config } from '../../../lib/config/config.ts'
import { temporaryDirectory } from '../../support/cli.ts'
import { MODEL } from '../../support/config.ts'

/** Later changes are compared with the first look at a file, which has happened after this time, or after some more. */
const LOOK_MS = 300

/** Changes a file, and again after some seconds, until the change is noticed. */
async function noticed(notice: Promise<void>, change: () => void): Promise<void> {
  await sleep(LOOK_MS)
  do change()
  while (!(await Promise.race([notice.then(() => true), sleep(5000, false, { ref: false })])))
}

describe('Reloader', () => {
  const directory = temporaryDirectory()
  let reloader: Reloader
  afterEach(() => reloader.stop())

  /** A reloader of a file, what it handed on, and what it logged. */
  function scene(text: string, reload: (config: Config) => Promise<void> = async () => {}) {
    const file = join(directory(), 'a.yaml')
    writeFileSync(file, text)
    const brands: string[] = []
    const noted: (readonly string[])[] = []
    const logged: string[] = []
    const log = pino({ base: null, timestamp: false }, { write: line => void logged.push(line) })
    const target = {
      reload(config: Config) {
        brands.push(config.brand)
        return reload(config)
      },
      reloaded: (problems: readonly string[]) => void noted.push(problems),
    }
    const source = fileSource(file)
    reloader = new Reloader(source, target, log)
    return { file, brands, noted, logged, config: () => source.load() }
  }

  it('hands the file on as it now is', async () => {
    const { file, brands, noted, logged } = scene(`brand: one${MODEL}`)
    await reloader.reload()
    writeFileSync(file, `brand: two${MODEL}`)
    await reloader.reload()
    expect(noted).deep.equal([[], []])
    expect(brands).deep.equal(['one', 'two'])
    expect(logged).deep.equal([])
  })

  it('refuses a bad file with a line in the log that names every problem', async () => {
    const { file, brands, noted, logged } = scene(`brand: One${MODEL}lisen: {}`)
    await reloader.reload()
    expect(brands).deep.equal([])
    expect(noted).deep.equal([
      [
        'line 1: brand: must be 1 to 32 lower-case letters, digits and dashes, and start with a letter',
        "line 5: lisen: unknown key 'lisen': did you mean 'listen'?",
      ],
    ])
    expect(logged.map(line => JSON.parse(line))).deep.equal([
      {
        level: 50,
        file,
        problems: [
          {
            path: 'brand',
            message: 'must be 1 to 32 lower-case letters, digits and dashes, and start with a letter',
            line: 1,
          },
          { path: 'lisen', message: "unknown key 'lisen': did you mean 'listen'?", line: 5 },
        ],
        msg: 'configuration rejected: the running one stays in force',
      },
    ])
  })

  it('logs why the gateway refuses a file, and keeps running', async () => {
    const { brands, logged } = scene(`brand: one${MODEL}`, () => Promise.reject(new Error('no such plugin')))
    await reloader.reload()
    await reloader.reload()
    expect(brands).lengthOf(2)
    expect(JSON.parse(logged[0]!).problems).deep.equal(['no such plugin'])
  })

  it('runs one reload at a time; requests meanwhile cause one more', async () => {
    let inside = 0
    const { brands } = scene(`brand: one${MODEL}`, async () => {
      inside++
      await new Promise(setImmediate)
      expect(inside).equal(1)
      inside--
    })
    await Promise.all([reloader.reload(), reloader.reload(), reloader.reload()])
    expect(brands).lengthOf(2)
  })

  it('notices a change of the file, once', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { file, brands, config } = scene(`brand: one${MODEL}`, async () => resolve())
    reloader.watch(config(), 20)
    await noticed(promise, () => writeFileSync(file, `brand: second${MODEL}`))
    expect(brands).deep.equal(['second'])
  })

  it('notices a certificate that is renewed, also one that only a reload has named', async () => {
    const tls = (name: string, ofBackend = false) => {
      const dir = directory()
      const names = ['cert', 'key'].map(kind => {
        copyFileSync(new URL(`../../fixtures/tls/${kind}.pem`, import.meta.url), join(dir, `${kind}.pem`))
        return `${kind}: ${join(dir, `${kind}.pem`)}`
      })
      const model = `models: [{ id: m, backends: [{ url: "https://gpu.test/v1", tls: { ${names.join(', ')} } }] }]`
      const own = ofBackend ? `\n${model}` : `${MODEL}\nlisten: { tls: { ${names.join(', ')} } }`
      return { dir, text: `brand: ${name}${own}` }
    }
    let changed = Promise.withResolvers<void>()
    const renew = async (dir: string) => {
      changed = Promise.withResolvers<void>()
      await noticed(changed.promise, () => {
        for (const kind of ['cert', 'key'])
          copyFileSync(new URL(`../../fixtures/tls/renewed-${kind}.pem`, import.meta.url), join(dir, `${kind}.pem`))
      })
    }
    const [first, second] = [tls('one'), tls('two', true)]
    const { file, brands, config } = scene(first.text, async () => changed.resolve())
    reloader.watch(config(), 20)
    await renew(first.dir)
    expect(brands).deep.equal(['one'])

    writeFileSync(file, second.text)
    await reloader.reload()
    await renew(second.dir)
    expect(new Set(brands.slice(1))).deep.equal(new Set(['two']))
  })

  it('does not look again once it is stopped', async () => {
    const { file, brands, config } = scene(`brand: one${MODEL}`)
    reloader.watch(config(), 20)
    reloader.stop()
    writeFileSync(file, `brand: second${MODEL}`)
    await new Promise(wait => setTimeout(wait, 350))
    expect(brands).deep.equal([])
  })
})
