import { expect } from 'chai'
import { StoredBatches } from '../../../lib/batches/service.ts'
import { GatewayError } from '../../../lib/errors/errors.ts'
import { BATCH_PURPOSE } from '../../../lib/files/files.ts'
import { changeBatch } from '../../../lib/store/batches.ts'
import { queryRunner } from '../../../lib/store/query-runner.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { ALICE, BOB, pieces, useFiles } from '../../support/files.ts'
import { keyOf } from '../../support/key.ts'
import { onEveryStore } from '../../support/stores.ts'

const wanted = {
  api: 'openai',
  endpoint: '/v1/chat/completions',
  window: '24h',
  metadata: { a: 'b' },
  outputExpiresSeconds: 3600,
} as const
const messages = { ...wanted, api: 'anthropic', endpoint: '/v1/messages' } as const

async function refusedBy(work: () => Promise<unknown>): Promise<GatewayError> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatewayError)) throw error ?? new Error('Nothing was refused.')
  return error
}

describe('batches of customers', () => {
  const files = useFiles()
  onEveryStore(store => {
    const scene = async () => {
      const config = configOf(`${MODEL}\nbatches: { max_unfinished: 1 }`)
      const own = files.open()
      const run = queryRunner(store())
      let changes = 0
      const parts = { run, files: own, config: () => config, clock: files.clock(), changed: () => void changes++ }
      const file = { filename: 'a.jsonl', purpose: BATCH_PURPOSE, account: 'acme' }
      const { id: input } = await own.createFrom(ALICE, file, pieces('{}\n'))
      return { batches: new StoredBatches(parts), own, input, changes: () => changes }
    }

    it('are created, found, listed and cancelled by their owner', async () => {
      const { batches, input, changes } = await scene()
      const made = await batches.create(keyOf(), ALICE, { ...wanted, input })
      expect(made).deep.include({ status: 'validating', metadata: { a: 'b' }, window: '24h', inputFileId: input })
      expect(made.expiresAt - made.createdAt).equal(86_400_000)
      expect(await batches.find(BOB, 'openai', made.id)).equal(undefined)
      const page = await batches.list(ALICE, { api: 'openai', limit: 1 })
      expect([page.batches.map(({ id }) => id), page.hasMore]).deep.equal([[made.id], false])
      expect(await batches.cancel(BOB, 'openai', made.id)).equal(undefined)
      expect(await batches.cancel(ALICE, 'openai', made.id)).include({ status: 'cancelling' })
      expect(changes()).equal(2)
    })

    it('are refused beyond a limit, and need a file', async () => {
      const { batches, input } = await scene()
      await batches.create(keyOf(), ALICE, { ...wanted, input })
      const error = await refusedBy(() => batches.create(keyOf(), ALICE, { ...wanted, input }))
      expect(error).include({ code: 'batch_limit_exceeded', status: 429 })
      expect(error.headers).include({ 'retry-after': '60', 'ratelimit-limit': '1', 'x-should-retry': 'false' })
      const unknown = await refusedBy(() => batches.create(keyOf(), BOB, { ...wanted, input }))
      expect([unknown.code, unknown.details.param]).deep.equal(['http_404', 'input_file_id'])
    })

    it('of the Messages API have all results or none, if a file of theirs was removed', async () => {
      const { batches, own, input } = await scene()
      const made = await batches.create(keyOf(), ALICE, { ...wanted, input })
      const error = { custom_id: 'a', response: null, error: { code: 'batch_expired', message: '' } }
      const file = { filename: 'b', purpose: 'batch_output', account: 'acme' }
      const { id } = await own.createFrom(ALICE, file, pieces(`${JSON.stringify(error)}\n`))
      const textOf = async (outputFileId: string | null) =>
        (await batches.results(ALICE, { ...made, outputFileId, errorFileId: id }).toArray()).join('')
      expect(JSON.parse(await textOf(null))).deep.equal({ custom_id: 'a', result: { type: 'expired' } })
      expect(await refusedBy(() => textOf('file-0'))).include({ code: 'http_404', status: 404 })
    })

    it('of the Messages API keep their lines in a hidden file, which is removed with them', async () => {
      const { batches, own } = await scene()
      const made = await batches.create(keyOf(), ALICE, { ...messages, input: pieces('{"a":1}\n', '{"a":2}\n') })
      expect(made.counts.total).equal(2)
      expect(await own.list(ALICE)).length(1)
      expect(await own.findAny(ALICE, made.inputFileId)).include({ bytes: 16 })
      await refusedBy(() => batches.create(keyOf(), ALICE, { ...messages, input: pieces('{}\n') }))
      expect(await batches.remove(ALICE, 'anthropic', made.id)).equal(false)
      await changeBatch(store(), made.id, { status: ['validating'] }, { status: 'cancelled' })
      expect(await batches.remove(ALICE, 'anthropic', made.id)).equal(true)
      expect(await own.findAny(ALICE, made.inputFileId)).equal(undefined)
      expect(await batches.find(ALICE, 'anthropic', made.id)).equal(undefined)
    })
  })
})
