import { expect } from 'chai'
import { GatewayError } from '../../../lib/errors.ts'
import { askStore } from '../../../lib/store/ask.ts'
import type { Store } from '../../../lib/store/store.ts'

/** A store that is ready, or not, as `prepare` says. */
const storeThat = (prepare: () => Promise<void>) => ({ dialect: 'sqlite', prepare }) as unknown as Store

const failureOf = async (answer: Promise<unknown>): Promise<GatewayError> => {
  const thrown: unknown = await answer.then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(thrown).instanceOf(GatewayError)
  return thrown as GatewayError
}

describe('a question to the store', () => {
  it('is answered', async () => {
    const ask = askStore(storeThat(async () => {}))
    expect(await ask(async ({ dialect }) => dialect)).equal('sqlite')
  })

  it('is a 503 to be repeated, never another error, when the store fails', async () => {
    const cause = new Error('no such host db.internal')
    const away = askStore(storeThat(() => Promise.reject(cause)))
    const failing = askStore(storeThat(async () => {}))
    for (const answer of [away(async () => 1), failing(() => Promise.reject(cause))]) {
      const error = await failureOf(answer)
      expect(error).include({ code: 'internal_error', status: 503 })
      expect(error.details.headers).deep.equal({ 'retry-after': '5' })
      expect(error.details.cause).equal(cause)
      expect(error.message).not.contain('db.internal')
    }
  })

  it('is the same when the store says nothing', async () => {
    const silent = askStore(
      storeThat(() => new Promise(() => {})),
      20,
    )
    expect(await failureOf(silent(async () => 1))).include({ code: 'internal_error', status: 503 })
  })
})
