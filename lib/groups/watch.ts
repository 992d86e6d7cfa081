/** Judges the sessions of the console again while they last. Each session is judged by one process. */
import type { Logger } from 'pino'
import type { Clock } from '../base/clock.ts'
import { hourly } from '../base/hourly.ts'
import type { Config } from '../config/config.ts'
import { type ConsoleSignIn, consoleSignIn } from '../oidc/audiences.ts'
import { SignInFailure } from '../oidc/failure.ts'
import {
  type DueSession,
  endJudgedSession,
  JUDGE_MICROS,
  noteRenewal,
  takeDueSessions,
} from '../store/judged-sessions.ts'
import { queryRunner } from '../store/query-runner.ts'
import type { Store } from '../store/store.ts'
import { issuerActor, judge } from './judge.ts'

interface GroupWatchParts {
  readonly store: Store
  readonly config: () => Config
  readonly clock: Clock
  readonly log: Logger
  readonly changed: () => Promise<void>
  /** Pause between two searches for due sessions. */
  readonly everyMs?: number
}

const EVERY_MS = 5000
/** Sessions per search. */
const BATCH = 50
/** Time after which a session is judged again whose issuer does not answer, or whose process has ended meanwhile. */
const RETRY_MICROS = 5 * 60 * 1_000_000

/** Does nothing while no groups are mapped. Returns a function that stops. */
export function watchGroups({ store, config, clock, log, changed, everyMs = EVERY_MS }: GroupWatchParts) {
  const run = queryRunner(store)
  const now = () => clock.now() * 1000
  let known: { readonly of: Config['console']['oidc']; readonly signIn: ConsoleSignIn } | undefined
  let isFailing = false

  function signInOf(current: Config): ConsoleSignIn {
    // Kept until the configuration changes, with the discovery document of its issuer.
    const { oidc } = current.console
    if (known?.of !== oidc || known === undefined) known = { of: oidc, signIn: consoleSignIn(current, clock)! }
    return known.signIn
  }

  async function judgeSession(current: Config, due: DueSession): Promise<void> {
    const signIn = signInOf(current)
    try {
      const { groups, renewal } = await signIn.renew(due.renewal)
      await run(session => noteRenewal(session, due, renewal ?? due.renewal, now() + JUDGE_MICROS))
      await judge({ run, config: current, clock, log, changed }, signIn.host, due.user, groups)
    } catch (thrown) {
      if (!(thrown instanceof SignInFailure)) throw thrown
      log.warn({ sign_in: { audience: 'console', ...thrown.facts } }, 'the groups of a session cannot be judged')
      if (thrown.reason === 'unreachable') return
      const end = { actor: issuerActor(signIn.host), reason: thrown.reason, now: now() }
      await run(session => endJudgedSession(session, due, end))
    }
  }

  return hourly(
    async () => {
      const current = config()
      if (current.console.oidc?.accounts === undefined) return
      const due = await run(session => takeDueSessions(session, now(), now() + RETRY_MICROS, BATCH))
      const ends = await Promise.allSettled(due.map(session => judgeSession(current, session)))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      isFailing = false
    },
    err => {
      if (!isFailing) log.warn({ err }, 'groups of sessions cannot be judged: the store does not answer')
      isFailing = true
    },
    everyMs,
  )
}
