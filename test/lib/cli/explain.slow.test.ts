import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { runCli, temporaryDirectory } from '../../support/cli.ts'
import { MODEL } from '../../support/config.ts'

describe('sluiceway explain', () => {
  const directory = temporaryDirectory()
  const explain = (plugins: readonly string[]) => {
    const file = join(directory(), 'a.yaml')
    writeFileSync(file, `plugins: [${plugins.map(use => `{ use: ${use} }`).join(', ')}]${MODEL}`)
    return runCli(['explain', '--config', file])
  }

  it('prints the chain of every route, in order', async () => {
    const { code, out, err } = await explain(['request-id', 'auth', 'zdr', 'validate', 'translate', 'model'])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    const chat = out.slice(out.indexOf('POST /v1/chat/completions (gateway.chat)\n')).split('\n\n')[0]!
    const names = chat
      .split('\n')
      .slice(1)
      .map(line => line.trim().split(' ')[0])
    expect(names).deep.equal(['request-id', 'auth', 'zdr', 'validate', 'translate', 'model'])
  })

  it('without a file, prints the default chain', async () => {
    const { code, out, err } = await runCli(['explain'])
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    expect(out).match(/^POST \/v1\/messages \(gateway\.messages\)\n {2}request-id /m)
  })

  it('ends with 1 when the gateway would not start, and says why', async () => {
    const { code, err } = await explain(['auth', 'zdr'])
    expect(code).equal(1)
    expect(err).match(/gateway\.chat and \d+ more: no plugin fills slot 'target'/)
  })
})
