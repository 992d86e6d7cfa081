import type { Dialect } from '../database.ts'
import { consoleSessions } from './console-sessions.ts'
import { initialSchema } from './initial.ts'
import { zones } from './zones.ts'

export interface Migration {
  readonly version: number
  /** Statements to run in order, in one transaction. Never changed once it has been released. */
  statements(dialect: Dialect): readonly string[]
}

/** In ascending order. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, statements: initialSchema },
  { version: 2, statements: consoleSessions },
  { version: 3, statements: zones },
]
