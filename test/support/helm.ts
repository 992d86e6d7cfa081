/**
 * Renders the templates of a Helm chart, for tests on machines without helm: the part of Go's text/template and of
 * Sprig that the chart uses. Unknown actions and functions are errors.
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, stringify } from 'yaml'

type Value = unknown
type Scope = { readonly dot: Value; readonly root: Value }
interface Block {
  readonly kind: 'if' | 'with' | 'range'
  /** A branch without a condition is `else`. */
  readonly branches: { readonly condition: string | null; readonly body: readonly Node[] }[]
}
type Node =
  | Block
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly expression: string }

export interface Release {
  readonly name: string
  readonly namespace: string
}

/** The rendered templates by file name, with the values over those of the chart. Empty ones are left out. */
export function helmTemplate(chart: string, values: object, release: Release): ReadonlyMap<string, string> {
  const read = (file: string) => readFileSync(join(chart, file), 'utf8')
  const { name, version, appVersion } = parse(read('Chart.yaml')) as Record<string, string>
  const root = {
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: release.name, Namespace: release.namespace, Service: 'Helm' },
    Values: merged(parse(read('values.yaml')), values),
  }
  const defined = new Map<string, readonly Node[]>()
  const files = globSync('*.{tpl,yaml,txt}', { cwd: join(chart, 'templates') }).toSorted()
  const parsed = files.map(file => [file, parseTemplate(read(join('templates', file)), defined)] as const)
  const rendered = parsed
    .filter(([file]) => !file.startsWith('_'))
    .map(([file, nodes]) => [file, new Renderer(defined).render(nodes, { dot: root, root })] as const)
  return new Map(rendered.filter(([, text]) => text.trim() !== ''))
}

/** As helm merges values: objects by member, everything else as a whole. null removes a member. */
export function merged(base: Value, over: Value): Value {
  if (!isMap(base) || !isMap(over)) return over
  const result: Record<string, Value> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    if (value === null) delete result[name]
    else result[name] = name in result ? merged(result[name], value) : value
  }
  return result
}

const ACTION = /\{\{(-?)\s*(\/\*[\s\S]*?\*\/|(?:"[^"]*"|[^"}]|\}(?!\}))*?)\s*(-?)\}\}/g

function parseTemplate(source: string, defined: Map<string, readonly Node[]>): readonly Node[] {
  const top: Node[] = []
  const stack: { readonly into: Node[]; readonly open: string }[] = [{ into: top, open: '' }]
  const blocks: Block[] = []
  let at = 0
  let isTrimmed = false
  const add = (text: string) => {
    const kept = isTrimmed ? text.trimStart() : text
    if (kept !== '') stack.at(-1)!.into.push({ kind: 'text', text: kept })
  }
  for (const match of source.matchAll(ACTION)) {
    const [whole, left, action = '', right] = match
    const text = source.slice(at, match.index)
    add(left === '-' ? text.trimEnd() : text)
    at = match.index + whole.length
    isTrimmed = right === '-'
    const [word = '', ...rest] = action.split(/\s+/)
    const expression = rest.join(' ')
    if (word === 'define') {
      const body: Node[] = []
      defined.set(JSON.parse(expression) as string, body)
      stack.push({ into: body, open: 'define' })
    } else if (word === 'if' || word === 'with' || word === 'range') {
      const body: Node[] = []
      const block: Block = { kind: word, branches: [{ condition: expression, body }] }
      stack.at(-1)!.into.push(block)
      blocks.push(block)
      stack.push({ into: body, open: word })
    } else if (word === 'else') {
      const body: Node[] = []
      blocks.at(-1)!.branches.push({ condition: rest[0] === 'if' ? rest.slice(1).join(' ') : null, body })
      stack.pop()
      stack.push({ into: body, open: 'else' })
    } else if (word === 'end') {
      if (stack.pop()!.open !== 'define') blocks.pop()
    } else if (!action.startsWith('/*')) stack.at(-1)!.into.push({ kind: 'output', expression: action })
  }
  add(source.slice(at))
  if (stack.length !== 1) throw new Error('a block of the template does not end')
  return top
}

class Renderer {
  readonly #defined: ReadonlyMap<string, readonly Node[]>

  constructor(defined: ReadonlyMap<string, readonly Node[]>) {
    this.#defined = defined
  }

  render(nodes: readonly Node[], scope: Scope): string {
    return nodes.map(node => this.#node(node, scope)).join('')
  }

  #node(node: Node, scope: Scope): string {
    if (node.kind === 'text') return node.text
    if (node.kind === 'output') return textOf(this.#pipeline(node.expression, scope))
    for (const { condition, body } of node.branches) {
      const value = condition === null ? true : this.#pipeline(condition, scope)
      if (node.kind === 'range' && condition !== null) {
        const items = Array.isArray(value) ? value : Object.values(value ?? {})
        if (items.length > 0) return items.map(dot => this.render(body, { ...scope, dot })).join('')
      } else if (isTrue(value))
        return this.render(body, node.kind === 'with' && condition !== null ? { ...scope, dot: value } : scope)
    }
    return ''
  }

  #pipeline(expression: string, scope: Scope): Value {
    let piped: readonly Value[] = []
    for (const part of split(expression, '|')) piped = [this.#call(part, piped, scope)]
    return piped[0]
  }

  #call(call: string, piped: readonly Value[], scope: Scope): Value {
    const [head = '', ...rest] = split(call, ' ')
    if (!/^[a-z]\w*$/i.test(head) || head === 'true' || head === 'false') return this.#operand(head, scope)
    const values = [...rest.map(one => this.#operand(one, scope)), ...piped]
    if (head === 'include') return this.render(this.#template(values[0] as string), { dot: values[1], root: values[1] })
    const apply = FUNCTIONS[head]
    if (apply === undefined) throw new Error(`the function '${head}' is not known here`)
    return apply(...(values as never[]))
  }

  #template(name: string): readonly Node[] {
    const nodes = this.#defined.get(name)
    if (nodes === undefined) throw new Error(`no template is named '${name}'`)
    return nodes
  }

  #operand(text: string, scope: Scope): Value {
    if (text.startsWith('(')) return this.#pipeline(text.slice(1, -1), scope)
    if (text.startsWith('"') || /^-?\d/.test(text) || text === 'true' || text === 'false') return JSON.parse(text)
    const [start, ...names] = text.split('.')
    if (start !== '' && start !== '$') throw new Error(`'${text}' is not understood here`)
    let value = start === '$' ? scope.root : scope.dot
    for (const name of names) if (name !== '') value = isMap(value) ? value[name] : undefined
    return value
  }
}

const FUNCTIONS: Readonly<Record<string, (...values: never[]) => Value>> = {
  add: (...all: number[]) => all.reduce((sum, one) => sum + one, 0),
  dict: (...pairs: string[]) =>
    Object.fromEntries(pairs.flatMap((name, at) => (at % 2 === 0 ? [[name, pairs[at + 1]]] : []))),
  default: (fallback: Value, value: Value) => (isTrue(value) ? value : fallback),
  eq: (one: Value, other: Value) => one === other,
  merge: (into: object, from: object) => merged(from, into),
  nindent: (spaces: number, text: string) => `\n${text.replace(/^(?=.)/gm, ' '.repeat(spaces))}`,
  not: (value: Value) => !isTrue(value),
  omit: (from: object, ...names: string[]) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name))),
  quote: (value: Value) => JSON.stringify(textOf(value)),
  toYaml: (value: Value) => stringify(value, { lineWidth: 0, version: '1.1' }).trimEnd(),
  trimSuffix: (end: string, text: string) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
  trunc: (length: number, text: string) => text.slice(0, length),
}

/** Splits at a character outside of quotes and parentheses. */
function split(text: string, separator: string): readonly string[] {
  const parts = ['']
  let depth = 0
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (!isQuoted && character === '(') depth++
    if (!isQuoted && character === ')') depth--
    if (character === separator && !isQuoted && depth === 0) parts.push('')
    else parts[parts.length - 1] += character
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

function isTrue(value: Value): boolean {
  if (Array.isArray(value)) return value.length > 0
  return isMap(value) ? Object.keys(value).length > 0 : Boolean(value)
}

function isMap(value: Value): value is Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: Value): string {
  return value === undefined || value === null ? '' : String(value)
}
