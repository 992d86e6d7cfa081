import { expect } from 'chai'
import { play } from '../../../lib/testing.ts'
import zdr from '../../../plugins/access/zdr/index.ts'
import { key, zdr as slot } from '../../../plugins/slots.ts'
import { keyOf } from '../../support/key.ts'

/** The value of the slot, or the refusal. */
async function asked(header: string | undefined, zdrRequired = false, brand = 'service') {
  const { error, exchange } = await play(zdr, {
    given: [[key, keyOf({ zdrRequired })]],
    headers: header === undefined ? {} : { [`${brand}-zdr`]: header },
    services: { config: { brand } as never },
  })
  return error === undefined ? exchange.find(slot) : { code: error.code, status: error.status, message: error.message }
}

describe('zdr', () => {
  it('is required by the header', async () => {
    expect(await asked('required')).equal('header')
  })

  it('is required by the account', async () => {
    expect(await asked(undefined, true)).equal('policy')
  })

  it('is that of the header if both require it: its status applies', async () => {
    expect(await asked('required', true)).equal('header')
  })

  it('is not required otherwise', async () => {
    expect(await asked(undefined)).equal(null)
  })

  it('has one valid value', async () => {
    for (const value of ['', 'Required', 'true', 'required ', 'required, required', 'none', 'optional']) {
      for (const policy of [false, true])
        expect(await asked(value, policy), value).deep.equal({
          code: 'invalid_zdr_header',
          status: 400,
          message: "Service-ZDR has one valid value: 'required'.",
        })
    }
  })

  it('is required by the header with the brand', async () => {
    expect(await asked('required', false, 'acme')).equal('header')
    expect(await asked('no', false, 'acme')).include({ message: "Acme-ZDR has one valid value: 'required'." })
    const { exchange } = await play(zdr, {
      given: [[key, keyOf()]],
      headers: { 'service-zdr': 'required' },
      services: { config: { brand: 'acme' } as never },
    })
    expect(exchange.find(slot)).equal(null)
  })
})
