/** Anchors of a page's headings, as on GitHub. Code blocks are ignored. */
export function anchorsOf(page: string): readonly string[] {
  const seen = new Map<string, number>()
  return [...page.replace(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, title]) => {
    const anchor = title!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}
