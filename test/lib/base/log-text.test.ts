import { expect } from 'chai'
import { textLine } from '../../../lib/base/log-text.ts'

const TIME = '2026-01-02T03:04:05.678Z'
const line = (members: object) => textLine(`${JSON.stringify({ level: 30, time: TIME, ...members })}\n`)

describe('log-text', () => {
  it('has time, level, message and members', () => {
    expect(line({ status: 200, stream: true, route: 'chat', msg: 'request' })).equal(
      `${TIME} INFO  request status=200 stream=true route=chat\n`,
    )
  })

  it('names the levels', () => {
    const words = [10, 20, 30, 40, 50, 60, 35].map(level => line({ level, msg: 'm' }).slice(TIME.length + 1))
    expect(words).deep.equal([
      'TRACE m\n',
      'DEBUG m\n',
      'INFO  m\n',
      'WARN  m\n',
      'ERROR m\n',
      'FATAL m\n',
      '35    m\n',
    ])
  })

  it('names the worker before the message', () => {
    expect(line({ worker: 2, msg: 'request', status: 200 })).equal(`${TIME} INFO  [worker 2] request status=200\n`)
    expect(line({ worker: 0 })).equal(`${TIME} INFO  [worker 0]\n`)
  })

  it('quotes ambiguous values', () => {
    const members = {
      a: 'two words',
      b: '',
      c: 'x=y',
      d: '"',
      e: ['p', { q: null }],
      f: null,
      g: 'http://h:1/v1',
      h: 'é',
    }
    expect(line({ ...members, msg: 'm' })).equal(
      `${TIME} INFO  m a="two words" b="" c="x=y" d="\\"" e=["p",{"q":null}] f=null g=http://h:1/v1 h=é\n`,
    )
  })

  it('lets no value begin a line or control a terminal', () => {
    const evil = `x\n${TIME} FATAL forged\r\x1b[2J\x9b\u2028\x7f\u202e`
    const text = line({
      level: 50,
      msg: evil,
      [evil]: evil,
      list: [evil],
      err: { type: 'E', message: evil, code: evil },
    })
    const [first, ...stack] = text.trimEnd().split('\n')
    expect(first).contain(`${TIME} ERROR x\\u000a`)
    expect(stack.length).greaterThan(0)
    for (const part of stack) expect(part).match(/^ {4}/)
    expect(text.replaceAll('\n', '')).not.match(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  it('has the stack of an error on the next lines, and its other members in the first', () => {
    const err = { type: 'TypeError', message: 'broken', stack: 'TypeError: broken\n    at here', code: 'E1' }
    expect(line({ level: 50, err, msg: 'fault' })).equal(
      `${TIME} ERROR fault err.code=E1\n    TypeError: broken\n        at here\n`,
    )
    expect(line({ err: { type: 'Error', message: 'm' }, msg: 'x' })).equal(`${TIME} INFO  x\n    Error: m\n`)
    expect(line({ err: 'text', msg: 'x' })).equal(`${TIME} INFO  x err=text\n`)
  })

  it('does not change a line that is not JSON', () => {
    expect(textLine('no json\n')).equal('no json\n')
  })
})
