import { isObject, type JsonObject, parseJson } from '../../base/json.ts'

/**
 * A call's arguments as an object, whatever the model wrote: clients parse it without looking. Nothing at all is `{}`;
 * of a text that was cut off, the members that had been finished are kept; what stands behind the object is dropped.
 */
export function toolInput(text: string): JsonObject {
  const whole = parseJson(text)
  return isObject(whole) ? whole : finishedMembers(text)
}

/** The same as JSON text; byte for byte what the model wrote where that is an object. */
export function toolInputText(text: string): string {
  return isObject(parseJson(text)) ? text : JSON.stringify(finishedMembers(text))
}

function finishedMembers(text: string): JsonObject {
  const end = endOfMembers(text)
  const object = parseJson(`${text.slice(0, end)}}`)
  return isObject(object) ? object : {}
}

/** Where the last finished member of the outermost object ends: before a comma, or before the brace that closes it. */
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
