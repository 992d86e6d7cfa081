import type { Format, FormatName } from '../chat.ts'
import { chat } from './chat/index.ts'
import { completions } from './completions/index.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'

/** Every wire format by name. Nothing else outside a format's folder knows it. */
export const FORMATS: Readonly<Partial<Record<FormatName, Format>>> = {
  chat,
  completions,
  messages,
  responses,
}

/** The format of a route. Throws where none of this name is built in: routes are checked at boot. */
export function formatOf(name: FormatName): Format {
  const format = FORMATS[name]
  if (format === undefined) throw new Error(`No wire format is named '${name}'.`)
  return format
}
