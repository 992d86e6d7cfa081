/** Markdown as HTML. Loaded by what needs it first, because its parser is large. */
export const loadMarkdown = () => import('./markdown.ts')
