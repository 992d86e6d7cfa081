/** The two audiences that sign in by an issuer: customers to the console, operators to their pages. */
import { gatewaySecret } from '../accounts/cache-isolation.ts'
import type { Clock } from '../base/clock.ts'
import type { Config, IssuerConfig } from '../config/config.ts'
import { type Claims, candidates, checkDomain, mappedGroups, nameOf, ruleFor, wantedClaims } from './claims.ts'
import { SignInFailure } from './failure.ts'
import { createSignIn, type SignIn, type SignInOptions } from './sign-in.ts'

export interface ConsoleSignIn extends Pick<SignIn, 'host' | 'label' | 'begin'> {
  /** `query`: raw query of the callback. `sealed`: value of the cookie. Rejects with SignInFailure. */
  finish(query: string, sealed: string | undefined): Promise<KnownPerson>
  /** The present groups of a person. Rejects with SignInFailure. */
  renew(renewal: string): Promise<PersonGroups>
}

/** The groups of a person that the configuration maps to accounts. */
export interface PersonGroups {
  readonly groups: readonly string[]
  /** Sealed text for the next renew(). undefined: the issuer sends no refresh token. */
  readonly renewal: string | undefined
}

interface FinishedSignIn {
  /** Unique for this sign-in. */
  readonly once: string
  /** The failure if this sign-in has already opened a session. */
  readonly again: () => SignInFailure
}

export interface KnownPerson extends FinishedSignIn {
  /** The names under which the person may be a member. The first one is preferred. */
  readonly names: readonly string[]
  /** undefined: the configuration maps no groups. */
  readonly judged?: PersonGroups
  /** The failure if no account has a member with one of the names. */
  readonly stranger: () => SignInFailure
}

interface OperatorSignIn extends Pick<SignIn, 'label' | 'begin'> {
  /** As that of ConsoleSignIn. Also rejects if the person is not an operator. */
  finish(query: string, sealed: string | undefined): Promise<KnownOperator>
}

export interface KnownOperator extends FinishedSignIn {
  readonly name: string
  /** The entry of the configuration that makes the person an operator. */
  readonly rule: string
}

/** null: the configuration names no issuer. */
export function consoleSignIn(config: Config, clock: Clock): ConsoleSignIn | null {
  const { oidc } = config.console
  if (oidc === undefined) return null
  const signIn = signInBy(oidc, 'console', config, clock)
  const { host, label } = signIn
  const { accounts } = oidc
  const groupsOf = (claims: Claims) => (accounts === undefined ? [] : mappedGroups(claims, accounts, host))
  return {
    host,
    label,
    begin: signIn.begin,
    async finish(query, sealed) {
      const { claims, once, renewal } = await signIn.finish(query, sealed)
      const name = nameOf(claims, oidc, host)
      checkDomain(claims, oidc, host)
      return {
        names: candidates(name, oidc),
        once,
        ...(accounts !== undefined && { judged: { groups: groupsOf(claims), renewal } }),
        stranger: () => new SignInFailure('unknown', host, name),
        again: () => new SignInFailure('used', host),
      }
    },
    async renew(last) {
      const { claims, renewal } = await signIn.renew(last)
      return { groups: groupsOf(claims), renewal }
    },
  }
}

/** null: the configuration names no issuer. */
export function operatorSignIn(config: Config, clock: Clock): OperatorSignIn | null {
  const oidc = config.admin?.oidc
  if (oidc === undefined) return null
  const signIn = signInBy(oidc, 'operators', config, clock)
  const { host, label } = signIn
  return {
    label,
    begin: signIn.begin,
    async finish(query, sealed) {
      const { claims, once } = await signIn.finish(query, sealed)
      const name = nameOf(claims, oidc, host)
      const rule = ruleFor(claims, name, oidc)
      if (rule === undefined) throw new SignInFailure('not_operator', host, name)
      return { name, rule, once, again: () => new SignInFailure('used', host) }
    },
  }
}

function signInBy(oidc: IssuerConfig, audience: SignInOptions['audience'], config: Config, clock: Clock): SignIn {
  return createSignIn(oidc, { audience, wanted: wantedClaims(oidc), clock, sharedSecret: () => gatewaySecret(config) })
}
