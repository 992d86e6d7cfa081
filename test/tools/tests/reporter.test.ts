import { expect } from 'chai'
import Mocha from 'mocha'
import { SummaryReporter } from '../../../tools/tests/reporter.ts'

/** What is printed for a run of this one suite. */
async function printed(fill: (suite: Mocha.Suite) => void) {
  const lines: string[] = []
  const remembered: (readonly [string, number])[] = []
  const files = {
    shown: (file: string) => file.replace('/repository/', ''),
    remember: (taken: ReadonlyMap<string, number>) => void remembered.push(...taken),
  }
  const reporterOptions = { files, print: (line: string) => void lines.push(line) }
  const mocha = new Mocha({ reporter: SummaryReporter, reporterOptions })
  const suite = Mocha.Suite.create(mocha.suite, 'suite')
  fill(suite)
  suite.eachTest(test => {
    test.file = '/repository/test/a.test.ts'
  })
  const list: string[] = []
  const { consoleLog } = Mocha.reporters.Base
  Mocha.reporters.Base.consoleLog = (...args: unknown[]) => void list.push(args.join(' '))
  try {
    await new Promise(resolve => mocha.run(resolve))
  } finally {
    Mocha.reporters.Base.consoleLog = consoleLog
  }
  return { lines, list: list.join('\n'), remembered }
}

describe('summary of a test run', () => {
  it('ends with its numbers, after what was skipped and what took longest', async () => {
    const { lines, remembered } = await printed(suite => {
      suite.addTest(new Mocha.Test('passes', () => {}))
      suite.addTest(new Mocha.Test('is skipped'))
    })
    expect(lines[0]).equal('skipped 1 in test/a.test.ts')
    expect(lines[1]).equal('The slowest files:')
    expect(lines[2]).match(/^ +\d+\.\d s {2}test\/a\.test\.ts$/)
    expect(lines[3]).match(/^1 passed, 1 skipped, 0 failed in 1 files, \d+\.\d s$/)
    expect(lines).length(4)
    expect(remembered.map(([file]) => file)).deep.equal(['/repository/test/a.test.ts'])
  })

  it('names a failure at once, and shows it in full at the end', async () => {
    const { lines, list } = await printed(suite => {
      suite.addTest(
        new Mocha.Test('fails', () => {
          expect('a\nb').equal('a\nc')
        }),
      )
      suite.addTest(new Mocha.Test('passes', () => {}))
    })
    expect(lines[0]).match(/^FAILED test\/a\.test\.ts: suite fails\n +expected 'a/)
    expect(lines.at(-1)).match(/^1 passed, 0 skipped, 1 failed/)
    expect(list).contain('AssertionError')
  })
})
