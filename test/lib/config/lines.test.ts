import { expect } from 'chai'
import { defaultChain } from '../../../lib/config/default-chain.ts'
import { pluginLine } from '../../../lib/config/lines.ts'
import { parseConfig } from '../../../lib/config/read.ts'

const read = (text: string) => parseConfig(text, { baseDir: '/', env: {}, fileName: 'f' }).plugins

describe('lines of plugins', () => {
  it('are those of the member, or of the nearest one around it', () => {
    const chain = read(
      'models: [{ id: m, backends: [{ url: http://a/v1 }] }]\nplugins:\n- use: auth\n- use: images\n  options:\n    max_bytes: 5\n',
    )
    const lines = ['plugins', 'plugins.0', 'plugins.1.options', 'plugins.1.options.max_bytes', 'plugins.1.options.x']
    expect(lines.map(path => pluginLine(chain, path))).deep.equal([3, 3, 5, 6, 5])
  })

  it('are not known of a chain that is not in a file', () => {
    const entries = defaultChain().map(use => ({ use, enabled: true, options: {}, change: 'none', path: 'x' }) as const)
    expect(pluginLine({ origin: 'default', entries }, 'plugins.0')).equal(undefined)
    expect(pluginLine(read('models: [{ id: m, backends: [{ url: http://a/v1 }] }]'), 'plugins.0')).equal(undefined)
  })
})
