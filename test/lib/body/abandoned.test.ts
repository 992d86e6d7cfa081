import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect } from 'chai'
import { abandonBody, onBodyAbandoned } from '../../../lib/body/abandoned.ts'

describe('body/abandoned', () => {
  it('tells who listens, once, and nobody who has stopped listening', () => {
    const req = new EventEmitter() as IncomingMessage
    const heard: string[] = []
    onBodyAbandoned(req, () => heard.push('first'))
    onBodyAbandoned(req, () => heard.push('second'))()
    abandonBody(req)
    abandonBody(req)
    expect(heard).deep.equal(['first'])
  })
})
