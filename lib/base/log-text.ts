/** Log lines as text (`log: { format: text }`). */
import { isObject, type Json, type JsonObject, parseJson } from './json.ts'

const LEVELS: Readonly<Record<number, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** Characters that a terminal or a line reader interprets. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const PLAIN = /^[^\s"=\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u

/** A line of JSON as `time LEVEL [worker N] message name=value …`; the error's stack follows on indented lines. */
export function textLine(json: string): string {
  const line = parseJson(json)
  if (!isObject(line)) return json
  const { level, time, worker, msg, err, ...members } = line
  const head = [String(time), (LEVELS[Number(level)] ?? String(level)).padEnd(5)]
  if (worker !== undefined) head.push(`[worker ${String(worker)}]`)
  if (typeof msg === 'string') head.push(escaped(msg))
  const error = isObject(err) ? err : undefined
  const shown = error === undefined ? { ...members, err } : { ...members, ...ownMembers(error) }
  const pairs = Object.entries(shown).flatMap(([name, value]) =>
    value === undefined ? [] : [`${escaped(name)}=${valueText(value)}`],
  )
  return `${[...head, ...pairs].join(' ')}\n${error === undefined ? '' : stackOf(error)}`
}

/** Members of an error that its stack does not contain, such as a code. */
function ownMembers({ type: _, message: __, stack: ___, ...own }: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(own).map(([name, value]) => [`err.${name}`, value]))
}

function stackOf({ type, message, stack }: JsonObject): string {
  const text = typeof stack === 'string' ? stack : `${String(type)}: ${String(message)}`
  return text
    .split('\n')
    .map(line => `    ${escaped(line)}\n`)
    .join('')
}

function valueText(value: Json): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value
  return escaped(JSON.stringify(value))
}

function escaped(text: string): string {
  return text.replace(CONTROL, char => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`)
}
