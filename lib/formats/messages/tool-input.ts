import { isObject, type JsonObject, parseJson } from '../../base/json.ts'

/**
 * A call's arguments as an object, whatever the model wrote: clients use them without a check. An empty text is `{}`. Of a
 * text that was cut off, the complete members are kept. Text after the object is dropped.
 */
export function toolInput(text: string): JsonObject {
  const whole = parseJson(text)
  return isObject(whole) ? whole : finishedMembers(text)
}

/** toolInput() as JSON text: what the model wrote, byte for byte, if that is an object. */
export function toolInputText(text: string): string {
  return isObject(parseJson(text)) ? text : JSON.stringify(finishedMembers(text))
}

function finishedMembers(text: string): JsonObject {
  const end = endOfMembers(text)
  const object = parseJson(`${text.slice(0, end)}}`)
  return isObject(object) ? object : {}
}

/** End of the last complete member of the outermost object: before a comma, or before the closing brace. */
function endOfMembers(text: string): number {
  let depth = 0
  let end = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (quoted) {
      if (char === '\\') i++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') {
      depth--
      if (depth === 0) return i
    } else if (char === ',' && depth === 1) end = i
  }
  return end
}
