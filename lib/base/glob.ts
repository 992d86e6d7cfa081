/** Whether a text matches a pattern in which `*` stands for any text. Takes linear time: the text may be hostile. */
export function matchesGlob(glob: string, text: string): boolean {
  const [first = '', ...others] = glob.split('*')
  const last = others.pop()
  if (last === undefined) return text === glob
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length >= at + last.length && text.endsWith(last)
}
