import type { Writable } from 'node:stream'
import { expect } from 'chai'
import { readForm } from '../../../plugins/console/form.ts'

const feed =
  (...pieces: Buffer[]) =>
  (sink: Writable, limit: number) => {
    expect(limit).equal(16_384)
    return new Promise<void>(resolve => {
      sink.on('finish', resolve)
      for (const piece of pieces) sink.write(piece)
      sink.end()
    })
  }

describe('form', () => {
  it('is read completely, at any boundary of its chunks', async () => {
    const bytes = Buffer.from('name=é+b&other=%26')
    const form = await readForm(feed(bytes.subarray(0, 6), bytes.subarray(6)))
    expect([...form]).deep.equal([
      ['name', 'é b'],
      ['other', '&'],
    ])
  })

  it('is empty without a body', async () => {
    expect([...(await readForm(feed()))]).deep.equal([])
  })
})
