import { expect } from 'chai'
import { validate } from '../../../lib/batches/validate.ts'
import { linesAfter } from '../../../lib/store/batch-lines.ts'
import { cancelBatch, createBatch } from '../../../lib/store/batches.ts'
import { batchRow, NOW } from '../../support/batch-rows.ts'
import { configOf, MODEL } from '../../support/config.ts'
import { pieces } from '../../support/files.ts'
import { keyOf } from '../../support/key.ts'
import { onEveryStore } from '../../support/stores.ts'

const endpoint = '/v1/chat/completions'
const line = (custom_id: string, model = 'm', more: object = {}) =>
  `${JSON.stringify({ custom_id, method: 'POST', url: endpoint, body: { model, ...more } })}\n`

describe('validation of an input file', () => {
  onEveryStore(store => {
    const run = async (text: string, api: 'openai' | 'anthropic' = 'openai', before = async () => {}) => {
      await createBatch(store(), batchRow('b1', { holder: 'p1' }), { batches: 9, lines: 9 })
      const config = configOf(`${MODEL}\nbatches: { max_requests: 3 }\nbody_limit_bytes: 20000`)
      const check = async (_: string, body: Buffer) => {
        await before()
        const { model } = JSON.parse(body.toString())
        const problem = { code: 'model_not_found', message: 'No.', param: 'body.model' }
        return model === 'none' ? { problem } : { model, prefix: 'p' }
      }
      const input = { id: 'b1', api, endpoint, key: keyOf(), pieces: pieces(text) } as const
      return validate(input, { store: store(), holder: 'p1', check, config })
    }
    const rows = () => linesAfter(store(), 'b1', 0, 99)

    it('stores a row per line', async () => {
      expect(await run(`${line('a')}\n${line('b', 'n')}`)).deep.equal({
        result: 'valid',
        total: 2,
        model: null,
        models: ['m', 'n'],
      })
      expect((await rows()).map(({ line, model, prefix }) => [line, model, prefix])).deep.equal([
        [1, 'm', 'p'],
        [3, 'n', 'p'],
      ])
    })

    it('names the model that all lines name', async () => {
      expect(await run(line('a') + line('b'))).include({ model: 'm' })
    })

    it('reports the first problem of each line', async () => {
      const found = await run(`{\n${line('a')}${line('a')}`)
      const problems = found.result === 'invalid' ? found.problems : []
      expect(problems.map(({ line, code }) => [line, code])).deep.equal([
        [1, 'invalid_json_line'],
        [3, 'duplicate_custom_id'],
      ])
      expect(await rows()).length(0)
    })

    it('reports what the chain says, but accepts it for the Messages API', async () => {
      const problem = { code: 'model_not_found', message: 'No.', param: 'body.model', line: 1 }
      expect(await run(line('a', 'none'))).deep.equal({ result: 'invalid', problems: [problem] })
    })

    it('accepts what the chain refuses for the Messages API', async () => {
      expect(await run(line('a', 'none'), 'anthropic')).include({ result: 'valid', model: null })
      expect((await rows()).map(({ model }) => model)).deep.equal([''])
    })

    it('refuses empty files, too many requests and long lines', async () => {
      const codes = async (text: string) => {
        await store().db.deleteFrom('batches').execute()
        const found = await run(text)
        return found.result === 'invalid' ? found.problems.map(({ code, line }) => [code, line]) : found
      }
      expect(await codes('\n\n')).deep.equal([['empty_file', null]])
      expect(await codes(['a', 'b', 'c', 'd'].map(id => line(id)).join(''))).deep.equal([['too_many_requests', null]])
      expect(await codes(line('a', 'm', { text: 'x'.repeat(40_000) }))).deep.equal([['schema_validation_failed', 1]])
      expect(await codes('{\n'.repeat(300))).length(4)
    })

    it('stops when the batch was cancelled', async () => {
      expect(await run(line('a'), 'openai', async () => void (await cancelBatch(store(), 'b1', NOW)))).deep.equal({
        result: 'gone',
      })
    })
  })
})
