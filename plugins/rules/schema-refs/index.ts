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
import { MAX_SCHEMA_VALUES } from '../schema-size.ts'
import { inline } from './inline.ts'
import { DYNAMIC } from './keywords.ts'
import { type SchemaLimits, Unsupported } from './references.ts'

/** A schema that may have references, its path in the body, and a setter that replaces it. */
interface SchemaWithReferences {
  readonly schema: JsonObject
  readonly param: string
  readonly replace: (inlined: Json) => void
}

/** Characters of all expanded schemas of one request. */
const MAX_CHARACTERS = 4 * 1024 * 1024
/** Microseconds of work for all schemas of one request, as references.ts estimates it. */
const MAX_WORK_MICROS = 300_000
/** Microseconds of work after which other exchanges run. */
const TICK_MICROS = 10_000

/** Inlines the references in tool schemas and structured output. Returns a promise only if there are any. */
function inlineReferences(request: CanonicalRequest): Promise<void> | undefined {
  const hasTools = request.kind === 'chat' && request.tools.length > 0
  if (!hasTools && request.responseFormat?.type !== 'json_schema') return undefined
  const found = withoutDecoding(() => schemasWithReferences(request))
  return found.length === 0 ? undefined : inlineAll(found)
}

function schemasWithReferences(request: CanonicalRequest): SchemaWithReferences[] {
  const found: SchemaWithReferences[] = []
  const walk: Walk = { left: MAX_SCHEMA_VALUES }
  if (request.kind === 'chat') {
    for (let i = 0; i < request.tools.length; i++) {
      const holder = request.tools[i]!
      const schema = holder.parameters
      if (!isObject(schema) || !mayRefer(schema, walk)) continue
      found.push({
        schema,
        param: `${holder.origin ?? `tools.${i}`}.function.parameters`,
        replace: inlined => {
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
      replace: inlined => {
        format.schema = inlined
      },
    })
  }
  return found
}

/** State of the walk through all schemas of a request. */
interface Walk {
  /** Arrays and objects that may still be visited. */
  left: number
}

/** True if a member has the name of a reference, even in data. False after `walk.left` values. */
function mayRefer(schema: JsonObject, walk: Walk): boolean {
  const pending: (Json[] | JsonObject)[] = [schema]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (--walk.left < 0) return false
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === 'object' && item !== null) pending.push(item)
      continue
    }
    for (const name in value) {
      if (name === '$ref' || DYNAMIC.has(name)) return true
      const member = value[name]
      if (typeof member === 'object' && member !== null) pending.push(member)
    }
  }
  return false
}

async function inlineAll(found: readonly SchemaWithReferences[]): Promise<void> {
  const limits: SchemaLimits = { values: MAX_SCHEMA_VALUES, characters: MAX_CHARACTERS, workMicros: MAX_WORK_MICROS }
  let tickEnds = MAX_WORK_MICROS - TICK_MICROS
  for (const { schema, param, replace } of found) {
    if (limits.workMicros < tickEnds) {
      await nextTurn()
      tickEnds = limits.workMicros - TICK_MICROS
    }
    try {
      const inlined = await inline(schema, limits)
      if (inlined !== undefined) replace(inlined)
    } catch (thrown) {
      fail('json_schema_refs_unsupported', { problem: problemOf(thrown) }, { param })
    }
  }
}

/** Messages of the library contain paths of this machine, so they are not sent. Its ReferenceError means a circle. */
function problemOf(thrown: unknown): string {
  if (thrown instanceof Unsupported) return thrown.message
  return thrown instanceof ReferenceError ? 'a reference is recursive' : 'a reference cannot be resolved'
}

export default definePlugin({
  name: 'schema-refs',
  summary: 'Inlines local references in tool schemas and structured output, and refuses all others.',
  routes: { canonical: true },
  needs: [chat],

  setup: () => ({
    onBody: exchange => inlineReferences(exchange.get(chat)),
  }),
})
