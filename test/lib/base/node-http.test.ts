import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'

const MODULES = ['lib/cli/serve.ts', 'lib/process/gateway.ts', 'plugins/images/images/index.ts']

describe('base/node-http', () => {
  it('is all that the gateway has of node:http: its modules do not load the undici inside Node', async () => {
    const script = `
      for (const file of ${JSON.stringify(MODULES)}) await import(process.cwd() + '/' + file)
      process.stdout.write(JSON.stringify(process.moduleLoadList))`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      maxBuffer: 1 << 24,
    })
    const loaded = JSON.parse(stdout) as string[]
    expect(loaded).to.include('NativeModule http')
    expect(loaded.filter(name => name.includes('deps/undici'))).to.deep.equal([])
  })
})
