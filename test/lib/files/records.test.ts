import { expect } from 'chai'
import { openRecords, sealRecord } from '../../../lib/files/records.ts'
import { Sealing } from '../../../lib/files/sealing.ts'
import { gather, pieces } from '../../support/files.ts'

const TEXTS = ['one', '', 'x'.repeat(200_000), 'four']

describe('files/records', () => {
  const key = new Sealing(Buffer.alloc(32, 7))
  const read = async (bytes: Uint8Array, sealing: Sealing | null, place = 'batch_1', step = bytes.length) => {
    const cut = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
      bytes.subarray(i * step, (i + 1) * step),
    )
    return (await gather(openRecords(pieces(...cut), place, sealing))).map(String)
  }

  for (const sealing of [null, key]) {
    describe(sealing === null ? 'plain' : 'sealed', () => {
      const sealed = TEXTS.map(text => sealRecord(Buffer.from(text), 'batch_1', sealing))
      const whole = Buffer.concat(sealed)

      it('are read in order, however the file is read', async () => {
        for (const step of [997, 65_536, whole.length])
          expect(await read(whole, sealing, 'batch_1', step), String(step)).deep.equal(TEXTS)
        const short = sealed[0]!
        expect(await read(Buffer.concat([short, short]), sealing, 'batch_1', 1)).deep.equal(['one', 'one'])
        expect(await read(Buffer.alloc(0), sealing, 'batch_1', 1)).deep.equal([])
      })

      it('end at a torn one, or at zeros', async () => {
        const last = sealed.at(-1)!.length
        for (let missing = 1; missing <= last; missing++)
          expect(await read(whole.subarray(0, -missing), sealing), `${missing} bytes`).deep.equal(TEXTS.slice(0, -1))
        expect(await read(Buffer.concat([whole, Buffer.alloc(5000)]), sealing)).deep.equal(TEXTS)
      })

      it('are an error if one was changed', async () => {
        const first = sealed[0]!
        for (let at = 1; at < first.length; at++) {
          const changed = Buffer.from(whole)
          changed[at]! ^= 1
          expect(await read(changed, sealing).catch((error: Error) => error.message), `byte ${at}`).contain('changed')
        }
      })
    })
  }

  it('are bound to their batch', async () => {
    const sealed = sealRecord(Buffer.from('x'), 'batch_1', key)
    expect(await read(sealed, key, 'batch_2').catch((error: Error) => error.message)).contain('was changed')
  })

  it('may be plain and sealed in one file', async () => {
    const both = [sealRecord(Buffer.from('a'), 'b', null), sealRecord(Buffer.from('b'), 'b', key)]
    expect(await read(Buffer.concat(both), key, 'b')).deep.equal(['a', 'b'])
    expect(await read(Buffer.concat(both), null, 'b').catch((error: Error) => error.message)).contain('not configured')
  })
})
