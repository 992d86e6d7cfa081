import { execFileSync } from 'node:child_process'
import { expect } from 'chai'
import { shellQuoted } from '../../../lib/base/shell-quoted.ts'

describe('shellQuoted', () => {
  it('comes through a shell unchanged', () => {
    for (const text of ['', `it's "$HOME" \`ls\` \\ !\n;`, "'"])
      expect(execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })).equal(text)
  })
})
