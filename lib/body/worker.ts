/** The thread that parses large bodies. One message in, one message out. */
import { parentPort, workerData } from 'node:worker_threads'
import { GatewayError } from '../errors.ts'
import { detach, KEEP_START } from './detach.ts'
import { MAX_DEPTH, MAX_VALUES, parse, TOO_DEEP, TOO_MANY } from './parse.ts'
import { sliced } from './slices.ts'
import { weigh } from './weigh.ts'
import type { WorkerAnswer, WorkerJob } from './worker-client.ts'

const { mark } = workerData as { mark: string }

parentPort!.on('message', ({ id, bytes, first }: WorkerJob) => {
  const answer = answerTo(id, bytes, first)
  const transfer = answer.ok ? answer.texts.map(text => text.buffer) : []
  parentPort!.postMessage(answer, transfer)
})

function answerTo(id: number, bytes: Uint8Array, first: number): WorkerAnswer {
  try {
    const { values, depth } = weigh(bytes, MAX_VALUES, MAX_DEPTH)
    if (depth > MAX_DEPTH) return refusal(id, TOO_DEEP)
    if (values > MAX_VALUES) return refusal(id, TOO_MANY)
    const body = parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    const { texts, body: rest } = detach(body, mark, KEEP_START, first)
    return { ok: true, id, body: sliced(rest), values, texts }
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.code === 'invalid_json_request') {
      return { ok: false, id, code: thrown.code, problem: thrown.message }
    }
    throw thrown
  }
}

function refusal(id: number, problem: string): WorkerAnswer {
  return { ok: false, id, code: 'schema_validation_failed', problem }
}
