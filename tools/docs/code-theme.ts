/** Colours of code as classes, because the policy of the site allows no styles in elements. */

/** The class of each kind of token. theme/site.css has their colours. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  comment: ['comment', 'punctuation.definition.comment'],
  string: ['string', 'punctuation.definition.string', 'markup.inline.raw'],
  number: ['constant', 'variable.other.enummember'],
  keyword: ['keyword', 'storage', 'variable.language'],
  name: ['entity.name', 'support', 'meta.property-name', 'entity.other.attribute-name'],
}

/** A colour stands for its class. */
const COLOURS = Object.keys(KINDS).map((kind, at) => [`#00000${at + 1}`, `code-${kind}`] as const)

export const CODE_THEME = {
  name: 'sluiceway',
  type: 'light' as const,
  fg: '#000000',
  bg: '#ffffff',
  settings: Object.values(KINDS).map((scope, at) => ({ scope: [...scope], settings: { foreground: COLOURS[at]![0] } })),
}

interface CodeElement {
  properties: Record<string, unknown>
}

/** A transformer of Shiki. */
export const STYLES_TO_CLASSES = {
  name: 'styles-to-classes',
  pre: (element: CodeElement) => void delete element.properties.style,
  span(element: CodeElement): void {
    const style = String(element.properties.style ?? '').toLowerCase()
    delete element.properties.style
    const kind = COLOURS.find(([colour]) => style.includes(colour))
    if (kind !== undefined) element.properties.class = kind[1]
  },
}
