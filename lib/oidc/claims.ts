/** What an issuer tells of a person, read as the configuration says. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { AdminOidcConfig, ConsoleOidcConfig, IssuerConfig } from '../config/config.ts'
import { SignInFailure } from './failure.ts'

/** As an ID token has them: about one person, verified. */
export type Claims = JsonObject

const EMAIL = 'email'
const EMAIL_VERIFIED = 'email_verified'
/** Names of members are no longer. */
const MOST_CHARACTERS = 255

/** The claim of this name or, where there is none, the member that `a.b` names. Names of claims may have points in them. */
export function claimOf(claims: Claims, name: string): Json | undefined {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: Json | undefined = claims
  for (const part of name.split('.')) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value
}

/** The claims that the configuration asks for: those that an ID token lacks are read from the issuer's userinfo. */
export function wantedClaims(oidc: IssuerConfig & Partial<ConsoleOidcConfig & AdminOidcConfig>): readonly string[] {
  const { user_claim, allowed_domains = [], groups = [], groups_claim } = oidc
  const isByEmail = user_claim === EMAIL || allowed_domains.length > 0
  return [
    user_claim,
    ...(isByEmail ? [EMAIL, EMAIL_VERIFIED] : []),
    ...(groups_claim !== undefined && groups.length > 0 ? [groups_claim] : []),
  ]
}

/** The name of the person. Throws SignInFailure where there is none that can be relied on. */
export function nameOf(claims: Claims, { user_claim: claim }: Pick<IssuerConfig, 'user_claim'>, host: string): string {
  if (claim === EMAIL) return verifiedEmail(claims, host)
  const value = claimOf(claims, claim)
  if (!isName(value)) throw new SignInFailure('no_claim', host, `claim '${claim}'`)
  return value
}

/** Throws SignInFailure where the domain of the verified e-mail address is none of those that may sign in. */
export function checkDomain(
  claims: Claims,
  { allowed_domains: allowed }: Pick<ConsoleOidcConfig, 'allowed_domains'>,
  host: string,
): void {
  if (allowed.length === 0) return
  const domain = lowerCase(verifiedEmail(claims, host).split('@').at(-1)!)
  if (!allowed.some(one => lowerCase(one) === domain)) throw new SignInFailure('domain', host)
}

/** The names under which a person may be a member: the one that the issuer has sent and, of an address, the one in small letters. */
export function candidates(name: string, { user_claim: claim }: Pick<IssuerConfig, 'user_claim'>): readonly string[] {
  return claim === EMAIL ? [...new Set([name, lowerCase(name)])] : [name]
}

/** The entry of the configuration that makes the person an operator; undefined: none does. `group:ops`, `user:alice@example.com` */
export function ruleFor(claims: Claims, name: string, oidc: AdminOidcConfig): string | undefined {
  const { users, groups, groups_claim } = oidc
  const names = candidates(name, oidc)
  const user = users.find(one => names.includes(one))
  if (user !== undefined) return `user:${user}`
  const value = claimOf(claims, groups_claim)
  const held = Array.isArray(value) ? value : [value]
  const group = groups.find(one => held.includes(one))
  return group === undefined ? undefined : `group:${group}`
}

/** Whether the configuration still has the entry that has made a person an operator. */
export function isRule(rule: string, oidc: AdminOidcConfig | undefined): boolean {
  if (oidc === undefined) return false
  return [...oidc.users.map(user => `user:${user}`), ...oidc.groups.map(group => `group:${group}`)].includes(rule)
}

function verifiedEmail(claims: Claims, host: string): string {
  const email = claimOf(claims, EMAIL)
  if (!isName(email) || !/^[^@\s]+@[^@\s]+$/.test(email)) throw new SignInFailure('no_claim', host, `claim '${EMAIL}'`)
  // Some issuers send it as a text.
  const verified = claimOf(claims, EMAIL_VERIFIED)
  if (verified !== true && verified !== 'true') throw new SignInFailure('unverified', host)
  return email
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && value.length <= MOST_CHARACTERS && /^\P{Cc}+$/u.test(value) && value.trim() !== ''
}

/** Of ASCII letters alone: other letters have small forms that are the same as those of another person's address. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
