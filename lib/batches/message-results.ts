/** Results in the shapes of Anthropic's Message Batches API, from the lines of result files. */
import { isObject, type JsonObject, parseJson } from '../base/json.ts'
import { linesOf } from './lines.ts'

/** JSON lines. `files`: the output file and the error file, one after the other. */
export async function* messageResults(files: () => AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { bytes } of linesOf(files(), Number.POSITIVE_INFINITY)) {
    const line = bytes === null ? undefined : parseJson(bytes.toString())
    if (!isObject(line)) continue
    yield Buffer.from(`${JSON.stringify({ custom_id: line.custom_id ?? null, result: resultOf(line) })}\n`)
  }
}

function resultOf({ response, error }: JsonObject): JsonObject {
  if (isObject(response)) {
    const { status_code: status, request_id = null, body } = response
    if (status === 200) return { type: 'succeeded', message: body }
    const failure = isObject(body) && isObject(body.error) ? body.error : {}
    const failed = { type: 'api_error', message: 'The request failed.', ...failure }
    return { type: 'errored', error: { type: 'error', error: failed, request_id } }
  }
  return { type: isObject(error) && error.code === 'batch_expired' ? 'expired' : 'canceled' }
}
