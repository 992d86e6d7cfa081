import { expect } from 'chai'
import {
  chainProblems,
  portOf,
  readArguments,
  required,
  runAction,
  UsageError,
  unknownName,
} from '../../../lib/cli/command.ts'

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

describe('unknownName', () => {
  it('names what is most similar, or what there is', () => {
    const message = (name: string, known: readonly string[], none?: string) =>
      unknownName('plan', name, known, none).message
    expect(message('fre', ['free', 'pro'])).equal("there is no plan 'fre': did you mean 'free'?")
    expect(message('x', ['free', 'pro'])).equal("there is no plan 'x': there are 'free', 'pro'")
    expect(message('x', ['free'])).equal("there is no plan 'x': there is 'free'")
    expect(message('x', [])).equal("there is no plan 'x': add it to `plans` in the file")
    expect(message('x', [], 'add it')).equal("there is no plan 'x': add it")
    const many = Array.from({ length: 12 }, (_, i) => `plan-${i}`)
    expect(message('x', many)).match(/'plan-9' and 2 more$/)
  })
})

describe('runAction', () => {
  it('runs the action that the first argument names', async () => {
    const echo = async (argv: readonly string[]) => argv.length
    expect(await runAction(['list', 'a', 'b'], { list: echo, set: async () => 9 })).equal(2)
  })

  it('refuses a missing or unknown action with the known ones', async () => {
    const actions = { list: async () => 0, set: async () => 0, drop: async () => 0 }
    const fails = (...argv: string[]) => runAction(argv, actions).catch((error: unknown) => error as Error)
    expect(await fails())
      .instanceOf(UsageError)
      .property('message')
      .equal('an action is needed: list, set or drop')
    expect(await fails('toString'))
      .instanceOf(UsageError)
      .property('message')
      .equal("there is no action 'toString': use list, set or drop")
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
