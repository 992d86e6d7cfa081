/** Members that the bodies of chat completions and text completions have in common. */
import type { Json } from '../../base/json.ts'
import type { ResponseFormat } from '../../canonical/request.ts'

/** `stop` as a list; undefined: none. */
export function readStop(stop: string | readonly string[] | null | undefined): string[] | undefined {
  if (stop == null || stop.length === 0) return undefined
  return typeof stop === 'string' ? [stop] : [...stop]
}

/** `response_format` as both schemas accept it. */
interface ResponseFormatMember {
  readonly type: string
  /** Present if `type` is `json_schema`. */
  readonly json_schema?:
    | {
        readonly name?: string | null | undefined
        readonly schema?: Json | null | undefined
        readonly strict?: boolean | null | undefined
        readonly description?: string | null | undefined
      }
    | undefined
  /** Only if `type` is `json_object`. */
  readonly schema?: Json | null | undefined
  readonly grammar?: Json | undefined
}

/** Name for clients of llama.cpp, which send none: engines require a name. */
const NAME = 'response'

export function readResponseFormat(format: ResponseFormatMember): ResponseFormat {
  const { type, json_schema } = format
  if (type === 'json_object' && format.schema != null) {
    return {
      type: 'json_schema',
      name: NAME,
      schema: format.schema,
      strict: undefined,
      description: undefined,
      origin: 'response_format.schema',
    }
  }
  if (type === 'text' || type === 'json_object') return { type }
  if (type === 'json_schema' && json_schema !== undefined) {
    const { name, schema, strict, description } = json_schema
    return {
      type,
      name: name ?? NAME,
      schema: schema ?? undefined,
      strict: strict ?? undefined,
      description: description ?? undefined,
    }
  }
  return type === 'grammar' ? readGrammar(format) : { type: 'other', name: type }
}

/** Accepts a grammar without text or with more members: `response-format` refuses it after a check of the model. */
function readGrammar(format: ResponseFormatMember): ResponseFormat {
  const { grammar } = format
  const unknown = Object.keys(format).find(name => name !== 'type' && name !== 'grammar' && name !== 'json_schema')
  return {
    type: 'grammar',
    grammar: typeof grammar === 'string' ? grammar : '',
    ...(unknown !== undefined && { unknown }),
  }
}
