import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { parseConfig } from '../../../lib/config/read.ts'
import { startResources } from '../../../lib/process/resources.ts'
import { configFile, KEY } from '../../support/gateway.ts'

/** test/lib/process/gateway.slow.test.ts shows how it begins and ends with its servers. */
describe('resources', () => {
  let dir: string
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluiceway-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const configOf = (backends: readonly string[], account = {}) =>
    parseConfig(JSON.stringify(configFile(dir, { backends, account })), { baseDir: dir, env: {}, fileName: 'a.json' })

  it('has the backends and keys of the configuration in force, and services for each', async () => {
    const first = configOf(['http://127.0.0.1:1/v1'])
    const resources = await startResources(first)
    try {
      const addresses = () =>
        resources.backends.snapshot().flatMap(({ backends }) => backends.map(({ address }) => address))
      const services = await resources.servicesFor(first)
      expect(addresses()).deep.equal(['http://127.0.0.1:1/v1'])
      expect(services.keys.find(KEY)?.account.name).equal('test')

      const second = configOf(['http://127.0.0.1:2/v1'], { name: 'renamed' })
      const later = await resources.servicesFor(second)
      expect(later.config).equal(second)
      expect(addresses(), 'not in force yet').deep.equal(['http://127.0.0.1:1/v1'])
      resources.update(second)
      expect(addresses()).deep.equal(['http://127.0.0.1:2/v1'])
      expect(services.keys.find(KEY)?.account.name).equal('renamed')
      expect([later.keys, later.limits, later.records]).deep.equal([services.keys, services.limits, services.records])
    } finally {
      await resources.close()
    }
  })

  it('can be started again where another one was closed', async () => {
    for (let i = 0; i < 2; i++) await (await startResources(configOf(['http://127.0.0.1:1/v1']))).close()
  })
})
