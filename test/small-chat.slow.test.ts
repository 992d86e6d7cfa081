import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const script = fileURLToPath(new URL('../bench/touched-files.ts', import.meta.url))

/** Files of lib/ that a reader opens to follow a small chat. A feature that is off adds none. Never above 66. */
const MAX_FILES = 64

describe('a small chat', () => {
  it(`runs at most ${MAX_FILES} files of lib/`, () => {
    const output = execFileSync(process.execPath, [script], { encoding: 'utf8' })
    const files = output.split('\n').filter(line => /^lib\/.*\.ts$/.test(line))
    expect(files).contain('lib/dispatch/dispatch.ts')
    expect(files.length, output).most(MAX_FILES)
  })
})
