import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import {
  abandonBody,
  breakBody,
  brokenBodyError,
  onBodyAbandoned,
  onBodyBroken,
  SlowUploads,
} from '../../../lib/body/interrupted.ts'
import { failure } from '../../../lib/errors/errors.ts'
import { eventually } from '../../support/gateway.ts'

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

const upload = () => ({
  received: 0,
  stalled: 0,
  onStalled() {
    this.stalled++
  },
})

describe('body/slow-uploads', () => {
  it('aborts what does not progress, and nothing else', async () => {
    const uploads = new SlowUploads(20)
    const [idle, trickling, busy, over] = [upload(), upload(), upload(), upload()]
    const pace = setInterval(() => {
      trickling.received++
      busy.received += 10_000
    }, 1)
    for (const one of [idle, trickling, busy]) uploads.watch(one)
    uploads.watch(over)()
    expect(uploads.count).equal(3)
    await eventually(() => idle.stalled > 0 && trickling.stalled > 0)
    clearInterval(pace)
    uploads.close()
    expect([busy.stalled, over.stalled]).deep.equal([0, 0])
  })

  it('can be without an end', () => {
    const uploads = new SlowUploads(Number.POSITIVE_INFINITY)
    uploads.watch(upload())
    expect(uploads.count).equal(1)
  })
})
