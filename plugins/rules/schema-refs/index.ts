import {
  type CanonicalRequest,
  definePlugin,
  fail,
  isObject,
  type Json,
  type JsonObject,
  nextTurn,
  withoutDecoding,
} from '../../../lib/plugin.ts'
import { chat } from '../../slots.ts'
import { MAX_SCHEMA_VALUES } from '../schema-budget.ts'
import { inline } from './inline.ts'
import { DYNAMIC } from './keywords.ts'
import { type Budget, Unsupported } from './references.ts'

/** A schema that may have references, its path in the body, and how to replace it. */
interface SchemaWithReferences {
  readonly schema: JsonObject
  readonly param: string
  readonly put: (inlined: Json) => void
}

/** Limits for all schemas of one request together. MAX_WORK: microseconds, as references.ts estimates them. */
const MAX_CHARACTERS = 4 * 1024 * 1024
const MAX_WORK = 300_000
/** Microseconds of work after which the event loop runs once. */
const TICK_WORK = 10_000

/**
 * Inlines the references of tool schemas and of structured output (docs/api/chat-completions.md#schemas).
 * Returns a promise only when there are any.
 */
export function inlineReferences(request: CanonicalRequest): Promise<void> | undefined {
  const hasTools = request.kind === 'chat' && request.tools.length > 0
  if (!hasTools && request.responseFormat?.type !== 'json_schema') return undefined
  const found = withoutDecoding(() => schemasWithReferences(request))
  return found.length === 0 ? undefined : inlineAll(found)
}

function schemasWithReferences(request: CanonicalRequest): SchemaWithReferences[] {
  const found: SchemaWithReferences[] = []
  const walk = { left: MAX_SCHEMA_VALUES }
  if (request.kind === 'chat') {
    for (let i = 0; i < request.tools.length; i++) {
      const holder = request.tools[i]!
      const schema = holder.parameters
      if (!isObject(schema) || !mayRefer(schema, walk)) continue
      found.push({
        schema,
        param: `${holder.origin ?? `tools.${i}`}.function.parameters`,
        put: inlined => {
          holder.parameters = inlined
        },
      })
    }
  }
  const format = request.responseFormat
  const schema = format?.type === 'json_schema' ? format.schema : undefined
  if (format?.type === 'json_schema' && isObject(schema) && mayRefer(schema, walk)) {
    found.push({
      schema,
      param: format.origin ?? 'response_format.json_schema.schema',
      put: inlined => {
        format.schema = inlined
      },
    })
  }
  return found
}

/** Through all schemas of a request. `left`: lists and objects that may still be looked at. */
interface Walk {
  left: number
}

/**
 * True if any member is named like a reference, even in data. Where there are more values than one request may have, the rules below
 * refuse it: the rest is not looked at.
 */
function mayRefer(schema: JsonObject, walk: Walk): boolean {
  const waiting: (Json[] | JsonObject)[] = [schema]
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (--walk.left < 0) return false
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) waiting.push(item)
      continue
    }
    for (const name in value) {
      if (name === '$ref' || DYNAMIC.has(name)) return true
      const member = value[name]
      if (typeof member === 'object' && member !== null) waiting.push(member)
    }
  }
  return false
}

async function inlineAll(found: readonly SchemaWithReferences[]): Promise<void> {
  const budget: Budget = { values: MAX_SCHEMA_VALUES, characters: MAX_CHARACTERS, work: MAX_WORK }
  let tickEnds = MAX_WORK - TICK_WORK
  for (const { schema, param, put } of found) {
    if (budget.work < tickEnds) {
      await nextTurn()
      tickEnds = budget.work - TICK_WORK
    }
    try {
      const inlined = await inline(schema, budget)
      if (inlined !== undefined) put(inlined)
    } catch (thrown) {
      fail('json_schema_refs_unsupported', { problem: problemOf(thrown) }, { param })
    }
  }
}

/** The library's own messages hold paths of this machine: they are not sent. Its ReferenceError means a circle. */
function problemOf(thrown: unknown): string {
  if (thrown instanceof Unsupported) return thrown.message
  return thrown instanceof ReferenceError ? 'a reference is recursive' : 'a reference cannot be resolved'
}

export default definePlugin({
  name: 'schema-refs',
  summary: 'Inlines local references in tool schemas and structured output; refuses all others.',
  routes: { canonical: true },
  needs: [chat],

  setup: () => ({
    onBody: exchange => inlineReferences(exchange.get(chat)),
  }),
})
