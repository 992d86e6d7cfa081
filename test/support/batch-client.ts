/** Batches through the API of a gateway. */
import type { JsonObject } from '../../lib/base/json.ts'
import { KEY } from './gateway.ts'

export const CHAT = '/v1/chat/completions'

/** A line of an input file whose prompt is its custom id. */
export function batchLine(custom_id: string, more: JsonObject = {}): string {
  const body = { model: 'm', messages: [{ role: 'user', content: custom_id }], ...more }
  return JSON.stringify({ custom_id, method: 'POST', url: CHAT, body })
}

export async function uploadFile(url: string, text: string, key = KEY): Promise<string> {
  const body = new FormData()
  body.set('purpose', 'batch')
  body.set('file', new Blob([text]), 'in.jsonl')
  const response = await fetch(`${url}/v1/files`, { method: 'POST', headers: { authorization: `Bearer ${key}` }, body })
  return idIn(response)
}

/** Creates a batch of these lines, or of an uploaded file. Resolves with its id. */
export async function createBatch(url: string, input: readonly string[] | string, key = KEY): Promise<string> {
  const input_file_id = typeof input === 'string' ? input : await uploadFile(url, input.join('\n'), key)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ input_file_id, endpoint: CHAT, completion_window: '24h' })
  return idIn(await fetch(`${url}/v1/batches`, { method: 'POST', headers, body }))
}

async function idIn(response: Response): Promise<string> {
  const { id } = (await response.json()) as { id?: string }
  if (id === undefined) throw new Error(`refused with ${response.status}`)
  return id
}

export interface ShownBatch {
  readonly status: string
  readonly output_file_id: string | null
  readonly error_file_id: string | null
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number }
  readonly errors: { readonly data: readonly JsonObject[] }
}

export async function findBatch(url: string, id: string, key = KEY): Promise<ShownBatch> {
  const response = await fetch(`${url}/v1/batches/${id}`, { headers: { authorization: `Bearer ${key}` } })
  return (await response.json()) as ShownBatch
}

export interface ResultLine {
  readonly id: string
  readonly custom_id: string | null
  readonly response: { readonly status_code: number; readonly request_id: string; readonly body: JsonObject } | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** The lines of an output or error file. null: there is none. */
export async function resultLines(url: string, file: string | null, key = KEY): Promise<ResultLine[] | null> {
  if (file === null) return null
  const headers = { authorization: `Bearer ${key}` }
  const text = await (await fetch(`${url}/v1/files/${file}/content`, { headers })).text()
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as ResultLine)
}
