import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { expect } from 'chai'
import { readText } from '../../../lib/http/read-text.ts'

const request = (...pieces: Buffer[]) => Readable.from(pieces) as unknown as IncomingMessage

describe('the text of a body', () => {
  it('is decoded as a whole', async () => {
    const bytes = Buffer.from('für')
    expect(await readText(request(bytes.subarray(0, 2), bytes.subarray(2)), 4)).equal('für')
    expect(await readText(request(), 0)).equal('')
  })

  it('is refused as soon as it is too long', async () => {
    let read = 0
    const endless = Readable.from(
      (function* () {
        for (;;) {
          read++
          yield Buffer.alloc(10)
        }
      })(),
      { highWaterMark: 1 },
    )
    const error = await readText(endless as unknown as IncomingMessage, 25).catch((thrown: unknown) => thrown)
    expect(error).include({ code: 'request_body_too_large' })
    expect(read).below(10)
  })
})
