/** Claude Code begins its system text with a line that differs in every request, which defeats prefix caches. */
const BILLING = 'x-anthropic-billing-header:'
/** A line as the client writes it: without a control character. */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n\x7f]*(?:\n|$)/gm

/** System blocks as one text, without the billing line. */
export function systemText(blocks: readonly string[]): string {
  return blocks
    .map(text => (text.includes(BILLING) ? text.replace(BILLING_LINE, '') : text))
    .filter(text => text !== '')
    .join('\n')
}
