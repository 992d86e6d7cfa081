import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { bodyFault, breakBody, onBodyBroken } from '../../../lib/body/broken.ts'
import { failure } from '../../../lib/errors/errors.ts'

const request = () => new EventEmitter() as unknown as IncomingMessage
const fault = failure('http_408', {})

describe('body/broken', () => {
  it('tells whoever listens, once, and whoever asks later', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)
    expect(bodyFault(req)).equal(undefined)
    breakBody(req, fault)
    breakBody(req, fault)
    expect([told, bodyFault(req)]).deep.equal([1, fault])
  })

  it('tells nobody who has stopped listening', () => {
    const req = request()
    let told = 0
    onBodyBroken(req, () => told++)()
    breakBody(req, fault)
    expect(told).equal(0)
  })

  it('is a matter of one request', () => {
    const broken = request()
    breakBody(broken, fault)
    expect(bodyFault(request())).equal(undefined)
  })
})
