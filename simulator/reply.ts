import type { ServerResponse } from 'node:http'
import type { Json } from '../lib/base/json.ts'
import type { EngineTraits } from './engine-traits.ts'
import type { Refusal } from './refusal.ts'
import { DONE, dataFrame } from './wire.ts'

export function sendJson(res: ServerResponse, status: number, body: Json, headers: Record<string, string> = {}): void {
  send(res, status, 'application/json', JSON.stringify(body), headers)
}

export function sendRefusal(res: ServerResponse, engine: EngineTraits, refusal: Refusal): void {
  const { retryAfter } = refusal.details
  const headers = retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) }
  sendJson(res, refusal.status, engine.errorBody(refusal), headers)
}

/** The page of a proxy whose engine is down. */
export function sendPage(res: ServerResponse, status: number, headers: Record<string, string>): void {
  send(res, status, 'text/html', `<html><body><h1>${status} simulated</h1></body></html>\n`, headers)
}

export function send(
  res: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers })
  res.end(body)
}

export function startStream(res: ServerResponse, engine: EngineTraits): void {
  res.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...engine.streamHeaders })
  res.flushHeaders()
}

/** The end of a failed stream. Errors in streams are always nested, also if the engine's HTTP errors are flat. */
export function errorFrames(engine: EngineTraits, refusal: Refusal): string {
  const body = engine.errorBody(refusal)
  return dataFrame('error' in body ? body : { error: body }) + (engine.doneAfterError ? DONE : '')
}
