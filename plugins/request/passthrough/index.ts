import {
  backendOptions,
  definePlugin,
  fail,
  isObject,
  type JsonObject,
  type ModelConfig,
  markedCopy,
  restoreNumbers,
} from '../../../lib/plugin.ts'
import { passthrough } from '../../slots.ts'

const KWARGS = 'chat_template_kwargs'

/** Members of chats, which engines ignore on text completions. */
const CHAT_ONLY = new Set([
  'add_generation_prompt',
  'continue_final_message',
  'documents',
  'include_reasoning',
  'return_prompt_token_ids',
  'separate_reasoning',
  'stream_reasoning',
])

/** Members that constrain the output. A request may have one of them. */
const CONSTRAINTS = [
  'response_format',
  'regex',
  'grammar',
  'structured_outputs',
  'ebnf',
  'json_schema',
  'structural_tag',
  'guided_json',
  'guided_regex',
  'guided_choice',
  'guided_grammar',
]

/** Members of the body that mean the same as an argument of the chat template with another name. */
const SAME_AS_ARGUMENT: Readonly<Record<string, readonly string[]>> = { reasoning_effort: ['reasoning'] }

export default definePlugin({
  name: 'passthrough',
  summary: 'Takes members out of the body that the model passes to its engine as they are.',
  routes: { canonical: true, format: ['chat', 'completions'] },
  provides: [passthrough],

  setup: (_options, { models }) => ({
    onBody(exchange) {
      const { format } = exchange.route
      const taken = exchange.validateBody(body => {
        const name: unknown = isObject(body) ? body.model : undefined
        const model = typeof name === 'string' ? models.find(name, exchange.endpoint) : undefined
        return model === undefined || model.passthrough.length === 0 ? null : take(body, model, format === 'chat')
      })
      exchange.set(passthrough, taken)
    },
  }),
})

/** Moves the members that the model passes on out of the body. null: there are none. */
function take(body: JsonObject, model: ModelConfig, isChat: boolean): JsonObject | null {
  const names = new Set(model.passthrough)
  const taken: JsonObject = {}
  for (const name of Object.keys(body)) {
    if (names.has(name) && (isChat || !CHAT_ONLY.has(name))) move(body, taken, name)
  }
  refuseTwoConstraints(body, taken)
  if (isChat && isObject(body[KWARGS])) {
    const kwargs = takeArguments(body, body[KWARGS], names, model)
    if (Object.keys(kwargs).length > 0) taken[KWARGS] = kwargs
  }
  return Object.keys(taken).length === 0 ? null : taken
}

/** The switch for reasoning stays in the body as `enable_thinking`, because the gateway decides about it. */
function takeArguments(
  body: JsonObject,
  kwargs: JsonObject,
  names: ReadonlySet<string>,
  model: ModelConfig,
): JsonObject {
  const taken: JsonObject = {}
  const marked = markedCopy(kwargs)
  for (const name of Object.keys(kwargs)) {
    const path = `${KWARGS}.${name}`
    if (name === 'enable_thinking' || !(names.has(`${KWARGS}.*`) || names.has(path))) continue
    const same = [name, ...(SAME_AS_ARGUMENT[name] ?? [])].find(other => body[other] != null)
    if (same !== undefined) contradiction(path, same)
    if (!isSwitch(name, model)) {
      move(marked, taken, name)
      delete kwargs[name]
    } else if (kwargs.enable_thinking == null) move(kwargs, kwargs, name, 'enable_thinking')
    else contradiction(path, `${KWARGS}.enable_thinking`)
  }
  return restoreNumbers(taken)
}

/** Whether the gateway itself sends this argument to switch reasoning. */
function isSwitch(name: string, model: ModelConfig): boolean {
  return backendOptions(model).some(({ profile }) => profile.thinking_kwarg === name)
}

/** Members with null count as absent, as in all bodies. */
function move(from: JsonObject, to: JsonObject, name: string, newName = name): void {
  const value = from[name]
  delete from[name]
  if (value != null) to[newName] = value
}

function refuseTwoConstraints(body: JsonObject, taken: JsonObject): void {
  const own = CONSTRAINTS.filter(name => taken[name] !== undefined)
  const others = CONSTRAINTS.filter(name => body[name] != null && !isFreeText(body[name]))
  const [first, second] = [...own, ...others]
  if (own.length > 0 && second !== undefined) contradiction(first!, second)
}

/** `response_format` of type `text` constrains nothing. */
function isFreeText(value: unknown): boolean {
  return isObject(value as JsonObject) && (value as JsonObject).type === 'text'
}

function contradiction(param: string, other: string): never {
  const problem = `'${param}' and '${other}' cannot be combined: both say the same thing.`
  fail('schema_validation_failed', { problem }, { param, ownParam: true })
}
