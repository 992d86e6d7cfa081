import type { JsonObject } from '../../base/json.ts'
import type { FunctionTool as CanonicalTool, ToolChoice } from '../../canonical/request.ts'
import { fail } from '../../errors/errors.ts'
import { quoted } from '../../text/quoted.ts'
import type { FunctionCallItem, FunctionTool, ResponsesBody, Tool } from './generated/body.ts'

/**
 * The tools of a body as functions (docs/api/responses.md#tools), also `web_search` and those of a `namespace`. Others
 * are refused with `invalid_tool`, or omitted if `responses.unknown_tools` is `drop`.
 */
export function readTools({ tools }: ResponsesBody, unknown: 'reject' | 'drop'): CanonicalTool[] {
  const read: CanonicalTool[] = []
  tools?.forEach((tool, index) => {
    const path = `tools.${index}`
    if (tool.type === 'namespace') {
      tool.tools.forEach((member, position) => {
        const memberPath = `${path}.tools.${position}`
        if (member.type === 'function') read.push(functionTool(member, memberPath, tool.name))
        else if (unknown === 'reject') refuse(member, memberPath)
      })
    } else if (tool.type === 'function') {
      // The path is set only if it differs from the canonical one.
      read.push(functionTool(tool, read.length === index ? undefined : path, undefined))
    } else if (tool.type === 'web_search') {
      read.push({ ...WEB_SEARCH, parameters: structuredClone(WEB_SEARCH_PARAMETERS), origin: path })
    } else if (unknown === 'reject') {
      refuse(tool, path)
    }
  })
  makeUnique(read)
  return read
}

export function readToolChoice({ tool_choice: choice }: ResponsesBody): ToolChoice | undefined {
  if (choice == null) return undefined
  return typeof choice === 'string' ? choice : { name: choice.name }
}

/** Engines have no namespaces: if two members have the same name, each gets its namespace as a prefix. */
function makeUnique(tools: readonly CanonicalTool[]): void {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  for (const { name } of tools) (seen.has(name) ? repeated : seen).add(name)
  for (const tool of tools) {
    if (tool.namespace !== undefined && repeated.has(tool.name)) tool.name = `${tool.namespace.group}__${tool.name}`
  }
}

/** Maps namespace and name in a call of an earlier turn to the function's name for the model. */
export class ToolNames {
  readonly #names = new Map<string, string>()

  constructor(tools: readonly CanonicalTool[]) {
    for (const { name, namespace } of tools) {
      if (namespace !== undefined) this.#names.set(`${namespace.group} ${namespace.member}`, name)
    }
  }

  of({ namespace, name }: FunctionCallItem): string {
    return (namespace == null ? undefined : this.#names.get(`${namespace} ${name}`)) ?? name
  }
}

function functionTool(tool: FunctionTool, origin: string | undefined, group: string | undefined): CanonicalTool {
  return {
    name: tool.name,
    description: tool.description ?? undefined,
    parameters: tool.parameters ?? undefined,
    strict: tool.strict ?? undefined,
    ...(origin === undefined ? undefined : { origin }),
    ...(group === undefined ? undefined : { namespace: { group, member: tool.name } }),
  }
}

function refuse(tool: Tool, path: string): never {
  fail('invalid_tool', { type: quoted(tool.type) }, { param: `${path}.type`, ownParam: true })
}

const WEB_SEARCH = {
  name: 'web_search',
  description: 'Searches the web and returns the results as text.',
  strict: undefined,
}

const WEB_SEARCH_PARAMETERS: JsonObject = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to search for.' } },
  required: ['query'],
}
