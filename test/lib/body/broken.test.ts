import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { abandonBody, breakBody, brokenBodyError, onBodyAbandoned, onBodyBroken } from '../../../lib/body/broken.ts'
import { failure } from '../../../lib/errors/errors.ts'

const request = () => new EventEmitter() as unknown as IncomingMessage
const fault = failure('http_408', {})

describe('body/broken', () => {
  it('notifies a listener once, and reports the error to later callers', () => {
    const req = request()
    let calls = 0
    onBodyBroken(req, () => calls++)
    expect(brokenBodyError(req)).equal(undefined)
    breakBody(req, fault)
    breakBody(req, fault)
    expect([calls, brokenBodyError(req)]).deep.equal([1, fault])
  })

  it('does not notify a removed listener', () => {
    const req = request()
    let calls = 0
    onBodyBroken(req, () => calls++)()
    breakBody(req, fault)
    expect(calls).equal(0)
  })

  it('keeps requests apart', () => {
    const broken = request()
    breakBody(broken, fault)
    expect(brokenBodyError(request())).equal(undefined)
  })

  it('notifies those who listen for an abandoned body, once', () => {
    const req = request()
    const heard: string[] = []
    onBodyAbandoned(req, () => heard.push('first'))
    onBodyAbandoned(req, () => heard.push('second'))()
    abandonBody(req)
    abandonBody(req)
    expect(heard).deep.equal(['first'])
  })
})
