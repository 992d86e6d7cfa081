import type { Format, FormatName } from '../canonical/format.ts'
import { chat } from './chat/index.ts'
import { completions } from './completions/index.ts'
import { messages } from './messages/index.ts'
import { responses } from './responses/index.ts'

/** Every wire format by name. No other code imports from a format's folder. */
const FORMATS: Readonly<Record<FormatName, Format>> = { chat, completions, messages, responses }

/** The wire format of this name, as routes have it in `route.format`. */
export function formatOf(name: FormatName): Format {
  return FORMATS[name]
}
