/** Changes that json-schema-to-typescript has no options for: readonly members and arrays, and comments of one line. */

/** Adds `readonly` to every member and every array. */
export function asReadonly(code: string): string {
  const comments: string[] = []
  const bare = code.replace(
    /\/\*\*\s+\* (.*)\s+\*\//g,
    (_, text: string) => `/*${comments.push(`/** ${text} */`) - 1}*/`,
  )
  const members = bare.replace(/^( +)(\[k: string\]|'[^']+'|[$\w]+)(\??:)/gm, '$1readonly $2$3')
  return arraysReadonly(members)
    .replace(/\/\*(\d+)\*\//g, (_, index: string) => comments[Number(index)] ?? '')
    .replace(/\n+((?:\/\*\* .* \*\/\n)?export )/g, '\n\n$1')
}

function arraysReadonly(code: string): string {
  const starts = new Set([...code.matchAll(/(?:\[\])+/g)].map(({ index }) => elementStart(code, index)))
  let result = ''
  let from = 0
  for (const start of [...starts].toSorted((a, b) => a - b)) {
    result += `${code.slice(from, start)}readonly `
    from = start
  }
  return result + code.slice(from)
}

/** The index at which the element type of an array begins: a name, or a type in brackets. */
function elementStart(code: string, end: number): number {
  let depth = 0
  for (let i = end - 1; i >= 0; i--) {
    const letter = code.charAt(i)
    if (')}'.includes(letter)) depth++
    if ('({'.includes(letter)) depth--
    if (depth === 0 && !/\w/.test(code.charAt(i - 1))) return i
    if (depth === 0 && '({'.includes(letter)) return i
  }
  return 0
}
