import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

describe('batches over HTTP', () => {
  it('are measured next to interactive requests, and lose nothing', function () {
    if (process.platform !== 'linux') this.skip()
    const main = fileURLToPath(new URL('../../../bench/batches/main.ts', import.meta.url))
    const numbers = ['--engines', '1', '--loads', '30', '--seconds', '1', '--slots', '4', '--answer', '20']
    const { stdout, stderr } = spawnSync(process.execPath, [main, '--part', 'http', ...numbers], { encoding: 'utf8' })
    expect(stderr).equal('')
    expect(stdout).match(/^\| 30 \| \d+ \|/m)
    // The other goals depend on the machine.
    expect(stdout).contain('| lines lost, repeated or failed | 0.00 | ≤ 0 | met |')
    expect(stdout).contain('| interactive requests failed | 0.00 | ≤ 0 | met |')
  })
})
