/** Readers for the members of a reply. */
import { isObject, type Json } from '../../base/json.ts'
import { bodyError } from '../decode/error.ts'
import type { ProbeReply } from './client.ts'

/** The member at a path: `at(body, 'choices', 0, 'message')`; undefined: absent. */
export function at(value: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let node = value
  for (const step of path) {
    if (Array.isArray(node) && typeof step === 'number') node = node[step]
    else node = isObject(node) && typeof step === 'string' ? node[step] : undefined
  }
  return node
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

export function isOk({ status, body }: ProbeReply): boolean {
  return status >= 200 && status < 300 && !(isObject(body) && body.error != null)
}

/** The message of an error; empty without one. */
export function errorMessage({ body }: ProbeReply): string {
  return body === undefined ? '' : (bodyError(JSON.stringify(body))?.message ?? '')
}

export function messageOf(reply: ProbeReply): Json | undefined {
  return at(reply.body, 'choices', 0, 'message')
}

export function contentOf(reply: ProbeReply): string {
  const content = at(messageOf(reply), 'content')
  return typeof content === 'string' ? content : ''
}

/** undefined: not reported. */
export function promptTokens(reply: ProbeReply): number | undefined {
  const tokens = at(reply.body, 'usage', 'prompt_tokens')
  return isOk(reply) && typeof tokens === 'number' ? tokens : undefined
}

/** Deltas of the first choice of a stream. */
export function deltasOf({ events }: ProbeReply): readonly Json[] {
  return events.flatMap(event => {
    const delta = at(event, 'choices', 0, 'delta')
    return delta === undefined || delta === null ? [] : [delta]
  })
}
