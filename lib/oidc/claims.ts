/** Reads the claims of an issuer about a person, as the configuration says. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { AdminOidcConfig, ConsoleOidcConfig, IssuerConfig } from '../config/config.ts'
import { SignInFailure } from './failure.ts'

/** The verified claims of an ID token, about one person. */
export type Claims = JsonObject

const EMAIL = 'email'
const EMAIL_VERIFIED = 'email_verified'
/** Maximum length of the name of a member. */
const MAX_NAME_CHARACTERS = 255

/** The claim with this name, else the nested member with the path `a.b`. The name of a claim may contain dots. */
export function claimOf(claims: Claims, name: string): Json | undefined {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: Json | undefined = claims
  for (const part of name.split('.')) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value
}

/** The claims that the configuration needs. The issuer's userinfo endpoint has those that an ID token lacks. */
export function wantedClaims(oidc: IssuerConfig & Partial<ConsoleOidcConfig & AdminOidcConfig>): readonly string[] {
  const { user_claim, allowed_domains = [], groups = [], groups_claim, accounts } = oidc
  const isByEmail = user_claim === EMAIL || allowed_domains.length > 0
  return [
    user_claim,
    ...(isByEmail ? [EMAIL, EMAIL_VERIFIED] : []),
    ...(groups_claim !== undefined && groups.length > 0 ? [groups_claim] : []),
    ...(accounts === undefined ? [] : [accounts.claim]),
  ]
}

/** The name of the person. Throws SignInFailure if the issuer sends none, or has not verified it. */
export function nameOf(claims: Claims, { user_claim: claim }: Pick<IssuerConfig, 'user_claim'>, host: string): string {
  if (claim === EMAIL) return verifiedEmail(claims, host)
  const value = claimOf(claims, claim)
  if (!isName(value)) throw new SignInFailure('no_claim', host, `claim '${claim}'`)
  return value
}

/** Throws SignInFailure if the domain of the verified e-mail address may not sign in. */
export function checkDomain(
  claims: Claims,
  { allowed_domains: allowed }: Pick<ConsoleOidcConfig, 'allowed_domains'>,
  host: string,
): void {
  if (allowed.length === 0) return
  const domain = lowerCase(verifiedEmail(claims, host).split('@').at(-1)!)
  if (!allowed.some(one => lowerCase(one) === domain)) throw new SignInFailure('domain', host)
}

/** The names under which a person may be a member: the one of the issuer and, for an e-mail address, its lower case. */
export function candidates(name: string, { user_claim: claim }: Pick<IssuerConfig, 'user_claim'>): readonly string[] {
  return claim === EMAIL ? [...new Set([name, lowerCase(name)])] : [name]
}

/** The entry of the configuration that makes the person an operator: `group:ops`, `user:alice@example.com`. */
export function ruleFor(claims: Claims, name: string, oidc: AdminOidcConfig): string | undefined {
  const { users, groups, groups_claim } = oidc
  const names = candidates(name, oidc)
  const user = users.find(one => names.includes(one))
  if (user !== undefined) return `user:${user}`
  const [group] = claimedOf(claims, groups_claim, groups)
  return group === undefined ? undefined : `group:${group}`
}

/**
 * The mapped groups of a person. Throws SignInFailure if the issuer keeps the claim elsewhere (OpenID Connect Core,
 * section 5.6.2), because the groups are unknown then. Entra does so for a user with more than 200 groups.
 */
export function mappedGroups(
  claims: Claims,
  { claim, map }: NonNullable<ConsoleOidcConfig['accounts']>,
  host: string,
): readonly string[] {
  const { _claim_names: elsewhere } = claims
  if (claimOf(claims, claim) === undefined && isObject(elsewhere) && Object.hasOwn(elsewhere, claim))
    throw new SignInFailure('no_claim', host, `claim '${claim}', only a reference to it`)
  return claimedOf(claims, claim, Object.keys(map))
}

/** Those of the values that the claim has. */
function claimedOf(claims: Claims, name: string, values: readonly string[]): readonly string[] {
  const value = claimOf(claims, name)
  const claimed = Array.isArray(value) ? value : [value]
  return values.filter(one => claimed.includes(one))
}

/** Whether the configuration still has an entry that ruleFor() returned. */
export function isRule(rule: string, oidc: AdminOidcConfig | undefined): boolean {
  if (oidc === undefined) return false
  return [...oidc.users.map(user => `user:${user}`), ...oidc.groups.map(group => `group:${group}`)].includes(rule)
}

function verifiedEmail(claims: Claims, host: string): string {
  const email = claimOf(claims, EMAIL)
  if (!isName(email) || !/^[^@\s]+@[^@\s]+$/.test(email)) throw new SignInFailure('no_claim', host, `claim '${EMAIL}'`)
  // Some issuers send a string.
  const verified = claimOf(claims, EMAIL_VERIFIED)
  if (verified !== true && verified !== 'true') throw new SignInFailure('unverified', host)
  return email
}

function isName(value: Json | undefined): value is string {
  return (
    typeof value === 'string' && value.length <= MAX_NAME_CHARACTERS && /^\P{Cc}+$/u.test(value) && value.trim() !== ''
  )
}

/** Only ASCII letters, because the lower case of other letters may equal the address of another person. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, letter => letter.toLowerCase())
}
