/**
 * The command that starts this gateway, as its users type it: a checkout runs sources through npm, an installed package has the
 * command itself.
 */
export const START = import.meta.url.endsWith('.ts') ? 'npm start' : 'sluiceway serve'

/** The same with options. */
export function startWith(options: string): string {
  return `${START}${START.startsWith('npm') ? ' --' : ''} ${options}`
}
