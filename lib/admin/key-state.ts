/** The state of a disabled key in words, for pages and commands. */
import type { StoredKey } from '../store/keys.ts'

export type Disabler = NonNullable<StoredKey['disabled_by']>

const DISABLERS: Readonly<Record<Disabler, string>> = {
  operator: 'an operator',
  user: 'its user',
  group: 'a group its user left',
}

export function disabledText(by: Disabler): string {
  return `disabled by ${DISABLERS[by]}`
}
