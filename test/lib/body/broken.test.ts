import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { breakBody, brokenBodyError, onBodyBroken } from '../../../lib/body/broken.ts'
import { failure } from '../../../lib/errors/errors.ts'

const request = () => new EventEmitter() as unknown as IncomingMessage
const fault = failure('http_408', {})

describe('body/broken', () => {
  it('notifies a listener once, and reports the error to later callers', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)
    expect(brokenBodyError(req)).equal(undefined)
    breakBody(req, fault)
    breakBody(req, fault)
    expect([told, brokenBodyError(req)]).deep.equal([1, fault])
  })

  it('does not notify a removed listener', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)()
    breakBody(req, fault)
    expect(told).equal(0)
  })

  it('keeps requests apart', () => {
    const broken = request()
    breakBody(broken, fault)
    expect(brokenBodyError(request())).equal(undefined)
  })
})
