import { expect } from 'chai'
import { chainProblems, instead, portOf, readArguments, required, UsageError } from '../../../lib/cli/command.ts'

const OPTIONS = {
  config: { type: 'string', short: 'c' },
  'admin-port': { type: 'string' },
  all: { type: 'boolean' },
} as const

describe('readArguments', () => {
  it('reads options and positionals', () => {
    const { values, positionals } = readArguments(['a', '--config', 'f', '--admin-port=1', 'b', '--all'], OPTIONS, 2)
    expect({ ...values }).deep.equal({ config: 'f', 'admin-port': '1', all: true })
    expect(positionals).deep.equal(['a', 'b'])
  })

  it('says what is wrong in one line', () => {
    const mistakes: readonly (readonly [string[], string])[] = [
      [['--confg', 'x'], "unknown option '--confg': did you mean '--config'?"],
      [['--adminport', '1'], "unknown option '--adminport': did you mean '--admin-port'?"],
      [['--whatever'], "unknown option '--whatever'"],
      [['-x'], "unknown option '-x'"],
      [['-500'], 'write -- before a number below zero: -- -5…'],
      [['--config'], '--config needs a value'],
      [['--admin-port'], '--admin-port needs a value'],
      [['--config', '--all'], '--config needs a value'],
      [['--all=yes'], '--all takes no value'],
      [['a', 'b'], "unexpected argument 'b'"],
    ]
    for (const [argv, message] of mistakes) {
      expect(() => readArguments(argv, OPTIONS, 1), argv.join(' ')).throw(UsageError, message)
    }
  })
})

describe('instead', () => {
  it('names what is most similar, or what there is', () => {
    expect(instead('fre', ['free', 'pro'], '')).equal(": did you mean 'free'?")
    expect(instead('x', ['free', 'pro'], '')).equal(": there are 'free', 'pro'")
    expect(instead('x', ['free'], '')).equal(": there is 'free'")
    expect(instead('x', [], 'add it')).equal(': add it')
    const many = Array.from({ length: 12 }, (_, i) => `plan-${i}`)
    expect(instead('x', many, '')).match(/'plan-9' and 2 more$/)
  })
})

describe('required', () => {
  it('wants a value', () => {
    expect(required('x', '--config FILE')).equal('x')
    expect(() => required(undefined, '--config FILE')).throw(UsageError, '--config FILE is needed')
    expect(() => required('', '--config FILE')).throw(UsageError)
  })
})

describe('portOf', () => {
  it('reads a port, 0 included', () => {
    expect(portOf(undefined, '--port')).equal(undefined)
    expect(portOf('0', '--port')).equal(0)
    expect(portOf('65535', '--port')).equal(65_535)
  })

  it('refuses everything else', () => {
    for (const text of ['', '-1', '65536', '1.5', '0x10', 'http', '100000']) {
      expect(() => portOf(text, '--port'), text).throw(UsageError, '--port must be a number from 0 to 65535')
    }
  })
})

describe('chainProblems', () => {
  it('lists them under the file', () => {
    expect(chainProblems('f.yaml', ['a', 'b'])).equal('f.yaml has a chain of plugins that cannot run:\n  a\n  b')
  })
})
