import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runCli, temporaryDirectory } from '../../support/cli.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url)).slice(0, -1)

describe('sluiceway plugin', () => {
  const directory = temporaryDirectory()
  const plugin = (...argv: string[]) => runCli(['plugin', ...argv], { cwd: directory() })

  it('new: writes a package, and prints its files and what to do next', async () => {
    const { code, out, err } = await plugin('new', 'max-words')
    expect({ code, err }).deep.equal({ code: 0, err: '' })
    expect(existsSync(join(directory(), 'max-words/index.ts'))).equal(true)
    expect(out).match(/^max-words\/package\.json\n/)
    expect(out).contain(`  cd max-words\n  npm install --save-dev ${repository}\n  npm test\n`)
    expect(out).contain('plugins: { base: default, add: [{ use: ./max-words/index.ts, after: model }] }')
  })

  it('new: a name that cannot be taken is explained, exit code 1', async () => {
    mkdirSync(join(directory(), 'taken'))
    expect(await plugin('new', 'taken')).deep.equal({
      code: 1,
      out: '',
      err: 'sluiceway plugin: taken exists already\n',
    })
    const { code, err } = await plugin('new', 'Max_Words')
    expect(code).equal(1)
    expect(err).match(/^sluiceway plugin: 'Max_Words' is not a valid name for a plugin: use lower-case words/)
  })

  it('wrong usage: exit code 2', async () => {
    const wrong = await Promise.all([plugin(), plugin('make', 'x'), plugin('new'), plugin('new', 'a', 'b')])
    expect(wrong.map(({ code }) => code)).deep.equal([2, 2, 2, 2])
    expect(wrong.map(({ err }) => err.split('\n')[0])).deep.equal([
      'sluiceway plugin: an action is needed: new',
      "sluiceway plugin: there is no action 'make': use new",
      'sluiceway plugin: NAME is needed',
      "sluiceway plugin: unexpected argument 'b'",
    ])
  })
})
